/**
 * A backup of data before it is brought up to date, in the folder `before-upgrade` of the data folder, named by
 * the version that the data had and the time. Large files are linked into it, so it takes the room of the
 * database. Nothing removes it but the operator.
 *
 * One that is damaged or missing is named, and is no reason to stop: no step of an upgrade touches them, so whoever
 * stays with the former version has it no better. Each is read through for that, or the backup could not be restored.
 */
import { dirname, join } from "node:path"
import { make } from "@lectern/adapter-sqlite/backup/Backup"
import { lossesOf } from "@lectern/adapter-sqlite/backup/BackupManifest"
import { handOverFolder } from "@lectern/adapter-sqlite/FileOwner"
import { look } from "@lectern/adapter-sqlite/Upgrades"
import { Clock, Effect } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

const folderName = "before-upgrade"

/** Makes one where the data is older than this version of Lectern, and gives its folder. */
export const backUpFirst = Effect.fnUntraced(function* (filename: string, isWanted: boolean) {
  // A file that can't be looked at is refused by whoever opens it.
  const upgrade = yield* Effect.orElseSucceed(look(filename), () => undefined)
  if (upgrade === undefined || upgrade.steps.length === 0 || !isWanted) return undefined
  const now = new Date(yield* Clock.currentTimeMillis).toISOString().replace(/[:.]/g, "-")
  const all = join(dirname(filename), folderName)
  const folder = join(all, `version-${upgrade.version}-${now}`)
  const made = yield* make({ filename, folder, linked: true }).pipe(
    Effect.mapError(
      ({ message }) =>
        new CommandFailed({
          message:
            `The data has to be brought up to date, and can't be backed up before: ${message}. Nothing was changed. ` +
            "Make room, or back it up yourself and set LECTERN_UPGRADE_BACKUP=off"
        })
    )
  )
  // Whoever serves from the data makes the next one there.
  handOverFolder(all)
  for (const loss of lossesOf(made)) yield* Effect.logError(`${loss}, and so it is in the backup before the upgrade`)
  yield* Effect.logInfo(`The data is brought from version ${upgrade.version} to ${upgrade.newest}`).pipe(
    Effect.annotateLogs({ backup: folder })
  )
  return folder
})
