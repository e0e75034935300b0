/** A database keeps the first secret key that is stored. Storing another one returns the first. */
import { readdirSync } from "node:fs"
import { dirname } from "node:path"
import { assert, it } from "@effect/vitest"
import { SecretKey } from "@lectern/core/identity/SecretKey"
import { Effect, Redacted } from "effect"
import { using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

it.effect("a database has one key, whoever makes it first", () =>
  Effect.gen(function* () {
    const filename = yield* temporaryFile
    const keys = yield* using(
      { filename },
      Effect.gen(function* () {
        const { find, store: keep } = yield* SecretKey
        assert.isEmpty(yield* find)
        const first = yield* keep(Redacted.make("1".repeat(43)))
        const second = yield* keep(Redacted.make("2".repeat(43)))
        return [first, second, ...(yield* find)].map((key) => Redacted.value(key))
      })
    )
    assert.deepStrictEqual(new Set(keys), new Set(["1".repeat(43)]))
    assert.deepStrictEqual(
      readdirSync(dirname(filename)).filter((name) => name.includes("draft")),
      []
    )
  })
)
