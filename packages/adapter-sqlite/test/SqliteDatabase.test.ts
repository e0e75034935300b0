/** The file itself: what it survives, what it refuses, and what it does when it can't. */
import { copyFileSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync, writeSync } from "node:fs"
import { basename } from "node:path"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import {
  inventName,
  type Item,
  inventTable,
  inventUniqueTable,
  Item as ItemSchema
} from "@lectern/adapter-contract/Invented"
import { SqliteDatabase } from "@lectern/adapter-sqlite/SqliteDatabase"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { ObjectStore, type ObjectHash } from "@lectern/core/storage/ObjectStore"
import { Storage, type StorageError } from "@lectern/core/storage/Storage"
import * as Table from "@lectern/core/storage/Table"
import Database from "better-sqlite3"
import { Cause, Effect, Exit, Fiber, type Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { temporaryFile } from "./TemporaryFile.ts"

type Options = Parameters<typeof SqliteStorage.layer>[0]

/** One use of a file, as one run of a process is. */
const using = <A, E>(
  options: Options,
  body: Effect.Effect<A, E, Scope.Scope | Layer.Success<ReturnType<typeof SqliteStorage.layer>>>
) => Effect.provide(body, SqliteStorage.layer(options), { local: true })

const table = inventTable("item")
const repository = Effect.map(Storage, (storage) => storage.repository(table))
const insert = (row: Item) => Effect.flatMap(repository, (items) => items.insert(row))
const count = Effect.flatMap(repository, (items) => items.count({}))

const reasonOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), (error) =>
    error._tag === "StorageError" ? (error as unknown as StorageError).reason : error._tag
  )

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

  it.effect("reads what is of one moment in one go, and what it has committed or seen committed at once", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [database, other] = [SqliteDatabase.open({ filename }), SqliteDatabase.open({ filename })]
      const probes = () => database.reader.pluck("SELECT coalesce(max(count), 0) FROM lectern_probe").get()
      const before = probes() as number
      other.probe()
      assert.strictEqual(probes(), before)
      database.refresh()
      assert.strictEqual(probes(), before + 1)
      database.probe()
      assert.strictEqual(probes(), before + 2)
      other.probe()
      assert.strictEqual(probes(), before + 2)
      yield* Effect.promise(() => Promise.resolve())
      assert.strictEqual(probes(), before + 3)
      for (const one of [database, other]) one.close()
    })
  )

  it.effect("commits what waits in one go", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const groups: Array<number> = []
      const onCommit = (transactions: number) => void groups.push(transactions)
      const all = Effect.gen(function* () {
        yield* insert({ id: "first" })
        groups.length = 0
        yield* Effect.forEach(
          Array.from({ length: 100 }, (_, i) => `i${i}`),
          (id) => insert({ id }),
          { concurrency: "unbounded" }
        )
      })
      // The clock of the test stands still, so only the size bounds a group.
      yield* using({ filename, onCommit }, all)
      assert.deepStrictEqual(groups, [64, 36])
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

  it.effect("refuses a file of a newer version, and leaves it as it is", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, insert({ id: "a" }))
      const db = new Database(filename)
      const version = db.pragma("user_version", { simple: true })
      db.pragma("user_version = 1000")
      db.close()
      const error = yield* Effect.flip(using({ filename }, count))
      assert.strictEqual(error.reason, "newer-version")
      assert.include(error.message, "1000")
      const again = new Database(filename)
      again.pragma(`user_version = ${version}`)
      again.close()
      assert.strictEqual(yield* using({ filename }, count), 1)
    })
  )

  it.effect("refuses a database that is not Lectern's, and leaves it as it is", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const db = new Database(filename)
      db.exec("CREATE TABLE other (x)")
      db.close()
      assert.strictEqual(yield* reasonOf(using({ filename }, count)), "failed")
      const again = new Database(filename)
      assert.deepStrictEqual(again.prepare("SELECT name FROM sqlite_master").pluck().all(), ["other"])
      again.close()
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

  it.effect("says which of its files it can't open", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, insert({ id: "a" }))
      // As one of another user, which root may open.
      symlinkSync(`${filename}-wal`, `${filename}-wal`)
      const refused = yield* Effect.flip(using({ filename }, count))
      assert.strictEqual(
        refused.message,
        `The database can't be opened: ${basename(filename)}-wal, its symbolic links form a loop`
      )
      assert.strictEqual((refused as StorageError).reason, "unavailable")
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

  it.effect("fails as full where there is no room, keeps what was there, and goes on when there is", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const body = "x".repeat(50_000)
      const written = yield* using(
        { filename, maxPages: 60 },
        Effect.gen(function* () {
          const items = yield* repository
          let fitted = 0
          let failure: unknown
          while (failure === undefined) {
            const exit = yield* Effect.exit(items.insert({ id: `i${fitted}`, body, tags: ["x"] }))
            if (Exit.isSuccess(exit)) fitted++
            else failure = Cause.squash(exit.cause)
          }
          assert.isAbove(fitted, 0)
          assert.strictEqual((failure as StorageError).reason, "full")
          assert.strictEqual(yield* items.count({ tags: { any: ["x"] } }), fitted)
          assert.strictEqual(yield* reasonOf(items.insert({ id: "again", body })), "full")

          // Whoever was told that it was written finds it, whatever else was in the group.
          const storage = yield* Storage
          yield* items.remove({ id: "i0" })
          for (const [alone, names] of [
            [false, ["a", "b", "c", "d", "e", "f"]],
            [true, ["g", "h", "c", "i", "j", "k"]]
          ] as const) {
            const exits = yield* Effect.forEach(
              names,
              (id) => {
                const insert = items.insert({ id, body: id === "c" ? body + body : id })
                return Effect.exit(alone ? insert : storage.transaction(insert))
              },
              { concurrency: "unbounded" }
            )
            assert.isTrue(Exit.isFailure(exits[2]!))
            const told = names.filter((_, i) => Exit.isSuccess(exits[i]!))
            const found = yield* items.list({ where: { id: { in: names } } })
            assert.deepStrictEqual(
              found.map(({ id }) => id),
              told
            )
            assert.include(told, names[5])
          }
          return yield* items.count({})
        })
      )
      assert.strictEqual(yield* using({ filename }, count), written)
    })
  )

  it.effect("fails over a damaged file, and crashes nothing", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const many = Effect.forEach(
        Array.from({ length: 200 }, (_, i) => `i${i}`),
        (id) => insert({ id, body: "x".repeat(3_000) })
      )
      yield* using({ filename }, many)
      const file = openSync(filename, "r+")
      const noise = new Uint8Array(4096).fill(0xa5)
      for (let page = 6; page < 100; page++) writeSync(file, noise, 0, noise.length, page * 4096)
      const all = Effect.flatMap(repository, (items) => items.list({ where: {} }))
      assert.strictEqual(yield* reasonOf(using({ filename }, all)), "damaged")
      const write = Effect.flatMap(repository, (items) => items.update({}, { text: "x" }))
      assert.strictEqual(yield* reasonOf(using({ filename }, write)), "damaged")
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

  it.effect("knows of a commit in its process at once, and of one elsewhere by the next turn", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const [ours, theirs] = [SqliteDatabase.open({ filename }), SqliteDatabase.open({ filename })]
      const elsewhere = new Database(filename)
      const written = "INSERT INTO lectern_probe VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET count = count + 1"
      const before = ours.engine.generation()
      assert.strictEqual(ours.engine.generation(), before)
      theirs.engine.begin()
      theirs.writer.run(written)
      theirs.engine.commit(1)
      const after = ours.engine.generation()
      assert.isAbove(after!, before!)
      elsewhere.exec(written)
      yield* Effect.promise(() => setImmediate())
      assert.isAbove(ours.engine.generation()!, after!)
      for (const opened of [ours, theirs, elsewhere]) opened.close()
    })
  )

  it.effect("brings a table into the layout of a descriptor that has changed since", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const name = inventName()
      const first = Table.make(name, ItemSchema, { key: ["id"], indexes: [["group"]], lists: { old: () => ["o"] } })
      const rows: ReadonlyArray<Item> = Array.from({ length: 1_200 }, (_, i) => ({
        id: `i${i}`,
        group: "g",
        slug: `s${i}`,
        number: i,
        tags: [`t${i % 3}`]
      }))
      yield* using(
        { filename },
        Effect.gen(function* () {
          const storage = yield* Storage
          const items = storage.repository(first)
          yield* storage.transaction(Effect.forEach(rows, (row) => items.insert(row), { discard: true }))
        })
      )
      const second = inventTable(name)
      yield* using(
        { filename },
        Effect.gen(function* () {
          const items = (yield* Storage).repository(second)
          assert.strictEqual(yield* items.count({ tags: { any: ["t1"] }, number: { lt: 600 } }), 200)
          assert.deepStrictEqual(yield* items.get({ id: "i7" }), rows[7])
          yield* items.insert({ id: "new", tags: ["t1"] })
          assert.strictEqual(yield* items.count({ tags: { any: ["t1"] } }), 401)
        })
      )
      // The first descriptor is that of an older program: it reads and writes the same rows.
      yield* using(
        { filename },
        Effect.gen(function* () {
          const items = (yield* Storage).repository(first)
          assert.strictEqual(yield* items.count({ old: { any: ["o"] } }), 1_201)
          yield* items.remove({ id: "new" })
        })
      )
      const db = new Database(filename, { readonly: true })
      assert.strictEqual(db.pragma("integrity_check", { simple: true }), "ok")
      assert.deepStrictEqual(db.pragma("foreign_key_check"), [])
      db.close()
    })
  )

  it.effect("says why a table can't be brought into its layout, and leaves it", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const name = inventName()
      const first = Table.make(name, ItemSchema, { key: ["id"] })
      const fill = Effect.gen(function* () {
        const items = (yield* Storage).repository(first)
        yield* items.insert({ id: "a", number: 1 })
        yield* items.insert({ id: "b", number: 1 })
      })
      yield* using({ filename }, fill)
      const second = inventUniqueTable(name)
      const error = yield* Effect.flip(
        using(
          { filename },
          Effect.flatMap(Storage, (storage) => storage.repository(second).count({}))
        )
      )
      assert.include(error.message, name)
      const still = Effect.flatMap(Storage, (storage) => storage.repository(first).count({}))
      assert.strictEqual(yield* using({ filename }, still), 2)
    })
  )

  it.effect("answers the queries that a table declares indexes for by these", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, insert({ id: "a", group: "g" }))
      const db = new Database(filename, { readonly: true })
      const plan = (sql: string) =>
        (db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as ReadonlyArray<{ readonly detail: string }>)
          .map(({ detail }) => detail)
          .join("; ")
      const page = plan(
        `SELECT doc FROM t_item WHERE f_group = 'g' AND (f_text, f_id) > ('a', 'b') ORDER BY f_text, f_id LIMIT 50`
      )
      assert.include(page, "SEARCH t_item USING INDEX")
      assert.notInclude(page, "TEMP B-TREE")
      assert.include(plan(`SELECT doc FROM t_item WHERE f_number > 1 AND f_number < ''`), "SEARCH")
      assert.include(plan(`SELECT doc FROM t_item WHERE f_id = 'a'`), "SEARCH")
      db.close()
    })
  )

  it.effect("a copy of the files of a store in use opens, with what was committed", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const copy = `${filename}.copy`
      yield* using(
        { filename },
        Effect.gen(function* () {
          yield* insert({ id: "a" })
          const storage = yield* Storage
          // In the middle of a transaction, as after a crash.
          yield* storage.transaction(
            Effect.andThen(
              insert({ id: "b" }),
              Effect.sync(() => {
                copyFileSync(filename, copy)
                copyFileSync(`${filename}-wal`, `${copy}-wal`)
              })
            )
          )
        })
      )
      assert.strictEqual(yield* using({ filename: copy }, count), 1)
    })
  )
})
