/** Job that deletes PDFs that were not requested for 7 days. Runs daily. Garbage collection deletes their bytes. */
import { Clock, Duration, Effect } from "effect"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import { retention, PdfTable } from "./Pdf.ts"

export const RemoveOldPdfs = Job.recurring("remove-old-pdfs", Duration.days(1))

export const removeOldPdfs = Effect.gen(function* () {
  const storage = yield* Storage
  return Job.handler(RemoveOldPdfs, () =>
    Effect.gen(function* () {
      const until = (yield* Clock.currentTimeMillis) - Duration.toMillis(retention)
      yield* removeAll(PdfTable, { askedAt: { lt: Timestamps.at(until) } })
    }).pipe(Effect.provideService(Storage, storage))
  )
})
