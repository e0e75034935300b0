import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { Block, ContentRef, Data, Document } from "@lectern/document/Document"
import { mergeDocuments, resolve } from "@lectern/document/merge/DocumentMerge"
import {
  block,
  code,
  document,
  find,
  fragment,
  heading,
  keys,
  link,
  list,
  paragraph,
  table,
  text
} from "./Documents.ts"

const [a, b, c] = [paragraph("a", "The first one"), paragraph("b", "The second one"), paragraph("c", "The third one")]
const base = document(a, b, c)
const x = paragraph("x", "Of main")
const y = paragraph("y", "Of ours")

interface Case {
  readonly name: string
  readonly base: Document
  readonly main: Document
  readonly ours: Document
  readonly merged: Document
  /** The keys of the conflicts. */
  readonly conflicts?: ReadonlyArray<string>
}

const lines = (...values: ReadonlyArray<string>) => document(code("k", ...values))
const hint = (style: string, ...nodes: ReadonlyArray<Block>) => block("hint", "h", nodes, { style })
const quote = (key: string, ...nodes: ReadonlyArray<Block>) => block("blockquote", key, nodes)
const tab = (key: string, title: string) => block("tabs-item", key, [paragraph(`${key}.p`, title)], { title })
const expandable = (...body: ReadonlyArray<Block>): Block => ({
  object: "block",
  type: "expandable",
  key: "e",
  fragments: [fragment("expandable-title", a), fragment("expandable-body", ...body)]
})

const embed = (key: string, fragments?: Block["fragments"]): Block => ({
  ...block("embed", key, [], { url: "https://example.com/" }),
  ...(fragments && { fragments })
})
const contentRef = (ref: ContentRef) => block("content-ref", "e", [], { ref })
const column = (width: Data) => block("columns", "cs", [block("column", "c", [a], { width })])
const drawn = (key: string) => block("integration", key, [], { url: "https://example.com/", integration: "a" })

const [one, two] = list("l", "one", "two").nodes as ReadonlyArray<Block> as [Block, Block]
const numbers = (...items: ReadonlyArray<Block>) => block("list-ordered", "l", items, {})
const bullets = (...items: ReadonlyArray<Block>) => block("list-unordered", "l", items, {})

const cases: ReadonlyArray<Case> = [
  {
    name: "an anchor for a heading that is none on the other side",
    base: document(block("heading-1", "h", [text("Of old")], {})),
    main: document(block("heading-1", "h", [text("Of old")], { id: "old" })),
    ours: document(block("paragraph", "h", [text("Of old")], {})),
    merged: document(block("paragraph", "h", [text("Of old")], {})),
    conflicts: ["h"]
  },
  {
    name: "edits of different blocks",
    base,
    main: document(paragraph("a", "The 1st one"), b, c),
    ours: document(a, b, paragraph("c", "The 3rd one")),
    merged: document(paragraph("a", "The 1st one"), b, paragraph("c", "The 3rd one"))
  },
  {
    name: "a caption that one side added to what the other made another block",
    base: document(embed("e")),
    main: document(embed("e", [fragment("caption", c)])),
    ours: document(drawn("e")),
    merged: document({ ...drawn("e"), fragments: [fragment("caption", c)] }),
    conflicts: ["e"]
  },
  {
    name: "a reference of which one side named another page and the other another space: one of the two",
    base: document(contentRef({ kind: "page", page: "a" })),
    main: document(contentRef({ kind: "page", page: "b" })),
    ours: document(contentRef({ kind: "page", page: "a", space: "s" })),
    merged: document(contentRef({ kind: "page", page: "a", space: "s" })),
    conflicts: ["e"]
  },
  {
    name: "a width of which one side changed the number and the other the unit: one of the two",
    base: document(column({ unit: "%", value: 20 })),
    main: document(column({ unit: "%", value: 30 })),
    ours: document(column({ unit: "px", value: 20 })),
    merged: document(column({ unit: "px", value: 20 })),
    conflicts: ["c"]
  },
  {
    name: "edits of different words of a block",
    base: document(paragraph("p", "The quick brown fox jumps over the lazy dog")),
    main: document(paragraph("p", "The slow brown fox jumps over the lazy dog")),
    ours: document(paragraph("p", "The quick brown fox jumps over the sleeping dog")),
    merged: document(paragraph("p", "The slow brown fox jumps over the sleeping dog"))
  },
  {
    name: "edits of the same word: ours stays, and what main changed elsewhere",
    base: document(paragraph("p", "The quick brown fox jumps")),
    main: document(paragraph("p", "The slow brown fox sleeps")),
    ours: document(paragraph("p", "The clever brown fox jumps")),
    merged: document(paragraph("p", "The clever brown fox sleeps")),
    conflicts: ["p"]
  },
  {
    name: "the same edit on both sides",
    base: document(paragraph("p", "The quick brown fox")),
    main: document(paragraph("p", "The slow brown fox")),
    ours: document(paragraph("p", "The slow brown fox runs")),
    merged: document(paragraph("p", "The slow brown fox runs"))
  },
  {
    name: "a mark and a word",
    base: document(paragraph("p", "Read the manual first")),
    main: document(paragraph("p", text("Read the "), text("manual", "bold"), text(" first"))),
    ours: document(paragraph("p", "Always read the manual first please")),
    merged: document(
      paragraph("p", {
        object: "text",
        leaves: [...text("Always read the ").leaves, ...text("manual", "bold").leaves, ...text(" first please").leaves]
      })
    )
  },
  {
    name: "a link that main changed whole, in a text that ours edited",
    base: document(paragraph("p", "See ", link("the docs", "/old"), " for more.")),
    main: document(paragraph("p", "See ", link("the docs", "/new"), " for more.")),
    ours: document(paragraph("p", "See ", link("the docs", "/old"), " for details.")),
    merged: document(paragraph("p", "See ", link("the docs", "/new"), " for details."))
  },
  {
    name: "text without spaces, character by character",
    base: document(paragraph("p", "文書を公開する")),
    main: document(paragraph("p", "資料を公開する")),
    ours: document(paragraph("p", "文書を公開した")),
    merged: document(paragraph("p", "資料を公開した"))
  },
  {
    name: "text and data of a block",
    base: document(heading("t", "Title")),
    main: document({ ...heading("t", "Title"), data: { id: "anchor" } }),
    ours: document(heading("t", "New title")),
    merged: document({ ...heading("t", "New title"), data: { id: "anchor" } })
  },
  {
    name: "the level and the text of a heading",
    base: document(heading("t", "Title")),
    main: document(heading("t", "Title", 2)),
    ours: document(heading("t", "New title")),
    merged: document(heading("t", "New title", 2))
  },
  {
    name: "the same property of the data",
    base: document(hint("info", a)),
    main: document(hint("warning", a)),
    ours: document(hint("danger", a, y)),
    merged: document(hint("danger", a, y)),
    conflicts: ["h"]
  },
  {
    name: "insertions at one place: main's first",
    base,
    main: document(a, x, b, c),
    ours: document(a, y, b, c),
    merged: document(a, x, y, b, c)
  },
  {
    name: "the same insertion, once",
    base,
    main: document(a, paragraph("m1", "New"), b, c, x),
    ours: document(a, paragraph("o1", "New"), y, b, c),
    merged: document(a, paragraph("m1", "New"), y, b, c, x)
  },
  {
    name: "the same wrapping, once",
    base,
    main: document(quote("q1", a), b, c),
    ours: document(quote("q2", a), b, paragraph("c", "Third")),
    merged: document(quote("q1", a), b, paragraph("c", "Third"))
  },
  {
    name: "a move and an edit",
    base,
    main: document(b, c, a),
    ours: document(paragraph("a", "The very first one"), b, c),
    merged: document(b, c, paragraph("a", "The very first one"))
  },
  {
    name: "a move into a quote and an edit",
    base,
    main: document(quote("q", a), b, c),
    ours: document(paragraph("a", "The very first one"), b, c),
    merged: document(quote("q", paragraph("a", "The very first one")), b, c)
  },
  {
    name: "a quote taken away around what main edited",
    base: document(quote("q", a), b),
    main: document(quote("q", paragraph("a", "The very first one")), b),
    ours: document(a, b),
    merged: document(paragraph("a", "The very first one"), b)
  },
  {
    name: "two moves that would put two quotes into each other",
    base: document(quote("q", a), quote("r", b)),
    main: document(quote("r", b, quote("q", a))),
    ours: document(quote("q", a, quote("r", b))),
    merged: document(quote("q", a, quote("r", b)))
  },
  {
    name: "a deletion",
    base,
    main: document(a, c),
    ours: document(a, b, c, y),
    merged: document(a, c, y)
  },
  {
    name: "a deletion by ours of what main edited: it stays",
    base,
    main: document(a, paragraph("b", "The other one"), c),
    ours: document(a, c),
    merged: document(a, paragraph("b", "The other one"), c),
    conflicts: ["b"]
  },
  {
    name: "a deletion by main of what ours edited: it stays",
    base,
    main: document(a, c),
    ours: document(a, paragraph("b", "The other one"), c),
    merged: document(a, paragraph("b", "The other one"), c),
    conflicts: ["b"]
  },
  {
    name: "a deletion of a list in which the other side edited an item: the list stays, whole",
    base: document(a, list("l", "one", "two")),
    main: document(a, list("l", "one", "two more")),
    ours: document(a),
    merged: document(a, list("l", "one", "two more")),
    conflicts: ["l"]
  },
  {
    name: "a deletion of a quote into which the other side put something",
    base: document(quote("q", a), b),
    main: document(quote("q", a, x), b),
    ours: document(b),
    merged: document(quote("q", a, x), b),
    conflicts: ["q"]
  },
  {
    name: "the items of a list, deleted by both in turn: no empty list stays",
    base: document(a, list("l", "one", "two")),
    main: document(a, block("list-unordered", "l", [list("l", "one", "two").nodes![0]!])),
    ours: document(a, block("list-unordered", "l", [list("l", "one", "two").nodes![1]!])),
    merged: document(a)
  },
  {
    name: "a list that main emptied and ours made bullets: it is none without an item",
    base: document(a, numbers(one, two)),
    main: document(a, numbers()),
    ours: document(a, bullets(one, two)),
    merged: document(a)
  },
  {
    name: "a list that main emptied and ours left as it was",
    base: document(a, numbers(one, two)),
    main: document(a, numbers()),
    ours: document(a, numbers(one, two), y),
    merged: document(a, numbers(), y)
  },
  {
    name: "a list that each side made another, and of which each deleted another item",
    base: document(a, numbers(one, two)),
    main: document(a, block("list-tasks", "l", [one])),
    ours: document(a, bullets(two)),
    merged: document(a)
  },
  {
    name: "a list that main took away around its text, and ours made bullets",
    base: document(numbers(block("list-item", "i", [a]))),
    main: document(a),
    ours: document(bullets(block("list-item", "i", [a]))),
    merged: document(a)
  },
  {
    name: "lines of code",
    base: lines("one", "two", "three"),
    main: lines("one!", "two", "three"),
    ours: lines("one", "two", "three and four"),
    merged: lines("one!", "two", "three and four")
  },
  {
    name: "one line of code, in different words: a line is one thing",
    base: lines("if (a && b) return"),
    main: lines("if (c && b) return"),
    ours: lines("if (a && b) throw"),
    merged: lines("if (a && b) throw"),
    conflicts: ["k.0"]
  },
  {
    name: "tabs",
    base: document(block("tabs", "t", [tab("t1", "One"), tab("t2", "Two")])),
    main: document(block("tabs", "t", [tab("t2", "Two"), tab("t1", "One")])),
    ours: document(block("tabs", "t", [tab("t1", "One"), tab("t2", "Two"), tab("t3", "Three")])),
    merged: document(block("tabs", "t", [tab("t2", "Two"), tab("t1", "One"), tab("t3", "Three")]))
  },
  {
    name: "fragments",
    base: document(expandable(b)),
    main: document(expandable(b, x)),
    ours: document(expandable(paragraph("b", "The last one"))),
    merged: document(expandable(paragraph("b", "The last one"), x))
  },
  {
    name: "cells and rows of a table",
    base: document(table("t", ["A", "B"], [["1", "2"]])),
    main: document(table("t", ["A", "B"], [["one", "2"]])),
    ours: document(
      table(
        "t",
        ["A", "B"],
        [
          ["1", "two"],
          ["3", "4"]
        ]
      )
    ),
    merged: document(
      table(
        "t",
        ["A", "B"],
        [
          ["one", "two"],
          ["3", "4"]
        ]
      )
    )
  }
]

describe("merging documents", () => {
  it.each(cases)("$name", ({ base, conflicts = [], main, merged, ours }) => {
    const result = mergeDocuments({ base, main, ours })
    assert.deepStrictEqual(result.document, merged)
    assert.deepStrictEqual(
      result.conflicts.map(({ inside: _, ...conflict }) => conflict),
      conflicts.map((key) => ({
        block: key,
        base: find(base, key),
        main: find(main, key),
        ours: find(ours, key)
      }))
    )
  })

  it("says which row it is that ours deleted and main edited", () => {
    const rows = [
      ["1", "2"],
      ["3", "4"]
    ]
    const main = table("t", ["A", "B"], [rows[0]!, ["3", "four"]])
    const result = mergeDocuments({
      base: document(table("t", ["A", "B"], rows)),
      main: document(main),
      ours: document(table("t", ["A", "B"], [rows[0]!]))
    })
    assert.deepStrictEqual(result.document, document(main))
    const { records } = main.data as { readonly records: Record<string, unknown> }
    const row = (value: Block | undefined) => value?.data?.["records"]
    assert.deepStrictEqual(
      result.conflicts.map(({ base: _, main, ours, ...about }) => ({ ...about, main: row(main), ours })),
      [{ block: "t", row: "t-r1", main: { "t-r1": records["t-r1"] }, ours: undefined }]
    )
  })

  it("keeps both documents where there is no base", () => {
    const result = mergeDocuments({
      base: undefined,
      main: document(a, x),
      ours: document(paragraph("o", "The first one"), y)
    })
    assert.deepStrictEqual(result, { document: document(a, x, y), conflicts: [] })
  })

  it("merges 20,000 blocks in one another", () => {
    const deep = (word: string) => {
      let value = paragraph("k0", word)
      for (let i = 1; i < 20_000; i++) value = block("blockquote", `k${i}`, [value])
      return document(value)
    }
    const result = mergeDocuments({ base: deep("one"), main: deep("two"), ours: document(...deep("one").nodes, y) })
    assert.deepStrictEqual(find(result.document, "k0"), paragraph("k0", "two"))
  })

  it("gives blocks that share a key keys of their own", () => {
    const twice = document(a, paragraph("a", "Again"))
    assert.deepStrictEqual(keys(mergeDocuments({ base, main: base, ours: twice }).document), ["a", "a-2"])
  })
})

describe("resolving a conflict", () => {
  const main = document(a, paragraph("b", "The slow one"), c)
  const ours = document(a, paragraph("b", "The fast one"), c)
  const { conflicts, document: merged } = mergeDocuments({ base, main, ours })
  const nextKey = () => "fresh"
  const settle = (keep: "main" | "ours" | "both", value = merged, conflict = conflicts[0]!) =>
    Result.getOrThrow(resolve(value, conflict, keep, nextKey))

  it("keeps ours", () => assert.deepStrictEqual(settle("ours"), ours))
  it("keeps main's", () => assert.deepStrictEqual(settle("main"), main))
  it("keeps both, main's first", () =>
    assert.deepStrictEqual(
      settle("both"),
      document(a, paragraph("b", "The slow one"), paragraph("fresh", "The fast one"), c)
    ))

  it("keeps what is inside a block of which main's data is kept", () => {
    const conflict = mergeDocuments({
      base: document(hint("info", a)),
      main: document(hint("warning", a)),
      ours: document(hint("danger", a, y))
    })
    assert.deepStrictEqual(settle("main", conflict.document, conflict.conflicts[0]!), document(hint("warning", a, y)))
  })

  it("settles a deletion either way", () => {
    const edited = paragraph("b", "The other one")
    const ofMain = mergeDocuments({ base, main: document(a, edited, c), ours: document(a, c) })
    assert.deepStrictEqual(settle("ours", ofMain.document, ofMain.conflicts[0]!), document(a, c))
    assert.deepStrictEqual(settle("main", ofMain.document, ofMain.conflicts[0]!), document(a, edited, c))
    assert.deepStrictEqual(settle("both", ofMain.document, ofMain.conflicts[0]!), document(a, edited, c))
    const ofOurs = mergeDocuments({ base, main: document(a, c), ours: document(a, edited, c) })
    assert.deepStrictEqual(settle("main", ofOurs.document, ofOurs.conflicts[0]!), document(a, c))
    assert.deepStrictEqual(settle("ours", ofOurs.document, ofOurs.conflicts[0]!), document(a, edited, c))
  })

  it("is refused when the block is gone", () => {
    assert.deepStrictEqual(
      resolve(document(a), conflicts[0]!, "main", nextKey),
      Result.fail({ message: "Block b is no longer in the document" })
    )
  })
})
