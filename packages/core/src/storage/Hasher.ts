/**
 * Hashing, as a synchronous port: objects are hashed on hot paths, where a promise costs more than
 * the hash. The default is pure JavaScript and runs anywhere; on Node, provide one that uses
 * `node:crypto` (the SQLite adapter has it), which is several times faster.
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
    /** SHA-256 of bytes, or of the UTF-8 of a text: 43 characters of base64url. */
    readonly sha256: (data: string | Uint8Array) => string
    /** HMAC-SHA-256 of a text under a secret text: 43 characters of base64url. */
    readonly hmac: (secret: string, data: string) => string
    /** SHA-1 in hex: only to name blobs as Git does. */
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
