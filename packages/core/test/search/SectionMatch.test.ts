import { assert, describe, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import * as SectionMatch from "@lectern/core/search/SectionMatch"
import { sectionsOf } from "@lectern/document/Sections"
import { parseQuery } from "@lectern/core/search/SearchWords"

let keys = 0
const block = (type: string, text: string, nodes: ReadonlyArray<Block> = []): Block => ({
  object: "block",
  type,
  key: `k${keys++}`,
  nodes: nodes.length > 0 ? nodes : [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
})
const document = (...nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })

describe("Sections", () => {
  it("cuts a document at its headings, also at those inside of blocks", () => {
    const sections = sectionsOf(
      document(
        block("paragraph", "Before"),
        block("heading-1", "One"),
        block("paragraph", "Of one"),
        block("hint", "", [block("paragraph", "Hint"), block("heading-2", "Inside"), block("paragraph", "Of inside")]),
        block("paragraph", "After"),
        block("heading-1", "One")
      )
    )
    assert.deepStrictEqual(sections, [
      { anchor: undefined, title: "", text: "Before" },
      { anchor: "one", title: "One", text: "Of one\nHint" },
      { anchor: "inside", title: "Inside", text: "Of inside\nAfter" },
      { anchor: "one-1", title: "One", text: "" }
    ])
  })
})

/** Words that are worth less the later they stand in the query. */
const asked = (query: string) => parseQuery(query, "en").map(({ needles }, i) => ({ needles, weight: 1 / (1 + i) }))

describe("SectionMatch", () => {
  const read = (title: string, text: string) => SectionMatch.prepare({ anchor: title, title, text })
  const matching = (query: string, ...sections: ReadonlyArray<SectionMatch.PreparedSection>) =>
    SectionMatch.matchSections(sections, asked(query)).map(({ section, isHeadingMatch }) => [
      section.title,
      isHeadingMatch
    ])

  it("shows the sections that have all the words, or else those that have most", () => {
    const sections = [read("Setup", "Install the café"), read("Use", "Install"), read("End", "Nothing")]
    assert.deepStrictEqual(matching("install cafe", ...sections), [["Setup", false]])
    assert.deepStrictEqual(matching("nothing cafe", ...sections), [
      ["End", false],
      ["Setup", false]
    ])
    assert.deepStrictEqual(matching("nothing there cafe", ...sections), [["End", false]])
    assert.deepStrictEqual(matching("installing", ...sections), [
      ["Setup", false],
      ["Use", false]
    ])
    assert.deepStrictEqual(matching("set", ...sections), [["Setup", true]])
    assert.deepStrictEqual(matching("stall", ...sections), [])
    const many = Array.from({ length: 30 }, (_, i) => read(`S${i}`, "word"))
    assert.strictEqual(matching("word", ...many).length, SectionMatch.maxSections)
  })

  it("shows the text around the word, in one line and bounded", () => {
    const excerpt = (query: string, text: string) => SectionMatch.excerpt(read("", text), asked(query))
    assert.strictEqual(excerpt("b", "a\n\n b  "), "a b")
    assert.strictEqual(excerpt("b", "\ta b\u00a0c  \r\n d e \n"), "a b c d e")
    const long = `${"before ".repeat(100)}the needle stands here ${"after ".repeat(100)}`
    const shown = excerpt("needle", long)
    assert.include(shown, "the needle stands here")
    assert.isTrue(shown.startsWith("… before") && shown.endsWith("…"))
    assert.isAtMost(shown.length, SectionMatch.excerptLength + 4)
    assert.isTrue(excerpt("before", long).startsWith("before before"))
    // The word that is worth most counts, wherever it stands in the text or in the query.
    assert.include(excerpt("needle after", `${"after ".repeat(100)}${long}`), "the needle stands here")
    const rare = asked("after needle").map((word, i) => ({ ...word, weight: 1 + i }))
    assert.include(SectionMatch.excerpt(read("", long), rare), "the needle stands here")
    for (let shift = 0; shift < 4; shift++) {
      const emoji = `${"x".repeat(shift)}${"🙂".repeat(400)} ﷺ word ${"🙂".repeat(400)}`
      assert.isTrue(excerpt("word", emoji).isWellFormed())
      assert.notInclude(excerpt("word", emoji), "\ufffd")
    }
  })
})
