/** The log is brought into the file beside commits, and begins anew once all of it is there. */
import { copyFileSync, statSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { inventTable } from "@lectern/adapter-contract/Invented"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Storage } from "@lectern/core/storage/Storage"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { checkpoint, LogCheckpoints } from "../../src/durability/LogCheckpoints.ts"
import { temporaryFile } from "../TemporaryFile.ts"

const table = inventTable("item")
const pageSize = 4_096

/** Commits so many rows, each by itself. */
const insert = (from: number, count: number) =>
  Effect.gen(function* () {
    const rows = (yield* Storage).repository(table)
    for (let i = from; i < from + count; i++) yield* rows.insert({ id: `i${i}`, body: "x".repeat(2_000) })
  })

const turnsOf = async (count: number) => {
  for (let i = 0; i < count; i++) await new Promise<void>((done) => setImmediate(done))
}

const idsIn = (filename: string): number => {
  const database = new Database(filename, { readonly: true })
  try {
    return database.prepare("SELECT count(*) FROM t_item").pluck().get() as number
  } finally {
    database.close()
  }
}

describe("LogCheckpoints", () => {
  it.effect("bring the log into the file in place of commits, which begin it anew", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      let times = 0
      const inPlaceOfAThread = async (file: string) => {
        times++
        checkpoint(file)
      }
      yield* Effect.gen(function* () {
        for (let i = 0; i < 30; i++) {
          yield* insert(i * 10, 10)
          yield* Effect.promise(() => turnsOf(1))
        }
        assert.isAbove(times, 5)
        // SQLite by itself would let it grow to 200.
        assert.isBelow(statSync(`${filename}-wal`).size, 120 * pageSize)
        yield* insert(300, 1)
        // Without its log the file has all but what was written last.
        copyFileSync(filename, `${filename}.copy`)
        assert.isAtLeast(idsIn(`${filename}.copy`), 270)
      }).pipe(Effect.provide(SqliteStorage.layer({ filename, logPages: 50, checkpointLog: inPlaceOfAThread })))
      assert.strictEqual(idsIn(filename), 301)
    })
  )

  it.effect("are made with commits all the same where they fail, or never end", () =>
    Effect.gen(function* () {
      const never = new Promise<void>(() => {})
      for (const failing of [() => Promise.reject(new Error("No room")), () => Promise.race([never, turnsOf(3)])]) {
        const filename = yield* temporaryFile
        yield* Effect.provide(insert(0, 300), SqliteStorage.layer({ filename, logPages: 10, checkpointLog: failing }))
        assert.isBelow(statSync(filename).size, 600 * pageSize)
        assert.strictEqual(idsIn(filename), 300)
      }
    })
  )

  it("are made twice where others commit meanwhile, the second time while nobody may, and one at a time", async () => {
    let waiting = 100
    const held: Array<boolean> = []
    const checkpoints: LogCheckpoints = new LogCheckpoints(
      "file",
      async () => {
        held.push(checkpoints.isBlocking)
        await turnsOf(1)
        waiting = held.length === 1 ? 7 : 0
      },
      100,
      () => waiting
    )
    checkpoints.onCommit(100)
    checkpoints.onCommit(100)
    await turnsOf(5)
    assert.deepStrictEqual(held, [false, true])
    assert.isFalse(checkpoints.isBlocking)
    waiting = 99
    checkpoints.onCommit(100)
    assert.lengthOf(held, 2)
    waiting = 100
    checkpoints.onCommit(100)
    await checkpoints.close()
    // Nothing was added this time.
    assert.deepStrictEqual(held, [false, true, false])
    waiting = 100
    checkpoints.onCommit(100)
    assert.lengthOf(held, 3)
  })

  it("wait for as many pages more where somebody still reads the log, or it can't be done", async () => {
    for (const fails of [false, true]) {
      let waiting = 100
      let times = 0
      const checkpoints = new LogCheckpoints(
        "file",
        async () => {
          times++
          if (fails) throw new Error("No room")
        },
        100,
        () => waiting
      )
      for (const [pages, expected] of [
        [100, 1],
        [199, 1],
        [200, 2],
        [299, 2],
        // It was begun anew.
        [3, 2],
        [99, 2],
        [100, 3]
      ] as const) {
        waiting = pages
        checkpoints.onCommit(100)
        await turnsOf(1)
        assert.strictEqual(times, expected, `${pages} pages`)
      }
    }
  })

  it.live("keep writes waiting that come without a pause, and lose none of them", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      let written = 0
      let times = 0
      const untilWrittenBehind = async (count: number): Promise<void> => {
        if (written > count || written === 800) return
        await turnsOf(1)
        return untilWrittenBehind(count)
      }
      const slowly = async (file: string) => {
        times++
        const isBlocking = times % 2 === 0
        if (isBlocking) await turnsOf(20)
        checkpoint(file)
        if (!isBlocking) await untilWrittenBehind(written)
      }
      yield* Effect.gen(function* () {
        yield* Effect.forEach(
          Array.from({ length: 800 }, (_, i) => i),
          (i) => Effect.map(insert(i, 1), () => written++),
          { concurrency: 8 }
        )
        assert.isAtLeast(times, 2)
      }).pipe(Effect.provide(SqliteStorage.layer({ filename, logPages: 100, checkpointLog: slowly })))
      assert.strictEqual(idsIn(filename), 800)
    })
  )

  it.effect("find no database where there is none, and make none", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      assert.throws(() => checkpoint(filename))
      assert.throws(() => statSync(filename))
    })
  )
})
