/**
 * Runs the operations that `GitSyncs` starts: opens the branch, imports or exports, and stores the result. Errors of
 * the repository or the content end the operation with a failure. Storage errors make the job retry until the operation
 * times out. Repeating an operation is safe.
 *
 * The operation runs with the current permissions of the user who requested it.
 */
import { Effect, Result, Schema } from "effect"
import { type Actor, CurrentActor, host } from "@lectern/core/access/Actor"
import type { RevisionId } from "@lectern/core/content/revisions/Revision"
import { Events } from "@lectern/core/event/Events"
import { Secrets } from "@lectern/core/identity/Secrets"
import * as Job from "@lectern/core/job/Job"
import type { Timestamp } from "@lectern/core/schema/Text"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { SpaceId, type SpaceRow, SpaceTable } from "@lectern/core/space/Space"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import * as GitExport from "./GitExport.ts"
import * as GitImport from "./GitImport.ts"
import { type GitEvent, isTimedOut, next, timeoutMessage } from "./GitOperationState.ts"
import { GitFailed, GitRemote } from "./GitRemote.ts"
import { operationTimeout } from "./GitSync.ts"
import {
  type GitCommon,
  GitCredentialTable,
  type GitSyncRow,
  GitSyncTable,
  type GitTask
} from "@lectern/core/exchange/GitSyncRow"
import { spaceSummary } from "./GitSyncPresenter.ts"

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

  const emitCommit = Effect.fnUntraced(function* (
    { id: space, organization }: SpaceRow,
    { direction }: GitTask,
    revision: RevisionId,
    commit: string
  ) {
    yield* events.emit({ type: "space_gitsync_commit_known", organization, space, direction, revision, commit })
  })

  /** Stores the head of a branch. An import brings this commit; the commit of an export is created later. */
  const storeHead = (space: SpaceId, id: string, commit: string) =>
    storage.transaction(
      Effect.gen(function* () {
        const operation = (yield* syncs.get({ space }))?.operation
        if (operation?.id !== id || operation.commit === commit) return
        yield* syncs.update({ space }, { operation: { ...operation, commit } })
        const owner = yield* spaces.get({ id: space })
        if (owner === undefined || operation.task.direction === "export") return
        yield* emitCommit(owner, operation.task, owner.revision, commit)
      })
    )

  /** Ends an operation, stores the common content, and removes the credentials. */
  const endOperation = (
    space: SpaceId,
    event: Exclude<GitEvent, { readonly type: "begin" }>,
    { common, commit }: Partial<Pick<GitImport.GitResult, "common" | "commit">> = {}
  ) =>
    storage.transaction(
      Effect.gen(function* () {
        yield* credentials.remove({ operation: event.id })
        const row = yield* syncs.get({ space })
        const now = yield* Timestamps.now
        const endedOperation = next(row?.operation, event, now)
        if (row === undefined || Result.isFailure(endedOperation)) return
        const operation = endedOperation.success
        const after: GitSyncRow = { ...row, operation, updatedAt: now }
        yield* syncs.update({ space }, { operation, updatedAt: now, ...(common && { common, pushing: undefined }) })
        const owner = yield* spaces.get({ id: space })
        if (owner === undefined) return
        if (common !== undefined) yield* spaces.update({ id: space }, { gitSync: spaceSummary(after) })
        const { task, state } = operation
        const revision = operation.revision ?? owner.revision
        if (task.direction === "export" && commit !== undefined) yield* emitCommit(owner, task, revision, commit)
        const knownCommit = commit ?? operation.commit
        yield* events.emit({
          type: "space_gitsync_completed",
          organization: owner.organization,
          space,
          direction: task.direction,
          state: state === "success" ? "success" : "failure",
          revision,
          startedBy: operation.actor,
          ...(knownCommit !== undefined && { commit: knownCommit })
        })
      })
    )

  const runOperation = Effect.fnUntraced(function* (space: SpaceId, { operation, common, pushing }: GitSyncRow) {
    const { id, task } = operation
    const { url, ref, directory } = task
    const isForFolder = (one: GitCommon | undefined): one is GitCommon =>
      one?.url === url && one.ref === ref && one.directory === directory
    const commonContents = [common, pushing].filter(isForFolder)
    const branch = yield* remote.open(task, yield* credentialsOf(id))
    if (branch.head !== undefined) yield* storeHead(space, id, branch.head.oid)
    if (task.direction === "import") {
      // A push whose result was not received has succeeded if its commit is the head of the branch.
      const lastContent = commonContents.find(({ commit }) => commit === branch.head?.oid) ?? commonContents[0]
      return yield* importing(space, task, branch, lastContent)
    }
    return yield* exporting(space, task, branch, commonContents, (after) =>
      Effect.asVoid(syncs.update({ space }, { pushing: after }))
    )
  }, Effect.scoped)

  const attempt = (space: SpaceId, row: GitSyncRow, now: Timestamp) => {
    const { actor: user, startedAt } = row.operation
    const actor: Actor = user === null ? host : { type: "user", user }
    return runOperation(space, row).pipe(
      Effect.timeoutOrElse({
        duration: Date.parse(startedAt) + operationTimeout - Date.parse(now),
        orElse: () => Effect.fail(new GitFailed({ reason: "timeout", message: timeoutMessage }))
      }),
      Effect.provideService(CurrentActor, actor),
      Effect.map((result) => ({ ...result, error: undefined })),
      Effect.catchIf(
        (error): error is Exclude<typeof error, StorageError> => error._tag !== "StorageError",
        ({ message }) =>
          Effect.succeed({ common: undefined, commit: undefined, revision: undefined, problems: [], error: message })
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
        isTimedOut(row.operation, now)
      ) {
        return yield* endOperation(space, { type: "expire", id })
      }
      const { common, commit, revision, problems, error, ...otherFields } = yield* attempt(space, row, now)
      const report = "report" in otherFields ? otherFields.report : undefined
      const outcome = {
        ...(report !== undefined && { report }),
        ...(revision !== undefined && { revision }),
        ...(error !== undefined && { error })
      }
      yield* endOperation(space, { type: "end", id, problems, ...outcome }, { common, commit })
    })
  )
})
