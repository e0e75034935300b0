/** `lectern backup <folder>`: backs up all data into a folder, also while the server runs. */
import { constants, setPriority } from "node:os"
import { resolve } from "node:path"
import { make } from "@lectern/adapter-sqlite/durability/Backup"
import { lossesInData, lossesOf } from "@lectern/adapter-sqlite/durability/BackupManifest"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { databaseIn, hasData } from "../DataFolder.ts"
import { print, sizeOf } from "@lectern/cli/Output"
import { dataFlags, dataSettings } from "../settings/Settings.ts"

/** Lowers the priority of the process, so that the server is not slowed down. */
const lowerPriority = () => {
  try {
    setPriority(constants.priority.PRIORITY_LOW)
  } catch {
    // If lowering the priority is not permitted, the backup runs with normal priority.
  }
}

export const Backup = Command.make(
  "backup",
  {
    ...dataFlags,
    folder: Argument.String("folder").pipe(Argument.withDescription("Empty or missing folder for the backup")),
    since: Flag.String("since").pipe(
      Flag.withDescription("Folder of an earlier backup, whose large files are linked instead of copied"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* (flags) {
    const { data, json } = yield* dataSettings(flags)
    const filename = databaseIn(data)
    if (!hasData(data)) return yield* new CommandFailed({ message: `No data found in ${data}` })
    const folder = resolve(flags.folder)
    lowerPriority()
    const since = Option.getOrUndefined(flags.since)
    const backup = yield* make({ filename, folder, ...(since && { previous: resolve(since) }) })
    for (const loss of lossesInData(backup.inData)) yield* Effect.logWarning(loss)
    const { begunAt, database, blobs, lost } = backup
    const bytes = blobs.reduce((sum, blob) => sum + blob.bytes, 0)
    const summary = { folder, begunAt, database: { bytes: database.bytes }, blobs: { count: blobs.length, bytes } }
    const text =
      `Backed up ${resolve(data)} as of ${begunAt} to ${folder}: ${sizeOf(database.bytes)} of database, ` +
      `${sizeOf(bytes)} of large files.`
    if (lost !== undefined) {
      return yield* new CommandFailed({
        message: [text, "The data is damaged, and so is the backup:", "", ...lossesOf(backup)].join("\n"),
        report: { ...summary, lost }
      })
    }
    yield* print(json, {
      json: summary,
      text: `${text}\nThe backup does not contain the secret key: store the key where you store passwords.`
    })
  })
).pipe(Command.withDescription("Back up all data into a folder. The server may be running"))
