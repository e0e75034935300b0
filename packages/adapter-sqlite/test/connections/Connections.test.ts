/** Connections of a file that other processes use too: what reads see, and which files are refused. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { inventTable } from "@lectern/adapter-contract/Invented"
import { SqliteDatabase } from "@lectern/adapter-sqlite/tables/SqliteDatabase"
import { ObjectStore, type ObjectHash } from "@lectern/core/storage/ObjectStore"
import { Storage } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { count, insert, reasonOf, repository, using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

describe("Connections", () => {
  it.effect("reads what is of one moment in one go, and what it has committed or seen committed at once", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [database, other] = [new SqliteDatabase({ filename }), new SqliteDatabase({ filename })]
      const probes = () => database.connections.reader.pluck("SELECT coalesce(max(count), 0) FROM lectern_probe").get()
      const before = probes() as number
      other.transactions.probe()
      assert.strictEqual(probes(), before)
      database.connections.refresh()
      assert.strictEqual(probes(), before + 1)
      database.transactions.probe()
      assert.strictEqual(probes(), before + 2)
      other.transactions.probe()
      assert.strictEqual(probes(), before + 2)
      yield* Effect.promise(() => Promise.resolve())
      assert.strictEqual(probes(), before + 3)
      for (const one of [database, other]) one.close()
    })
  )

  it.effect("knows of a commit in its process at once, and of one elsewhere by the next turn", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [ours, theirs] = [new SqliteDatabase({ filename }), new SqliteDatabase({ filename })]
      const elsewhere = new Database(filename)
      const written = "INSERT INTO lectern_probe VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1"
      const before = ours.engine.generation()
      assert.strictEqual(ours.engine.generation(), before)
      theirs.engine.begin()
      theirs.connections.writer.run(written)
      theirs.engine.commit(1)
      const after = ours.engine.generation()
      assert.isAbove(after!, before!)
      elsewhere.exec(written)
      yield* Effect.promise(() => setImmediate())
      assert.isAbove(ours.engine.generation()!, after!)
      for (const opened of [ours, theirs, elsewhere]) opened.close()
    })
  )

  it.effect("refuses what is no database, a folder, a place that isn't there, and no file at all", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(filename, "This is not a database. ".repeat(500))
      assert.strictEqual(yield* reasonOf(using({ filename }, count)), "damaged")
      assert.strictEqual(readFileSync(filename, "utf8").slice(0, 10), "This is no")
      mkdirSync(`${filename}.folder`)
      assert.strictEqual(yield* reasonOf(using({ filename: `${filename}.folder` }, count)), "unavailable")
      assert.strictEqual(yield* reasonOf(using({ filename: `${filename}/none/lectern.db` }, count)), "unavailable")
      assert.strictEqual(yield* reasonOf(using({ filename: `${filename}.none`, readonly: true }, count)), "unavailable")
      assert.strictEqual(yield* reasonOf(using({ filename: ":memory:" }, count)), "failed")
    })
  )

  it.effect("reads a file and writes nothing where it is told so", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, insert({ id: "a" }))
      yield* using(
        { filename, readonly: true },
        Effect.gen(function* () {
          const storage = yield* Storage
          const items = yield* repository
          assert.strictEqual(yield* count, 1)
          assert.strictEqual(yield* storage.transaction(count), 1)
          assert.strictEqual(yield* reasonOf(items.insert({ id: "b" })), "read-only")
          assert.strictEqual(yield* reasonOf(items.remove({ id: "a" })), "read-only")
          assert.strictEqual(yield* reasonOf(storage.transaction(items.update({}, { text: "x" }))), "read-only")
          assert.strictEqual(yield* reasonOf(storage.repository(inventTable()).insert({ id: "a" })), "read-only")
          assert.strictEqual(yield* storage.repository(inventTable()).count({}), 0)
          const objects = yield* ObjectStore
          assert.strictEqual(yield* reasonOf(objects.put([{ hash: "h" as ObjectHash, text: "" }])), "read-only")
          assert.strictEqual(yield* count, 1)
        })
      )
    })
  )

  it.effect("waits for another process that writes, without blocking, and for so long only", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using(
        { filename, busyTimeout: 10_000 },
        Effect.gen(function* () {
          yield* insert({ id: "a" })
          const other = yield* Effect.acquireRelease(
            Effect.sync(() => new Database(filename)),
            (db) => Effect.sync(() => db.close())
          )
          other.exec("BEGIN IMMEDIATE")
          const waiting = yield* Effect.forkChild(insert({ id: "b" }), { startImmediately: true })
          yield* TestClock.adjust(5_000)
          assert.isUndefined(waiting.pollUnsafe())
          assert.strictEqual(yield* count, 1)
          other.exec("COMMIT")
          yield* TestClock.adjust(1_000)
          yield* Fiber.join(waiting)
          assert.strictEqual(yield* count, 2)

          other.exec("BEGIN IMMEDIATE")
          const impatient = yield* Effect.forkChild(reasonOf(insert({ id: "c" })), { startImmediately: true })
          const interrupted = yield* Effect.forkChild(insert({ id: "d" }), { startImmediately: true })
          yield* Effect.yieldNow
          yield* Fiber.interrupt(interrupted)
          yield* TestClock.adjust(60_000)
          assert.strictEqual(yield* Fiber.join(impatient), "unavailable")
          other.exec("COMMIT")
          yield* insert({ id: "e" })
          assert.strictEqual(yield* count, 3)
        })
      )
    })
  )

  it.effect("fails, and does not die, once it is closed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const items = yield* using(
        { filename },
        Effect.tap(repository, (items) => items.insert({ id: "a" }))
      )
      assert.strictEqual(yield* reasonOf(items.get({ id: "a" })), "failed")
      assert.strictEqual(yield* reasonOf(items.insert({ id: "b" })), "failed")
    })
  )

  it.effect("sees what another process has written", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using(
        { filename },
        Effect.gen(function* () {
          assert.strictEqual(yield* count, 0)
          yield* using({ filename }, insert({ id: "a" }))
          assert.strictEqual(yield* count, 1)
          yield* insert({ id: "b" })
          assert.strictEqual(yield* using({ filename }, count), 2)
        })
      )
    })
  )

  it.effect("are one process's alone where that is asked for", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, insert({ id: "one" }))
      for (const [first, second] of [
        [false, true],
        [true, false],
        [true, true]
      ] as const) {
        const opening = using({ filename, exclusive: second, busyTimeout: 50 }, count)
        const held = using(
          { filename, exclusive: first },
          Effect.andThen(insert({ id: `${first} ${second}` }), reasonOf(opening))
        )
        assert.strictEqual(yield* held, "unavailable")
        yield* opening
      }
      assert.strictEqual(yield* using({ filename }, count), 4)
    })
  )
})
