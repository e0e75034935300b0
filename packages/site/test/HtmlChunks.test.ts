/** Tests that a page rendered in slices equals the page rendered in one go, and that pauses depend on the output. */
import type { Block } from "@lectern/document/Document"
import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Scheduler } from "effect"
import { countedTurns } from "../../core/test/storage/CountedTurns.ts"
import { hastily } from "../../core/test/storage/HastyClock.ts"
import * as Blocks from "../src/document/Blocks.ts"
import * as HtmlChunks from "../src/html/HtmlChunks.ts"
import type { RenderDependencies } from "../src/document/BlockRenderer.ts"
import { documentOf, everyPart } from "./Drawing.ts"
import { markdown } from "./EveryBlock.ts"

const block = (type: string, nodes: ReadonlyArray<Block>, data = {}): Block => ({
  object: "block",
  type,
  key: type,
  data,
  nodes
})

/** All block types of the vocabulary, also within each kind of container, and within containers in containers. */
const all = documentOf(markdown).nodes
const framed: ReadonlyArray<Block> = [
  block("tabs", [block("tabs-item", all, { title: "One" }), block("tabs-item", all)]),
  block("stepper", [block("stepper-step", all)]),
  block("columns", [block("column", all), block("column", [block("blockquote", [block("hint", all)])])]),
  block("expandable", all),
  block("list-unordered", [
    block("list-item", all),
    block("list-item", [block("list-ordered", [block("list-item", all)])])
  ]),
  block("updates", [block("update", all, { date: "2026-01-01" })]),
  block("reusable-content", all)
]
const long = documentOf(
  `${Array.from({ length: 300 }, (_, n) => `* Item *${n}*\n`).join("")}\n| A | B |\n| - | - |\n${"| **a** | b |\n".repeat(300)}`
).nodes

const text = (text: string) => ({ object: "text" as const, leaves: [{ object: "leaf" as const, text, marks: [] }] })
const inBlock = (type: string, nodes: Block["nodes"], data = {}): Block => ({ ...block(type, [], data), nodes: nodes! })
const paragraph = (...nodes: NonNullable<Block["nodes"]>) => inBlock("paragraph", nodes)
const link = (title: string) => ({
  object: "inline" as const,
  type: "link",
  data: { ref: { kind: "url", url: "https://example.com/" }, title },
  nodes: [text("a link")]
})

/** A table with one column of options, and cells that each name an option. */
const selects = (options: ReadonlyArray<{ readonly value: string; readonly label: string }>, rows: number): Block =>
  block("table", [], {
    definition: { c: { id: "c", title: "Choice", type: "select", options } },
    records: Object.fromEntries(
      Array.from({ length: rows }, (_, n) => [
        `r${n}`,
        { orderIndex: String(n).padStart(6, "0"), values: { c: [`v${n % options.length}`] } }
      ])
    ),
    view: { type: "grid", columns: ["c"] }
  })

const many = <A>(count: number, make: (n: number) => A) => Array.from({ length: count }, (_, n) => make(n))
const signs = "<".repeat(500_000)

/** Pages with one large block, or with many parts of one kind. */
const large: Readonly<Record<string, () => ReadonlyArray<Block>>> = {
  "a long text": () => [paragraph(text(signs))],
  "a title of a link": () => [paragraph(link(signs))],
  "a text in a heading of a tab": () => [block("tabs", [block("tabs-item", [paragraph(text("a"))], { title: signs })])],
  "a line of code": () => [block("code", [inBlock("code-line", [text(signs)])])],
  "lines of code": () => [
    block(
      "code",
      many(100_000, () => inBlock("code-line", [text("a < b && c")]))
    )
  ],
  "code with a title": () => [block("code", [inBlock("code-line", [text("a")])], { title: signs, syntax: signs })],
  "a formula": () => [block("math", [], { formula: signs })],
  "Markdown that says nothing": () => [block("verbatim", [], { markdown: signs })],
  "a caption": () => [block("images", [block("image", [], { caption: signs, alt: signs })])],
  "many texts": () => [paragraph(...many(100_000, (n) => text(`a < ${n}`)))],
  "many links": () => [paragraph(...many(20_000, () => link("A title")))],
  "many items": () => [
    block(
      "list-unordered",
      many(50_000, (n) => block("list-item", [paragraph(text(`Item < ${n}`))]))
    )
  ],
  "tags of an update": () => [
    block("updates", [block("update", [], { tags: many(100_000, (n) => ({ tag: `t${n}` })) })])
  ],
  "a column of options": () => [
    selects(
      many(10_000, (n) => ({ value: `v${n}`, label: `Label ${n}` })),
      30_000
    )
  ],
  "cards of options": () => {
    const table = selects(
      many(10_000, (n) => ({ value: `v${n}`, label: `Label ${n}` })),
      30_000
    )
    return [{ ...table, data: { ...table.data, view: { type: "cards", columns: ["c"] } } }]
  },
  "many columns": () => [
    block("table", [], {
      definition: Object.fromEntries(
        many(20_000, (n) => [`c${n}`, { id: `c${n}`, title: `Title ${n}`, type: "text" }])
      ),
      records: { r: { orderIndex: "a", values: Object.fromEntries(many(20_000, (n) => [`c${n}`, `Value ${n}`])) } },
      view: { type: "grid" }
    })
  ],
  "a cell of many values": () => [
    block("table", [], {
      definition: { c: { id: "c", title: "Choice", type: "select", options: [] } },
      records: { r: { orderIndex: "a", values: { c: many(100_000, (n) => `v${n}`) } } },
      view: { type: "grid", columns: ["c"] }
    })
  ]
}

const inSlices = (parts: RenderDependencies, nodes: ReadonlyArray<Block>) =>
  Effect.runPromise(Effect.map(HtmlChunks.serialize(Blocks.renderPage(parts, nodes)), (all) => all.join("")))

describe("HtmlChunks", () => {
  for (const [name, nodes] of [
    ["every block", all],
    ["every block in frames", framed],
    ["long lists and tables", long],
    ["parts of nothing", Object.keys(blockTypes).map((type) => block(type, all))]
  ] as const) {
    it(`draws ${name} as they are drawn at once`, async () => {
      assert.strictEqual(await inSlices(everyPart, nodes), Blocks.renderPage(everyPart, nodes).text)
    })
  }

  it("draws no block twice, and asks the theme for those that are its own", async () => {
    let asked = 0
    const theme: RenderDependencies["theme"] = {
      hint: (node, rendering) => {
        asked++
        return rendering.blocks(node.nodes ?? [])
      }
    }
    const hints = Array.from({ length: 500 }, () => block("hint", documentOf("A hint").nodes))
    const nodes = [block("blockquote", [block("tabs", [block("tabs-item", hints)])])]
    const parts = { ...everyPart, theme }
    assert.strictEqual(await inSlices(parts, nodes), Blocks.renderPage(parts, nodes).text)
    assert.strictEqual(asked, 1000)
  })

  describe("rests by what is written", () => {
    for (const [name, make] of Object.entries(large)) {
      it(name, async () => {
        const nodes = make()
        const turns = countedTurns()
        const drawn = HtmlChunks.serialize(Blocks.renderPage(everyPart, nodes))
        const text = (await Effect.runPromise(hastily(Effect.provideService(drawn, Scheduler.Scheduler, turns)))).join(
          ""
        )
        assert.isAbove(text.length, 1_000_000)
        // A piece of 16 Ki characters becomes six times as long if all its characters are escaped.
        assert.isAbove(turns.count, text.length / (7 * 16 * 1024))
      })
    }
  })

  it("looks for the option of a cell among all of them once", () => {
    let read = 0
    const options = Array.from({ length: 1_000 }, (_, n) => ({
      get value() {
        read++
        return `v${n}`
      },
      label: `Label ${n}`
    }))
    const text = Blocks.createBlockRenderer(everyPart).blocks([selects(options, 2_000)]).text
    assert.strictEqual(text.match(/Label \d+/g)?.length, 2_000)
    assert.strictEqual(read, options.length)
  })

  it("shows a label that many cells name up to 1,000 characters of it", () => {
    const { text } = Blocks.createBlockRenderer(everyPart).blocks([
      selects([{ value: "v0", label: "l".repeat(100_000) }], 100)
    ])
    assert.isBelow(text.length, 120_000)
  })
})
