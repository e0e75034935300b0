/**
 * Checks at the start that only log warnings: unknown settings, files that other users of the machine may read, an
 * unusable backup folder, another server with the same data, and an unfinished key rotation.
 */
import { relative, resolve } from "node:path"
import * as FolderLock from "@lectern/adapter-sqlite/FolderLock"
import { wideFiles } from "@lectern/adapter-sqlite/FileModes"
import { Secrets } from "@lectern/core/identity/Secrets"
import { Effect } from "effect"
import * as BackupFolder from "./BackupFolder.ts"
import { databaseIn } from "./DataFolder.ts"
import { hintOf } from "./settings/NearestName.ts"
import { namesOf, prefix, type SettingTable, variableOf } from "./settings/Setting.ts"
import type { SettingsFile } from "./settings/SettingsFile.ts"
import { fileVariable } from "./settings/SettingSources.ts"

/** Returns a warning for each environment variable that starts like a setting and is none. */
export const unknownVariables = (env: Readonly<Record<string, string | undefined>>, table: SettingTable) => {
  const known = [fileVariable, ...Object.values(table).flatMap(namesOf).map(variableOf)]
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .map((name) => `${name} is not a setting and has no effect${hintOf(name, known, prefix)}`)
}

/** Returns a warning for a settings file that contains a secret and is readable by other users. */
export const openSecrets = (file: SettingsFile | undefined, table: SettingTable): ReadonlyArray<string> => {
  const holds = Object.values(table).some(({ name, isSecret }) => isSecret === true && file?.texts.has(name))
  return file?.isOpen === true && holds
    ? [`${file.path} contains a secret and is readable by other users: run chmod 600`]
    : []
}

export const openFiles = (data: string) =>
  Effect.suspend(() =>
    Effect.forEach(
      wideFiles(databaseIn(data)),
      ({ path, mode, wanted }) => {
        const place = relative(resolve(data), path)
        const name = place === "" ? "The data folder" : `${place} in the data folder`
        return Effect.logWarning(`${name} is accessible to other users (mode ${mode}): run chmod ${wanted}`)
      },
      { discard: true }
    )
  )

/**
 * Warns if the backup folder can't be used. The server starts nevertheless, since the folder is often on another machine
 * that may be unavailable for an hour.
 */
export const backupFolder = (folder: string) =>
  BackupFolder.prepare(folder).pipe(
    Effect.catch(({ message }) => Effect.logWarning(`Backups can't be made and are retried every hour: ${message}`))
  )

/**
 * Warns of another server with the same data. Sharing data is allowed, but most operators who start a second server meant
 * another folder. Returns the worker of a server that held the folder before and no longer runs.
 */
export const otherServer = (data: string, worker: string) =>
  Effect.acquireRelease(
    Effect.sync(() => FolderLock.lockFolder(resolve(data), worker)),
    ({ release }) => Effect.sync(release)
  ).pipe(
    Effect.tap(({ holder }) =>
      holder === undefined
        ? Effect.void
        : Effect.logWarning(
            `Another server uses the data in ${resolve(data)}: process ${holder.pid} on ${holder.host}. ` +
              "Stop one of them, or set LECTERN_DATA to another folder"
          )
    ),
    Effect.map(({ previousWorker }) => previousWorker)
  )

export const changingKey = Secrets.use(({ isChanging }) =>
  isChanging
    ? Effect.logWarning(
        "The rotation of the secret key is not finished: stop the server and run lectern key rotate again"
      )
    : Effect.void
)
