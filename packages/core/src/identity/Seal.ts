/**
 * How one value is sealed with one key: AES-256-GCM under a key that is derived from the text of the
 * `SecretKey`, bound to the field that it stands in, so that none can be put into another field.
 *
 * A sealed value is `1.<id of the key>.<base64url of nonce and ciphertext>`.
 */
import { Option, Result } from "effect"
import { Base64Url } from "effect/encoding"
import type { Hasher } from "../storage/Hasher.ts"
import type { Cipher } from "./Cipher.ts"

/** The field that a sealed value stands in. A value moved to another field does not open. */
export type RowField = readonly [table: string, key: ReadonlyArray<string>, field: string]

const nonceLength = 12
const keyIdLength = 8

export class Seal {
  /** Names the key, and tells nothing of it. */
  readonly keyId: string
  readonly #cipher: Cipher["Service"]
  readonly #key: Uint8Array

  constructor(hasher: Hasher["Service"], cipher: Cipher["Service"], key: string) {
    this.#cipher = cipher
    this.#key = bytesOf(hasher.hmac(key, "lectern: key that seals secrets"))
    this.keyId = hasher.hmac(key, "lectern: id of the key").slice(0, keyIdLength)
  }

  /** `random`: 12 bytes, or base64url of as many or more; others each time. */
  seal(field: RowField, text: string, random: Uint8Array | string): string {
    const nonce = typeof random === "string" ? bytesOf(random).subarray(0, nonceLength) : random
    const ciphertext = this.#cipher.encrypt(this.#key, nonce, boundTo(field), encoder.encode(text))
    const both = new Uint8Array(nonceLength + ciphertext.length)
    both.set(nonce)
    both.set(ciphertext, nonceLength)
    return `1.${this.keyId}.${Base64Url.encode(both)}`
  }

  /** Undefined where it was sealed for another field, with another key, or is none. */
  open(field: RowField, sealed: string): string | undefined {
    if (keyIdOf(sealed) !== this.keyId) return undefined
    const both = Result.getSuccess(Base64Url.decode(sealed.slice(keyIdLength + 3)))
    if (Option.isNone(both)) return undefined
    const [nonce, ciphertext] = [both.value.subarray(0, nonceLength), both.value.subarray(nonceLength)]
    const plain = this.#cipher.decrypt(this.#key, nonce, boundTo(field), ciphertext)
    return plain && decoder.decode(plain)
  }
}

/** The id of the key that a value was sealed with; undefined where it is none that this version makes. */
export const keyIdOf = (sealed: string): string | undefined => {
  const [version, id] = sealed.split(".", 2)
  return version === "1" && id?.length === keyIdLength ? id : undefined
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const bytesOf = (text: string): Uint8Array => Result.getOrThrow(Base64Url.decode(text))

const boundTo = (field: RowField): Uint8Array => encoder.encode(JSON.stringify(field))
