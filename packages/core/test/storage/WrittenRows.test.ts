/** Writes that are told apart: what was read is not changed by what has nothing to do with it. */
import { assert, describe, it } from "@effect/vitest"
import { inventTable, type Item } from "../../../adapter-contract/src/Invented.ts"
import { Reads } from "@lectern/core/storage/Reads"
import { WrittenRows } from "@lectern/core/storage/WrittenRows"

const table = inventTable()
const other = inventTable()

const of = (read: (reads: Reads) => void) => {
  const reads = new Reads()
  read(reads)
  return reads
}

/** Tells whether a read is changed by a commit that did this. */
const changes = (read: (reads: Reads) => void, write: (written: WrittenRows) => void) => {
  const written = new WrittenRows()
  const reads = of(read)
  for (const kept of [table, other]) written.trackTable(kept)
  written.changedSince(reads, 0)
  written.commit(1)
  assert.isFalse(written.changedSince(reads, 1))
  write(written)
  written.commit(2)
  return written.changedSince(reads, 1)
}

const rowA: Item = { id: "a", group: "red", text: "one", number: 1, tags: ["x", "y"] }
const rowB: Item = { id: "b", group: "blue", text: "one", number: 2, tags: ["z"] }
const insertB = (written: WrittenRows) => written.addRow(table, undefined, rowB)
const recolour = (written: WrittenRows) => written.addRow(table, rowA, { ...rowA, group: "blue" })

describe("Written rows", () => {
  it.each([
    ["a row, by its insertion", (reads: Reads) => reads.addRow(table, { id: "b" }), insertB, true],
    ["another row", (reads: Reads) => reads.addRow(table, { id: "a" }), insertB, false],
    ["a row of that key in another table", (reads: Reads) => reads.addRow(other, { id: "b" }), insertB, false],
    ["rows, one of which is it", (reads: Reads) => reads.addRows(table, [{ id: "a" }, { id: "b" }]), insertB, true],
    ["the list that it enters", (reads: Reads) => reads.addList(table, { group: "blue" }), recolour, true],
    ["the list that it leaves", (reads: Reads) => reads.addList(table, { group: "red" }), recolour, true],
    ["a list of others", (reads: Reads) => reads.addList(table, { group: "green" }), recolour, false],
    [
      "a list of several kinds",
      (reads: Reads) => reads.addList(table, { group: { in: ["green", "red"] } }),
      recolour,
      true
    ],
    ["a list by its tags", (reads: Reads) => reads.addList(table, { tags: { any: ["z"] } }), insertB, true],
    ["a list by other tags", (reads: Reads) => reads.addList(table, { tags: { any: ["x"] } }), insertB, false],
    ["a list by a range", (reads: Reads) => reads.addList(table, { number: { gt: 5 } }), insertB, true],
    [
      "a list by a number and a kind",
      (reads: Reads) => reads.addList(table, { number: 2, group: "red" }),
      insertB,
      false
    ],
    [
      "either of two lists",
      (reads: Reads) => reads.addList(table, [{ group: "green" }, { text: "one" }]),
      insertB,
      true
    ],
    ["a list of nothing", (reads: Reads) => reads.addList(table, []), insertB, false],
    [
      "rows that nobody named",
      (reads: Reads) => reads.addRow(table, { id: "a" }),
      (w: WrittenRows) => w.addTable(table),
      true
    ],
    [
      "such rows of another table",
      (reads: Reads) => reads.addRow(other, { id: "a" }),
      (w: WrittenRows) => w.addTable(table),
      false
    ],
    ["anything", (reads: Reads) => reads.addRow(other, { id: "a" }), (w: WrittenRows) => w.addEverything(), true],
    [
      "what was undone",
      (reads: Reads) => reads.addRow(table, { id: "b" }),
      (w: WrittenRows) => (insertB(w), w.rollback()),
      false
    ]
  ] as const)("%s", (_, read, write, expected) => {
    assert.strictEqual(changes(read, write), expected)
  })

  it("ends with what others have committed", () => {
    const written = new WrittenRows()
    const reads = of((reads) => reads.addRow(table, { id: "a" }))
    written.invalidateAll(5)
    assert.isTrue(written.changedSince(reads, 4))
    assert.isFalse(written.changedSince(reads, 5))
  })

  it("tells rows of a table apart from when something is kept of it", () => {
    const written = new WrittenRows()
    const reads = of((reads) => reads.addRow(table, { id: "a" }))
    written.changedSince(reads, 0)
    written.commit(1)
    insertB(written)
    assert.isFalse(written.tracksRows(table))
    written.commit(2)
    assert.isTrue(written.changedSince(reads, 1))
    insertB(written)
    written.commit(3)
    assert.isFalse(written.changedSince(reads, 2))
  })

  it("is bounded, and takes what it has forgotten for written", () => {
    const written = new WrittenRows()
    written.trackTable(table)
    const reads = of((reads) => reads.addRow(table, { id: "a" }))
    written.changedSince(reads, 0)
    written.commit(1)
    for (let commit = 2; commit < 80; commit++) {
      for (let i = 0; i < 1000; i++) written.addRow(table, undefined, { id: `${commit} ${i}`, group: `${commit} ${i}` })
      written.commit(commit)
    }
    assert.isTrue(written.changedSince(reads, 1))
    assert.isFalse(written.changedSince(reads, 79))
  })

  it("takes a read of very much for one of everything", () => {
    const reads = of((reads) =>
      reads.addRows(
        table,
        Array.from({ length: 3000 }, (_, i) => ({ id: `${i}` }))
      )
    )
    assert.isTrue(reads.isEverything)
    assert.strictEqual(reads.tags.size, 0)
  })
})
