/** A newer version of a document arrives in the open editor, where somebody writes. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Document } from "@lectern/document/Document"
import { normalizeDocument } from "@lectern/document/DocumentInput"
import { mergeDocuments } from "@lectern/document/merge/DocumentMerge"
import { documentNode, documentOf } from "@lectern/editor/DocumentNodes"
import { positionOf, updateTo } from "@lectern/editor/DocumentUpdate"
import { schema } from "@lectern/editor/EditorSchema"
import { Result } from "effect"
import { history, redo, undo } from "prosemirror-history"
import { EditorState, TextSelection } from "prosemirror-state"
import { runs } from "../../core/test/Runs.ts"
import { keys } from "../../document/test/markdown/laws.ts"
import { paragraph } from "../../document/test/merge/Documents.ts"
import { edited, randomDocument, randomEdits } from "../../document/test/merge/RandomDocuments.ts"
import { canonicalDocument } from "./Documents.ts"

const stored = (value: unknown): Document => Result.getOrThrow(normalizeDocument(value, keys()))

const stateOf = (document: Document) =>
  EditorState.create({ schema, doc: documentNode(document), plugins: [history()] })

const texts = ({ doc }: EditorState) => doc.children.map(({ textContent }) => textContent)

const typed = (state: EditorState, key: string, text: string) => {
  const { node, position } = positionOf(state.doc, key)!
  const at = position + 1 + node.content.size
  return state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)).insertText(text, at))
}

describe("An update of the open document", () => {
  it("leads to the newer version, whatever the two contain", () => {
    fc.assert(
      fc.property(randomDocument, randomEdits, randomEdits, (random, ours, theirs) => {
        const base = stored(random)
        const state = stateOf(stored(edited(base, ours, "o")))
        const { document } = mergeDocuments({
          base,
          ours: documentOf(state.doc, base.data),
          main: stored(edited(base, theirs, "t"))
        })
        const target = documentNode(stored(document))
        const tr = updateTo(state, target)
        tr.doc.check()
        assert.isTrue(tr.doc.eq(target))
        assert.deepStrictEqual(canonicalDocument(documentOf(tr.doc, base.data)), canonicalDocument(stored(document)))
        tr.selection.$anchor.node()
      }),
      runs(200)
    )
  })

  it("keeps the cursor in its text, and undo to one's own edits", () => {
    const base = {
      object: "document",
      data: {},
      nodes: ["a", "b", "c"].map((key) => paragraph(key, `${key}.`))
    } as const
    const start = typed(stateOf(base), "b", " mine")
    const newer = {
      ...base,
      nodes: [
        paragraph("x", "x."),
        paragraph("a", "a changed."),
        ...start.doc.children.slice(1).map((_, i) => documentOf(start.doc, {}).nodes[i + 1]!)
      ]
    }
    const after = start.apply(updateTo(start, documentNode(newer)))
    assert.deepStrictEqual(texts(after), ["x.", "a changed.", "b. mine", "c."])
    assert.strictEqual(after.selection.$head.parent.textContent, "b. mine")
    assert.strictEqual(after.selection.$head.parentOffset, "b. mine".length)
    let undone = after
    undo(after, (tr) => (undone = after.apply(tr)))
    assert.deepStrictEqual(texts(undone), ["x.", "a changed.", "b.", "c."])
  })

  it("keeps undo and redo between edits of others in the same text", () => {
    const base = { object: "document", data: {}, nodes: [paragraph("a", "one two three")] } as const
    const start = stateOf(base)
    const mine = start.apply(start.tr.insertText("my ", 5))
    const run = (state: EditorState, command: typeof undo): EditorState => {
      let result = state
      command(state, (tr) => (result = state.apply(tr)))
      return result
    }
    const update = (state: EditorState, text: string) =>
      state.apply(updateTo(state, documentNode({ ...base, nodes: [paragraph("a", text)] })))
    const merged = update(mine, "their one my two three, and four")
    assert.deepStrictEqual(texts(run(merged, undo)), ["their one two three, and four"])
    const later = update(run(mine, undo), "their one two three, and four")
    assert.deepStrictEqual(texts(run(later, redo)), ["their one my two three, and four"])
  })

  it("follows a block that moved, with the cursor in it", () => {
    const nodes = ["a", "b", "c", "d"].map((key) => paragraph(key, `text of ${key}`))
    const base = { object: "document", data: {}, nodes } as const
    const state = stateOf(base)
    const at = positionOf(state.doc, "a")!.position + 4
    const placed = state.apply(state.tr.setSelection(TextSelection.create(state.doc, at)))
    const moved = { ...base, nodes: [nodes[1]!, nodes[2]!, nodes[3]!, nodes[0]!] }
    const after = placed.apply(updateTo(placed, documentNode(moved)))
    assert.strictEqual(after.selection.$head.parent.attrs["key"], "a")
    assert.strictEqual(after.selection.$head.parentOffset, 3)
  })

  it("puts the cursor into the neighbor of a block that was deleted", () => {
    const nodes = ["a", "b", "c"].map((key) => paragraph(key, key))
    const state = typed(stateOf({ object: "document", data: {}, nodes }), "b", "")
    const after = state.apply(
      updateTo(state, documentNode({ object: "document", data: {}, nodes: [nodes[0]!, nodes[2]!] }))
    )
    assert.deepStrictEqual(texts(after), ["a", "c"])
    assert.include(["a", "c"], after.selection.$head.parent.attrs["key"])
  })
})
