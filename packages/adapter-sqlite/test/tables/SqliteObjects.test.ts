/** Objects as rows: large ones are compressed, and damage is told of. */
import { assert, describe, it } from "@effect/vitest"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { type ObjectHash, ObjectStore } from "@lectern/core/storage/ObjectStore"
import Database from "better-sqlite3"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "../TemporaryFile.ts"

const large = "large" as ObjectHash
const other = "other" as ObjectHash
const small = "small" as ObjectHash
const text = "Words that come again and again. ".repeat(10_000)

const onFile = <A, E>(body: (filename: string) => Effect.Effect<A, E, ObjectStore>) =>
  Effect.flatMap(temporaryFile, (filename) =>
    Effect.provide(body(filename), SqliteStorage.layer({ filename }), { local: true })
  )

const within = <A>(filename: string, run: (db: Database.Database) => A): A => {
  const db = new Database(filename)
  try {
    return run(db)
  } finally {
    db.close()
  }
}

describe("SqliteObjects", () => {
  it.effect("large ones take a fraction of their length in the file, small ones are their text", () =>
    onFile((filename) =>
      Effect.gen(function* () {
        const objects = yield* ObjectStore
        yield* objects.put([
          { hash: large, text },
          { hash: small, text: "words" }
        ])
        const rows = within(filename, (db) =>
          db.prepare("SELECT hash, typeof(value) kind, length(value) length FROM lectern_object ORDER BY hash").all()
        ) as ReadonlyArray<{ readonly kind: string; readonly length: number }>
        assert.deepStrictEqual(
          rows.map(({ kind }) => kind),
          ["blob", "text"]
        )
        assert.isBelow(rows[0]!.length, text.length / 20)
        assert.deepStrictEqual(yield* objects.get([small, large]), ["words", text])
      })
    )
  )

  it.effect(
    "large ones that are there are told to be in use, and are written again where they were swept meanwhile",
    () =>
      onFile((filename) =>
        Effect.gen(function* () {
          const objects = yield* ObjectStore
          const writtenAt = () =>
            within(filename, (db) =>
              db.prepare("SELECT writtenAt FROM lectern_object WHERE hash = ?").pluck().get(large)
            ) as number
          yield* objects.put([{ hash: large, text }])
          yield* TestClock.adjust("1 minute")
          // It is not asked what the text of a hash is, so what is there stays.
          yield* objects.put([{ hash: large, text: `${text}!` }])
          assert.strictEqual(writtenAt(), yield* Clock.currentTimeMillis)
          assert.deepStrictEqual(yield* objects.get([large]), [text])
          const both = [
            { hash: large, text },
            { hash: other, text: `${text}?` }
          ]
          const putting = yield* Effect.forkChild(objects.put(both), { startImmediately: true })
          assert.strictEqual(yield* objects.remove([large], (yield* Clock.currentTimeMillis) + 1), 1)
          yield* Fiber.join(putting)
          assert.deepStrictEqual(yield* objects.get([large, other]), [text, `${text}?`])
        })
      )
  )

  it.effect("one whose bytes are damaged is a failure that says so", () =>
    onFile((filename) =>
      Effect.gen(function* () {
        const objects = yield* ObjectStore
        yield* objects.put([{ hash: large, text }])
        within(filename, (db) => db.exec("UPDATE lectern_object SET value = substr(value, 1, 50)"))
        assert.strictEqual((yield* Effect.flip(objects.get([large]))).reason, "damaged")
      })
    )
  )
})
