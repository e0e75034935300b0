/**
 * Removes files that have been unused for a day, once a day. Garbage collection then removes their bytes. A transaction
 * that starts to use a file updates its time of use (see `UploadClaims`), so the file is spared however long the scan
 * takes.
 */
import { Duration, Effect } from "effect"
import { ago, scheduled } from "../job/Schedule.ts"
import type { Table } from "../storage/Table.ts"
import { orderValues, Storage } from "../storage/Storage.ts"
import { UploadTable } from "./Upload.ts"
import { uploadUses } from "./UploadUses.ts"

const minUnusedTime = Duration.days(1)
const slice = 100

/** Calls the function for every row of a table, in time slices (see `Slice`). */
const forEachRow = Effect.fnUntraced(function* (table: Table, visitRow: (row: object) => void) {
  const rows = (yield* Storage).repository(table)
  for (let after: ReturnType<typeof orderValues> | undefined; ;) {
    const batch = yield* rows.list({ where: {}, limit: slice, ...(after && { after }) })
    for (const row of batch) visitRow(row as object)
    if (batch.length < slice) return
    after = orderValues(table, { where: {} }, batch.at(-1))
    yield* Effect.yieldNow
  }
})

export const removeUnusedUploads = scheduled(
  "remove-unused-uploads",
  { days: 1 },
  Effect.gen(function* () {
    const rows = (yield* Storage).repository(UploadTable)
    const until = yield* ago(minUnusedTime)
    const oldUploads = yield* rows.list({ where: { usedAt: { lt: until } } })
    if (oldUploads.length === 0) return
    const uploads = new Set<string>()
    const blobs = new Set<string>()
    for (const { table, used } of uploadUses) {
      yield* forEachRow(table, (row) => {
        const usedFiles = used(row)
        for (const key of usedFiles.uploads ?? []) uploads.add(key)
        for (const hash of usedFiles.blobs ?? []) blobs.add(hash)
      })
    }
    const unusedUploads = oldUploads.filter(
      ({ id, blob }) => !uploads.has(id) && (blob === undefined || !blobs.has(blob))
    )
    for (let at = 0; at < unusedUploads.length; at += slice) {
      const ids = unusedUploads.slice(at, at + slice).map(({ id }) => id)
      yield* rows.remove({ id: { in: ids }, usedAt: { lt: until } })
      yield* Effect.yieldNow
    }
  })
)
