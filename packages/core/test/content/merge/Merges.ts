/** Table tests of merges: both sides edit the same small content. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Content from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import type { FileEntry } from "@lectern/core/content/files/File"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { document, paragraph } from "../Documents.ts"
import { layer } from "../store/MemoryObjects.ts"

export type Edits = (editor: ContentEditor.ContentEditor) => Effect.Effect<unknown, unknown>

export const edited = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content.Content, edits: Edits) {
  const editor = ContentEditor.make(draft, content, Timestamps.at(1000))
  yield* edits(editor)
  return yield* editor.finish
})

export const file = (id: string, name: string, blob: string) =>
  ({ id, name, contentType: "text/plain", size: 1, blob }) as unknown as FileEntry

/** Creates the base content: pages `a` with the child `a1`, `b` and `c`, a file, a reusable content and a variable. */
export const start: Edits = (editor) =>
  Effect.gen(function* () {
    const text = document(paragraph("p1", "first words here"), paragraph("p2", "second"))
    yield* editor.insertPage({ id: "a", title: "A", document: text })
    yield* editor.insertPage({ id: "a1", title: "A one", parent: "a" })
    yield* editor.insertPage({ id: "b", title: "B" })
    yield* editor.insertPage({ id: "c", title: "C" })
    yield* editor.putFile(file("f", "f.txt", "one"))
    yield* editor.putReusableContent({ id: "r", title: "R" })
    yield* editor.setVariable("v", "one")
  })

const titles = (nodes: ReadonlyArray<PageTree.PageNode>): ReadonlyArray<unknown> =>
  nodes.map(({ page, pages }) => (pages.length === 0 ? page.title : [page.title, ...titles(pages)]))

export interface Case {
  readonly name: string
  readonly main: Edits
  readonly ours: Edits
  /** Subject of each conflict. */
  readonly conflicts?: ReadonlyArray<string>
  readonly tree?: ReadonlyArray<unknown>
  /** Tree after every conflict is resolved for main. */
  readonly settledForMain?: ReadonlyArray<unknown>
  /** Checks the content after every conflict is resolved for main. */
  readonly checkMain?: (content: ContentReader.ContentReader) => Effect.Effect<void, unknown>
  readonly check?: (content: ContentReader.ContentReader) => Effect.Effect<void, unknown>
}

/** Registers a test for each case: conflicts, tree, checks, and the result of resolving for main. */
export const checkEach = (cases: ReadonlyArray<Case>) =>
  it.effect.each(cases.map((one) => [one.name, one] as const))("%s", ([, { main, ours, ...expected }]) =>
    Effect.gen(function* () {
      const draft = (yield* Objects).draft()
      const base = yield* edited(draft, Content.empty, start)
      const sides = { base, main: yield* edited(draft, base, main), ours: yield* edited(draft, base, ours) }
      const merged = yield* ContentMerge.merge(draft, sides)
      const about = merged.conflicts.map(
        ({ page, file: of, reusableContent, variable, field, block }) =>
          `${page ?? of ?? reusableContent ?? variable} ${block ?? field ?? ""}`
      )
      assert.deepStrictEqual(about, expected.conflicts ?? [])
      assert.isTrue(merged.conflicts.every(({ id }) => /^c[\w-]{21}$/.test(id)))
      const content = ContentReader.make(draft, merged.content)
      if (expected.tree) assert.deepStrictEqual(titles(yield* PageTree.tree(content)), expected.tree)
      if (expected.check) yield* expected.check(content)
      if (expected.settledForMain ?? expected.checkMain) {
        let settled = merged.content
        for (const conflict of merged.conflicts) {
          settled = yield* ContentMerge.resolve(draft, settled, conflict, "main", () => "key")
        }
        const reader = ContentReader.make(draft, settled)
        if (expected.settledForMain) {
          assert.deepStrictEqual(titles(yield* PageTree.tree(reader)), expected.settledForMain)
        }
        if (expected.checkMain) yield* expected.checkMain(reader)
      }
      // Merging the result with main again changes nothing.
      const again = yield* ContentMerge.merge(draft, { base: sides.main, main: sides.main, ours: merged.content })
      assert.deepStrictEqual(again, { content: merged.content, conflicts: [] })
    }).pipe(Effect.provide(layer()))
  )
