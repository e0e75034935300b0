/**
 * `GitRemote` by isomorphic-git, in a thread of its own for each branch that is open: what it takes
 * is loaded when the first is opened and gone with the last, and a repository that makes it fail, or
 * run for ever, harms nobody else.
 *
 * Defaults: what the branch holds now may be 512 MiB on its way here, four times that unpacked, 64 MiB
 * each object, 500,000 objects; the thread keeps twice that in memory, 512 MiB at least. Time is given by
 * who opens it.
 *
 * Where the program `git` is there, the thread takes branches of up to 16 MiB: nobody says beforehand how large one
 * is, and the program takes 0.2 s longer and a folder of the disk. Of what is larger it fetches the files of the folder
 * alone (see `GitProgram`), 2 GiB at most, into a folder of the disk that goes with the branch.
 */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { type GitBranch, type GitCredentials, GitFailed, type GitFolder, GitRemote } from "@lectern/core/git/GitRemote"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer } from "effect"
import { BoundedThread, type ThreadLost } from "../thread/BoundedThread.ts"
import { printable } from "./GitProblem.ts"
import { endProcesses, isThere } from "./GitProgram.ts"
import type { GitAnswer, GitCall, GitCalls } from "./GitThread.ts"
import type { GitLimits, ProgramRequest } from "./GitWork.ts"

export interface NodeGitRemoteOptions {
  /** Names, addresses and ranges (`10.0.0.0/8`) that may be reached although they are private. */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
  readonly limits?: Partial<GitLimits>
  /** The program `git`, for branches that are large. Default: none. */
  readonly program?: GitProgramUse | undefined
}

export interface GitProgramUse {
  /** Its name, or its path. */
  readonly command: string
  /** The most that it fetches of a branch. Default: 2 GiB. */
  readonly maxFetchBytes?: number
  /** Milliseconds that it may work without asking for anything. Default: 10 minutes. */
  readonly maxSilence?: number
  /** Branches of more bytes than this are fetched by it, at 0 all of them. Default: 16 MiB. */
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

/** Branches that were found to be large, so that they are not tried in vain again; the newest thousand. */
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
    catch: () => new GitFailed({ reason: "failed", message: "There is no room here to keep the repository" })
  }),
  (made) =>
    Effect.promise(() => {
      endProcesses(made)
      return rm(made, { recursive: true, force: true, maxRetries: 5 })
    })
)

const make = ({ allowedPrivateHosts, limits, program }: NodeGitRemoteOptions) => {
  const allowed = AllowedHosts.of(allowedPrivateHosts)
  const all = limitsOf(limits)
  const large = new LargeBranches()
  const byProgram = Effect.fnUntraced(function* (
    folder: GitFolder,
    credentials: GitCredentials | undefined,
    { command, maxFetchBytes = 2048 * mebibyte, maxSilence = 600_000 }: GitProgramUse
  ) {
    // Made before the thread, and so removed after it.
    const made = yield* folderOnDisk
    return yield* open(folder, credentials, all, { command, folder: made, maxFetchBytes, maxSilence })
  })
  const open = Effect.fnUntraced(function* (
    folder: GitFolder,
    credentials: GitCredentials | undefined,
    limits: GitLimits,
    program?: ProgramRequest
  ) {
    const thread = yield* BoundedThread.open<GitCall, GitAnswer>(import.meta.url, "GitWorker")
    const ask = <K extends keyof GitCalls>(call: K, takes: GitCalls[K]["takes"]) =>
      thread.ask({ call, takes } as GitCall).pipe(
        Effect.mapError((lost) => failureOf(lost)),
        Effect.flatMap((answer) =>
          "gives" in answer ? Effect.succeed(answer.gives as GitCalls[K]["gives"]) : Effect.fail(new GitFailed(answer))
        )
      )

    const { url, ref, directory } = folder
    const { head, files, problems } = yield* ask("open", {
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
      read: ({ oid }) => ask("read", oid),
      write: (path, bytes) => ask("write", { path, bytes }),
      remove: (path) => ask("remove", path),
      commit: (commit) => ask("commit", commit),
      push: ask("push", undefined)
    } satisfies GitBranch
  })

  return GitRemote.of({
    open: Effect.fn("NodeGitRemote.open")(function* (folder, credentials) {
      if (program === undefined || !(yield* Effect.promise(() => isThere(program.command)))) {
        return yield* open(folder, credentials, all)
      }
      const { above = 16 * mebibyte } = program
      if (above === 0 || large.has(folder)) return yield* byProgram(folder, credentials, program)
      const small = { ...all, maxFetchBytes: Math.min(above, all.maxFetchBytes) }
      return yield* open(folder, credentials, small).pipe(
        Effect.catchIf(
          ({ reason }) => reason === "too-large",
          () => byProgram(folder, credentials, program).pipe(Effect.tap(() => Effect.sync(() => large.add(folder))))
        )
      )
    })
  })
}

const failureOf = ({ reason, cause }: ThreadLost): GitFailed =>
  reason === "memory"
    ? new GitFailed({ reason: "too-large", message: "The repository takes more memory than there is for it" })
    : new GitFailed({
        reason: "failed",
        message: `Work on the repository ended: ${printable(String(cause ?? reason))}`
      })
