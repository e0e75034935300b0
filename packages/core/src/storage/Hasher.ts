/**
 * Synchronous port for hashing. Objects are hashed on hot paths, on which a promise costs more than the hash. The
 * default implementation is pure JavaScript and runs everywhere. The SQLite adapter has one on `node:crypto`, which is
 * several times faster.
 */
import { Context, Layer } from "effect"
import { Base64Url, Hex } from "effect/encoding"
import { hmac } from "@noble/hashes/hmac.js"
import { sha1 } from "@noble/hashes/legacy.js"
import { sha256 } from "@noble/hashes/sha2.js"

const encoder = new TextEncoder()
const bytesOf = (data: string | Uint8Array) => (typeof data === "string" ? encoder.encode(data) : data)

export class Hasher extends Context.Service<
  Hasher,
  {
    /** Returns the SHA-256 of bytes, or of the UTF-8 of a text, as 43 characters of base64url. */
    readonly sha256: (data: string | Uint8Array) => string
    /** Returns the HMAC-SHA-256 of a text, keyed by a secret text, as 43 characters of base64url. */
    readonly hmac: (secret: string, data: string) => string
    /** Returns the SHA-1 in hex. Used only for blob names of Git. */
    readonly sha1: (data: Uint8Array) => string
  }
>()("@lectern/core/storage/Hasher") {
  static readonly layer = Layer.succeed(
    Hasher,
    Hasher.of({
      sha256: (data) => Base64Url.encode(sha256(bytesOf(data))),
      hmac: (secret, data) => Base64Url.encode(hmac(sha256, encoder.encode(secret), encoder.encode(data))),
      sha1: (data) => Hex.encode(sha1(data))
    })
  )
}
