/**
 * `GitRemote` by isomorphic-git, in a thread of its own for each branch that is open: what it takes
 * is loaded when the first is opened and gone with the last, and a repository that makes it fail, or
 * run for ever, harms nobody else.
 *
 * Defaults: what the branch holds now may be 512 MiB on its way here, four times that unpacked, 64 MiB
 * each object, 500,000 objects; the thread keeps twice that in memory, 512 MiB at least. Time is given by
 * who opens it.
 */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { type GitBranch, GitFailed, GitRemote } from "@lectern/core/git/GitRemote"
import { Effect, Layer } from "effect"
import { BoundedThread, type ThreadLost } from "../thread/BoundedThread.ts"
import type { GitAnswer, GitCall, GitCalls } from "./GitThread.ts"
import type { GitLimits } from "./GitWork.ts"

export interface NodeGitRemoteOptions {
  /** Names, addresses and ranges (`10.0.0.0/8`) that may be reached although they are private. */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
  readonly limits?: Partial<GitLimits>
}

const mebibyte = 1024 * 1024

const limitsOf = ({ maxFetchBytes = 512 * mebibyte, ...limits }: Partial<GitLimits> = {}): GitLimits => ({
  maxFetchBytes,
  maxUnpackedBytes: 4 * maxFetchBytes,
  maxObjectBytes: 64 * mebibyte,
  maxObjects: 500_000,
  maxMemoryBytes: Math.max(512 * mebibyte, 2 * maxFetchBytes),
  ...limits
})

const layer = (options: NodeGitRemoteOptions = {}) => Layer.succeed(GitRemote, make(options))

export const NodeGitRemote = { layer }

const make = ({ allowedPrivateHosts, limits }: NodeGitRemoteOptions) => {
  const allowed = AllowedHosts.of(allowedPrivateHosts)
  return GitRemote.of({
    open: Effect.fn("NodeGitRemote.open")(function* (folder, credentials) {
      const thread = yield* BoundedThread.open<GitCall, GitAnswer>(import.meta.url, "GitWorker")
      const { host } = new URL(folder.url)
      const ask = <K extends keyof GitCalls>(call: K, takes: GitCalls[K]["takes"]) =>
        thread.ask({ call, takes } as GitCall).pipe(
          Effect.mapError((lost) => failureOf(lost, host)),
          Effect.flatMap((answer) =>
            "gives" in answer
              ? Effect.succeed(answer.gives as GitCalls[K]["gives"])
              : Effect.fail(new GitFailed(answer))
          )
        )

      const { url, ref, directory } = folder
      const { head, files, problems } = yield* ask("open", {
        folder: { url, ref, directory },
        credentials: credentials && { username: credentials.username, password: credentials.password },
        allowedPrivateHosts: allowed.entries,
        limits: limitsOf(limits)
      })
      return {
        head,
        files,
        problems,
        read: ({ oid }) => ask("read", oid),
        write: (path, bytes) => ask("write", { path, bytes }),
        remove: (path) => ask("remove", path),
        commit: (commit) => ask("commit", commit),
        push: ask("push", undefined)
      } satisfies GitBranch
    })
  })
}

const failureOf = ({ reason }: ThreadLost, host: string): GitFailed =>
  reason === "memory"
    ? new GitFailed({ reason: "too-large", message: "The repository takes more memory than there is for it" })
    : new GitFailed({ reason: "failed", message: `${host} does not answer as a repository does` })
