import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as StaticFolder from "@lectern/services-node/folder/StaticFolder"
import { readFolder } from "@lectern/services-node/folder/FolderReader"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const root = realpathSync(mkdtempSync(join(tmpdir(), "lectern-static-folder-")))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let count = 0
/** Returns an empty folder with a source and a folder for the site. */
const folders = () => {
  const base = join(root, String(count++))
  mkdirSync(join(base, "source"), { recursive: true })
  return { base, source: join(base, "source"), folder: join(base, "site") }
}

const encoder = new TextEncoder()

const build = (
  options: Omit<StaticFolder.StaticFolderOptions, "keepsOthers"> & { readonly keepsOthers?: boolean },
  files: Readonly<Record<string, string>>
) =>
  Effect.gen(function* () {
    const folder = yield* StaticFolder.open({ keepsOthers: false, ...options })
    yield* Effect.forEach(Object.entries(files), ([path, text]) => folder.write(path, encoder.encode(text)))
    return yield* folder.finish
  }).pipe(Effect.scoped)

const messageOf = <A>(effect: Effect.Effect<A, { readonly message: string }>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("StaticFolder", () => {
  it.effect("writes only what changed, and deletes what is gone", () =>
    Effect.gen(function* () {
      const at = folders()
      const first = { "index.html": "a", "guide/index.html": "b", "old/deep/index.html": "c" }
      assert.deepInclude(yield* build(at, first), { changed: 3, unchanged: 0, deleted: 0 })
      const time = new Date(0)
      utimesSync(join(at.folder, "index.html"), time, time)
      const counts = yield* build(at, { "index.html": "a", "guide/index.html": "new" })
      assert.deepInclude(counts, { changed: 1, unchanged: 1, deleted: 1 })
      assert.strictEqual(statSync(join(at.folder, "index.html")).mtimeMs, 0)
      assert.strictEqual(readFileSync(join(at.folder, "guide/index.html"), "utf8"), "new")
      assert.isFalse(existsSync(join(at.folder, "old")))
    })
  )

  it.effect("refuses files of others, or keeps them", () =>
    Effect.gen(function* () {
      const at = folders()
      yield* build(at, { "index.html": "a", "old.html": "o", "edited.html": "e" })
      writeFileSync(join(at.folder, "CNAME"), "docs.acme.com")
      assert.include(yield* messageOf(build(at, { "index.html": "a" })), "CNAME")
      const kept = { ...at, keepsOthers: true }
      writeFileSync(join(at.folder, "edited.html"), "by hand")
      const { changedByOthers, deleted } = yield* build(kept, { "index.html": "b" })
      assert.deepStrictEqual([changedByOthers, deleted], [["edited.html"], 1])
      assert.strictEqual(readFileSync(join(at.folder, "edited.html"), "utf8"), "by hand")
      assert.strictEqual(readFileSync(join(at.folder, "CNAME"), "utf8"), "docs.acme.com")
      assert.include(yield* messageOf(build(kept, { CNAME: "x" })), "CNAME")
      assert.strictEqual(readFileSync(join(at.folder, "CNAME"), "utf8"), "docs.acme.com")
    })
  )

  it.effect("continues after an interrupted build", () =>
    Effect.gen(function* () {
      const at = folders()
      yield* build(at, { "index.html": "a" })
      const interrupted = Effect.gen(function* () {
        const folder = yield* StaticFolder.open({ keepsOthers: false, ...at })
        yield* folder.write("index.html", encoder.encode("b"))
        yield* folder.write("half.html", encoder.encode("h"))
      }).pipe(Effect.scoped)
      yield* interrupted
      writeFileSync(join(at.folder, ".lectern-build-file3"), "incomp")
      assert.deepInclude(yield* build(at, { "index.html": "b" }), { changed: 0, unchanged: 1, deleted: 1 })
      assert.isFalse(existsSync(join(at.folder, "half.html")))
      assert.isFalse(existsSync(join(at.folder, ".lectern-build-file3")))
    })
  )

  it.effect("writes nothing through symbolic links", () =>
    Effect.gen(function* () {
      const at = folders()
      const outside = join(at.base, "outside")
      mkdirSync(outside)
      mkdirSync(at.folder)
      symlinkSync(outside, join(at.folder, "guide"))
      symlinkSync(join(outside, "target"), join(at.folder, "page.html"))
      assert.include(yield* messageOf(build(at, { "a.html": "a" })), "files that no build wrote")
      const kept = { ...at, keepsOthers: true }
      assert.include(yield* messageOf(build(kept, { "guide/index.html": "a" })), "guide")
      assert.include(yield* messageOf(build(kept, { "page.html": "a" })), "page.html")
      assert.isFalse(existsSync(join(outside, "index.html")))
      assert.isFalse(existsSync(join(outside, "target")))
    })
  )

  it.effect("is never the folder of the pages, and is not read as pages", () =>
    Effect.gen(function* () {
      const at = folders()
      assert.include(yield* messageOf(build({ ...at, folder: at.source }, {})), "contains the pages")
      assert.include(yield* messageOf(build({ ...at, folder: at.base }, {})), "contains the pages")
      writeFileSync(join(at.source, "page.md"), "# Page\n")
      yield* build({ ...at, folder: join(at.source, "site") }, { "index.md": "# Built\n" })
      const { files } = yield* readFolder(at.source)
      assert.deepStrictEqual(
        files.map(({ path }) => path),
        ["page.md"]
      )
    })
  )
})
