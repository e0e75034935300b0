/** `lectern restore <folder>`: restores the data from a backup. */
import { resolve } from "node:path"
import { BackupFailed, lossesOf } from "@lectern/adapter-sqlite/durability/BackupManifest"
import { restore } from "@lectern/adapter-sqlite/durability/Restore"
import { NodeCipher } from "@lectern/adapter-sqlite/NodeCipher"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { keyFileOf, secretKeyFile } from "@lectern/adapter-sqlite/connections/SecretKeyFile"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Ids } from "@lectern/core/identity/Ids"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { keyOfData } from "@lectern/core/identity/Secrets"
import { Effect, Layer, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { databaseIn } from "../DataFolder.ts"
import { print } from "@lectern/cli/Output"
import { dataFlags, dataSettings } from "../settings/Settings.ts"

export const Restore = Command.make(
  "restore",
  {
    ...dataFlags,
    folder: Argument.String("folder").pipe(Argument.withDescription("Folder of a backup")),
    keyFile: Flag.Boolean("key-file").pipe(
      Flag.withDescription(
        "Store the key in the data folder, in lectern.db-key; otherwise the server needs LECTERN_SECRET_KEY"
      ),
      Flag.withDefault(true)
    )
  },
  Effect.fnUntraced(function* (flags) {
    const { data, json, secretKey } = yield* dataSettings(flags)
    if (secretKey === undefined) {
      return yield* new CommandFailed({
        message:
          "A backup does not contain the secret key: set LECTERN_SECRET_KEY to the key at the time of the backup, the text of lectern.db-key"
      })
    }
    const filename = databaseIn(data)
    const key = SecretKey.fromKeys(secretKey, "LECTERN_SECRET_KEY")
    const accept = (restored: string) =>
      keyOfData.pipe(
        Effect.provide(
          Layer.mergeAll(
            Ids.layer,
            NodeHasher.layer,
            NodeCipher.layer,
            SqliteStorage.layer({ filename: restored, exclusive: true, secretKey: key })
          )
        ),
        Effect.andThen(flags.keyFile ? storeKey(filename, secretKey) : Effect.void),
        Effect.mapError(({ message }) => new BackupFailed({ message })),
        Effect.asVoid
      )
    const restored = yield* restore({ folder: resolve(flags.folder), filename, accept })
    const { begunAt, lost } = restored
    const losses = lossesOf(restored)
    yield* print(json, {
      json: { data: resolve(data), begunAt, keyFile: flags.keyFile, ...(lost && { lost }) },
      text:
        `Restored the data as of ${begunAt} to ${resolve(data)}.\n` +
        (losses.length > 0 ? `The data was damaged before the backup:\n\n${losses.join("\n")}\n\n` : "") +
        (flags.keyFile
          ? "The key is in lectern.db-key next to the database. Start the server."
          : "Start the server with the same LECTERN_SECRET_KEY.")
    })
  })
).pipe(
  Command.withDescription(
    "Restore a backup into an empty data folder. LECTERN_SECRET_KEY must be the key of the backup"
  )
)

/** Writes the key file. Never overwrites an existing file, which may be the only copy of another key. */
const storeKey = Effect.fnUntraced(function* (filename: string, key: Redacted.Redacted) {
  const file = secretKeyFile(filename)
  yield* file.store(key)
  const [storedKey] = yield* file.find
  if (storedKey !== undefined && Redacted.value(storedKey) === Redacted.value(key)) return
  yield* new BackupFailed({
    message: `${keyFileOf(filename)} contains another key: move the file away, or use --no-key-file`
  })
})
