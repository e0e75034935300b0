/** Removes the PDFs that nobody asked for in 7 days, once a day; their bytes go with the garbage. */
import { Clock, Duration, Effect } from "effect"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { keptFor, PdfTable } from "./Pdf.ts"

export const RemoveOldPdfs = Job.recurring("remove-old-pdfs", Duration.days(1))

export const removeOldPdfs = Effect.gen(function* () {
  const storage = yield* Storage
  return Job.handler(RemoveOldPdfs, () =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) - Duration.toMillis(keptFor)
      yield* removeAll(PdfTable, { askedAt: { lt: Timestamps.at(until) } })
    }).pipe(Effect.provideService(Storage, storage))
  )
})
