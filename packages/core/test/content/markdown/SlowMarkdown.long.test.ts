/** No text of 64 KiB takes much longer to parse than many short paragraphs do: a search finds none. */
import { assert, describe, it } from "@effect/vitest"
import { seed } from "../../Runs.ts"
import { parseCost, search, textOf } from "./SlowMarkdown.ts"

const paragraphs = textOf({ start: "", parts: ["a", "\n\n"], end: "" })

describe("the slowest Markdown", { timeout: 600_000 }, () => {
  it("is not much slower than paragraphs of one letter", () => {
    parseCost(paragraphs, 5)
    const [slowest] = search(parseCost, seed, 1000)
    const ratio = parseCost(textOf(slowest!.recipe), 5) / parseCost(paragraphs, 5)
    assert.isAtMost(ratio, 5, JSON.stringify(slowest))
  })
})
