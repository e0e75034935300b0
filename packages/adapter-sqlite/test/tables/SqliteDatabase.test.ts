/** A database from one run of a process to the next. */
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Fiber } from "effect"
import { count, insert, repository, using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

describe("SqliteDatabase", () => {
  it.effect("keeps what was written from one run to the next", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, insert({ id: "a", tags: ["x"] }))
      yield* using({ filename }, insert({ id: "b" }))
      assert.strictEqual(yield* using({ filename }, count), 2)
      const db = new Database(filename, { readonly: true })
      assert.strictEqual(db.pragma("journal_mode", { simple: true }), "wal")
      assert.strictEqual(db.pragma("integrity_check", { simple: true }), "ok")
      db.close()
    })
  )

  it.effect("forgets what was interrupted before its turn came", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const all = Effect.gen(function* () {
        const fibers = yield* Effect.forEach(["a", "b", "c"], (id) =>
          Effect.forkChild(insert({ id }), { startImmediately: true })
        )
        yield* Fiber.interrupt(fibers[1]!)
        yield* Fiber.joinAll([fibers[0]!, fibers[2]!])
        return (yield* (yield* repository).list({ where: {} })).map(({ id }) => id)
      })
      assert.deepStrictEqual(yield* using({ filename }, all), ["a", "c"])
    })
  )
})
