/**
 * Backups that a running server makes by itself, each in a folder of its own that is named by its time, in a
 * thread. One is due when the last finished one is old enough, whoever made it; one that fails is tried
 * again an hour later. Those beyond the number that is kept are removed, the oldest first, once a new one is
 * finished; what a process left unfinished is removed, too. One that names a blob that the new one lacks stays:
 * it may be the only place that still has it.
 */
import { mkdir, readdir, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { BackupOptions } from "@lectern/adapter-sqlite/backup/Backup"
import { BackupFailed, lossesOf, type LostBlob, readManifest } from "@lectern/adapter-sqlite/backup/BackupManifest"
import { BoundedThread } from "@lectern/services-node/thread/BoundedThread"
import { Clock, Duration, Effect, Option } from "effect"

export interface BackupPlan {
  readonly folder: string
  /** From one backup to the next. */
  readonly hours: number
  /** How many are kept. */
  readonly keep: number
}

/** Makes one backup. */
export type Make = (options: BackupOptions) => Effect.Effect<ReadonlyArray<LostBlob>, BackupFailed>

/** Answer of the thread: the blobs that the backup lacks, or why there is none. */
export type Made = { readonly lost: ReadonlyArray<LostBlob> } | { readonly failed: string }

const pause = Duration.hours(1)

export const inThread: Make = (options) =>
  BoundedThread.open<BackupOptions, Made>(import.meta.url, "BackupWorker").pipe(
    Effect.flatMap((thread) => thread.ask(options)),
    Effect.mapError(({ reason }) => new BackupFailed({ message: `The thread of the backup was lost: ${reason}` })),
    Effect.flatMap((made) =>
      "failed" in made ? new BackupFailed({ message: made.failed }) : Effect.succeed(made.lost)
    ),
    Effect.scoped
  )

/** Makes backups of a database for as long as it runs. */
export const run = Effect.fnUntraced(function* (plan: BackupPlan, filename: string, make: Make = inThread) {
  for (;;) {
    const wait = yield* due(plan, filename, make).pipe(
      Effect.catchTag("BackupFailed", ({ message }) =>
        Effect.as(Effect.logError(`A backup could not be made: ${message}`), Duration.toMillis(pause))
      )
    )
    yield* Effect.sleep(wait)
  }
})

/** Makes the backup that is due, and tells in how many milliseconds the next one is. */
export const due = Effect.fnUntraced(function* ({ folder, hours, keep }: BackupPlan, filename: string, make: Make) {
  const every = Duration.toMillis(Duration.hours(hours))
  const { finished, unfinished } = yield* backupsIn(folder)
  const last = finished.at(-1)
  const now = yield* Clock.currentTimeMillis
  const age = last === undefined ? Infinity : now - Date.parse(last.manifest.begunAt)
  if (age < every) return every - age
  const name = new Date(now).toISOString().slice(0, 19).replaceAll(":", "-") + "Z"
  const made = join(resolve(folder), name)
  const lost = yield* Effect.onError(make({ filename, folder: made, ...(last && { since: last.folder }) }), () =>
    Effect.promise(() => rm(made, { recursive: true, force: true }).catch(() => {}))
  )
  for (const loss of lossesOf({ lost })) {
    yield* Effect.logError(`A backup was made of damaged data: ${loss}`).pipe(Effect.annotateLogs({ folder: made }))
  }
  const lacks = new Set(lost.map(({ hash }) => hash))
  const outdated = finished
    .slice(0, Math.max(0, finished.length + 1 - keep))
    .filter(({ manifest }) => !manifest.blobs.some(({ hash }) => lacks.has(hash)))
    .map((one) => one.folder)
  yield* onFolder(folder, () =>
    Promise.all([...outdated, ...unfinished].map((one) => rm(one, { recursive: true, force: true })))
  )
  const took = (yield* Clock.currentTimeMillis) - now
  yield* Effect.logInfo("A backup was made").pipe(Effect.annotateLogs({ folder: made, took: `${took} ms` }))
  return every
})

/** Names of backups that are made here: nothing else in the folder is touched. */
const isBackup = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/

const backupsIn = Effect.fnUntraced(function* (folder: string) {
  const names = yield* onFolder(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return readdir(folder)
  })
  const all = names.filter((name) => isBackup.test(name)).sort()
  const folders = all.map((name) => join(resolve(folder), name))
  const manifests = yield* Effect.forEach(folders, (one) => Effect.option(readManifest(one)))
  return {
    finished: folders.flatMap((one, i) =>
      Option.match(manifests[i]!, { onNone: () => [], onSome: (manifest) => [{ folder: one, manifest }] })
    ),
    unfinished: folders.filter((_, i) => Option.isNone(manifests[i]!))
  }
})

const onFolder = <A>(folder: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (thrown) =>
      new BackupFailed({ message: `The folder ${folder} can't be used: ${(thrown as NodeJS.ErrnoException).code}` })
  })
