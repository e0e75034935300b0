import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { FolderFiles } from "../../src/dev/FolderFiles.ts"
import * as FolderWatch from "../../src/dev/FolderWatch.ts"
import { folderOf, write } from "./Folders.ts"

describe("FolderWatch", () => {
  it.live("notices every kind of change, also in folders that were created later", () =>
    Effect.gen(function* () {
      const folder = folderOf({ "a.md": "a", "b/c.md": "c" })
      const watch = yield* FolderWatch.make(folder)
      assert.isTrue(watch.follow(["b"]))
      assert.isFalse(watch.follow(["b"]) && process.platform === "linux")
      const changes: ReadonlyArray<() => void> = [
        () => writeFileSync(join(folder, "a.md"), "A"),
        () => writeFileSync(join(folder, "b/c.md"), "C"),
        () => renameSync(join(folder, "b/c.md"), join(folder, "b/d.md")),
        () => rmSync(join(folder, "b/d.md")),
        () => mkdirSync(join(folder, "e"))
      ]
      for (const change of changes) {
        change()
        yield* watch.next
      }
      watch.follow(["b", "e"])
      writeFileSync(join(folder, "e/f.md"), "f")
      yield* watch.next
      rmSync(join(folder, "e"), { recursive: true })
      yield* watch.next
      watch.follow(["b"])
      writeFileSync(join(folder, "a.md"), "")
      yield* watch.next
    }).pipe(Effect.scoped)
  )

  it.live("many changes at once are one", () =>
    Effect.gen(function* () {
      const folder = folderOf({ "a.md": "a" })
      const watch = yield* FolderWatch.make(folder)
      watch.follow([])
      write(folder, Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}.md`, `# ${i}`])))
      yield* watch.next
      assert.lengthOf((yield* new FolderFiles(folder).read).changes, 201)
    }).pipe(Effect.scoped)
  )
})
