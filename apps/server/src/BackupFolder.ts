/**
 * The folder in which a server makes its backups: which of them are finished, and what else is there. A backup
 * that is being made has a name of its own (`<time>-unfinished`), so what a process left behind when it ended is
 * known by that, and by there being no manifest.
 *
 * Limits: such a folder was left behind once nothing in it has been written for 6 hours: until then another
 * server may be at it.
 */
import { access, constants, lstat, readdir } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  BackupFailed,
  type BackupManifest,
  manifestName,
  readManifest
} from "@lectern/adapter-sqlite/backup/BackupManifest"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { makeFolder } from "@lectern/adapter-sqlite/NewFolder"
import { Duration, Effect, Result } from "effect"

const patience = Duration.toMillis(Duration.hours(6))

const finishedName = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/
const ending = "-unfinished"

export const nameAt = (time: number): string => new Date(time).toISOString().slice(0, 19).replaceAll(":", "-") + "Z"

export const unfinished = (name: string): string => name + ending

export interface Finished {
  readonly folder: string
  readonly manifest: BackupManifest
}

export interface BackupsFound {
  /** The oldest first. */
  readonly finished: ReadonlyArray<Finished>
  /** Folders of backups that a server began, and that nobody goes on with. */
  readonly left: ReadonlyArray<string>
  /** A sentence about each folder that is named like a backup, and is none that can be used. */
  readonly unusable: ReadonlyArray<string>
}

/** Makes the folder where there is none, and fails where no backup can be made in it. */
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
  const finished: Array<Finished> = []
  const left: Array<string> = []
  const unusable: Array<string> = []
  for (const name of names) {
    const path = join(resolve(folder), name)
    if (finishedName.test(name)) {
      const read = yield* Effect.result(readManifest(path))
      if (Result.isSuccess(read)) finished.push({ folder: path, manifest: read.success })
      else unusable.push(read.failure.message)
    } else if (name.endsWith(ending) && finishedName.test(name.slice(0, -ending.length))) {
      if (yield* Effect.promise(() => isLeft(path, now))) left.push(path)
      else unusable.push(`The backup in ${path} is not finished, and somebody may be at it`)
    }
  }
  return { finished, left, unusable } satisfies BackupsFound
})

/** Whatever can't be looked at may be somebody's. */
const isLeft = async (folder: string, now: number): Promise<boolean> => {
  try {
    const inside = await readdir(folder, { recursive: true })
    if (inside.includes(manifestName)) return false
    for (const path of ["", ...inside]) if (now - (await lstat(join(folder, path))).mtimeMs < patience) return false
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
