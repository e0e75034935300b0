/** Whoever wrote waits for the disk; nobody else does. */
import { renameSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { inventTable, type Item } from "@lectern/adapter-contract/Invented"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { LogSync } from "../src/LogSync.ts"
import { temporaryFile } from "./TemporaryFile.ts"

const table = inventTable("item")
const items = Effect.map(Storage, (storage) => storage.repository(table))
const insert = (row: Item) => Effect.flatMap(items, (rows) => rows.insert(row))

describe("LogSync", () => {
  it.effect("tells of what came while a sync ran behind the next one, in order", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      writeFileSync(filename, "log")
      const log = new LogSync(filename)
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
