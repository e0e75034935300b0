/** Edits of code between CodeMirror and the document. */
import { assert, describe, it } from "@effect/vitest"
import { EditorState as CodeState, Text } from "@codemirror/state"
import { addEdit, changeTo, linesOf, offsetOfPosition, positionOfOffset } from "@lectern/editor/code/CodePositions"
import { codeLine, schema } from "@lectern/editor/EditorSchema"
import * as fc from "fast-check"
import type { Node } from "prosemirror-model"
import { EditorState } from "prosemirror-state"
import { runs } from "../../../core/test/Runs.ts"

const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "😀", "\n"), maxLength: 4 })
const lines = fc.array(line, { minLength: 1, maxLength: 6 })

const codeOf = (texts: ReadonlyArray<string>): Node => schema.node("code", { data: {} }, texts.map(codeLine))

const textOf = (code: Node) => Text.of(linesOf(code) as Array<string>)

describe("Positions of code", () => {
  it("a position of a text is that of its character in the block, and back", () => {
    fc.assert(
      fc.property(lines, (texts) => {
        const code = codeOf(texts)
        const text = textOf(code)
        for (let offset = 0; offset <= text.length; offset++) {
          const position = positionOfOffset(text, offset)
          assert.strictEqual(offsetOfPosition(text, position), offset)
          const $position = code.resolve(position)
          assert.strictEqual($position.parent.type.name, "code-line")
          assert.strictEqual($position.parentOffset, offset - text.lineAt(offset).from)
        }
        for (let position = 0; position <= code.content.size; position++) {
          const offset = offsetOfPosition(text, position)
          assert.isAtLeast(offset, 0)
          assert.isAtMost(offset, text.length)
        }
      }),
      runs(200)
    )
  })

  it("an edit of the text is the same edit of the block", () => {
    const edits = fc.array(fc.record({ at: fc.nat(30), length: fc.nat(6), texts: lines }), { maxLength: 3 })
    fc.assert(
      fc.property(lines, edits, (texts, edits) => {
        const doc = schema.node("doc", null, [schema.node("paragraph"), codeOf(texts)])
        const code = CodeState.create({ doc: textOf(doc.child(1)) })
        const changes = edits
          .map(({ at, length, texts }) => {
            const from = Math.min(at, code.doc.length)
            return {
              from,
              to: Math.min(from + length, code.doc.length),
              insert: Text.of(texts.map((text) => text.replaceAll("\n", "")))
            }
          })
          .toSorted((one, other) => one.from - other.from)
          .filter(({ from }, i, all) => i === 0 || from > all[i - 1]!.to)
        const transaction = code.update({ changes })
        const { tr } = EditorState.create({ doc })
        addEdit(tr, 3, code.doc, transaction.changes)
        tr.doc.check()
        assert.deepStrictEqual(linesOf(tr.doc.child(1)), transaction.newDoc.toJSON())
      }),
      runs(500)
    )
  })

  it("a change of the block is the same change of the text", () => {
    fc.assert(
      fc.property(lines, lines, (texts, others) => {
        const [before, after] = [codeOf(texts), codeOf(others)]
        const code = CodeState.create({ doc: textOf(before) })
        const changes = changeTo(code.doc, before, after)
        const { newDoc } = code.update(changes === undefined ? {} : { changes })
        assert.deepStrictEqual(newDoc.toJSON(), linesOf(after))
      }),
      runs(500)
    )
  })

  it("lines that are inserted before a line leave its key with its text", () => {
    const code = schema.node(
      "code",
      { data: {} },
      ["a", "b"].map((text) => codeLine(text))
    )
    const doc = schema.node("doc", null, [code.copy(code.content)])
    const { tr } = EditorState.create({ doc })
    tr.setNodeAttribute(4, "key", "b")
    const text = CodeState.create({ doc: textOf(tr.doc.child(0)) })
    addEdit(tr, 1, text.doc, text.update({ changes: { from: 2, insert: "x\ny\n" } }).changes)
    assert.deepStrictEqual(
      tr.doc.child(0).children.map(({ attrs, textContent }) => [textContent, attrs["key"]]),
      [
        ["a", null],
        ["x", null],
        ["y", null],
        ["b", "b"]
      ]
    )
  })
})
