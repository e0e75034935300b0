/**
 * Does the imports that `ImportRuns` began, in the name of who began each, so what that person may no longer do
 * is refused. One that is cancelled meanwhile ends at once. One that a crash has cut off has failed: whether
 * its pages came is to be seen in the space.
 */
import { Effect } from "effect"
import { type Actor, CurrentActor, host } from "../access/Actor.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage } from "../storage/Storage.ts"
import { ContentImports } from "../content/import/ContentImports.ts"
import { type ImportRunRow, ImportRunTable } from "./ImportRun.ts"
import { RunImport } from "./ImportRuns.ts"

/** How often a run looks whether it was cancelled. */
const watch = "1 second"

export const runImport = Effect.gen(function* () {
  const imports = yield* ContentImports
  const runs = (yield* Storage).repository(ImportRunTable)

  const work = Effect.fnUntraced(function* ({ space, changeRequest, url }: ImportRunRow) {
    const what = { url, source: "website" } as const
    if (changeRequest === undefined) yield* imports.importIntoSpace(space, what)
    else yield* imports.importIntoChangeRequest(space, changeRequest, what)
  })

  const cancelled = (id: string) =>
    Effect.gen(function* () {
      while ((yield* runs.get({ id }))?.status === "in-progress") yield* Effect.sleep(watch)
    })

  const end = Effect.fnUntraced(function* (id: string, reason?: string) {
    const now = yield* Timestamps.now
    yield* runs.update(
      { id, status: "in-progress" },
      reason === undefined
        ? { status: "completed", completedAt: now, updatedAt: now }
        : { status: "failed", reason, completedAt: now, updatedAt: now }
    )
  })

  return Job.handler(RunImport, ({ payload: { run: id } }) =>
    Effect.gen(function* () {
      const now = yield* Timestamps.now
      const begun = yield* runs.update(
        { id, status: "pending" },
        { status: "in-progress", startedAt: now, updatedAt: now }
      )
      if (begun === 0) return yield* end(id, "The server stopped while the import ran")
      const row = (yield* runs.get({ id }))!
      const actor: Actor = row.createdBy === undefined ? host : { type: "user", user: row.createdBy }
      const reason = yield* work(row).pipe(
        Effect.provideService(CurrentActor, actor),
        Effect.as(undefined),
        Effect.catch((error) =>
          error._tag === "StorageError"
            ? Effect.as(Effect.logError("An import failed", error), "The import failed on the server")
            : Effect.succeed(error.message)
        ),
        Effect.raceFirst(Effect.as(cancelled(id), undefined))
      )
      yield* end(id, reason)
    })
  )
})
