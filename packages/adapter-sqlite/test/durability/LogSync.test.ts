/** Whoever wrote waits for the disk; nobody else does. */
import { fdatasync, renameSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { inventTable, type Item } from "@lectern/adapter-contract/Invented"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { type Disk, LogSync } from "../../src/durability/LogSync.ts"
import { temporaryFile } from "../TemporaryFile.ts"

/** A log on a disk that takes as long as it is told to, and has taken 0.1 ms for its first two syncs. */
const slowly = (filename: string, syncInThread: Disk["syncInThread"]) => {
  let now = 0
  const disk = {
    takes: 0.1,
    inPlace: 0,
    log: new LogSync(filename, {
      now: () => now,
      sync: () => {
        disk.inPlace++
        now += disk.takes
      },
      syncInThread
    })
  }
  for (let i = 0; i < 2; i++) disk.log.run((error) => assert.isNull(error))
  return disk
}

const table = inventTable("item")
const items = Effect.map(Storage, (storage) => storage.repository(table))
const insert = (row: Item) => Effect.flatMap(items, (rows) => rows.insert(row))

describe("LogSync", () => {
  it.effect("tells of what came while a sync ran behind the next one, in order", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(filename, "log")
      const { log } = slowly(filename, fdatasync)
      const told: Array<string> = []
      yield* Effect.promise(
        () =>
          new Promise<void>((done) => {
            log.run(() => {
              told.push(`first, and a sync for those behind it ${log.isRunning ? "runs" : "is over"}`)
            })
            log.run(() => told.push("second"))
            log.run((error) => {
              told.push(`third, ${error}`)
              done()
            })
            // Nobody is told in the middle of a commit.
            assert.deepStrictEqual(told, [])
          })
      )
      assert.deepStrictEqual(told, ["first, and a sync for those behind it runs", "second", "third, null"])
      assert.isFalse(log.isRunning)
      log.close()
    })
  )

  it.effect("waits in place for a disk that is done at once, and in a thread for as long as it pays for others", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(filename, "log")
      const disk = slowly(filename, (_, told) => told(null))
      const told = (error: Error | null) => void (error !== null && assert.fail(error.message))
      /** How many of so many syncs are done in place, where one takes so many milliseconds. */
      const inPlaceOf = (syncs: number, took: number) => {
        const before = disk.inPlace
        disk.takes = took
        for (let i = 0; i < syncs; i++) disk.log.run(told)
        return disk.inPlace - before
      }
      // The two that `slowly` began with took 0.1 ms each, which is paid for by 40.
      assert.strictEqual(inPlaceOf(40, 0.01), 0)
      assert.strictEqual(inPlaceOf(1_000, 0.01), 1_000)
      assert.strictEqual(inPlaceOf(1_000, 0.04), 1_000)
      // One by itself says nothing of the disk.
      for (let i = 0; i < 100; i++) {
        assert.strictEqual(inPlaceOf(1, 2), 1)
        assert.strictEqual(inPlaceOf(9, 0.01), 9)
      }
      // 2 ms: two after 800 others, 1,600, 3,200 and so on, each time twice as many.
      assert.strictEqual(inPlaceOf(20_000, 2), 10)
      // One that is done at once again is all that it takes.
      assert.isAbove(inPlaceOf(20_000, 0.01), 10_000)
      assert.strictEqual(inPlaceOf(802, 2), 2)
      assert.strictEqual(inPlaceOf(1, 0.01), 1)
      disk.log.close()
    })
  )

  it.effect("is held up once the disk has not answered for 10 seconds", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(filename, "log")
      const answers: Array<(error: Error | null) => void> = []
      let now = 0
      const disk = {
        now: () => now,
        sync: () => (now += 1),
        syncInThread: (_: number, told: (typeof answers)[0]) => void answers.push(told)
      }
      const log = new LogSync(filename, disk)
      const write = () => log.run((error) => assert.isNull(error))
      for (let i = 0; i < 4; i++) write()
      now += 9_000
      assert.isFalse(log.isStalled)
      now += 1_001
      assert.isTrue(log.isStalled)
      // What came meanwhile has a sync of its own, which has only begun.
      answers[0]!(null)
      assert.isTrue(log.isRunning)
      assert.isFalse(log.isStalled)
      answers[1]!(null)
      now += 20_000
      assert.isFalse(log.isStalled)
      log.close()
    })
  )

  it.effect("fails whoever wrote where the disk keeps nothing, and writes nothing more", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const log = `${filename}-wal`
      let isLost = false
      const onCommit = () => {
        if (isLost) renameSync(log, `${log}.away`)
        isLost = false
      }
      yield* Effect.gen(function* () {
        isLost = true
        const failure = yield* Effect.flip(insert({ id: "a" }))
        assert.match(String((failure as Error).message), /^The disk did not keep what was written/)
        renameSync(`${log}.away`, log)
        const storage = yield* Storage
        for (const write of [insert({ id: "b" }), storage.transaction(insert({ id: "c" })), storage.probe]) {
          const refused = yield* Effect.flip(write)
          assert.match(String((refused as Error).message), /^The disk did not keep what was written/)
        }
        assert.strictEqual(yield* Effect.flatMap(items, (rows) => rows.count({ id: { in: ["b", "c"] } })), 0)
      }).pipe(Effect.provide(SqliteStorage.layer({ filename, onCommit }), { local: true }))
    })
  )
})
