/**
 * The Git repository that a space is kept in step with: where it is, what both had in common last,
 * and the operation that runs or ran last.
 *
 * Limits: URLs 2,048 characters, ref 255, directory 512, message 10,000; 20 problems are told of; an
 * operation that has not ended after 15 minutes counts as timed out.
 *
 * Credentials come with the URL of a request, are kept beside the operation that needs them, sealed in
 * a row of their own, and go with its end. Nothing shows them.
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
import { GivenTime } from "../schema/GivenTime.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

/** How long an operation may take, in milliseconds. */
export const operationTimeout = 15 * 60 * 1000

export const maxProblems = 20

export const Direction = Schema.Literals(["import", "export"])
export type Direction = typeof Direction.Type

/** See `GitOperationState` for what leads where. */
export const OperationState = Schema.Literals(["running", "success", "failure", "timeout"])
export type OperationState = typeof OperationState.Type

const Problem = Schema.Struct({ path: Schema.String, message: Schema.String })

/** The task of an operation: a direction, a repository, and how. */
export const GitTask = Schema.Struct({
  direction: Direction,
  url: Schema.String,
  ref: Schema.String,
  directory: Schema.String,
  treeURL: Schema.optionalKey(Schema.String),
  commitURL: Schema.optionalKey(Schema.String),
  /**
   * Of an import: what the repository says wins everywhere, also where nothing changed in it. Of an
   * export: what the space says wins where the branch moved, by a commit on top of it.
   */
  force: Schema.optionalKey(Schema.Literal(true)),
  /**
   * The space remembers nothing of it. Of an import: it makes a revision that is not the space's own.
   * Of an export: it is a copy.
   */
  standalone: Schema.optionalKey(Schema.Literal(true)),
  /** Of an export: the message of its newest commit, and of any that has none of its own. */
  message: Schema.optionalKey(Schema.String)
})
export type GitTask = typeof GitTask.Type

export const GitOperation = Schema.Struct({
  id: Schema.String,
  task: GitTask,
  /** The user who asked for the operation, and in whose name it is done; null for the host application. */
  actor: Schema.NullOr(UserId),
  state: OperationState,
  startedAt: Timestamp,
  endedAt: Schema.optionalKey(Timestamp),
  /** The commit that the branch stood at when it was opened. */
  commit: Schema.optionalKey(Schema.String),
  /** Of one that succeeded: what it imported or exported. */
  revision: Schema.optionalKey(RevisionId),
  error: Schema.optionalKey(Schema.String),
  problems: Schema.optionalKey(Schema.Array(Problem)),
  /** How many there were, told or not. */
  problemCount: Schema.optionalKey(Schema.Int),
  /** Report of a successful import; absent otherwise. */
  report: Schema.optionalKey(ImportReport)
})
export type GitOperation = typeof GitOperation.Type

/** A commit of the repository, and the content of the space that it equals. */
export const GitCommon = Schema.Struct({
  url: Schema.String,
  ref: Schema.String,
  directory: Schema.String,
  commit: Schema.String,
  /** The content of the commit; every page and file names its path. */
  content: Content,
  /** A hash of the tree with its titles (see `FolderImport`). */
  outline: Schema.String,
  /** The revision of the space that had it first: those behind it are what an export tells of. */
  revision: RevisionId,
  /** That revision has more than the commit: edits made before an import that were not exported. */
  ahead: Schema.optionalKey(Schema.Literal(true))
})
export type GitCommon = typeof GitCommon.Type

export const GitSyncRow = Schema.Struct({
  space: SpaceId,
  id: Schema.String,
  operation: GitOperation,
  /** The content that space and repository had in common last. */
  common: Schema.optionalKey(GitCommon),
  /** The same, of a push whose end is not known: it counts once the branch is found to have its commit. */
  pushing: Schema.optionalKey(GitCommon),
  /** The time of the event that caused the last operation, where it was told. */
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

/** A name that Git takes for a branch. */
const isBranch = (ref: string): boolean =>
  /^refs\/heads\/[^\p{Cc} ~^:?*[\\]+$/u.test(ref) &&
  !ref.includes("@{") &&
  !ref.includes("..") &&
  ref.split("/").every((name) => name !== "" && !name.startsWith(".") && !name.endsWith(".") && !name.endsWith(".lock"))

const Directory = Text.atMost(512).check(
  Schema.makeFilter((path: string) =>
    FolderPath.normalise(path) === undefined || /[\\\p{Cc}]/u.test(path)
      ? "Expected a path within the repository"
      : undefined
  )
)

const place = {
  /** May carry a user name and a password or token. */
  url: Url,
  ref: Ref,
  repoTreeURL: Schema.optionalKey(Url),
  repoCommitURL: Schema.optionalKey(Url),
  repoProjectDirectory: Schema.optionalKey(Directory),
  timestamp: Schema.optionalKey(GivenTime),
  force: Schema.optionalKey(Schema.Boolean),
  standalone: Schema.optionalKey(Schema.Boolean)
}

export const GitImportRequest = Schema.Struct(place)
export type GitImportRequest = typeof GitImportRequest.Type

export const GitExportRequest = Schema.Struct({ ...place, commitMessage: Text.between(1, 10_000) })
export type GitExportRequest = typeof GitExportRequest.Type

/** The resource. */
export const GitSyncState = Schema.Struct({
  object: Schema.Literal("git-sync"),
  repoName: Schema.String,
  installationStatus: Schema.Literal("active"),
  /** `github`, `gitlab`, or `git` for any other host. */
  installationProvider: Schema.String,
  installationId: Schema.String,
  /** The web page of the branch. */
  url: Schema.String,
  ref: Schema.String,
  /** The commit that the space was last in step with. */
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

/** The space was never imported from a repository or exported to one. */
export class GitSyncNotFound extends Schema.TaggedError<GitSyncNotFound>()(
  "GitSyncNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Another operation of the space runs, or a later one was asked for already. */
export class GitSyncBusy extends Schema.TaggedError<GitSyncBusy>()(
  "GitSyncBusy",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}

/** A request that can't be done with a repository. */
export class InvalidGitRequest extends Schema.TaggedError<InvalidGitRequest>()(
  "InvalidGitRequest",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    const [issue] = this.issues
    return issue?.message ?? "That can't be done with a repository"
  }
}
