/** A repository at every URL, with one branch in memory for all of them, so that tests need no Git. */
import { GitFailed, GitRemote } from "@lectern/exchange/git/GitRemote"
import { Effect, Layer } from "effect"

interface Branch {
  /** The message and the id of each commit, the last one behind. */
  readonly commits: Array<{ readonly oid: string; readonly message: string }>
  files: Map<string, string>
}

export const branch: Branch = { commits: [], files: new Map() }

/** A commit that somebody else pushes. */
export const pushed = (files: Record<string, string>, message = "Write"): string => {
  const oid = oidOf(branch.commits.length)
  branch.files = new Map(Object.entries(files))
  branch.commits.push({ oid, message })
  return oid
}

const oidOf = (index: number) => `${index + 1}`.padStart(40, "c")

/** An id that is the same for the same text. */
const blobOf = (text: string) => Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16)).join("")

/** Whoever asks for a repository of this name may not. */
export const closed = "https://example.com/closed.git"

export const remote = Layer.succeed(
  GitRemote,
  GitRemote.of({
    open: ({ url }) =>
      Effect.suspend(() => {
        if (url === closed) return Effect.fail(new GitFailed({ reason: "unauthorized", message: "It is closed" }))
        const files = new Map(branch.files)
        const commits = [...branch.commits]
        let isChanged = false
        return Effect.succeed({
          head: commits.at(-1),
          files: Array.from(files, ([path, text]) => ({ path, oid: blobOf(text), size: text.length })),
          problems: [],
          read: ({ path }: { readonly path: string }) =>
            Effect.sync(() => new TextEncoder().encode(files.get(path) ?? "")),
          write: (path: string, bytes: Uint8Array) =>
            Effect.sync(() => {
              files.set(path, new TextDecoder().decode(bytes))
              isChanged = true
            }),
          remove: (path: string) =>
            Effect.sync(() => {
              isChanged = files.delete(path) || isChanged
            }),
          commit: ({ message }: { readonly message: string }) =>
            Effect.sync(() => {
              if (!isChanged) return undefined
              isChanged = false
              const oid = oidOf(commits.length)
              commits.push({ oid, message })
              return oid
            }),
          push: Effect.sync(() => {
            branch.files = files
            branch.commits.splice(0, Infinity, ...commits)
          })
        })
      })
  })
)
