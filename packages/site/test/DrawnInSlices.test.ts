/** A page that is drawn in slices is the page that is drawn at once. */
import type { Block } from "@lectern/document/Document"
import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Blocks from "../src/document/Blocks.ts"
import * as DrawnInSlices from "../src/document/DrawnInSlices.ts"
import type { Parts } from "../src/document/Rendering.ts"
import { documentOf, everyPart } from "./Drawing.ts"
import { markdown } from "./EveryBlock.ts"

const block = (type: string, nodes: ReadonlyArray<Block>, data = {}): Block => ({
  object: "block",
  type,
  key: type,
  data,
  nodes
})

/** All blocks of the vocabulary, again within each kind of frame, and within frames of frames. */
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

const inSlices = (parts: Parts, nodes: ReadonlyArray<Block>) =>
  Effect.runPromise(Effect.map(DrawnInSlices.draw(parts, nodes), ({ text }) => text))

describe("DrawnInSlices", () => {
  for (const [name, nodes] of [
    ["every block", all],
    ["every block in frames", framed],
    ["long lists and tables", long],
    ["parts of nothing", Object.keys(blockTypes).map((type) => block(type, all))]
  ] as const) {
    it(`draws ${name} as they are drawn at once`, async () => {
      assert.strictEqual(await inSlices(everyPart, nodes), Blocks.page(everyPart, nodes).text)
    })
  }

  it("draws no block twice, and asks the theme for those that are its own", async () => {
    let asked = 0
    const theme: Parts["theme"] = {
      hint: (node, rendering) => {
        asked++
        return rendering.blocks(node.nodes ?? [])
      }
    }
    const hints = Array.from({ length: 500 }, () => block("hint", documentOf("A hint").nodes))
    const nodes = [block("blockquote", [block("tabs", [block("tabs-item", hints)])])]
    const parts = { ...everyPart, theme }
    assert.strictEqual(await inSlices(parts, nodes), Blocks.page(parts, nodes).text)
    assert.strictEqual(asked, 1000)
  })
})
