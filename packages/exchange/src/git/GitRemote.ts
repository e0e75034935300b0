/**
 * Port to remote Git repositories: reads a branch and adds commits to it. This package does not implement Git;
 * `@lectern/services-node` contains the adapter for Node. The default adapter fails with `refused`.
 *
 * Adapters must guarantee: http and https only, every connection checked by `GuardedFetch`; bounded downloads and
 * unpacked objects, no files left on disk; credentials sent only to their host, and never part of a message. A push
 * only adds commits to the opened branch. If the branch changed in the meantime, the push fails with `moved`.
 */
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import type { GitCredentials } from "@lectern/core/exchange/GitSyncRow"
import type { ImportProblem } from "../import/Folder.ts"

/**
 * - `refused`: this server does not connect to the host
 * - `unauthorized`: credentials are missing or invalid
 * - `not-found`: the repository does not exist, or not for these credentials
 * - `moved`: the branch changed after it was opened
 * - `rejected`: the repository rejected the push
 * - `too-large`: the repository exceeds the limits
 * - `timeout`, `failed`: any other failure
 */
export class GitFailed extends Schema.TaggedError<GitFailed>()("GitFailed", {
  reason: Schema.Literals([
    "refused",
    "unauthorized",
    "not-found",
    "moved",
    "rejected",
    "too-large",
    "timeout",
    "failed"
  ]),
  message: Schema.String
}) {}

/** The folder of a branch in a repository. */
export interface GitFolder {
  /** URL without credentials. */
  readonly url: string
  /** Full name, such as `refs/heads/main`. */
  readonly ref: string
  /** Folder of the repository with the documentation; empty for the whole repository. */
  readonly directory: string
}

export interface GitHead {
  readonly oid: string
  readonly message: string
}

/** A file in the directory, with its path relative to the directory. */
export interface GitFile {
  readonly path: string
  readonly oid: string
  readonly size: number
}

export interface GitPerson {
  readonly name: string
  readonly email: string
}

export interface NewCommit {
  readonly message: string
  readonly author: GitPerson
  readonly committer: GitPerson
  /** Time of author and committer in milliseconds. */
  readonly at: number
}

/** A branch as opened, with local changes. */
export interface GitBranch {
  /** Undefined if the branch does not exist. */
  readonly head: GitHead | undefined
  readonly files: ReadonlyArray<GitFile>
  /** Files of the directory that were skipped, with reasons. */
  readonly problems: ReadonlyArray<ImportProblem>
  readonly read: (file: GitFile) => Effect.Effect<Uint8Array, GitFailed>
  readonly write: (path: string, bytes: Uint8Array) => Effect.Effect<void, GitFailed>
  readonly remove: (path: string) => Effect.Effect<void, GitFailed>
  /**
   * Commits the changes since the previous commit. Returns the commit id, or undefined if nothing changed. Equal
   * changes on the same commit have the same id.
   */
  readonly commit: (commit: NewCommit) => Effect.Effect<string | undefined, GitFailed>
  /** Pushes the commits. */
  readonly push: Effect.Effect<void, GitFailed>
}

export class GitRemote extends Context.Service<
  GitRemote,
  {
    readonly open: (
      folder: GitFolder,
      credentials: GitCredentials | undefined
    ) => Effect.Effect<GitBranch, GitFailed, Scope.Scope>
  }
>()("@lectern/exchange/git/GitRemote") {
  /** Default adapter: refuses every repository. */
  static readonly layer = Layer.succeed(
    GitRemote,
    GitRemote.of({
      open: () =>
        Effect.fail(
          new GitFailed({
            reason: "refused",
            message: "This instance of Lectern can't open repositories: the host provides no GitRemote"
          })
        )
    })
  )
}
