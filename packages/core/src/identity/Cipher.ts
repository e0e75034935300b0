/**
 * Authenticated encryption (AES-256-GCM), as a synchronous port: secrets are sealed and opened inside
 * transactions, which wait for nothing. The default is pure JavaScript and runs anywhere; on Node,
 * provide one that uses `node:crypto` (the SQLite adapter has it). Both read what the other wrote.
 *
 * A key has 32 bytes, a nonce 12 and is never used twice with a key.
 */
import { Context, Effect, Layer } from "effect"

export class Cipher extends Context.Service<
  Cipher,
  {
    /** The ciphertext with its tag of 16 bytes at the end. `bound` has to be the same to decrypt it. */
    readonly encrypt: (key: Uint8Array, nonce: Uint8Array, bound: Uint8Array, text: Uint8Array) => Uint8Array
    /** Undefined where the key, the nonce, the binding or the ciphertext is another one. */
    readonly decrypt: (
      key: Uint8Array,
      nonce: Uint8Array,
      bound: Uint8Array,
      ciphertext: Uint8Array
    ) => Uint8Array | undefined
  }
>()("@lectern/core/identity/Cipher") {
  /** Loaded where it is used: its tables take a megabyte. */
  static readonly layer = Layer.effect(
    Cipher,
    Effect.map(
      Effect.promise(() => import("@noble/ciphers/aes.js")),
      ({ gcm }) =>
        Cipher.of({
          encrypt: (key, nonce, bound, text) => gcm(key, nonce, bound).encrypt(text),
          decrypt: (key, nonce, bound, ciphertext) => {
            try {
              return gcm(key, nonce, bound).decrypt(ciphertext)
            } catch {
              return undefined
            }
          }
        })
    )
  )
}
