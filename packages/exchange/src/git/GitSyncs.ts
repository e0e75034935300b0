/**
 * Starts imports from and exports to Git repositories, and reports their state. Operations run in the background, one
 * at a time for a space (see `GitOperationJob`).
 */
import { Context, Effect, Layer, Result } from "effect"
import { CurrentActor, userOf } from "@lectern/core/access/Actor"
import type { Forbidden } from "@lectern/core/access/Forbidden"
import * as FolderPath from "../import/FolderPath.ts"
import { Events } from "@lectern/core/event/Events"
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { Ids } from "@lectern/core/identity/Ids"
import { Secrets } from "@lectern/core/identity/Secrets"
import { Jobs } from "@lectern/core/job/Jobs"
import { accepting, type InvalidInput } from "@lectern/core/schema/Input"
import { millisOf } from "@lectern/core/schema/InputTime"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { type SpaceId, SpaceLocked, type SpaceNotFound } from "@lectern/core/space/Space"
import { SpacePolicy } from "@lectern/core/space/SpacePolicy"
import { cannotConflict, Storage, type StorageError } from "@lectern/core/storage/Storage"
import { next } from "./GitOperationState.ts"
import type { GitCredentials } from "@lectern/core/exchange/GitSyncRow"
import {
  GitExportRequest,
  GitImportRequest,
  GitSyncBusy,
  GitSyncNotFound,
  type GitSyncState,
  InvalidGitRequest,
  operationTimeout
} from "./GitSync.ts"
import {
  type Direction,
  GitCredentialTable,
  type GitSyncRow,
  GitSyncTable,
  type GitTask
} from "@lectern/core/exchange/GitSyncRow"
import { RunGitOperation } from "./GitOperationJob.ts"
import { presentSync } from "./GitSyncPresenter.ts"
import * as GitUrl from "./GitUrl.ts"

const acceptImport = accepting(GitImportRequest)
const acceptExport = accepting(GitExportRequest)

type Failure = SpaceNotFound | Forbidden | StorageError
type StartFailure = Failure | InvalidInput | InvalidGitRequest | GitSyncBusy | SpaceLocked

export class GitSyncs extends Context.Service<
  GitSyncs,
  {
    /**
     * Starts an import of the head of a branch.
     *
     * @throws {Forbidden}
     * @throws {GitSyncBusy}
     * @throws {InvalidGitRequest}
     * @throws {InvalidInput}
     * @throws {SpaceLocked}
     * @throws {SpaceNotFound}
     */
    readonly import: (space: SpaceId, request: GitImportRequest) => Effect.Effect<void, StartFailure, CurrentActor>
    /**
     * Starts an export of new revisions to a branch, as commits.
     *
     * @throws {Forbidden}
     * @throws {GitSyncBusy}
     * @throws {InvalidGitRequest}
     * @throws {InvalidInput}
     * @throws {SpaceLocked}
     * @throws {SpaceNotFound}
     */
    readonly export: (space: SpaceId, request: GitExportRequest) => Effect.Effect<void, StartFailure, CurrentActor>
    /**
     * Returns the state of a space's synchronization: direction, last commit, and the error of the last run.
     *
     * @throws {Forbidden}
     * @throws {GitSyncNotFound} If the space was never synchronized.
     * @throws {SpaceNotFound}
     */
    readonly info: (space: SpaceId) => Effect.Effect<GitSyncState, Failure | GitSyncNotFound, CurrentActor>
  }
>()("@lectern/exchange/git/GitSyncs") {
  static readonly layer = Layer.effect(
    GitSyncs,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const secrets = yield* Secrets
      const jobs = yield* Jobs
      const events = yield* Events
      const policy = yield* SpacePolicy
      const fetcher = yield* GuardedFetch
      const syncs = storage.repository(GitSyncTable)
      const credentialRows = storage.repository(GitCredentialTable)

      const taskOf = Effect.fnUntraced(function* (direction: Direction, request: GitImportRequest | GitExportRequest) {
        const { repoTreeURL, repoCommitURL, repoProjectDirectory = "", ref, force, standalone } = request
        for (const [field, url] of Object.entries({ repoTreeURL, repoCommitURL })) {
          const urlProblem = url === undefined ? undefined : GitUrl.problemOfDisplayed(url)
          if (urlProblem !== undefined) return yield* invalid(field, urlProblem)
        }
        const { url, credentials } = yield* Effect.fromResult(GitUrl.parse(request.url)).pipe(
          Effect.tap((parsedUrl) => Effect.mapError(fetcher.check(parsedUrl.url), ({ message }) => message)),
          Effect.catch((message) => invalid("url", message))
        )
        const task: GitTask = {
          direction,
          url,
          ref,
          directory: FolderPath.normalize(repoProjectDirectory) ?? "",
          ...(repoTreeURL !== undefined && { treeURL: repoTreeURL }),
          ...(repoCommitURL !== undefined && { commitURL: repoCommitURL }),
          ...(force === true && { force }),
          ...(standalone === true && { standalone }),
          ...("commitMessage" in request && { message: request.commitMessage })
        }
        return { task, credentials }
      })

      const start = Effect.fnUntraced(function* (
        id: SpaceId,
        { task, credentials }: { readonly task: GitTask; readonly credentials: GitCredentials | undefined },
        delivery: string | undefined
      ) {
        yield* storage.transaction(
          Effect.gen(function* () {
            const { space } = yield* policy.require(id, "synchronise this space with Git")
            if (task.direction === "import" && task.standalone !== true && space.editMode === "locked") {
              return yield* new SpaceLocked({ message: "The space is locked: unlock it to import into it" })
            }
            const now = yield* Timestamps.now
            const existing = yield* syncs.get({ space: id })
            const timestamp = delivery === undefined ? existing?.timestamp : Timestamps.at(millisOf(delivery))
            if (delivery !== undefined && existing?.timestamp !== undefined && timestamp! < existing.timestamp) {
              return yield* new GitSyncBusy({ message: "An operation for a later event was requested already" })
            }
            const operation = next(
              existing?.operation,
              { type: "begin", id: yield* ids.next, task, actor: userOf(yield* CurrentActor) },
              now
            )
            if (Result.isFailure(operation)) return yield* new GitSyncBusy({ message: operation.failure })
            const startedOperation = operation.success
            const fields = {
              operation: startedOperation,
              updatedAt: now,
              ...(timestamp !== undefined && { timestamp })
            }
            if (existing === undefined) {
              const row: GitSyncRow = { space: id, id: yield* ids.next, ...fields }
              yield* syncs.insert(row).pipe(cannotConflict)
            } else {
              yield* syncs.update({ space: id }, fields)
              // Removes the credentials of an operation that timed out without ending.
              yield* credentialRows.remove({ operation: existing.operation.id })
            }
            if (credentials !== undefined) {
              const key = { operation: startedOperation.id }
              const sealedCredentials = yield* secrets.seal(GitCredentialTable, key, "credentials", credentials)
              yield* credentialRows.insert({ ...key, space: id, credentials: sealedCredentials }).pipe(cannotConflict)
            }
            const payload = { space: id, operation: startedOperation.id }
            yield* jobs.enqueue(RunGitOperation, payload)
            // A second job ends the operation and removes its credentials if the first one fails.
            const runAt = Timestamps.after(now, operationTimeout)
            yield* jobs.enqueue(RunGitOperation, payload, { runAt })
            yield* events.emit({
              type: "space_gitsync_started",
              organization: space.organization,
              space: id,
              direction: task.direction
            })
          })
        )
      })

      return GitSyncs.of({
        import: Effect.fn("GitSyncs.import")(function* (id, rawInput) {
          yield* policy.require(id, "synchronise this space with Git")
          const request = yield* acceptImport(rawInput)
          yield* start(id, yield* taskOf("import", request), request.timestamp)
        }),

        export: Effect.fn("GitSyncs.export")(function* (id, rawInput) {
          yield* policy.require(id, "synchronise this space with Git")
          const request = yield* acceptExport(rawInput)
          yield* start(id, yield* taskOf("export", request), request.timestamp)
        }),

        info: Effect.fn("GitSyncs.info")(function* (id) {
          yield* policy.require(id, "synchronise this space with Git")
          const row = yield* syncs.get({ space: id })
          if (row === undefined) {
            return yield* new GitSyncNotFound({ message: "The space is not connected to a Git repository" })
          }
          return presentSync(row, yield* Timestamps.now)
        })
      })
    })
  )
}

const invalid = (field: string, message: string) =>
  Effect.fail(new InvalidGitRequest({ issues: [{ path: `body.${field}`, message }] }))
