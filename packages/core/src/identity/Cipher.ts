/**
 * Synchronous port for authenticated encryption (AES-256-GCM), so that it can be used inside transactions. The default
 * is pure JavaScript and runs everywhere. The SQLite adapter has an implementation on `node:crypto`. Their ciphertexts
 * are interchangeable.
 *
 * A key has 32 bytes, a nonce 12. A nonce must not be reused with a key.
 */
import { Context, Effect, Layer } from "effect"

export class Cipher extends Context.Service<
  Cipher,
  {
    /** Encrypts a text. The result ends with the tag of 16 bytes. `bound` is the additional authenticated data. */
    readonly encrypt: (key: Uint8Array, nonce: Uint8Array, bound: Uint8Array, text: Uint8Array) => Uint8Array
    /** Decrypts a ciphertext. Returns undefined if key, nonce, `bound` or ciphertext do not match. */
    readonly decrypt: (
      key: Uint8Array,
      nonce: Uint8Array,
      bound: Uint8Array,
      ciphertext: Uint8Array
    ) => Uint8Array | undefined
  }
>()("@lectern/core/identity/Cipher") {
  /** Loaded on first use, since its tables take a megabyte. */
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
