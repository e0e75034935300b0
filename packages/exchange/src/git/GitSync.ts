/**
 * Synchronization of a space with a Git repository as requests, resource and errors. The rows are in `GitSyncRow` of the
 * core.
 *
 * Limits: URLs 2,048 characters, ref 255, directory 512, message 10,000; 20 problems are listed; an operation times out
 * after 15 minutes.
 *
 * Credentials are part of the URL of a request. They are sealed in a row of their own until the operation ends, and
 * never returned.
 */
import { Schema } from "effect"
import * as FolderPath from "../import/FolderPath.ts"
import { Direction, OperationProblem, OperationState } from "@lectern/core/exchange/GitSyncRow"
import { ImportReport } from "@lectern/core/exchange/ImportReport"
import { RevisionId } from "@lectern/core/content/revisions/Revision"
import { Issues } from "@lectern/core/schema/Input"
import { Timestamp } from "@lectern/core/schema/Text"
import { InputTime } from "@lectern/core/schema/InputTime"
import * as Text from "@lectern/core/schema/Text"

/** Time limit of an operation in milliseconds. */
export const operationTimeout = 15 * 60 * 1000

export const maxProblems = 20

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
  /** Branch by its full name, such as `refs/heads/main`. */
  ref: Ref,
  /** Web address of the branch, for links. Default: known for GitHub and GitLab. */
  repoTreeURL: Schema.optionalKey(Url),
  /** Web address of the commits, for links. Default: known for GitHub and GitLab. */
  repoCommitURL: Schema.optionalKey(Url),
  /** Folder of the repository with the documentation. Default: the whole repository. */
  repoProjectDirectory: Schema.optionalKey(Directory),
  /** Time of the event that caused the request. An older request than the last one is refused. Default: none. */
  timestamp: Schema.optionalKey(InputTime),
  /** True if the source wins. Default: false. */
  force: Schema.optionalKey(Schema.Boolean),
  /** True for an operation that the space does not remember. Default: false. */
  standalone: Schema.optionalKey(Schema.Boolean)
}

export const GitImportRequest = Schema.Struct(requestFields)
export type GitImportRequest = typeof GitImportRequest.Type

export const GitExportRequest = Schema.Struct({
  ...requestFields,
  /** Message of the commits. */
  commitMessage: Text.between(1, 10_000)
})
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
    problems: Schema.optionalKey(Schema.Array(OperationProblem)),
    problemCount: Schema.optionalKey(Schema.Int),
    report: Schema.optionalKey(ImportReport)
  }),
  operationTimeout: Schema.Int,
  updatedAt: Timestamp
})
export interface GitSyncState extends Schema.Schema.Type<typeof GitSyncState> {}

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
