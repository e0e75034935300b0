import { NodeCipher } from "@lectern/adapter-sqlite/NodeCipher"
import { Cipher } from "@lectern/core/identity/Cipher"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { checks } from "../../core/test/Runs.ts"

const bytes = (text: string) => new TextEncoder().encode(text)
const key = bytes("k".repeat(32))
const nonce = bytes("n".repeat(12))

const ciphers = Effect.all([
  Effect.provide(Cipher, Cipher.layer, { local: true }),
  Effect.provide(Cipher, NodeCipher.layer, { local: true })
])

describe("Cipher", () => {
  it.effect.prop(
    "is the same on node:crypto and in plain JavaScript",
    [Schema.String, Schema.String],
    ([text, bound]) =>
      Effect.gen(function* () {
        const [plain, node] = yield* ciphers
        const made = plain.encrypt(key, nonce, bytes(bound), bytes(text))
        assert.deepStrictEqual([...made], [...node.encrypt(key, nonce, bytes(bound), bytes(text))])
        for (const cipher of [plain, node]) {
          assert.deepStrictEqual([...cipher.decrypt(key, nonce, bytes(bound), made)!], [...bytes(text)])
        }
      }),
    { arbitrary: checks() }
  )

  it.effect("opens nothing that was changed, cut off or bound to something else", () =>
    Effect.gen(function* () {
      for (const cipher of yield* ciphers) {
        const made = cipher.encrypt(key, nonce, bytes("here"), bytes("secret"))
        const changed = Uint8Array.from(made, (byte, i) => (i === 2 ? byte ^ 1 : byte))
        assert.isUndefined(cipher.decrypt(key, nonce, bytes("here"), changed))
        assert.isUndefined(cipher.decrypt(key, nonce, bytes("there"), made))
        assert.isUndefined(cipher.decrypt(bytes("x".repeat(32)), nonce, bytes("here"), made))
        assert.isUndefined(cipher.decrypt(key, bytes("x".repeat(12)), bytes("here"), made))
        for (const length of [0, 5, 15, 16, made.length - 1]) {
          assert.isUndefined(cipher.decrypt(key, nonce, bytes("here"), made.subarray(0, length)), `${length}`)
        }
        assert.isUndefined(cipher.decrypt(key, new Uint8Array(0), bytes("here"), made))
      }
    })
  )
})
