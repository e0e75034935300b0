/**
 * The port to Git repositories elsewhere: reads what a branch holds, and adds commits to it. The
 * core speaks no Git; `@lectern/services-node` has the adapter for Node. Without one every repository
 * is refused, and whoever asks is told so.
 *
 * What an adapter promises: http and https only, every connection held to the rules of `GuardedFetch`;
 * a bounded download, bounded unpacked objects, nothing left on a disk; credentials go to the
 * host they were given for and to no other, and appear in no message. A push only ever adds commits to
 * what the branch was when it was opened: where it moved, the push fails with `moved`.
 */
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import type { ImportProblem } from "../content/import/Folder.ts"

/**
 * - `refused`: this server does not go there
 * - `unauthorized`: the repository wants credentials, or others
 * - `not-found`: there is no such repository, for these credentials at least
 * - `moved`: the branch is no longer where it was
 * - `rejected`: the repository did not take the push
 * - `too-large`: it holds more than is read
 * - `timeout`, `failed`: anything else
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
  /** Without credentials. */
  readonly url: string
  /** In full, as in `refs/heads/main`. */
  readonly ref: string
  /** The folder of the repository that holds the documentation; "" for all of it. */
  readonly directory: string
}

export interface GitCredentials {
  readonly username: string
  readonly password: string
}

export interface GitHead {
  readonly oid: string
  readonly message: string
}

/** A file below the directory, under its path from there. */
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
  /** Of both, in milliseconds. */
  readonly at: number
}

/** A branch as it was when it was opened, with what was written to it since. */
export interface GitBranch {
  /** Undefined while there is no such branch. */
  readonly head: GitHead | undefined
  readonly files: ReadonlyArray<GitFile>
  /** Files of the directory that were left out, and why. */
  readonly problems: ReadonlyArray<ImportProblem>
  readonly read: (file: GitFile) => Effect.Effect<Uint8Array, GitFailed>
  readonly write: (path: string, bytes: Uint8Array) => Effect.Effect<void, GitFailed>
  readonly remove: (path: string) => Effect.Effect<void, GitFailed>
  /**
   * A commit of what was written and removed since the one before: its id, or undefined where that
   * changes nothing. The same changes on the same commit give the same id.
   */
  readonly commit: (commit: NewCommit) => Effect.Effect<string | undefined, GitFailed>
  /** Sends the commits. */
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
>()("@lectern/core/git/GitRemote") {
  /** Opens nothing. */
  static readonly layer = Layer.succeed(
    GitRemote,
    GitRemote.of({
      open: () =>
        Effect.fail(
          new GitFailed({
            reason: "refused",
            message: "This instance of Lectern opens no repositories: its host has given it no GitRemote"
          })
        )
    })
  )
}
