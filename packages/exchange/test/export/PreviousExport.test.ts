/** Revisions of a space, one after the other: what comes out the same is not made again, and nothing else is left out. */
import { assert, describe, it } from "@effect/vitest"
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import type * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as FolderExport from "@lectern/exchange/export/FolderExport"
import { PreviousExport } from "@lectern/exchange/export/PreviousExport"
import type { SpaceId } from "@lectern/core/space/Space"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Threads } from "@lectern/core/thread/Threads"
import { Effect } from "effect"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import { importFiles, newSpace, onInstance, reader } from "../import/Imports.ts"
import { texts } from "./Exports.ts"
import { edit, fill, type RandomPages, randomPages, written } from "./RandomContents.ts"

/** A folder that revisions of a space are written into, one over the other. */
const folderOf = (space: SpaceId) => {
  const before = new PreviousExport()
  const files: Record<string, Uint8Array> = {}
  const put = Effect.fnUntraced(function* (isAnew: boolean) {
    const made: Array<string> = []
    const all = isAnew ? {} : files
    const there = new Set<string>()
    const report = yield* FolderExport.run({
      content: yield* reader(space),
      space,
      blob: (yield* BlobStore).get,
      threads: yield* Threads,
      ...(!isAnew && {
        incremental: {
          previous: before,
          canSkip: (path) => {
            if (!(path in all)) return false
            there.add(path)
            return true
          }
        }
      }),
      write: (path, bytes) =>
        Effect.sync(() => {
          made.push(path)
          there.add(path)
          all[path] = bytes
        })
    })
    for (const path of Object.keys(all)) if (!there.has(path)) delete all[path]
    return { all, made, report }
  })
  return {
    /** The paths that were made for a revision, once what stands there is seen to be all of it. */
    revision: Effect.gen(function* () {
      const { all, made, report } = yield* put(false)
      const anew = yield* put(true)
      assert.deepStrictEqual(texts(all), texts(anew.all))
      assert.deepStrictEqual(report, anew.report)
      return made
    }),
    lose: (path: string) => delete files[path]
  }
}

const edits = fc.array(
  fc.record({
    kind: fc.constantFrom(
      "document",
      "document",
      "title",
      "slug",
      "hidden",
      "move",
      "remove",
      "back",
      "lose",
      "variable"
    ),
    page: fc.nat(8),
    other: fc.nat(8),
    text: fc.constantFrom("a", "# a", "b [x](README.md)", "* c", "> d")
  }),
  { minLength: 1, maxLength: 8 }
)
type Edit = (typeof edits extends fc.Arbitrary<infer A> ? A : never)[number]

const applied = (editor: ContentEditor.ContentEditor, { kind, page, other, text }: Edit) => {
  const id = `id${page}`
  switch (kind) {
    case "title":
      return editor.updatePage(id, { title: text })
    case "slug":
      return editor.updatePage(id, { slug: `s${other}` })
    case "hidden":
      return editor.updatePage(id, { hidden: other > 4 })
    case "move":
      return editor.movePage(id, { parent: `id${other}`, at: 0 })
    case "remove":
      return editor.removePage(id)
    case "variable":
      return editor.setVariable("v", text)
    default:
      return editor.replaceDocument(id, serialize(written(kind === "back" ? "back" : text)))
  }
}

const hold = Effect.fnUntraced(function* (pages: RandomPages, all: ReadonlyArray<Edit>) {
  const space = yield* newSpace
  const folder = folderOf(space)
  yield* edit(space, (editor) => fill(editor, pages))
  for (const one of all) {
    const made = yield* folder.revision
    if (one.kind === "lose") for (const path of made.slice(0, one.page)) folder.lose(path)
    yield* edit(space, (editor) => Effect.ignore(applied(editor, one)))
  }
  yield* folder.revision
})

const small = {
  "README.md": "# Home\n\n[to](guide.md) ![logo](logo.png)\n",
  "guide.md": "# Guide\n\nText.\n",
  "more/other.md": "# Other\n\n[to](../guide.md)\n",
  "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n* [Other](more/other.md)\n",
  "logo.png": new Uint8Array([137, 80, 78, 71])
}

describe("PreviousExport", () => {
  it.effect("makes of the next revision what it changed, and pages anew where a path is another", () =>
    Effect.gen(function* () {
      const space = yield* newSpace
      yield* importFiles(space, small)
      const folder = folderOf(space)
      const markdown = (made: ReadonlyArray<string>) => made.filter((path) => !path.endsWith("SUMMARY.md")).sort()
      assert.deepStrictEqual(markdown(yield* folder.revision), ["README.md", "guide.md", "logo.png", "more/other.md"])
      assert.deepStrictEqual(markdown(yield* folder.revision), [])

      const pages = yield* (yield* reader(space)).allPages
      const idOf = (wanted: string) => pages.find(({ title }) => title === wanted)!.id
      yield* edit(space, (editor) => editor.replaceDocument(idOf("Guide"), serialize(written("# Guide\n\nOther."))))
      assert.deepStrictEqual(markdown(yield* folder.revision), ["guide.md"])
      folder.lose("more/other.md")
      assert.deepStrictEqual(markdown(yield* folder.revision), ["more/other.md"])

      yield* edit(space, (editor) => editor.updatePage(idOf("Home"), { title: "Start" }))
      assert.deepStrictEqual(markdown(yield* folder.revision), ["README.md"])
      yield* edit(space, (editor) => editor.insertPage({ id: "new", type: "document", title: "New", parent: null }))
      assert.deepStrictEqual(markdown(yield* folder.revision), ["README.md", "guide.md", "more/other.md", "new.md"])
    }).pipe(onInstance)
  )

  it("holds for random revisions", () =>
    fc.assert(
      fc.asyncProperty(randomPages, edits, (pages, all) => Effect.runPromise(onInstance(hold(pages, all)))),
      runs(30)
    ))
})
