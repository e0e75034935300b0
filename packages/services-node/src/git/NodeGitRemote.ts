/**
 * Implements `GitRemote` with isomorphic-git, in a thread for each open branch. The library is loaded with the first
 * branch and unloaded with the last one. A repository that makes the library fail or loop does not affect other work.
 *
 * Defaults: 512 MiB of fetched data for a branch, four times that unpacked, 64 MiB per object, 500,000 objects. The
 * thread stores up to twice the fetched data in memory, or 512 MiB if that is more. The caller limits the time.
 *
 * If the program `git` is installed, the thread fetches branches of up to 16 MiB. The size of a branch is unknown
 * beforehand, and the program input 0.2 s longer and a folder on disk. For larger branches the program fetches only the
 * files of the folder (see `GitProgram`), up to 2 GiB. They are stored in a folder on disk, which is deleted with the
 * branch.
 */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { type GitBranch, GitFailed, type GitFolder, GitRemote } from "@lectern/exchange/git/GitRemote"
import type { GitCredentials } from "@lectern/core/exchange/GitSyncRow"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { BoundedThread, type ThreadLost } from "../thread/BoundedThread.ts"
import { printable } from "./GitProblem.ts"
import { endProcesses, isUsable } from "./GitProgram.ts"
import type { GitCallResult, GitCall, GitCalls } from "./GitMessages.ts"
import type { GitLimits, ProgramRequest } from "./GitBranchSession.ts"

export interface NodeGitRemoteOptions {
  /** Private names, addresses and ranges (such as `10.0.0.0/8`) that may be reached. Default: none. */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
  readonly limits?: Partial<GitLimits>
  /** The program `git` for large branches. Default: none. */
  readonly program?: GitProgramChoice | undefined
}

export interface GitProgramChoice {
  /** Name or path of the program. */
  readonly command: string
  /** Maximum size of fetched data for a branch, in bytes. Default: 2 GiB. */
  readonly maxFetchBytes?: number
  /** Maximum time without a request of the program (ms). Default: 10 minutes. */
  readonly maxSilence?: number
  /** Size above which the program fetches a branch, in bytes. At 0 it fetches all branches. Default: 16 MiB. */
  readonly above?: number
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

/** The last 1,000 branches that were found to be large, which saves a failing attempt with the library. */
class LargeBranches {
  readonly #names = new Set<string>()

  has({ url, ref }: GitFolder): boolean {
    return this.#names.has(`${url} ${ref}`)
  }

  add({ url, ref }: GitFolder): void {
    this.#names.add(`${url} ${ref}`)
    for (const name of this.#names) {
      if (this.#names.size <= 1000) break
      this.#names.delete(name)
    }
  }
}

const folderOnDisk = Effect.acquireRelease(
  Effect.tryPromise({
    try: () => mkdtemp(join(tmpdir(), "lectern-branch-")),
    catch: () => new GitFailed({ reason: "failed", message: "The server can't create a folder for the repository" })
  }),
  (path) =>
    Effect.promise(() => {
      endProcesses(path)
      return rm(path, { recursive: true, force: true, maxRetries: 5 })
    })
)

const make = ({ allowedPrivateHosts, limits, program }: NodeGitRemoteOptions) => {
  const allowed = AllowedHosts.from(allowedPrivateHosts)
  const allLimits = limitsOf(limits)
  const largeBranches = new LargeBranches()
  const byProgram = Effect.fnUntraced(function* (
    folder: GitFolder,
    credentials: GitCredentials | undefined,
    { command, maxFetchBytes = 2048 * mebibyte, maxSilence = 600_000 }: GitProgramChoice
  ) {
    // The folder is acquired before the thread, and so deleted after it.
    const path = yield* folderOnDisk
    return yield* openSession(folder, credentials, allLimits, { command, folder: path, maxFetchBytes, maxSilence })
  })
  const openSession = Effect.fnUntraced(function* (
    folder: GitFolder,
    credentials: GitCredentials | undefined,
    limits: GitLimits,
    program?: ProgramRequest
  ) {
    const thread = yield* BoundedThread.open<GitCall, GitCallResult>(import.meta.url, "GitWorker")
    const callThread = <K extends keyof GitCalls>(call: K, input: GitCalls[K]["input"]) =>
      thread.request({ call, input } as GitCall).pipe(
        Effect.mapError((threadLoss) => failureOf(threadLoss)),
        Effect.flatMap((response) =>
          "output" in response
            ? Effect.succeed(response.output as GitCalls[K]["output"])
            : Effect.fail(new GitFailed(response))
        )
      )

    const { url, ref, directory } = folder
    const { head, files, problems } = yield* callThread("open", {
      folder: { url, ref, directory },
      credentials: credentials && { username: credentials.username, password: credentials.password },
      allowedPrivateHosts: allowed.entries,
      limits,
      program
    }).pipe(Effect.tapError(() => Effect.promise(() => thread.end())))
    return {
      head,
      files,
      problems,
      read: ({ oid }) => callThread("read", oid),
      write: (path, bytes) => callThread("write", { path, bytes }),
      remove: (path) => callThread("remove", path),
      commit: (commit) => callThread("commit", commit),
      push: callThread("push", undefined)
    } satisfies GitBranch
  })

  return GitRemote.of({
    open: Effect.fn("NodeGitRemote.open")(function* (folder, credentials) {
      if (program === undefined || !(yield* Effect.promise(() => isUsable(program.command)))) {
        return yield* openSession(folder, credentials, allLimits)
      }
      const { above = 16 * mebibyte } = program
      if (above === 0 || largeBranches.has(folder)) return yield* byProgram(folder, credentials, program)
      const smallLimits = { ...allLimits, maxFetchBytes: Math.min(above, allLimits.maxFetchBytes) }
      return yield* openSession(folder, credentials, smallLimits).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "too-large",
          () =>
            byProgram(folder, credentials, program).pipe(Effect.tap(() => Effect.sync(() => largeBranches.add(folder))))
        )
      )
    })
  })
}

const failureOf = ({ reason, cause }: ThreadLost): GitFailed =>
  reason === "memory"
    ? new GitFailed({ reason: "too-large", message: "The repository exceeds the memory limit" })
    : new GitFailed({
        reason: "failed",
        message: `The Git operation failed: ${printable(String(cause ?? reason))}`
      })
