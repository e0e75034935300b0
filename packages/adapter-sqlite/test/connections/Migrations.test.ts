/** Files that another version or another program wrote. */
import { assert, describe, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { count, insert, reasonOf, using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

describe("Migrations", () => {
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
})
