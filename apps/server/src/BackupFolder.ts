/**
 * Reads the folder of scheduled backups. A backup in progress has the name `<time>-unfinished` and no manifest. Such a
 * folder is abandoned if nothing in it was written for 6 hours; until then another server may be writing it.
 */
import { access, constants, lstat, readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  BackupFailed,
  type BackupManifest,
  manifestName,
  readManifest
} from "@lectern/adapter-sqlite/durability/BackupManifest"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { makeFolder } from "@lectern/adapter-sqlite/connections/PrivateFiles"
import { Duration, Effect, Result } from "effect"

const abandonedAfter = Duration.toMillis(Duration.hours(6))

const finishedName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const unfinishedSuffix = "-unfinished"

export const nameAt = (time: number): string => new Date(time).toISOString().slice(0, 19).replaceAll(":", "-") + "Z"

export const unfinishedName = (name: string): string => name + unfinishedSuffix

export interface FinishedBackup {
  readonly folder: string
  readonly manifest: BackupManifest
}

export interface FolderBackups {
  /** Finished backups, oldest first. */
  readonly finished: ReadonlyArray<FinishedBackup>
  /** Folders of abandoned backups. */
  readonly abandoned: ReadonlyArray<string>
  /** A message for each folder with the name of a backup that can't be used. */
  readonly unusable: ReadonlyArray<string>
}

/** Creates the folder if it is missing. Fails if no backup can be made in it. */
export const prepare = (folder: string): Effect.Effect<void, BackupFailed> =>
  onFolder(folder, async () => {
    await makeFolder(folder)
    await readdir(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  })

export const backupsIn = Effect.fnUntraced(function* (folder: string, now: number) {
  const names = yield* onFolder(folder, async () => {
    await makeFolder(folder)
    return (await readdir(folder)).sort()
  })
  const finished: Array<FinishedBackup> = []
  const abandoned: Array<string> = []
  const unusable: Array<string> = []
  for (const name of names) {
    const path = join(resolve(folder), name)
    if (finishedName.test(name)) {
      const read = yield* Effect.result(readManifest(path))
      if (Result.isSuccess(read)) finished.push({ folder: path, manifest: read.success })
      else unusable.push(read.failure.message)
    } else if (name.endsWith(unfinishedSuffix) && finishedName.test(name.slice(0, -unfinishedSuffix.length))) {
      if (yield* Effect.promise(() => isAbandoned(path, now))) abandoned.push(path)
      else unusable.push(`The backup in ${path} is not finished, and another process may be writing it`)
    }
  }
  return { finished, abandoned, unusable } satisfies FolderBackups
})

/** True if a folder is abandoned. False if it can't be read, since it may belong to another user. */
const isAbandoned = async (folder: string, now: number): Promise<boolean> => {
  try {
    const entries = await readdir(folder, { recursive: true })
    if (entries.includes(manifestName)) return false
    for (const path of ["", ...entries])
      if (now - (await lstat(join(folder, path))).mtimeMs < abandonedAfter) return false
    return true
  } catch {
    return false
  }
}

export const onFolder = <A>(folder: string, run: () => Promise<A>): Effect.Effect<A, BackupFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (thrown) => new BackupFailed({ message: `The folder ${folder} can't be used: ${fileErrorReason(thrown)}` })
  })
