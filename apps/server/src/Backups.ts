/**
 * Backups that a running server makes by itself, each in a folder of its own that is named by its time, in a
 * thread. One is due when the last finished one is old enough, whoever made it; one that fails is tried
 * again an hour later. One that is yet to come, by a clock that was wrong when it was made or is wrong now, is none
 * and stays. Those beyond the number that is kept are removed, the oldest first, once a new one is
 * finished. One that names a blob that the new one lacks stays: it may be the only place that still has it. What
 * a process left unfinished is removed, too (see `BackupFolder`). Whatever else is there stays: a backup that can't
 * be read today may be one that another version, another user or another day can read.
 *
 * Metrics tell how old the last one is, by what is in the folder: a copy that somebody makes elsewhere is not seen.
 */
import { mkdir, rename, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { BackupOptions } from "@lectern/adapter-sqlite/backup/Backup"
import { BackupFailed, lossesInData, lossesOf, type LostBlob } from "@lectern/adapter-sqlite/backup/BackupManifest"
import { syncFolder } from "@lectern/adapter-sqlite/NewFile"
import { BoundedThread } from "@lectern/services-node/thread/BoundedThread"
import { Clock, Duration, Effect, Metric } from "effect"
import { backupsIn, nameAt, onFolder, unfinished } from "./BackupFolder.ts"

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
export type Made =
  | {
      readonly lost: ReadonlyArray<LostBlob>
      /** Those that the backup has by the former one alone. */
      readonly inData: ReadonlyArray<LostBlob>
    }
  | { readonly failed: string }

const pause = Duration.hours(1)
/** How often the clock is looked at while none is due. */
const look = Duration.minutes(1)

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const gauges = {
  begun: gauge(
    "lectern_backup_begun_time_seconds",
    "When the last backup that is finished was begun; 0: there is none"
  ),
  interval: gauge("lectern_backup_interval_seconds", "From one backup to the next, as it is set"),
  lost: gauge("lectern_backup_lost_blobs", "Large files that the last backup lacks, or has as damaged as they were")
}

const measure = (begun: number, lost: number) =>
  Effect.andThen(Metric.update(gauges.begun, begun / 1_000), Metric.update(gauges.lost, lost))

export const inThread: Make = (options) =>
  BoundedThread.open<BackupOptions, Made>(import.meta.url, "BackupWorker").pipe(
    Effect.flatMap((thread) => thread.ask(options)),
    Effect.mapError(({ reason }) => new BackupFailed({ message: `The thread of the backup was lost: ${reason}` })),
    Effect.flatMap((made) =>
      "failed" in made
        ? new BackupFailed({ message: made.failed })
        : Effect.as(
            Effect.forEach(lossesInData(made.inData), (loss) => Effect.logWarning(loss), { discard: true }),
            made.lost
          )
    ),
    Effect.scoped
  )

/** Makes backups of a database for as long as it runs. */
export const run = Effect.fnUntraced(function* (plan: BackupPlan, filename: string, make: Make = inThread) {
  const told = new Set<string>()
  yield* Metric.update(gauges.interval, Duration.toSeconds(Duration.hours(plan.hours)))
  // None, until one is seen: a folder that is away has to be heard of, too.
  yield* measure(0, 0)
  for (;;) {
    const wait = yield* due(plan, filename, make, told).pipe(
      Effect.catchTag("BackupFailed", ({ message }) =>
        Effect.as(Effect.logError(`A backup could not be made: ${message}`), Duration.toMillis(pause))
      )
    )
    yield* waitFor(wait)
  }
})

/**
 * Waits by the clock, and not by how long this process has run: a machine that was asleep, or whose clock was wrong, is
 * behind with its backup. Where the clock is set back, nobody knows how long to wait.
 */
export const waitFor = Effect.fnUntraced(function* (millis: number) {
  let left = millis
  const end = (yield* Clock.currentTimeMillis) + millis
  while (left > 0 && left <= millis) {
    yield* Effect.sleep(Math.min(left, Duration.toMillis(look)))
    left = end - (yield* Clock.currentTimeMillis)
  }
})

/** Makes the backup that is due, and tells in how many milliseconds the next one is. Warnings are given once. */
export const due = Effect.fnUntraced(function* (
  { folder, hours, keep }: BackupPlan,
  filename: string,
  make: Make,
  told: Set<string> = new Set()
) {
  const every = Duration.toMillis(Duration.hours(hours))
  const now = yield* Clock.currentTimeMillis
  const { finished, left, unusable } = yield* backupsIn(folder, now)
  const past = finished.filter(({ manifest }) => Date.parse(manifest.begunAt) <= now)
  const toCome = finished
    .filter((one) => !past.includes(one))
    .map(({ folder, manifest }) => `The backup in ${folder} is of ${manifest.begunAt}, which is yet to come`)
  for (const message of [...unusable, ...toCome]) {
    if (!told.has(message)) yield* Effect.logWarning(`${message}. It stays there, and counts for nothing`)
    told.add(message)
  }
  const last = past.at(-1)
  if (last !== undefined) yield* measure(Date.parse(last.manifest.begunAt), last.manifest.lost?.length ?? 0)
  const age = last === undefined ? Infinity : now - Date.parse(last.manifest.begunAt)
  if (age < every) return every - age
  // Before the new one, which may want the room.
  yield* onFolder(folder, () => Promise.all(left.map((one) => rm(one, { recursive: true, force: true }))))
  const name = nameAt(now)
  const made = join(resolve(folder), name)
  const draft = join(resolve(folder), unfinished(name))
  // Fails where it is there: then it is somebody else's, and not to be removed.
  yield* onFolder(folder, () => mkdir(draft, { mode: 0o700 }))
  const lost = yield* make({ filename, folder: draft, ...(last && { since: last.folder }) }).pipe(
    Effect.tap(() =>
      onFolder(folder, async () => {
        await rename(draft, made)
        syncFolder(resolve(folder))
      })
    ),
    Effect.onError(() => Effect.promise(() => rm(draft, { recursive: true, force: true }).catch(() => {})))
  )
  yield* measure(now, lost.length)
  for (const loss of lossesOf({ lost })) {
    yield* Effect.logError(`A backup was made of damaged data: ${loss}`).pipe(Effect.annotateLogs({ folder: made }))
  }
  const lacks = new Set(lost.map(({ hash }) => hash))
  const outdated = past
    .slice(0, Math.max(0, past.length + 1 - keep))
    .filter(({ manifest }) => !manifest.blobs.some(({ hash }) => lacks.has(hash)))
    .map((one) => one.folder)
  yield* onFolder(folder, () => Promise.all(outdated.map((one) => rm(one, { recursive: true, force: true }))))
  const took = (yield* Clock.currentTimeMillis) - now
  yield* Effect.logInfo("A backup was made").pipe(Effect.annotateLogs({ folder: made, took: `${took} ms` }))
  return every
})
