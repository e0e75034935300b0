import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import * as Content from "@lectern/core/content/Content"
import * as ContentDiff from "@lectern/core/content/ContentDiff"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import type { FileEntry } from "@lectern/core/content/files/File"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { document, paragraph } from "./Documents.ts"
import { layer } from "./store/MemoryObjects.ts"

const file = (id: string, name: string) =>
  ({ id, name, contentType: "text/plain", size: 1, blob: "blob" }) as unknown as FileEntry

const summary = (change: ContentDiff.SemanticChange): string => {
  const about =
    "page" in change
      ? change.page.id
      : "file" in change
        ? change.file.id
        : "reusableContent" in change
          ? change.reusableContent.id
          : "after" in change
            ? change.after.id
            : JSON.stringify(change.variables)
  return [change.type, about, ...("attributes" in change ? change.attributes : [])].join(" ")
}

describe("ContentDiff", () => {
  it.effect("says what a person would say, up to a limit", () =>
    Effect.gen(function* () {
      const draft = (yield* Objects).draft()
      const first = ContentEditor.make(draft, Content.empty, Timestamps.at(0))
      for (const id of ["a", "b", "c", "d"]) yield* first.insertPage({ id, title: id })
      yield* first.putFile(file("f", "f"))
      yield* first.putFile(file("g", "g"))
      yield* first.putReusableContent({ id: "r", title: "R" })
      yield* first.setVariable("v", "one")
      yield* first.setVariable("w", "one")
      const before = yield* first.finish

      const second = ContentEditor.make(draft, before, Timestamps.at(1000))
      yield* second.updatePage("a", { title: "A", emoji: "🎈" })
      yield* second.setDocument("a", document(paragraph("k", "text")))
      yield* second.movePage("b", { parent: "a" })
      yield* second.removePage("c")
      yield* second.insertPage({ id: "e", title: "E" })
      yield* second.putFile(file("f", "renamed"))
      yield* second.removeFile("g")
      yield* second.putFile(file("h", "h"))
      yield* second.removeReusableContent("r")
      yield* second.putReusableContent({ id: "s", title: "S" })
      yield* second.setVariable("v", "two")
      yield* second.setVariable("w", undefined)
      const after = yield* second.finish

      const expected = [
        "page_edited a title emoji document",
        "page_moved b",
        "page_deleted c",
        "page_created e",
        "file_edited f name",
        "file_deleted g",
        "file_created h",
        "reusable_content_deleted r",
        "reusable_content_created s",
        'variables_edited {"v":{"before":"one","after":"two"},"w":{"before":"one"}}'
      ]
      const { changes, more } = yield* ContentDiff.diff(draft, before, after)
      assert.deepStrictEqual(changes.map(summary), expected)
      assert.strictEqual(more, 0)
      const limited = yield* ContentDiff.diff(draft, before, after, { limit: 3 })
      assert.deepStrictEqual(limited.changes.map(summary), expected.slice(0, 3))
      assert.strictEqual(limited.more, 7)
      assert.deepStrictEqual(yield* ContentDiff.diff(draft, after, after), { changes: [], more: 0 })
    }).pipe(Effect.provide(layer()))
  )
})
