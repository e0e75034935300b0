import { assert, describe, it } from "@effect/vitest"
import { diff } from "@lectern/core/content/document/DocumentDiff"
import { block, document, heading, link, list, paragraph, text } from "./Documents.ts"

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
      { kind: "moved", block: "a", before: a, after: a }
    ])
  })
})
