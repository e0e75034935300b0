/**
 * Scheduled backups of a running server. Each is made in a thread, into a subfolder named by its time.
 *
 * - A backup is due when the last finished one in the folder is old enough. A failed backup is tried again after an hour.
 * - After a new backup, the oldest backups beyond the maximum number are removed. A backup with a blob that the new one
 *   lacks is retained, since it may be the only copy.
 * - Unfinished backups of a process that ended are removed (see `BackupFolder`).
 * - A backup with a time in the future, due to a wrong clock, is ignored and retained.
 * - All other files are retained: another version or user may be able to read a backup that is unreadable now.
 *
 * The metrics report the age of the last backup in the folder. Copies elsewhere are not measured.
 */
import { mkdir, rename, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { BackupOptions } from "@lectern/adapter-sqlite/durability/Backup"
import { BackupFailed, lossesInData, lossesOf, type LostBlob } from "@lectern/adapter-sqlite/durability/BackupManifest"
import { syncFolder } from "@lectern/adapter-sqlite/connections/PrivateFiles"
import { BoundedThread } from "@lectern/services-node/thread/BoundedThread"
import { Clock, Duration, Effect, Metric } from "effect"
import { backupsIn, nameAt, onFolder, unfinishedName } from "./BackupFolder.ts"

export interface BackupPlan {
  readonly folder: string
  /** Interval between backups. */
  readonly hours: number
  /** Maximum number of retained backups. */
  readonly maxCount: number
}

/** Makes one backup. Returns the blobs that it lacks. */
export type Make = (options: BackupOptions) => Effect.Effect<ReadonlyArray<LostBlob>, BackupFailed>

/** Result of the thread: the blobs that the backup lacks, or the reason of the failure. */
export type BackupResult =
  | {
      readonly lost: ReadonlyArray<LostBlob>
      /** Blobs that are lost in the data and were copied from the previous backup. */
      readonly lostInData: ReadonlyArray<LostBlob>
    }
  | { readonly failed: string }

const retryDelay = Duration.hours(1)
/** Interval at which the clock is polled while no backup is due. */
const pollInterval = Duration.minutes(1)

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const gauges = {
  begun: gauge("lectern_backup_begun_time_seconds", "Start time of the last finished backup; 0 without a backup"),
  interval: gauge("lectern_backup_interval_seconds", "Configured interval between backups"),
  lost: gauge("lectern_backup_lost_blobs", "Large files that are missing or damaged in the last backup")
}

const measure = (startedAt: number, lostCount: number) =>
  Effect.andThen(Metric.update(gauges.begun, startedAt / 1_000), Metric.update(gauges.lost, lostCount))

export const inThread: Make = (options) =>
  BoundedThread.open<BackupOptions, BackupResult>(import.meta.url, "BackupWorker").pipe(
    Effect.flatMap((thread) => thread.request(options)),
    Effect.mapError(({ reason }) => new BackupFailed({ message: `The backup thread failed: ${reason}` })),
    Effect.flatMap((result) =>
      "failed" in result
        ? new BackupFailed({ message: result.failed })
        : Effect.as(
            Effect.forEach(lossesInData(result.lostInData), (loss) => Effect.logWarning(loss), { discard: true }),
            result.lost
          )
    ),
    Effect.scoped
  )

/** Makes scheduled backups of a database until interrupted. */
export const run = Effect.fnUntraced(function* (plan: BackupPlan, filename: string, make: Make = inThread) {
  const warned = new Set<string>()
  yield* Metric.update(gauges.interval, Duration.toSeconds(Duration.hours(plan.hours)))
  // Reports that no backup exists until one is found, so that alerts also report an unavailable folder.
  yield* measure(0, 0)
  for (;;) {
    const wait = yield* due(plan, filename, make, warned).pipe(
      Effect.catchTag("BackupFailed", ({ message }) =>
        Effect.as(Effect.logError(`A backup could not be made: ${message}`), Duration.toMillis(retryDelay))
      )
    )
    yield* waitFor(wait)
  }
})

/**
 * Waits until a time of the wall clock. A timer of the process would be late on a machine that was asleep or whose clock was
 * wrong. Returns at once if the clock is set back, since the remaining time is then unknown.
 */
export const waitFor = Effect.fnUntraced(function* (millis: number) {
  let remaining = millis
  const end = (yield* Clock.currentTimeMillis) + millis
  while (remaining > 0 && remaining <= millis) {
    yield* Effect.sleep(Math.min(remaining, Duration.toMillis(pollInterval)))
    remaining = end - (yield* Clock.currentTimeMillis)
  }
})

/** Makes a backup if one is due. Returns the time until the next one in ms. Logs each warning of `warned` only once. */
export const due = Effect.fnUntraced(function* (
  { folder, hours, maxCount }: BackupPlan,
  filename: string,
  make: Make,
  warned: Set<string> = new Set()
) {
  const every = Duration.toMillis(Duration.hours(hours))
  const now = yield* Clock.currentTimeMillis
  const { finished, abandoned, unusable } = yield* backupsIn(folder, now)
  const pastBackups = finished.filter(({ manifest }) => Date.parse(manifest.begunAt) <= now)
  const futureWarnings = finished
    .filter((backup) => !pastBackups.includes(backup))
    .map(({ folder, manifest }) => `The backup in ${folder} has the future time ${manifest.begunAt}`)
  for (const message of [...unusable, ...futureWarnings]) {
    if (!warned.has(message)) yield* Effect.logWarning(`${message}. It is ignored and not deleted`)
    warned.add(message)
  }
  const lastBackup = pastBackups.at(-1)
  if (lastBackup !== undefined)
    yield* measure(Date.parse(lastBackup.manifest.begunAt), lastBackup.manifest.lost?.length ?? 0)
  const age = lastBackup === undefined ? Infinity : now - Date.parse(lastBackup.manifest.begunAt)
  if (age < every) return every - age
  // Abandoned backups are removed before the new backup, to free disk space.
  yield* onFolder(folder, () => Promise.all(abandoned.map((path) => rm(path, { recursive: true, force: true }))))
  const name = nameAt(now)
  const target = join(resolve(folder), name)
  const draft = join(resolve(folder), unfinishedName(name))
  // Fails if the folder exists: it then belongs to another process and must not be removed.
  yield* onFolder(folder, () => mkdir(draft, { mode: 0o700 }))
  const lost = yield* make({ filename, folder: draft, ...(lastBackup && { previous: lastBackup.folder }) }).pipe(
    Effect.tap(() =>
      onFolder(folder, async () => {
        await rename(draft, target)
        syncFolder(resolve(folder))
      })
    ),
    Effect.onError(() => Effect.promise(() => rm(draft, { recursive: true, force: true }).catch(() => {})))
  )
  yield* measure(now, lost.length)
  for (const loss of lossesOf({ lost })) {
    yield* Effect.logError(`The backup contains damaged data: ${loss}`).pipe(Effect.annotateLogs({ folder: target }))
  }
  const lostHashes = new Set(lost.map(({ hash }) => hash))
  const outdatedFolders = pastBackups
    .slice(0, Math.max(0, pastBackups.length + 1 - maxCount))
    .filter(({ manifest }) => !manifest.blobs.some(({ hash }) => lostHashes.has(hash)))
    .map((backup) => backup.folder)
  yield* onFolder(folder, () => Promise.all(outdatedFolders.map((path) => rm(path, { recursive: true, force: true }))))
  const duration = (yield* Clock.currentTimeMillis) - now
  yield* Effect.logInfo("A backup was made").pipe(Effect.annotateLogs({ folder: target, took: `${duration} ms` }))
  return every
})
