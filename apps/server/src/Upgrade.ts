/**
 * Backs up data before an upgrade, into the folder `before-upgrade` of the data folder, in a subfolder named by the old
 * version and the time. Large files are hard links, so the backup only needs space for the database. Only the operator
 * removes these backups.
 *
 * A damaged or missing large file is logged and does not stop the upgrade: no step of an upgrade reads or writes large
 * files, so the previous version would not help. Every file is read, since a backup with a damaged one that is not listed
 * could not be restored.
 */
import { dirname, join } from "node:path"
import { make } from "@lectern/adapter-sqlite/durability/Backup"
import { lossesOf } from "@lectern/adapter-sqlite/durability/BackupManifest"
import { inheritFolderOwner } from "@lectern/adapter-sqlite/connections/PrivateFiles"
import { inspect } from "@lectern/adapter-sqlite/tables/Upgrades"
import { Clock, Effect } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"

const folderName = "before-upgrade"

/** Makes a backup if the data is older than this version of Lectern. Returns its folder, or undefined without a backup. */
export const backUpFirst = Effect.fnUntraced(function* (filename: string, isWanted: boolean) {
  // A file that cannot be inspected is ignored here. Opening the database reports it.
  const upgrade = yield* Effect.orElseSucceed(inspect(filename), () => undefined)
  if (upgrade === undefined || upgrade.steps.length === 0 || !isWanted) return undefined
  const now = new Date(yield* Clock.currentTimeMillis).toISOString().replace(/[:.]/g, "-")
  const parent = join(dirname(filename), folderName)
  const folder = join(parent, `version-${upgrade.version}-${now}`)
  const backup = yield* make({ filename, folder, linked: true }).pipe(
    Effect.mapError(
      ({ message }) =>
        new CommandFailed({
          message:
            `The data needs an upgrade and can't be backed up first: ${message}. Nothing was changed. ` +
            "Free disk space, or make a backup yourself and set LECTERN_UPGRADE_BACKUP=off"
        })
    )
  )
  // The owner of the folder is adjusted, since the user of the server creates the next backup in it.
  inheritFolderOwner(parent)
  for (const loss of lossesOf(backup))
    yield* Effect.logError(`${loss}. The backup before the upgrade has the same loss`)
  yield* Effect.logInfo(`Upgrading the data from version ${upgrade.version} to ${upgrade.newest}`).pipe(
    Effect.annotateLogs({ backup: folder })
  )
  return folder
})
