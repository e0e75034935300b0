/**
 * Encrypts values with one key: AES-256-GCM with a key that is derived from the text of the `SecretKey`. Each
 * ciphertext is bound to its field, so that it cannot be moved to another one.
 *
 * A sealed value is `1.<key id>.<base64url of nonce and ciphertext>`.
 */
import { Option, Result } from "effect"
import { Base64Url } from "effect/encoding"
import type { Hasher } from "../storage/Hasher.ts"
import type { Cipher } from "./Cipher.ts"

/** Field of a sealed value. The value cannot be decrypted in another field. */
export type RowField = readonly [table: string, key: ReadonlyArray<string>, field: string]

const nonceLength = 12
const keyIdLength = 8

export class Sealer {
  /** Identifies the key without revealing it. */
  readonly keyId: string
  readonly #cipher: Cipher["Service"]
  readonly #key: Uint8Array

  constructor(hasher: Hasher["Service"], cipher: Cipher["Service"], key: string) {
    this.#cipher = cipher
    this.#key = bytesOf(hasher.hmac(key, "lectern: key that seals secrets"))
    this.keyId = hasher.hmac(key, "lectern: id of the key").slice(0, keyIdLength)
  }

  /** Encrypts a text. `random`: 12 bytes, or base64url of at least 12. Must be new for each call. */
  seal(field: RowField, text: string, random: Uint8Array | string): string {
    const nonce = typeof random === "string" ? bytesOf(random).subarray(0, nonceLength) : random
    const ciphertext = this.#cipher.encrypt(this.#key, nonce, boundTo(field), encoder.encode(text))
    const sealedBytes = new Uint8Array(nonceLength + ciphertext.length)
    sealedBytes.set(nonce)
    sealedBytes.set(ciphertext, nonceLength)
    return `1.${this.keyId}.${Base64Url.encode(sealedBytes)}`
  }

  /** Decrypts a value. Returns undefined if it was encrypted for another field or with another key, or is malformed. */
  open(field: RowField, sealed: string): string | undefined {
    if (keyIdOf(sealed) !== this.keyId) return undefined
    const sealedBytes = Result.getSuccess(Base64Url.decode(sealed.slice(keyIdLength + 3)))
    if (Option.isNone(sealedBytes)) return undefined
    const [nonce, ciphertext] = [sealedBytes.value.subarray(0, nonceLength), sealedBytes.value.subarray(nonceLength)]
    const plain = this.#cipher.decrypt(this.#key, nonce, boundTo(field), ciphertext)
    return plain && decoder.decode(plain)
  }
}

/** Returns the id of the key of a sealed value. Undefined if the format is unknown. */
export const keyIdOf = (sealed: string): string | undefined => {
  const [version, id] = sealed.split(".", 2)
  return version === "1" && id?.length === keyIdLength ? id : undefined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const bytesOf = (text: string): Uint8Array => Result.getOrThrow(Base64Url.decode(text))

const boundTo = (field: RowField): Uint8Array => encoder.encode(JSON.stringify(field))
