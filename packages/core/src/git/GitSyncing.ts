/**
 * Does what `GitSyncs` began: opens the branch, imports or exports, and writes down how that ended.
 * What goes wrong with the repository or the content is the operation's failure, in a sentence; what
 * goes wrong with the store makes the job try again, as long as the operation has time. Done twice,
 * it changes nothing the second time.
 *
 * It is done in the name of who asked for it, and so refused where that person may no longer.
 */
import { Effect, Result, Schema } from "effect"
import { type Actor, CurrentActor, host } from "../access/Actor.ts"
import { Events } from "../event/Events.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as Job from "../job/Job.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SpaceId, SpaceTable } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import * as GitExport from "./GitExport.ts"
import * as GitImport from "./GitImport.ts"
import { type GitEvent, isOver, next, timeoutMessage } from "./GitOperationState.ts"
import { GitFailed, GitRemote } from "./GitRemote.ts"
import { type GitCommon, GitCredentialTable, type GitSyncRow, GitSyncTable, operationTimeout } from "./GitSync.ts"
import { shownOnSpace } from "./GitSyncPresenter.ts"

export const RunGitOperation = Job.kind(
  "run-git-operation",
  Schema.Struct({ space: SpaceId, operation: Schema.String }),
  { attempts: 3 }
)

export const runGitOperation = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const remote = yield* GitRemote
  const secrets = yield* Secrets
  const importing = yield* GitImport.make
  const exporting = yield* GitExport.make
  const syncs = storage.repository(GitSyncTable)
  const credentials = storage.repository(GitCredentialTable)
  const spaces = storage.repository(SpaceTable)

  const credentialsOf = Effect.fnUntraced(function* (operation: string) {
    const row = yield* credentials.get({ operation })
    return row && (yield* secrets.open(GitCredentialTable, row, "credentials"))
  })

  /** Ends an operation, with what is in common from now on, and takes its credentials away. */
  const end = (space: SpaceId, event: Exclude<GitEvent, { readonly type: "begin" }>, common?: GitCommon) =>
    storage.transaction(
      Effect.gen(function* () {
        yield* credentials.remove({ operation: event.id })
        const row = yield* syncs.get({ space })
        const now = yield* Timestamps.now
        const ended = next(row?.operation, event, now)
        if (row === undefined || Result.isFailure(ended)) return
        const operation = ended.success
        const after: GitSyncRow = { ...row, operation, updatedAt: now }
        yield* syncs.update({ space }, { operation, updatedAt: now, ...(common && { common, pushing: undefined }) })
        const owner = yield* spaces.get({ id: space })
        if (owner === undefined) return
        if (common !== undefined) yield* spaces.update({ id: space }, { gitSync: shownOnSpace(after) })
        yield* events.emit({
          type: "space_gitsync_completed",
          organization: owner.organization,
          space,
          direction: operation.task.direction,
          state: operation.state === "success" ? "success" : "failure",
          revision: operation.revision ?? owner.revision,
          ...(common !== undefined && { commit: common.commit })
        })
      })
    )

  const work = Effect.fnUntraced(function* (space: SpaceId, { operation, common, pushing }: GitSyncRow) {
    const { id, task } = operation
    const { url, ref, directory } = task
    const isHere = (one: GitCommon | undefined): one is GitCommon =>
      one?.url === url && one.ref === ref && one.directory === directory
    const known = [common, pushing].filter(isHere)
    const branch = yield* remote.open(task, yield* credentialsOf(id))
    if (task.direction === "import") {
      // A push that arrived although nobody heard of it counts as any other.
      const last = known.find(({ commit }) => commit === branch.head?.oid) ?? known[0]
      return yield* importing(space, task, branch, last)
    }
    return yield* exporting(space, task, branch, known, (after) =>
      Effect.asVoid(syncs.update({ space }, { pushing: after }))
    )
  }, Effect.scoped)

  const attempt = (space: SpaceId, row: GitSyncRow, now: Timestamp) => {
    const { actor: user, startedAt } = row.operation
    const actor: Actor = user === null ? host : { type: "user", user }
    return work(space, row).pipe(
      Effect.timeoutOrElse({
        duration: Date.parse(startedAt) + operationTimeout - Date.parse(now),
        orElse: () => Effect.fail(new GitFailed({ reason: "timeout", message: timeoutMessage }))
      }),
      Effect.provideService(CurrentActor, actor),
      Effect.map((done) => ({ ...done, error: undefined })),
      Effect.catchIf(
        (error): error is Exclude<typeof error, StorageError> => error._tag !== "StorageError",
        ({ message }) => Effect.succeed({ common: undefined, revision: undefined, problems: [], error: message })
      )
    )
  }

  return Job.handler(RunGitOperation, ({ payload }) =>
    Effect.gen(function* () {
      const { space, operation: id } = payload
      const row = yield* syncs.get({ space })
      const now = yield* Timestamps.now
      if (
        row === undefined ||
        row.operation.id !== id ||
        row.operation.state !== "running" ||
        isOver(row.operation, now)
      ) {
        return yield* end(space, { type: "expire", id })
      }
      const { common, revision, problems, error } = yield* attempt(space, row, now)
      const outcome = { ...(revision !== undefined && { revision }), ...(error !== undefined && { error }) }
      yield* end(space, { type: "end", id, problems, ...outcome }, common)
    })
  )
})
