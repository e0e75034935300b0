import { Hasher } from "@lectern/core/storage/Hasher"
import { bits } from "@lectern/sign-in/password/CommonPasswordBits"
import { makeCommonPasswords } from "@lectern/sign-in/password/CommonPasswords"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commonPasswords, makeFilter } from "./CommonPasswordList.ts"

describe("CommonPasswords", () => {
  it("are those of the list", () => {
    assert.strictEqual(bits, makeFilter(commonPasswords()))
  })

  it.effect("are found in any case, and few others are", () =>
    Effect.gen(function* () {
      const isCommon = yield* makeCommonPasswords
      for (const password of ["1234567890", "password123", "PASSWORD123", "qwertyuiop"])
        assert.isTrue(yield* isCommon(password), password)
      let count = 0
      for (let i = 0; i < 5_000; i++) if (yield* isCommon(`correct horse battery ${i}`)) count++
      assert.isBelow(count, 20)
    }).pipe(Effect.provide(Hasher.layer))
  )
})
