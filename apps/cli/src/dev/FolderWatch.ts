/**
 * Watches a folder. An event only states that something changed. The listing of the folder shows the changed files, so
 * renames by editors, new folders and lost events need no special rules. Events within 20 ms of each other are one
 * change, for at most half a second, so a checkout of another branch is one change.
 *
 * On Linux each folder is watched separately, because the recursive watch of Node watches every file. If the system
 * refuses a watch, for example because of its limit, the folder is listed every second.
 */
import { type FSWatcher, watch } from "node:fs"
import { join } from "node:path"
import { Clock, Effect, Queue, type Scope } from "effect"

const quietTime = 20
const maxTime = 500
const pollInterval = 1_000

const isRecursive = process.platform === "darwin" || process.platform === "win32"

export interface FolderWatch {
  /** Watches the folders in this list, and no others. Returns true if one is new: its files may have changed before. */
  readonly follow: (folders: ReadonlyArray<string>) => boolean
  /** Waits for the next change. */
  readonly next: Effect.Effect<void>
}

/** Starts to watch a folder until the scope closes. `follow` adds the folders in it. */
export const make = Effect.fnUntraced(function* (root: string): Effect.fn.Return<FolderWatch, never, Scope.Scope> {
  const changes = yield* Queue.sliding<void>(1)
  const watchers = new Map<string, FSWatcher>()
  let poll: NodeJS.Timeout | undefined
  const notify = () => void Queue.offerUnsafe(changes, undefined)
  const pollInstead = () => void (poll ??= setInterval(notify, pollInterval))

  const add = (path: string) => {
    try {
      const watcher = watch(join(root, path), { recursive: isRecursive }, notify)
      // The error of a removed folder: the listing of its parent folder has changed too.
      watcher.on("error", notify)
      watchers.set(path, watcher)
    } catch (error) {
      if (!isMissing(error)) pollInstead()
    }
  }

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      clearInterval(poll)
      for (const watcher of watchers.values()) watcher.close()
    })
  )

  return {
    follow: (folders) => {
      const followedFolders = new Set(isRecursive ? [""] : ["", ...folders])
      for (const [path, watcher] of watchers) {
        if (followedFolders.has(path)) continue
        watcher.close()
        watchers.delete(path)
      }
      const newFolders = [...followedFolders].filter((path) => !watchers.has(path))
      for (const path of newFolders) add(path)
      return newFolders.some((path) => watchers.has(path))
    },
    next: Effect.gen(function* () {
      yield* Queue.take(changes)
      const end = (yield* Clock.currentTimeMillis) + maxTime
      do yield* Effect.sleep(quietTime)
      while ((yield* Queue.clear(changes)).length > 0 && (yield* Clock.currentTimeMillis) < end)
    })
  }
})

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"
