/** When people were last there: to the hour, seldom written, and not lost when the process stops. */
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { Storage } from "@lectern/core/storage/Storage"
import { Tokens } from "@lectern/core/token/Tokens"
import { UserTable } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { instance } from "../Instances.ts"

const start = Date.UTC(2026, 0, 1, 10, 20)

const begin = Effect.gen(function* () {
  yield* TestClock.setTime(start)
  const { id } = yield* (yield* Users).create({ email: "ada@example.com" })
  const tokens = yield* Tokens
  const { token } = yield* tokens.create(id)
  return { id, use: tokens.authenticate(Redacted.value(token)) }
})

const state = Effect.fnUntraced(function* (id: string) {
  const [{ lastUsedAt } = {}] = yield* (yield* Tokens).list(id as never)
  const [user] = yield* (yield* Storage).repository(UserTable).list({ where: {} })
  return [lastUsedAt, user?.lastSeenAt] as ReadonlyArray<string | undefined>
})

describe("LastSeen", () => {
  it.effect("writes once an hour, whatever comes in", () =>
    Effect.gen(function* () {
      const { id, use } = yield* begin
      const { generation } = yield* Storage
      const before = yield* generation
      for (let i = 0; i < 100; i++) yield* use
      assert.strictEqual(yield* generation, before)
      assert.deepStrictEqual(yield* state(id), [undefined, undefined])
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* state(id), ["2026-01-01T10:00:00.000Z", "2026-01-01T10:00:00.000Z"])
      const written = yield* generation
      assert.notStrictEqual(written, before)
      for (let minute = 0; minute < 38; minute++) {
        yield* use
        yield* TestClock.adjust("1 minute")
      }
      assert.strictEqual(yield* generation, written)
      yield* TestClock.setTime(start + 45 * 60_000)
      yield* use
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* state(id), ["2026-01-01T11:00:00.000Z", "2026-01-01T11:00:00.000Z"])
    }).pipe(Effect.provide(instance(MemoryStorage.testLayer)))
  )

  it.effect("writes what is new when it stops", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const open = instance(SqliteStorage.layer({ filename }))
      const id = yield* Effect.gen(function* () {
        const { id, use } = yield* begin
        yield* use
        assert.deepStrictEqual(yield* state(id), [undefined, undefined])
        return id
      }).pipe(Effect.provide(open))
      yield* Effect.gen(function* () {
        assert.deepStrictEqual(yield* state(id), ["2026-01-01T10:00:00.000Z", "2026-01-01T10:00:00.000Z"])
      }).pipe(Effect.provide(open))
    }).pipe(Effect.scoped)
  )
})
