/**
 * Checks at the start of the server. Each logs a warning and lets the server start:
 *
 * - a setting is unknown
 * - other users of the machine may read a file of the data folder
 * - the backup folder can't be used
 * - another server uses the data folder
 * - a rotation of the secret key is unfinished
 */
import { relative, resolve } from "node:path"
import * as FolderLock from "@lectern/adapter-sqlite/connections/FolderLock"
import { wideFiles } from "@lectern/adapter-sqlite/connections/DatabaseFile"
import { Secrets } from "@lectern/core/identity/Secrets"
import { suggestionOf } from "@lectern/core/schema/NearestName"
import { Effect } from "effect"
import * as BackupFolder from "./BackupFolder.ts"
import { databaseIn } from "./DataFolder.ts"
import { namesOf, prefix, type SettingTable, variableOf } from "./settings/Setting.ts"
import type { SettingsFile } from "./settings/SettingsFile.ts"
import { fileVariable } from "./settings/SettingSources.ts"

/** Returns a warning for each environment variable that starts like a setting and is none. */
export const unknownVariables = (env: Readonly<Record<string, string | undefined>>, table: SettingTable) => {
  const knownVariables = [fileVariable, ...Object.values(table).flatMap(namesOf).map(variableOf)]
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !knownVariables.includes(name))
    .map((name) => `${name} is not a setting and has no effect${suggestionOf(name, knownVariables, prefix)}`)
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
      ({ path, mode, expectedMode }) => {
        const relativePath = relative(resolve(data), path)
        const name = relativePath === "" ? "The data folder" : `${relativePath} in the data folder`
        return Effect.logWarning(`${name} is accessible to other users (mode ${mode}): run chmod ${expectedMode}`)
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
 * Locks the data folder, and logs a warning if another running server has locked it. Two servers may share a folder, but
 * most operators start a second one on it by mistake. Returns the job worker of the previous server, which has ended.
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
