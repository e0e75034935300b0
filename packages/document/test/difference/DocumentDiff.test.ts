import { assert, describe, it } from "@effect/vitest"
import type { Block } from "@lectern/document/Document"
import { diff } from "@lectern/document/difference/DocumentDiff"
import * as TableContent from "@lectern/document/table/TableContent"
import * as TableParts from "@lectern/document/table/TableParts"
import { block, code, document, heading, link, list, paragraph, table, text, words } from "../merge/Documents.ts"

const [a, b, c] = [paragraph("a", "The first one"), paragraph("b", "The second one"), paragraph("c", "The third one")]
const x = paragraph("x", "Something new")

describe("the difference of documents", () => {
  it("names what was added, removed and moved", () => {
    assert.deepStrictEqual(diff(document(a, b, c), document(c, a, x)), [
      { kind: "moved", block: "c", before: c, after: c },
      { kind: "added", block: "x", after: x },
      { kind: "removed", block: "b", before: b }
    ])
  })

  it("shows an edited text word by word", () => {
    const after = paragraph("b", "The new second one, at last")
    assert.deepStrictEqual(diff(document(a, b), document(a, after)), [
      {
        kind: "edited",
        block: "b",
        before: b,
        after,
        moved: false,
        text: [
          { kind: "equal", text: "The" },
          { kind: "inserted", text: " new" },
          { kind: "equal", text: " second one" },
          { kind: "inserted", text: ", at last" }
        ]
      }
    ])
  })

  it("shows a replaced word as deleted, then inserted, and a link by its text", () => {
    const before = paragraph("p", "See ", link("the docs", "/a"), " now")
    const after = paragraph("p", "See ", link("the manual", "/a"), " now")
    const [change] = diff(document(before), document(after))
    assert.deepStrictEqual(change?.kind === "edited" ? change.text : undefined, [
      { kind: "equal", text: "See " },
      { kind: "deleted", text: "the docs" },
      { kind: "inserted", text: "the manual" },
      { kind: "equal", text: " now" }
    ])
  })

  it("says that a block was edited when only its marks or data were", () => {
    const bold = paragraph("a", text("The first one", "bold"))
    assert.deepStrictEqual(diff(document(a, heading("h", "T")), document(bold, heading("h", "T", 2))), [
      {
        kind: "edited",
        block: "a",
        before: a,
        after: bold,
        moved: false,
        text: [{ kind: "equal", text: "The first one" }]
      },
      {
        kind: "edited",
        block: "h",
        before: heading("h", "T"),
        after: heading("h", "T", 2),
        moved: false,
        text: [{ kind: "equal", text: "T" }]
      }
    ])
  })

  it("counts a block with all that is in it as one", () => {
    const added = list("l", "one", "two")
    assert.deepStrictEqual(diff(document(a), document(a, added)), [{ kind: "added", block: "l", after: added }])
    assert.deepStrictEqual(diff(document(a, added), document(a)), [{ kind: "removed", block: "l", before: added }])
  })

  it("shows a block that was wrapped as moved into what is new", () => {
    const quote = block("blockquote", "q", [a])
    assert.deepStrictEqual(diff(document(a, b), document(quote, b)), [
      { kind: "added", block: "q", after: quote },
      { kind: "moved", block: "a", inside: [{ key: "q", type: "blockquote" }], before: a, after: a }
    ])
  })

  it("says in which blocks a line of code stands", () => {
    const before = block("tabs-item", "t", [code("k", "one", "two")], { title: "Node" })
    const after = block("tabs-item", "t", [code("k", "one", "three")], { title: "Node" })
    assert.deepStrictEqual(
      diff(document(before), document(after)).map(({ block, inside, kind }) => [kind, block, inside]),
      [
        [
          "edited",
          "k.1",
          [
            { key: "t", type: "tabs-item", title: "Node" },
            { key: "k", type: "code" }
          ]
        ]
      ]
    )
  })
})

describe("the difference of tables", () => {
  const rows = [
    ["apple", "1 euro"],
    ["banana", "2 euro"],
    ["cherry", "3 euro"]
  ]
  const titles = ["Name", "Price"]
  const before = table("t", titles, rows)
  const cellsOf = (shown: Block) => {
    const { fragments, rows: all } = TableContent.readTable(shown)!
    return all.map(({ values }) => Object.values(values).map((name) => words(fragments.get(String(name))).join(" ")))
  }
  /** Changes as a reviewer reads them: by cells, or by words. */
  const read = (after: Block) =>
    diff(document(before), document(after)).map((change) => {
      assert.strictEqual(change.block, "t")
      const about = [change.kind, change.row ?? change.column ?? "table"]
      if (change.kind === "edited") {
        return [...about, change.text.map(({ kind, text }) => `${kind[0]}:${text}`).join("")]
      }
      return [...about, cellsOf(change.kind === "removed" ? change.before : change.after)]
    })

  it("is the row that was edited, with its words", () => {
    const after = table("t", titles, [rows[0]!, ["banana", "20 euro"], rows[2]!])
    assert.deepStrictEqual(read(after), [["edited", "t-r1", "e:banana | d:2i:20e: euro"]])
    const [change] = diff(document(before), document(after))
    assert.isTrue(change?.kind === "edited" && change.moved === false)
    if (change?.kind !== "edited") return
    assert.deepStrictEqual(cellsOf(change.before), [["banana", "2 euro"]])
    assert.deepStrictEqual(cellsOf(change.after), [["banana", "20 euro"]])
  })

  it("is the row that was added or removed, not the table", () => {
    assert.deepStrictEqual(read(table("t", titles, [...rows, ["kiwi", "4 euro"]])), [
      ["added", "t-r3", [["kiwi", "4 euro"]]]
    ])
    assert.deepStrictEqual(read(table("t", titles, rows.slice(0, 2))), [["removed", "t-r2", [["cherry", "3 euro"]]]])
  })

  it("is a row that was moved, and moved alone", () => {
    const { data } = before
    const records = data!["records"] as Record<string, object>
    const moved = {
      ...before,
      data: { ...data, records: { ...records, "t-r0": { ...records["t-r0"], orderIndex: "b" } } }
    }
    assert.deepStrictEqual(read(moved), [["moved", "t-r0", [["apple", "1 euro"]]]])
  })

  it("is a column with its cells, or its title", () => {
    assert.deepStrictEqual(read(TableParts.withoutPart(before, { column: "t-c1" })), [
      ["removed", "t-c1", [["1 euro"], ["2 euro"], ["3 euro"]]]
    ])
    assert.deepStrictEqual(read(table("t", ["Name", "Cost"], rows)), [["edited", "t-c1", "d:Pricei:Cost"]])
    const added = table(
      "t",
      [...titles, "Note"],
      rows.map((row) => [...row, "new"])
    )
    assert.deepStrictEqual(read(added), [["added", "t-c2", [["new"], ["new"], ["new"]]]])
  })

  it("is the table without its rows where only how it is shown changed", () => {
    const after = { ...before, data: { ...before.data, view: { type: "cards", columns: ["t-c0", "t-c1"] } } }
    const [change, ...others] = diff(document(before), document(after))
    assert.isTrue(change?.kind === "edited" && cellsOf(change.after).length === 0)
    assert.deepStrictEqual(others, [])
  })
})
