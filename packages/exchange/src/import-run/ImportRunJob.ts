/**
 * Job that executes import runs with the permissions of the user who started each. An import without the required
 * permission fails. A cancelled run stops within a second. A run that a crash interrupted fails. Its pages may have
 * been imported nevertheless, which the space shows.
 */
import { Effect } from "effect"
import { type Actor, CurrentActor, host } from "@lectern/core/access/Actor"
import { Events } from "@lectern/core/event/Events"
import * as Job from "@lectern/core/job/Job"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Storage } from "@lectern/core/storage/Storage"
import type { ImportReport } from "@lectern/core/exchange/ImportReport"
import { ContentImports } from "../import/ContentImports.ts"
import { type ArchivedFile, SourceUnreadable } from "../import/SourceReader.ts"
import { UploadTable } from "@lectern/core/upload/Upload"
import { type ImportRunRow, ImportRunTable } from "@lectern/core/exchange/ImportRunRow"
import { importFinished, RunImport } from "./ImportRuns.ts"

interface ImportOutcome {
  readonly reason?: string
  readonly report?: ImportReport
}

/** Interval at which a run checks whether it was cancelled. */
const cancellationPollInterval = "1 second"

export const runImport = Effect.gen(function* () {
  const imports = yield* ContentImports
  const storage = yield* Storage
  const events = yield* Events
  const runs = storage.repository(ImportRunTable)
  const uploads = storage.repository(UploadTable)
  const blobs = yield* BlobStore

  /** Returns uploaded files by their names. `bytes` reads a file during the import. */
  const filesOf = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
    const uploadRows = yield* uploads.getMany(keys.map((id) => ({ id })))
    return uploadRows.flatMap((row): ReadonlyArray<ArchivedFile> => {
      const { name, size, blob } = row ?? {}
      if (name === undefined || size === undefined || blob === undefined) return []
      const unreadable = new SourceUnreadable({ message: `The file ${name} can't be read` })
      const bytes = Effect.flatMap(
        Effect.mapError(blobs.get(blob), () => unreadable),
        (bytes) => (bytes === undefined ? Effect.fail(unreadable) : Effect.succeed(bytes))
      )
      return [{ path: name, size, bytes }]
    })
  })

  const work = Effect.fnUntraced(function* ({ space, changeRequest, source }: ImportRunRow) {
    if (source.type === "file") {
      return yield* imports.importFiles(space, changeRequest, yield* filesOf(source.files))
    }
    const website = { url: source.url, source: "website" } as const
    return yield* changeRequest === undefined
      ? imports.importIntoSpace(space, website)
      : imports.importIntoChangeRequest(space, changeRequest, website)
  })

  const cancelled = (id: string) =>
    Effect.gen(function* () {
      while ((yield* runs.get({ id }))?.status === "in-progress") yield* Effect.sleep(cancellationPollInterval)
    })

  const end = Effect.fnUntraced(function* (id: string, reason?: string, report?: ImportReport) {
    const now = yield* Timestamps.now
    yield* storage.transaction(
      Effect.gen(function* () {
        const updateCount = yield* runs.update(
          { id, status: "in-progress" },
          reason === undefined
            ? { status: "completed", completedAt: now, updatedAt: now, ...(report && { report }) }
            : { status: "failed", reason, completedAt: now, updatedAt: now }
        )
        const row = yield* runs.get({ id })
        if (updateCount === 0 || row === undefined) return
        yield* events.emit(importFinished(row, reason === undefined ? "success" : "failure"))
      })
    )
  })

  return Job.handler(RunImport, ({ payload: { run: id } }) =>
    Effect.gen(function* () {
      const now = yield* Timestamps.now
      const startedCount = yield* runs.update(
        { id, status: "pending" },
        { status: "in-progress", startedAt: now, updatedAt: now }
      )
      if (startedCount === 0) return yield* end(id, "The server stopped while the import ran")
      const row = (yield* runs.get({ id }))!
      const actor: Actor = row.createdBy === undefined ? host : { type: "user", user: row.createdBy }
      const { reason, report }: ImportOutcome = yield* work(row).pipe(
        Effect.provideService(CurrentActor, actor),
        Effect.map(({ report }) => ({ report })),
        Effect.catch((error) =>
          error._tag === "StorageError"
            ? Effect.as(Effect.logError("An import failed", error), { reason: "The import failed on the server" })
            : Effect.succeed({ reason: error.message })
        ),
        Effect.raceFirst(Effect.as(cancelled(id), {}))
      )
      yield* end(id, reason, report)
    })
  )
})
