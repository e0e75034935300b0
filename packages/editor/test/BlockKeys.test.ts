/** Keys of blocks while they are split, copied, pasted and made. */
import { assert, describe, it } from "@effect/vitest"
import type { Block } from "@lectern/document/Document"
import { giveKeys } from "@lectern/editor/BlockKeys"
import { documentNode, documentOf } from "@lectern/editor/DocumentNodes"
import { positionOf } from "@lectern/editor/DocumentUpdate"
import { schema } from "@lectern/editor/EditorSchema"
import { EditorState, type Transaction } from "prosemirror-state"
import { list, paragraph, table } from "../../document/test/merge/Documents.ts"

const newKeys = () => {
  let last = 0
  return () => `new${++last}`
}

const stateOf = (...nodes: ReadonlyArray<Block>) =>
  EditorState.create({
    schema,
    doc: documentNode({ object: "document", data: {}, nodes })
  })

const at = (state: EditorState, key: string, offset: number) => positionOf(state.doc, key)!.position + 1 + offset

/** Returns the keys and texts of the top-level blocks after an edit. */
const after = (state: EditorState, edit: (tr: Transaction) => Transaction) => {
  const { doc } = state.apply(giveKeys(edit(state.tr), newKeys()))
  doc.check()
  return doc.children.map(({ attrs, textContent }) => `${attrs["key"]}: ${textContent}`)
}

describe("Keys of blocks", () => {
  it("stay with the first part of a split block, or with the part that has the text", () => {
    const state = stateOf(paragraph("a", "one two"), paragraph("b", "three"))
    assert.deepStrictEqual(
      after(state, (tr) => tr.split(at(state, "a", 4))),
      ["a: one ", "new1: two", "b: three"]
    )
    const fresh = stateOf(paragraph("a", "one two"), paragraph("b", "three"))
    assert.deepStrictEqual(
      after(fresh, (tr) => tr.split(at(fresh, "a", 0))),
      ["new1: ", "a: one two", "b: three"]
    )
    const end = stateOf(paragraph("a", "one two"))
    assert.deepStrictEqual(
      after(end, (tr) => tr.split(at(end, "a", 7))),
      ["a: one two", "new1: "]
    )
  })

  it("stay with the original when a copy is pasted before it", () => {
    const state = stateOf(paragraph("a", "one"), list("l", "x", "y"))
    const copy = state.doc.child(1)
    const { doc } = state.apply(giveKeys(state.tr.insert(0, copy), newKeys()))
    const [pasted, , original] = documentOf(doc, {}).nodes
    assert.strictEqual(original!.key, "l")
    assert.deepStrictEqual(
      (original!.nodes as ReadonlyArray<Block>).map(({ key }) => key),
      ["l.0", "l.1"]
    )
    assert.match(pasted!.key, /^new/)
    for (const { key } of pasted!.nodes as ReadonlyArray<Block>) assert.match(key, /^new/)
  })

  it("are given to new blocks, and not changed by typing or by marks", () => {
    const state = stateOf(paragraph("a", "one"))
    assert.deepStrictEqual(
      after(state, (tr) => tr.insert(5, schema.node("heading-1", null, [schema.text("two")]))),
      ["a: one", "new1: two"]
    )
    assert.deepStrictEqual(
      after(state, (tr) => tr.insertText("x", 1).addMark(1, 3, schema.mark("mark:bold"))),
      ["a: xone"]
    )
  })

  it("and ids of rows and fragments of cells are new in a copied row", () => {
    const state = stateOf(table("t", ["A", "B"], [["1", "2"]]))
    const row = state.doc.child(0).child(1)
    const end = state.doc.child(0).nodeSize - 1
    const { doc } = state.apply(giveKeys(state.tr.insert(end, row), newKeys()))
    doc.check()
    const [block] = documentOf(doc, {}).nodes
    const records = Object.entries(block!.data!["records"] as Record<string, { orderIndex: string; values: object }>)
    assert.strictEqual(records.length, 2)
    const [first, second] = records.map(([, record]) => record)
    assert.isTrue(first!.orderIndex <= second!.orderIndex)
    const names = records.flatMap(([, { values }]) => Object.values(values) as Array<string>)
    assert.strictEqual(new Set(names).size, 4)
    assert.sameMembers(
      block!.fragments!.map(({ fragment }) => fragment),
      names
    )
  })
})
