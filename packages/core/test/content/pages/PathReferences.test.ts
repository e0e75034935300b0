import { serialize, type StoredDocument } from "@lectern/core/content/documents/StoredDocument"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import * as Content from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import type { ContentRef } from "@lectern/document/Document"
import { Objects } from "@lectern/core/content/store/Objects"
import * as PathReferences from "@lectern/core/content/pages/PathReferences"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { layer } from "../store/MemoryObjects.ts"

const linking = (ref: ContentRef): StoredDocument =>
  serialize({
    object: "document",
    data: {},
    nodes: [{ object: "block", type: "content-ref", key: "k", data: { ref } }]
  })

const url = (text: string): ContentRef => ({ kind: "url", url: text })
const page = (id: string): ContentRef => ({ kind: "page", page: id })

/** Links of the page `guides/intro`, and what they come to. */
const cases: ReadonlyArray<readonly [from: ContentRef, to: ContentRef]> = [
  [url("/pages/guides/über"), page("u")],
  [url("/pages/guides/%C3%BCber.md#part"), { kind: "anchor", page: "u", anchor: "part" }],
  [url("/pages/guides/README.md"), page("g")],
  [url("/pages/README.md"), page("s")],
  [url("./über.md"), page("u")],
  [url("../README.md"), page("s")],
  [url("README.md"), page("g")],
  [url("../start"), page("s")],
  [url("../../../start.md"), page("s")],
  [page("start"), page("s")],
  [page("s"), page("s")],
  [
    { kind: "anchor", page: "start", anchor: "a" },
    { kind: "anchor", page: "s", anchor: "a" }
  ],
  [url("./nothing.md"), url("./nothing.md")],
  [url("/guides/intro"), url("/guides/intro")],
  [url("https://start"), url("https://start")],
  [url("mailto:start"), url("mailto:start")],
  [url("%E0%A4%A"), url("%E0%A4%A")],
  [
    { kind: "page", page: "start", space: "other" },
    { kind: "page", page: "start", space: "other" }
  ],
  [page("unknown"), page("unknown")]
]

describe("PathReferences", () => {
  it.effect.each(cases)("%j leads to %j", ([from, to]) =>
    Effect.gen(function* () {
      const { draft, threads } = yield* Objects
      const editor = ContentEditor.make(draft(), Content.empty, Timestamps.at(0))
      yield* editor.insertPage({ id: "s", title: "Start" })
      yield* editor.insertPage({ id: "g", title: "Guides" })
      yield* editor.insertPage({ id: "i", title: "Intro", parent: "g" })
      yield* editor.insertPage({ id: "u", title: "U", slug: "über", parent: "g" })
      const folder = yield* PathReferences.folderOf(editor, (yield* editor.page("i"))!)
      assert.strictEqual(folder, "guides")
      assert.deepStrictEqual(yield* PathReferences.resolve(editor, threads, linking(from), folder), linking(to))
      // What stands in the stored document is written back as it was read.
      assert.deepStrictEqual(
        yield* PathReferences.resolve(editor, threads, linking(from), folder, linking(from)),
        linking(from)
      )
    }).pipe(Effect.provide(layer()))
  )

  it.effect("a page with pages below it is the README of its folder", () =>
    Effect.gen(function* () {
      const editor = ContentEditor.make((yield* Objects).draft(), Content.empty, Timestamps.at(0))
      const guides = yield* editor.insertPage({ id: "g", title: "Guides" })
      assert.strictEqual(yield* PathReferences.folderOf(editor, guides), "")
      yield* editor.insertPage({ id: "i", title: "Intro", parent: "g" })
      assert.strictEqual(yield* PathReferences.folderOf(editor, guides), "guides")
    }).pipe(Effect.provide(layer()))
  )
})
