/** `lectern backup <folder>` */
import { constants, setPriority } from "node:os"
import { resolve } from "node:path"
import { make } from "@lectern/adapter-sqlite/backup/Backup"
import { lossesInData, lossesOf } from "@lectern/adapter-sqlite/backup/BackupManifest"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { databaseIn, hasData } from "../DataFolder.ts"
import { print, sizeOf } from "../Output.ts"
import { dataFlags, dataSettings } from "../settings/Settings.ts"

/** Whoever is asked something on this machine goes first. */
const giveWay = () => {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // Where that is not allowed it takes its share.
  }
}

export const Backup = Command.make(
  "backup",
  {
    ...dataFlags,
    folder: Argument.String("folder").pipe(
      Argument.withDescription("A folder that is empty, or not there: it is made then")
    ),
    since: Flag.String("since").pipe(
      Flag.withDescription("The folder of a former backup: large files that it holds are linked, not copied"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* (given) {
    const { data, json } = yield* dataSettings(given)
    const filename = databaseIn(data)
    if (!hasData(data)) return yield* new CommandFailed({ message: `There is no data in ${data} to back up` })
    const folder = resolve(given.folder)
    giveWay()
    const since = Option.getOrUndefined(given.since)
    const made = yield* make({ filename, folder, ...(since && { since: resolve(since) }) })
    for (const loss of lossesInData(made.inData)) yield* Effect.logWarning(loss)
    const { begunAt, database, blobs, lost } = made
    const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0)
    const answer = { folder, begunAt, database: { bytes: database.bytes }, blobs: { count: blobs.length, bytes } }
    const text =
      `Backed up ${resolve(data)} as it was at ${begunAt} to ${folder}: a database of ${sizeOf(database.bytes)}, ` +
      `and ${sizeOf(bytes)} in large files.`
    if (lost !== undefined) {
      return yield* new CommandFailed({
        message: [text, "But the data is damaged, and the backup as it is:", "", ...lossesOf(made)].join("\n"),
        report: { ...answer, lost }
      })
    }
    yield* print(json, {
      json: answer,
      text: `${text}\nThe key for secrets is not in it: keep it where you keep passwords.`
    })
  })
).pipe(Command.withDescription("Back up all data into a folder, while the server runs or not"))
