/** Suite of the secret key port: the keys it returns before, during and after a rotation. */
import { assert } from "@effect/vitest"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { Effect, Redacted } from "effect"
import { suite } from "./Harness.ts"

const [first, second, third] = ["a", "b", "c"].map((letter) => Redacted.make(letter.repeat(40))) as [
  Redacted.Redacted,
  Redacted.Redacted,
  Redacted.Redacted
]

const secretKeys = Effect.flatMap(SecretKey, ({ find }) => Effect.map(find, (keys) => keys.map(Redacted.value)))

export const secretKeySuite = suite("SecretKey", (scenario) => {
  scenario("has none at first, and keeps the first that it is given", () =>
    Effect.gen(function* () {
      const key = yield* SecretKey
      assert.notStrictEqual(key.location, "")
      assert.deepStrictEqual(yield* secretKeys, [])
      assert.strictEqual(Redacted.value(yield* key.store(first)), Redacted.value(first))
      assert.deepStrictEqual(yield* secretKeys, [Redacted.value(first)])
      assert.strictEqual(Redacted.value(yield* key.store(second)), Redacted.value(first))
      assert.deepStrictEqual(yield* secretKeys, [Redacted.value(first)])
    })
  )

  scenario("tells the next one beside it, until that takes its place", () =>
    Effect.gen(function* () {
      const key = yield* SecretKey
      yield* key.store(first)
      assert.strictEqual(Redacted.value(yield* key.prepare(second)), Redacted.value(second))
      assert.deepStrictEqual(yield* secretKeys, [first, second].map(Redacted.value))
      // A rotation that started earlier continues with its prepared key.
      assert.strictEqual(Redacted.value(yield* key.prepare(third)), Redacted.value(second))
      assert.deepStrictEqual(yield* secretKeys, [first, second].map(Redacted.value))
      yield* key.replace
      assert.deepStrictEqual(yield* secretKeys, [Redacted.value(second)])
      assert.strictEqual(Redacted.value(yield* key.prepare(third)), Redacted.value(third))
      yield* key.replace
      assert.deepStrictEqual(yield* secretKeys, [Redacted.value(third)])
    })
  )

  scenario("stays as it is where nothing was prepared to take its place", () =>
    Effect.gen(function* () {
      const key = yield* SecretKey
      yield* key.store(first)
      yield* key.replace
      assert.deepStrictEqual(yield* secretKeys, [Redacted.value(first)])
    })
  )
})
