/** No text of 64 KiB takes much longer to read or to print than many short paragraphs do: a search finds none. */
import { assert, describe, it } from "@effect/vitest"
import { seed } from "../../../core/test/Runs.ts"
import { parseCost, printCost, search, textOf } from "./SlowMarkdown.ts"

const paragraphs = textOf({ start: "", parts: ["a", "\n\n"], end: "" })

describe("the slowest Markdown", () => {
  for (const [name, costOf] of [
    ["read", parseCost],
    ["print", printCost]
  ] as const) {
    it(`is not much slower to ${name} than paragraphs of one letter`, () => {
      costOf(paragraphs, 5)
      const [slowest] = search(costOf, seed, 400)
      const ratio = costOf(textOf(slowest!.recipe), 5) / costOf(paragraphs, 5)
      assert.isAtMost(ratio, 5, JSON.stringify(slowest))
    })
  }
})
