/** `lectern key rotate`: changes the key that encrypts secrets. */
import { existsSync, readFileSync } from "node:fs"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { NodeCipher } from "@lectern/adapter-sqlite/NodeCipher"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { AuditOrigin } from "@lectern/core/audit/AuditTrail"
import { Ids } from "@lectern/core/identity/Ids"
import { rotate as rotateKey } from "@lectern/core/identity/KeyRotation"
import { SecretKey, SecretKeyText } from "@lectern/core/identity/SecretKey"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { databaseIn } from "../DataFolder.ts"
import * as Logs from "@lectern/cli/Logs"
import { print } from "@lectern/cli/Output"
import { dataFlags, dataSettings } from "../settings/Settings.ts"
import { backUpFirst } from "../Upgrade.ts"

/** Timeout in ms for another process that is about to release the database. */
const busyTimeout = 2_000

const isKey = Schema.is(SecretKeyText)

const flags = {
  ...dataFlags,
  newKeyVariable: Flag.String("new-key-variable").pipe(
    Flag.withDescription("Environment variable with the new key, if LECTERN_SECRET_KEY is set"),
    Flag.optional
  ),
  newKeyFile: Flag.String("new-key-file").pipe(
    Flag.withDescription("File with the new key, if LECTERN_SECRET_KEY is set"),
    Flag.optional
  )
}

interface Sources {
  readonly newKeyVariable: Option.Option<string>
  readonly newKeyFile: Option.Option<string>
}

const failure = (message: string) => new CommandFailed({ message })

/** Returns the key that replaces `LECTERN_SECRET_KEY`. Error messages do not contain the key. */
const newKey = Effect.fnUntraced(function* ({ newKeyVariable, newKeyFile }: Sources, currentKey: Redacted.Redacted) {
  if (Option.isSome(newKeyVariable) === Option.isSome(newKeyFile)) {
    return yield* failure(
      "The key of the data is set by LECTERN_SECRET_KEY: provide the new key with --new-key-variable or --new-key-file"
    )
  }
  const name = Option.isSome(newKeyVariable) ? newKeyVariable.value : Option.getOrThrow(newKeyFile)
  const text = Option.isSome(newKeyVariable)
    ? process.env[name]
    : yield* Effect.try({
        try: () => readFileSync(name, "utf8"),
        catch: (thrown) => failure(`The new key can't be read: ${name}, ${fileErrorReason(thrown)}`)
      })
  const key = text?.trim() ?? ""
  if (!isKey(key)) {
    return yield* failure(`The new key in ${name} must have 32 to 256 characters, printable ASCII without spaces`)
  }
  if (key === Redacted.value(currentKey)) return yield* failure(`The new key in ${name} equals LECTERN_SECRET_KEY`)
  return Redacted.make(key)
})

const suppliedKey = (sources: Sources, secretKey: Redacted.Redacted) =>
  Effect.map(newKey(sources, secretKey), (next) => SecretKey.fromKeys(secretKey, "LECTERN_SECRET_KEY", next))

const inUse = (error: StorageError) =>
  error.reason === "unavailable"
    ? failure("The data is in use: stop the server and all commands that use it, and then change the key")
    : error

const rotate = Command.make(
  "rotate",
  flags,
  Effect.fnUntraced(function* (flagValues) {
    const { data, json, logLevel, secretKey, upgradeBackup } = yield* dataSettings(flagValues)
    const filename = databaseIn(data)
    if (!existsSync(filename)) return yield* failure(`No data found in ${data}`)
    if (secretKey === undefined && (Option.isSome(flagValues.newKeyVariable) || Option.isSome(flagValues.newKeyFile))) {
      return yield* failure(
        "The key of the data is in lectern.db-key, and Lectern generates the new key: omit --new-key-variable and --new-key-file"
      )
    }
    const key = secretKey && (yield* suppliedKey(flagValues, secretKey))
    yield* backUpFirst(filename, upgradeBackup)
    const storage = SqliteStorage.layer({
      filename,
      exclusive: true,
      busyTimeout,
      ...(key && { secretKey: key })
    })
    const { sealed, unreadable } = yield* rotateKey.pipe(
      Effect.provideService(CurrentActor, host),
      Effect.provideService(AuditOrigin, { isCommandLine: true }),
      Effect.provide(Layer.mergeAll(Ids.layer, NodeHasher.layer, NodeCipher.layer, storage)),
      Effect.catchTag("StorageError", (error) => Effect.fail(inUse(error))),
      Effect.provide(Logs.layer(logLevel))
    )
    const keySource = secretKey === undefined ? "lectern.db-key" : "LECTERN_SECRET_KEY"
    const text = [
      `The key was changed. ${sealed.toLocaleString("en")} secrets are encrypted with the new key.`,
      ...(unreadable > 0
        ? [`${unreadable.toLocaleString("en")} secrets could not be decrypted with the old key and are unchanged.`]
        : []),
      secretKey === undefined
        ? "The new key is in lectern.db-key: store a copy where you store passwords."
        : "Set LECTERN_SECRET_KEY to the new key before the next start."
    ].join("\n")
    yield* print(json, { json: { sealed, unreadable, key: keySource }, text })
  })
).pipe(
  Command.withDescription(
    "Encrypt all secrets with a new key. Nothing else may use the data. Continues an interrupted rotation"
  )
)

export const Key = Command.make("key").pipe(
  Command.withDescription("Change the key that encrypts secrets"),
  Command.withSubcommands([rotate])
)
