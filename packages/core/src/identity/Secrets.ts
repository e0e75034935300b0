/**
 * Seals what is secret, so that the database, its log and every copy of them hold ciphertexts alone.
 *
 * A sealed text is `1.<id of the key>.<base64url of nonce and ciphertext>`: AES-256-GCM under a key
 * that is derived from the `SecretKey`, bound to the table, the row and the field it stands in, so
 * that none can be put in another's place. The id of the key tells what to open it with once keys are
 * changed.
 *
 * Data that was sealed with another key than the one that is found is refused as a whole, when it is
 * opened: a new key would hide the loss of the old one.
 */
import { Context, Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { Base64Url } from "effect/encoding"
import { Hasher } from "../storage/Hasher.ts"
import { Storage, StorageError } from "../storage/Storage.ts"
import { Cipher } from "./Cipher.ts"
import { Ids } from "./Ids.ts"
import { InstanceTable } from "./InstanceRow.ts"
import { SecretKey, SecretKeyRefused, SecretKeyText } from "./SecretKey.ts"

/** Where a sealed text stands. */
export type Place = readonly [table: string, id: string, field: string]

const nonceLength = 12
const keyIdLength = 8

export class Secrets extends Context.Service<
  Secrets,
  {
    readonly seal: (place: Place, text: string) => Effect.Effect<string>
    /** The text; fails where it was sealed for another place, or with another key. */
    readonly open: (place: Place, sealed: string) => Effect.Effect<string, StorageError>
  }
>()("@lectern/core/identity/Secrets") {
  static readonly layer = Layer.effect(
    Secrets,
    Effect.gen(function* () {
      const ids = yield* Ids
      const cipher = yield* Cipher
      const hasher = yield* Hasher
      const text = Redacted.value(yield* keyOfData)
      const key = bytesOf(hasher.hmac(text, "lectern: key that seals secrets"))
      const keyId = keyIdOf(hasher, text)

      return Secrets.of({
        seal: (place, plain) =>
          Effect.map(ids.secret, (random) => {
            const nonce = bytesOf(random).subarray(0, nonceLength)
            const ciphertext = cipher.encrypt(key, nonce, boundTo(place), encoder.encode(plain))
            const both = new Uint8Array(nonceLength + ciphertext.length)
            both.set(nonce)
            both.set(ciphertext, nonceLength)
            return `1.${keyId}.${Base64Url.encode(both)}`
          }),

        open: (place, sealed) =>
          Effect.suspend(() => {
            const [version, id, body = ""] = sealed.split(".")
            if (version !== "1" || id !== keyId) return lost(place, "another key")
            const both = Result.getSuccess(Base64Url.decode(body))
            if (Option.isNone(both)) return lost(place, "nothing that can be read")
            const [nonce, ciphertext] = [both.value.subarray(0, nonceLength), both.value.subarray(nonceLength)]
            const plain = cipher.decrypt(key, nonce, boundTo(place), ciphertext)
            return plain === undefined ? lost(place, "something else") : Effect.succeed(decoder.decode(plain))
          })
      })
    })
  )
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const bytesOf = (text: string): Uint8Array => Result.getOrThrow(Base64Url.decode(text))

const boundTo = (place: Place): Uint8Array => encoder.encode(JSON.stringify(place))

const keyIdOf = (hasher: Hasher["Service"], key: string): string =>
  hasher.hmac(key, "lectern: id of the key").slice(0, keyIdLength)

const lost = ([table, , field]: Place, by: string) =>
  Effect.fail(new StorageError({ reason: "failed", message: `A secret (${field} of ${table}) was sealed by ${by}` }))

const isKey = Schema.is(SecretKeyText)

/** The key that the data was sealed with, or a new one for data that is new. */
const keyOfData = Effect.gen(function* () {
  const { place, find, keep } = yield* SecretKey
  const ids = yield* Ids
  const hasher = yield* Hasher
  const instance = yield* (yield* Storage).repository(InstanceTable).get({ id: "instance" })
  const found = yield* find
  if (found === undefined && instance !== undefined) {
    return yield* new SecretKeyRefused({
      message:
        `The key that the secrets of this data are sealed with is not in ${place}. ` +
        "Put back the one that it was made with: without it they can't be read, and a new one is not made"
    })
  }
  const key = found ?? (yield* keep(Redacted.make(yield* ids.secret)))
  if (!isKey(Redacted.value(key))) {
    return yield* new SecretKeyRefused({
      message: `The key in ${place} must have 32 to 256 characters, printable ASCII without spaces`
    })
  }
  if (instance !== undefined && instance.secret.split(".")[1] !== keyIdOf(hasher, Redacted.value(key))) {
    return yield* new SecretKeyRefused({
      message:
        `The key in ${place} is not the one that the secrets of this data are sealed with. ` +
        "Put back the one that it was made with"
    })
  }
  return key
})
