/** Edits of whole blocks and tables, from any selection in any document. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Document } from "@lectern/document/Document"
import { normalizeDocument } from "@lectern/document/DocumentInput"
import * as Blocks from "@lectern/editor/BlockCommands"
import { giveAllKeys, giveKeys } from "@lectern/editor/BlockKeys"
import * as Commands from "@lectern/editor/Commands"
import { documentNode, documentOf } from "@lectern/editor/DocumentNodes"
import { schema } from "@lectern/editor/EditorSchema"
import * as Table from "@lectern/editor/table/TableCommands"
import { Result } from "effect"
import { type Command, EditorState, NodeSelection, Selection } from "prosemirror-state"
import { runs } from "../../core/test/Runs.ts"
import { keys } from "../../document/test/markdown/laws.ts"
import { randomDocument } from "../../document/test/merge/RandomDocuments.ts"
import { canonicalDocument, opaqueBlocks } from "./Documents.ts"

const moves: ReadonlyArray<Command> = [
  Blocks.moveBlocks(-1),
  Blocks.moveBlocks(1),
  Table.moveRow(-1),
  Table.moveRow(1),
  Table.moveColumn(-1),
  Table.moveColumn(1)
]

const edits: ReadonlyArray<Command> = [
  ...moves,
  Blocks.duplicateBlock,
  Blocks.deleteBlock,
  Blocks.selectSibling(1),
  ...Blocks.turnIntoTypes.map(Blocks.turnBlockInto),
  Table.addRow("above"),
  Table.addRow("below"),
  Table.deleteRow,
  Table.addColumn("before"),
  Table.addColumn("after"),
  Table.deleteColumn,
  Table.toggleHeader,
  Table.toggleCards,
  ...Table.columnTypes.map(Table.setColumnType),
  Table.goToCell(1),
  Commands.insert("table"),
  Commands.insert("tabs"),
  Commands.insert("expandable"),
  Commands.insert("hint"),
  Commands.insertPicture({ ref: { kind: "url", url: "https://example.com/a.png" } })
]

const keysOf = (state: EditorState): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  state.doc.descendants(({ attrs, type }) => {
    if (type.spec.attrs?.["key"] !== undefined && type.spec.group !== undefined && !type.name.includes("/"))
      if (attrs["filler"] !== true) found.push(attrs["key"])
  })
  return found
}

const textsOf = (state: EditorState): ReadonlyArray<string> => {
  const found: Array<string> = []
  state.doc.descendants((node) => {
    if (node.isText) found.push(node.text!)
  })
  return found.sort()
}

const select = (state: EditorState, place: number): EditorState => {
  const position = Math.floor(place * state.doc.content.size)
  const node = state.doc.nodeAt(position)
  const selection =
    node !== null && !node.isText && place > 0.7 && NodeSelection.isSelectable(node)
      ? NodeSelection.create(state.doc, position)
      : Selection.near(state.doc.resolve(position))
  return state.apply(state.tr.setSelection(selection))
}

describe("Edits of blocks and tables", () => {
  const step = fc.record({
    command: fc.nat(edits.length - 1),
    place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  })

  it("leave a valid document with unique keys, and a move keeps all words and keys", () => {
    fc.assert(
      fc.property(randomDocument, fc.array(step, { minLength: 1, maxLength: 8 }), (random, steps) => {
        const nextKey = keys()
        const document: Document = Result.getOrThrow(normalizeDocument(random, nextKey))
        const opened = EditorState.create({ schema, doc: documentNode(document) })
        let state = opened.apply(giveAllKeys(opened.tr, nextKey))
        for (const { command, place } of steps) {
          const before = select(state, place)
          state = before
          edits[command]!(before, (tr) => {
            state = before.apply(giveKeys(tr, nextKey))
          })
          state.doc.check()
          const all = keysOf(state)
          assert.strictEqual(new Set(all).size, all.length)
          assert.notInclude(all, null)
          if (moves.includes(edits[command]!)) {
            assert.deepStrictEqual(textsOf(state), textsOf(before))
            assert.deepStrictEqual(new Set(all), new Set(keysOf(before)))
          }
        }
        const edited = documentOf(state.doc, document.data)
        const opaque = opaqueBlocks(documentNode(edited)).length
        assert.isAtMost(opaque, opaqueBlocks(state.doc).length)
        // The document that a server stores is the same.
        const stored = Result.getOrThrow(normalizeDocument(edited, nextKey))
        assert.deepStrictEqual(
          canonicalDocument(documentOf(documentNode(stored), document.data)),
          canonicalDocument(stored)
        )
      }),
      runs(150)
    )
  })
})
