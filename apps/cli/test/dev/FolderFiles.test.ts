import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FolderFiles } from "../../src/dev/FolderFiles.ts"
import { folderOf, write } from "./Folders.ts"

describe("FolderFiles", () => {
  it.effect("names new, changed, renamed and removed files, and keeps the others", () =>
    Effect.gen(function* () {
      const folder = folderOf({ "a.md": "a", "b/c.md": "c", "d.md": "d" })
      const files = new FolderFiles(folder)
      const first = yield* files.read
      assert.deepStrictEqual([...first.changes], ["a.md", "b/c.md", "d.md"])
      assert.deepStrictEqual(first.folders, ["b"])
      assert.deepStrictEqual((yield* files.read).changes, [])

      write(folder, { "new.md": "new" })
      // An editor that saves by a rename.
      writeFileSync(join(folder, "b/.c.md.swp"), "C")
      renameSync(join(folder, "b/.c.md.swp"), join(folder, "b/c.md"))
      rmSync(join(folder, "d.md"))
      const second = yield* files.read
      assert.deepStrictEqual([...second.changes].sort(), ["b/c.md", "d.md", "new.md"])
      assert.strictEqual(second.folder.files[0], first.folder.files[0])
      // The file has new bytes with the size and the time of modification of the old ones.
      const { atime, mtime } = { atime: new Date(0), mtime: new Date(0) }
      writeFileSync(join(folder, "a.md"), "b")
      utimesSync(join(folder, "a.md"), atime, mtime)
      assert.deepStrictEqual((yield* files.read).changes, ["a.md"])
    })
  )

  it.effect("knows the object id of a file that was read", () =>
    Effect.gen(function* () {
      const files = new FolderFiles(folderOf({ "a.md": "hello\n" }))
      const [file] = (yield* files.read).folder.files
      assert.isUndefined(file!.oid)
      yield* file!.bytes()
      assert.strictEqual(file!.oid, "ce013625030ba8dba906f756967f9e9ca394464a")
    })
  )
})
