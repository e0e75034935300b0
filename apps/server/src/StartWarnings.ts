/**
 * Warnings of a start that goes on: settings that mean nothing, files that others on the machine may look
 * into, backups that can't be made, another server on the same data, and a change of keys that was begun and not ended.
 */
import { relative, resolve } from "node:path"
import * as FolderHolder from "@lectern/adapter-sqlite/FolderHolder"
import { wideFiles } from "@lectern/adapter-sqlite/FileModes"
import { Secrets } from "@lectern/core/identity/Secrets"
import { Effect } from "effect"
import * as BackupFolder from "./BackupFolder.ts"
import { databaseIn } from "./DataFolder.ts"
import { hintOf } from "./settings/NearestName.ts"
import { namesOf, prefix, type SettingTable, variableOf } from "./settings/Setting.ts"
import type { SettingsFile } from "./settings/SettingsFile.ts"
import { fileVariable } from "./settings/SettingSources.ts"

/** A sentence about each variable that looks as if it set something, and does not. */
export const unknownVariables = (env: Readonly<Record<string, string | undefined>>, table: SettingTable) => {
  const known = [fileVariable, ...Object.values(table).flatMap(namesOf).map(variableOf)]
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .map((name) => `${name} is no setting, and sets nothing${hintOf(name, known, prefix)}`)
}

/** A sentence about a settings file that holds a secret, and that others on the machine may read. */
export const openSecrets = (file: SettingsFile | undefined, table: SettingTable): ReadonlyArray<string> => {
  const holds = Object.values(table).some(({ name, isSecret }) => isSecret === true && file?.texts.has(name))
  return file?.isOpen === true && holds
    ? [`${file.path} holds a secret and is open to other users: chmod it to 600`]
    : []
}

export const openFiles = (data: string) =>
  Effect.suspend(() =>
    Effect.forEach(
      wideFiles(databaseIn(data)),
      ({ path, mode, wanted }) => {
        const place = relative(resolve(data), path)
        const name = place === "" ? "The data folder" : `${place} in the data folder`
        return Effect.logWarning(`${name} is open to other users (mode ${mode}): chmod it to ${wanted}`)
      },
      { discard: true }
    )
  )

/** No reason to end: the folder is often another machine's, which may be away for an hour, and readers would be, too. */
export const backupFolder = (folder: string) =>
  BackupFolder.prepare(folder).pipe(
    Effect.catch(({ message }) => Effect.logWarning(`No backup can be made, and it is tried every hour: ${message}`))
  )

/**
 * Processes may share data, but most who start a second server on it meant another folder. Gives the worker of a server
 * that had the folder before, and is gone.
 */
export const otherServer = (data: string, worker: string) =>
  Effect.acquireRelease(
    Effect.sync(() => FolderHolder.hold(resolve(data), worker)),
    ({ release }) => Effect.sync(release)
  ).pipe(
    Effect.tap(({ other }) =>
      other === undefined
        ? Effect.void
        : Effect.logWarning(
            `Another server works with the data in ${resolve(data)}: process ${other.pid} on ${other.host}. ` +
              "Stop one of them, or give this one a folder of its own with LECTERN_DATA"
          )
    ),
    Effect.map(({ gone }) => gone)
  )

export const changingKey = Secrets.use(({ isChanging }) =>
  isChanging
    ? Effect.logWarning("The change of the secret key was not ended: stop the server and run lectern key rotate again")
    : Effect.void
)
