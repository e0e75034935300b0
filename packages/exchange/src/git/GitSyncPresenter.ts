/** Synchronization of a space as a resource of the interface. Contains no credentials. */
import type { Timestamp } from "@lectern/core/schema/Text"
import type { SpaceRow } from "@lectern/core/space/Space"
import { stateOf, timeoutMessage } from "./GitOperationState.ts"
import { type GitSyncState, operationTimeout } from "./GitSync.ts"
import type { GitSyncRow } from "@lectern/core/exchange/GitSyncRow"
import * as GitUrl from "./GitUrl.ts"

export const presentSync = (row: GitSyncRow, now: Timestamp): GitSyncState => {
  const { operation, common } = row
  const { task, startedAt, endedAt, revision, error, problems, problemCount, report } = operation
  const state = stateOf(operation, now)
  const isSame = common?.url === task.url && common.ref === task.ref && common.directory === task.directory
  return {
    object: "git-sync",
    ...spaceSummary(row),
    ref: task.ref,
    ...(isSame && { commit: common.commit }),
    operation: {
      state,
      direction: task.direction,
      startedAt,
      ...(endedAt !== undefined && { endedAt }),
      ...(revision !== undefined && { revision }),
      ...(error !== undefined ? { error } : state === "timeout" && { error: timeoutMessage }),
      ...(problems !== undefined && { problems }),
      ...(problemCount !== undefined && { problemCount }),
      ...(report !== undefined && { report })
    },
    operationTimeout
  }
}

/** The part of the synchronization that is shown in the space resource. */
export const spaceSummary = ({ id, operation: { task }, updatedAt }: GitSyncRow) =>
  ({
    repoName: GitUrl.nameOf(task),
    installationStatus: "active",
    installationProvider: GitUrl.providerOf(task),
    installationId: id,
    url: task.treeURL ?? GitUrl.treeOf(task),
    updatedAt
  }) satisfies NonNullable<SpaceRow["gitSync"]>
