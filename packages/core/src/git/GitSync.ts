/**
 * Synchronization of a space with a Git repository: its address, the last common content, and the running or last
 * operation.
 *
 * Limits: URLs 2,048 characters, ref 255, directory 512, message 10,000; 20 problems are listed; an operation times out
 * after 15 minutes.
 *
 * Credentials are part of the URL of a request. They are sealed in a row of their own until the operation ends, and
 * never returned.
 */
import { Schema } from "effect"
import { Content } from "../content/Content.ts"
import * as FolderPath from "../content/import/FolderPath.ts"
import { ImportReport } from "../content/import/ImportReport.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Issues } from "../schema/Input.ts"
import type { GitCredentials } from "./GitRemote.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import { InputTime } from "../schema/InputTime.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

/** Time limit of an operation in milliseconds. */
export const operationTimeout = 15 * 60 * 1000

export const maxProblems = 20

export const Direction = Schema.Literals(["import", "export"])
export type Direction = typeof Direction.Type

/** `GitOperationState` defines the transitions. */
export const OperationState = Schema.Literals(["running", "success", "failure", "timeout"])
export type OperationState = typeof OperationState.Type

const Problem = Schema.Struct({ path: Schema.String, message: Schema.String })

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
  problems: Schema.optionalKey(Schema.Array(Problem)),
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

const Url = Text.between(1, 2048)

const Ref = Text.between(1, 255).check(
  Schema.makeFilter((ref: string) =>
    isBranch(ref) ? undefined : "Expected a branch by its full name, as in refs/heads/main"
  )
)

/** Returns true for a valid name of a branch. */
const isBranch = (ref: string): boolean =>
  /^refs\/heads\/[^\p{Cc} ~^:?*[\\]+$/u.test(ref) &&
  !ref.includes("@{") &&
  !ref.includes("..") &&
  ref.split("/").every((name) => name !== "" && !name.startsWith(".") && !name.endsWith(".") && !name.endsWith(".lock"))

const Directory = Text.atMost(512).check(
  Schema.makeFilter((path: string) =>
    FolderPath.normalize(path) === undefined || /[\\\p{Cc}]/u.test(path)
      ? "Expected a path within the repository"
      : undefined
  )
)

const requestFields = {
  /** URL of the repository. May contain a user name and a password or token. */
  url: Url,
  ref: Ref,
  repoTreeURL: Schema.optionalKey(Url),
  repoCommitURL: Schema.optionalKey(Url),
  repoProjectDirectory: Schema.optionalKey(Directory),
  timestamp: Schema.optionalKey(InputTime),
  force: Schema.optionalKey(Schema.Boolean),
  standalone: Schema.optionalKey(Schema.Boolean)
}

export const GitImportRequest = Schema.Struct(requestFields)
export type GitImportRequest = typeof GitImportRequest.Type

export const GitExportRequest = Schema.Struct({ ...requestFields, commitMessage: Text.between(1, 10_000) })
export type GitExportRequest = typeof GitExportRequest.Type

/** State of a space's synchronization as an API resource. */
export const GitSyncState = Schema.Struct({
  object: Schema.Literal("git-sync"),
  repoName: Schema.String,
  installationStatus: Schema.Literal("active"),
  /** `github`, `gitlab`, or `git` for any other host. */
  installationProvider: Schema.String,
  installationId: Schema.String,
  /** Web page of the branch. */
  url: Schema.String,
  ref: Schema.String,
  /** The last synchronized commit. */
  commit: Schema.optionalKey(Schema.String),
  operation: Schema.Struct({
    state: OperationState,
    direction: Direction,
    startedAt: Timestamp,
    endedAt: Schema.optionalKey(Timestamp),
    revision: Schema.optionalKey(RevisionId),
    error: Schema.optionalKey(Schema.String),
    problems: Schema.optionalKey(Schema.Array(Problem)),
    problemCount: Schema.optionalKey(Schema.Int),
    report: Schema.optionalKey(ImportReport)
  }),
  operationTimeout: Schema.Int,
  updatedAt: Timestamp
})
export type GitSyncState = typeof GitSyncState.Type

/** Raised if the space was never imported from a repository or exported to one. */
export class GitSyncNotFound extends Schema.TaggedError<GitSyncNotFound>()(
  "GitSyncNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if another operation of the space is running, or a later one was requested. Retry after it has ended. */
export class GitSyncBusy extends Schema.TaggedError<GitSyncBusy>()(
  "GitSyncBusy",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** Raised if the request is invalid for a repository. */
export class InvalidGitRequest extends Schema.TaggedError<InvalidGitRequest>()(
  "InvalidGitRequest",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    const [issue] = this.issues
    return issue?.message ?? "The operation is not supported for repositories"
  }
}
