/** Encryption port on `node:crypto`. Same ciphertexts as the default implementation, several times faster. */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto"
import { Cipher } from "@lectern/core/identity/Cipher"
import { Layer } from "effect"

const algorithm = "aes-256-gcm"
const tagLength = 16

/**
 * Key objects of Node by key. Creating one takes as long as encrypting a short text. An instance has one or two keys.
 */
const prepared = new WeakMap<Uint8Array, KeyObject>()

const keyOf = (key: Uint8Array): KeyObject => {
  const cachedKey = prepared.get(key)
  if (cachedKey !== undefined) return cachedKey
  const keyObject = createSecretKey(key)
  prepared.set(key, keyObject)
  return keyObject
}

export const NodeCipher = {
  layer: Layer.succeed(
    Cipher,
    Cipher.of({
      encrypt: (key, nonce, bound, text) => {
        const cipher = createCipheriv(algorithm, keyOf(key), nonce).setAAD(bound)
        return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()])
      },
      decrypt: (key, nonce, bound, ciphertext) => {
        const end = ciphertext.length - tagLength
        if (end < 0) return undefined
        try {
          const decipher = createDecipheriv(algorithm, keyOf(key), nonce, { authTagLength: tagLength })
            .setAAD(bound)
            .setAuthTag(ciphertext.subarray(end))
          return Buffer.concat([decipher.update(ciphertext.subarray(0, end)), decipher.final()])
        } catch {
          return undefined
        }
      }
    })
  )
}
