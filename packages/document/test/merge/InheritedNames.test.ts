/**
 * Names that clients give in the data of a block may be names that every JavaScript object has. They mean
 * nothing by that: documents are matched, merged, compared and printed as with any other name.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import { diff } from "@lectern/document/difference/DocumentDiff"
import { mergeDocuments } from "@lectern/document/merge/DocumentMerge"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { keys } from "../markdown/laws.ts"

const names = [...Object.getOwnPropertyNames(Object.prototype), "length", "prototype"]

/** An object with this property of its own, as JSON has it. */
const own = (name: string, value: unknown): Record<string, unknown> =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)

const paragraph = (text: string): Block => ({
  object: "block",
  type: "paragraph",
  key: `p-${text}`,
  nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})

const documentOf = (...nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })

/** A table whose column, row, and a value are called so, or with nothing called so. */
const table = (name: string | undefined, text: string): Block => ({
  object: "block",
  type: "table",
  isVoid: true,
  key: "t",
  data: {
    view: { type: "grid", columns: ["a", ...(name === undefined ? [] : [name])] },
    definition: {
      a: { id: "a", type: "text", title: "A", ...(name !== undefined && own(name, "x")) },
      ...(name !== undefined && own(name, { id: name, type: "number", title: "B" }))
    },
    records: {
      r: { orderIndex: "1", values: { a: "f", ...(name !== undefined && own(name, 1)) } },
      s: { orderIndex: "2", values: { a: text } },
      ...(name !== undefined && own(name, { orderIndex: "3", values: own(name, 2) }))
    }
  },
  fragments: [{ object: "fragment", fragment: "f", type: "cell", key: "c", nodes: [paragraph(text)] }]
})

const block = (name: string | undefined, text: string): Block => ({
  object: "block",
  type: "integration",
  isVoid: true,
  key: "i",
  data: {
    integration: "a",
    block: "b",
    props: name === undefined ? {} : own(name, { [text]: own(name, text) }),
    ...(name !== undefined && own(name, text))
  }
})

describe("A name that every object has", () => {
  for (const name of names) {
    it(name, () => {
      const sides = [undefined, name].flatMap((each) =>
        ["x", "y"].map((text) => documentOf(paragraph(text), table(each, text), block(each, text)))
      )
      for (const before of sides) {
        for (const after of sides) {
          diff(before, after)
          assert.strictEqual(align(before, after).nodes.length, 3)
          for (const ours of sides) mergeDocuments({ base: before, main: after, ours })
        }
        const printed = Markdown.print(before)
        assert.notInclude(printed, "function")
        const parsed = Markdown.parse(printed, { nextKey: keys() })
        assert.strictEqual(Markdown.print(parsed.document, parsed), printed)
        align(before, parsed.document)
      }
      assert.strictEqual(Object.keys(Object.prototype).length, 0)
    })
  }
})
