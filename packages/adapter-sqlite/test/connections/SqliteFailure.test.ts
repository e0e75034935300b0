/** Reasons of failures that SQLite and the file system report. */
import { symlinkSync } from "node:fs"
import { basename } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { fileFailure } from "../../src/connections/SqliteFailure.ts"
import { count, insert, using } from "../OpenedStorage.ts"
import { temporaryFile } from "../TemporaryFile.ts"

describe("SqliteFailure", () => {
  it.effect("says which of its files it can't open", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      yield* using({ filename }, insert({ id: "a" }))
      // A symbolic link to itself can't be opened by any user. Root could open a file without permissions.
      symlinkSync(`${filename}-wal`, `${filename}-wal`)
      const refused = yield* Effect.flip(using({ filename }, count))
      assert.strictEqual(
        refused.message,
        `The database can't be opened: ${basename(filename)}-wal, its symbolic links form a loop`
      )
      assert.strictEqual((refused as StorageError).reason, "unavailable")
    })
  )

  it("one that may not be read is no store that can't be written to", () => {
    const denied = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES", syscall: "open" })
    const { reason, message } = fileFailure(denied, "read")
    assert.strictEqual(reason, "unavailable")
    assert.strictEqual(message, "A file beside the database can't be read: permission denied")
    assert.strictEqual(fileFailure(denied).reason, "read-only")
    assert.strictEqual(fileFailure(Object.assign(denied, { code: "ENOENT" }), "read").reason, "failed")
  })
})
