import { PasswordHasher } from "@lectern/sign-in/password/PasswordHasher"
import { NodePasswordHasher } from "@lectern/services-node/password/NodePasswordHasher"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"

const secret = (text: string) => Redacted.make(text)

describe("NodePasswordHasher", () => {
  it.effect("verifies the passwords that it hashed, and no others", () =>
    Effect.gen(function* () {
      const hasher = yield* PasswordHasher
      const hash = yield* hasher.hash(secret("correct horse"))
      assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
      assert.notStrictEqual(yield* hasher.hash(secret("correct horse")), hash)
      assert.isTrue(yield* hasher.verify(secret("correct horse"), hash))
      assert.isFalse(yield* hasher.verify(secret("Correct horse"), hash))
      for (const broken of [undefined, "", "$argon2id$", hash.slice(0, -1), hash.replace("argon2id", "argon2i")])
        assert.isFalse(yield* hasher.verify(secret("correct horse"), broken))
    }).pipe(Effect.provide(NodePasswordHasher.layer))
  )

  it.effect("accepts a hash with other parameters, and one form of equal characters", () =>
    Effect.gen(function* () {
      const hasher = yield* PasswordHasher
      const hash = yield* hasher.hash(secret("café"))
      assert.isTrue(yield* hasher.verify(secret("cafe\u0301"), hash))
      // Vector of RFC 9106's reference implementation: argon2id, t=2, m=65536, p=1, salt "somesalt".
      const reference = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
      assert.isTrue(yield* hasher.verify(secret("password"), reference))
    }).pipe(Effect.provide(NodePasswordHasher.layer))
  )

  it.effect("refuses work above its limit", () =>
    Effect.gen(function* () {
      const hasher = yield* PasswordHasher
      const results = yield* Effect.forEach(
        Array.from({ length: 110 }),
        () => Effect.exit(hasher.verify(secret("x"), undefined)),
        { concurrency: "unbounded" }
      )
      const refused = results.filter(({ _tag }) => _tag === "Failure").length
      assert.isAbove(refused, 0)
      assert.isAtMost(refused, 8)
    }).pipe(Effect.provide(NodePasswordHasher.layer))
  )
})
