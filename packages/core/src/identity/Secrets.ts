/**
 * Encrypts secrets, so that the database, its log and all copies contain only ciphertexts (see `Seal`). An encrypted
 * value is a field of a row; its table declares the field and is one of `SealedTables`.
 *
 * Data that was encrypted with another key is rejected when it is opened: a new key would hide the loss of the old one.
 * Only during a key rotation a second key is known, the previous one (see `KeyRotation`).
 */
import { Context, Effect, Redacted, Schema, Layer } from "effect"
import type { Sealed } from "../schema/Sealed.ts"
import { Hasher } from "../storage/Hasher.ts"
import { Storage, StorageError } from "../storage/Storage.ts"
import type { SealedField, Table } from "../storage/Table.ts"
import { Cipher } from "./Cipher.ts"
import { Ids } from "./Ids.ts"
import { InstanceTable } from "./InstanceRow.ts"
import { keyIdOf, type RowField, Sealer } from "./Seal.ts"
import { sealedTables } from "./SealedTables.ts"
import { SecretKey, InvalidSecretKey, SecretKeyText } from "./SecretKey.ts"

type Field<T> = SealedField<Table.Row<T>>

/** Type of the value of an encrypted field. */
type Content<T, F extends Field<T>> = Exclude<Table.Row<T>[F], undefined> extends Sealed<infer A> ? A : never

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Encrypts a JSON value for a field of a row. `key`: primary key of the row. */
    readonly seal: <T extends Table, F extends Field<T>>(
      table: T,
      key: Table.Key<T>,
      field: F,
      value: Content<T, F>
    ) => Effect.Effect<Sealed<Content<T, F>>>
    /** Like `seal`, for a value that is already serialized as JSON. */
    readonly sealJson: <T extends Table, F extends Field<T>>(
      table: T,
      key: Table.Key<T>,
      field: F,
      json: string
    ) => Effect.Effect<Sealed<Content<T, F>>>
    /**
     * Decrypts the value of a field. Undefined if the field is absent. Fails if it was encrypted for another row or
     * with another key.
     */
    readonly open: <T extends Table, F extends Field<T>>(
      table: T,
      row: Table.Key<T> & Pick<Table.Row<T>, F>,
      field: F
    ) => Effect.Effect<Content<T, F> | Extract<Table.Row<T>[F], undefined>, StorageError>
    /** True during a key rotation. */
    readonly isChanging: boolean
  }
>()("@lectern/core/identity/Secrets") {
  static readonly layer = Layer.effect(
    Secrets,
    Effect.gen(function* () {
      const ids = yield* Ids
      const cipher = yield* Cipher
      const hasher = yield* Hasher
      const instance = yield* (yield* Storage).repository(InstanceTable).get({ id: "instance" })
      const current = new Sealer(hasher, cipher, Redacted.value(yield* keyOfData))
      const sealers = [current]
      if (instance?.formerKey !== undefined) {
        const text = yield* decrypt([current], rowFieldOf(InstanceTable, instance, "formerKey"), instance.formerKey)
        sealers.push(new Sealer(hasher, cipher, JSON.parse(text) as string))
      }

      const sealJson: Secrets["Service"]["sealJson"] = (table, key, field, json) =>
        Effect.map(ids.nonce, (nonce) => {
          if (!isDeclared(table, field)) throw new Error(`"${field}" of "${table.name}" is not declared as sealed`)
          return current.seal(rowFieldOf(table, key, field), json, nonce) as Sealed
        })

      return Secrets.of({
        sealJson,
        seal: (table, key, field, value) => sealJson(table, key, field, JSON.stringify(value)),

        open: (table, row, field) =>
          Effect.suspend(() => {
            const sealed = (row as Readonly<Record<string, string | undefined>>)[field]
            if (sealed === undefined) return Effect.undefined as Effect.Effect<never>
            return Effect.map(decrypt(sealers, rowFieldOf(table, row, field), sealed), (text) => JSON.parse(text))
          }),

        isChanging: sealers.length > 1
      })
    })
  )
}

const isDeclared = (table: Table, field: string): boolean =>
  sealedTables.includes(table) && table.sealed.includes(field)

/** Returns the identity of a field, to which its ciphertext is bound. */
export const rowFieldOf = (table: Table, row: object, field: string): RowField => [
  table.name,
  table.key.map((name: string) => (row as Readonly<Record<string, string>>)[name]!),
  field
]

/** Decrypts a value with the key that encrypted it. */
const decrypt = (
  sealers: ReadonlyArray<Sealer>,
  field: RowField,
  sealed: string
): Effect.Effect<string, StorageError> => {
  const keyId = keyIdOf(sealed)
  if (keyId === undefined) return unsealFailure(field, "nothing that can be read")
  const seal = sealers.find((seal) => seal.keyId === keyId)
  if (seal === undefined) return unsealFailure(field, "another key")
  const text = seal.open(field, sealed)
  return text === undefined ? unsealFailure(field, "something else") : Effect.succeed(text)
}

const unsealFailure = ([table, , field]: RowField, by: string) =>
  Effect.fail(new StorageError({ reason: "failed", message: `A secret (${field} of ${table}) was sealed by ${by}` }))

const isKey = Schema.is(SecretKeyText)

/** Returns the key that the data was encrypted with, or a new one for new data. */
export const keyOfData = Effect.gen(function* () {
  const { location, find, store } = yield* SecretKey
  const ids = yield* Ids
  const hasher = yield* Hasher
  const cipher = yield* Cipher
  const instance = yield* (yield* Storage).repository(InstanceTable).get({ id: "instance" })
  const storedKeys = yield* find
  if (storedKeys.length === 0 && instance !== undefined) {
    return yield* new InvalidSecretKey({
      message:
        `The key that encrypted the secrets of this data is not in ${location}. ` +
        "Put back the one that it was made with: without it they can't be read, and a new one is not made"
    })
  }
  const keys = storedKeys.length === 0 ? [yield* store(Redacted.make(yield* ids.secret))] : storedKeys
  for (const key of keys) {
    if (isKey(Redacted.value(key))) continue
    return yield* new InvalidSecretKey({
      message: `The key in ${location} must have 32 to 256 characters, printable ASCII without spaces`
    })
  }
  if (instance === undefined) return keys[0]!
  const dataKeyId = keyIdOf(instance.secret)
  const dataKey = keys.find((key) => new Sealer(hasher, cipher, Redacted.value(key)).keyId === dataKeyId)
  if (dataKey !== undefined) return dataKey
  return yield* new InvalidSecretKey({
    message:
      `The key in ${location} did not encrypt the secrets of this data. ` +
      (instance.formerKey === undefined
        ? "Put back the one that it was made with"
        : "The key was being changed: it is the new one by now")
  })
})
