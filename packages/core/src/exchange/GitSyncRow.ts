/**
 * Rows of the synchronization of a space with a Git repository: the last common content, the running or last operation,
 * and its sealed credentials.
 */
import { Schema } from "effect"
import { Content } from "../content/Content.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"
import { ImportReport } from "./ImportReport.ts"

export const Direction = Schema.Literals(["import", "export"])
export type Direction = typeof Direction.Type

/** `GitOperationState` defines the transitions. */
export const OperationState = Schema.Literals(["running", "success", "failure", "timeout"])
export type OperationState = typeof OperationState.Type

/** A file or entry that an operation skipped or changed. */
export const OperationProblem = Schema.Struct({ path: Schema.String, message: Schema.String })

/** The task of an operation: a direction, a repository, and options. */
export const GitTask = Schema.Struct({
  direction: Direction,
  url: Schema.String,
  ref: Schema.String,
  directory: Schema.String,
  treeURL: Schema.optionalKey(Schema.String),
  commitURL: Schema.optionalKey(Schema.String),
  /**
   * Import: the repository wins everywhere, even if nothing changed there. Export: the space wins over later commits of
   * the branch, by a commit on top.
   */
  force: Schema.optionalKey(Schema.Literal(true)),
  /**
   * The space does not store the result. Import: creates a revision outside of the history of the space. Export:
   * creates a copy.
   */
  standalone: Schema.optionalKey(Schema.Literal(true)),
  /** Export: message of the newest commit, and of commits without a message. */
  message: Schema.optionalKey(Schema.String)
})
export type GitTask = typeof GitTask.Type

export const GitOperation = Schema.Struct({
  id: Schema.String,
  task: GitTask,
  /** The user who requested the operation and whose permissions apply; null for the host application. */
  actor: Schema.NullOr(UserId),
  state: OperationState,
  startedAt: Timestamp,
  endedAt: Schema.optionalKey(Timestamp),
  /** Head of the branch when it was opened. */
  commit: Schema.optionalKey(Schema.String),
  /** Imported or exported revision of a successful operation. */
  revision: Schema.optionalKey(RevisionId),
  error: Schema.optionalKey(Schema.String),
  problems: Schema.optionalKey(Schema.Array(OperationProblem)),
  /** Number of all problems, listed or not. */
  problemCount: Schema.optionalKey(Schema.Int),
  /** Report of a successful import; absent otherwise. */
  report: Schema.optionalKey(ImportReport)
})
export type GitOperation = typeof GitOperation.Type

/** A commit of the repository, and the equal content of the space. */
export const GitCommon = Schema.Struct({
  url: Schema.String,
  ref: Schema.String,
  directory: Schema.String,
  commit: Schema.String,
  /** The content of the commit. Every page and file has its path. */
  content: Content,
  /** Hash of the tree with its titles (see `FolderImport`). */
  outline: Schema.String,
  /** First revision of the space with this content. An export starts with the revisions after it. */
  revision: RevisionId,
  /** True if the revision contains more than the commit: edits before an import that are not exported. */
  ahead: Schema.optionalKey(Schema.Literal(true))
})
export type GitCommon = typeof GitCommon.Type

export const GitSyncRow = Schema.Struct({
  space: SpaceId,
  id: Schema.String,
  operation: GitOperation,
  /** Last common content of space and repository. */
  common: Schema.optionalKey(GitCommon),
  /** Common content after a push with an unknown result. It is valid if the branch has its commit. */
  pushing: Schema.optionalKey(GitCommon),
  /** Time of the event (such as a push) that caused the last operation. Absent if the request contained no time. */
  timestamp: Schema.optionalKey(Timestamp),
  updatedAt: Timestamp
})
export type GitSyncRow = typeof GitSyncRow.Type

export const GitSyncTable = Table.make("gitSync", GitSyncRow, { key: ["space"] })

export interface GitCredentials {
  readonly username: string
  readonly password: string
}

/** Credentials of one operation. Removed when it ends. */
const GitCredentialRow = Schema.Struct({
  operation: Schema.String,
  space: SpaceId,
  credentials: sealed<GitCredentials>()
})

export const GitCredentialTable = Table.make("gitCredential", GitCredentialRow, {
  key: ["operation"],
  indexes: [["space"]],
  sealed: ["credentials"]
})
