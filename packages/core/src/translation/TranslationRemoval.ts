/** Removes the stored translations of a deleted translation's pages, in a job since there may be many. */
import { Effect, Schema } from "effect"
import * as Job from "../job/Job.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import type { Storage } from "../storage/Storage.ts"
import { TranslatedTable, TranslationId } from "./Translation.ts"

export const ForgetTranslation = Job.kind("forget-translation", Schema.Struct({ translation: Schema.String }))

export const forgetTranslation = Effect.gen(function* () {
  const context = yield* Effect.context<Storage>()
  return Job.handler(ForgetTranslation, ({ payload }) =>
    removeAll(TranslatedTable, { translation: TranslationId.make(payload.translation) }).pipe(
      Effect.provideContext(context)
    )
  )
})
