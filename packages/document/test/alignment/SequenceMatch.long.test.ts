/** Matching over very many pairs of sequences. Takes about a minute. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as Words from "@lectern/document/alignment/Words"
import { runs } from "../../../core/test/Runs.ts"
import { checkAgainstNaive, checkedMatch, twoSequences } from "./SequencePairs.ts"

describe("matching two sequences, long", () => {
  it("rises, pairs equals, and is the best where the difference is small", () => {
    fc.assert(
      fc.property(twoSequences(60), ([previous, next]) => checkAgainstNaive(previous, next)),
      runs(9_700, 97_000)
    )
    fc.assert(
      fc.property(twoSequences(1200), ([previous, next]) => checkAgainstNaive(previous, next)),
      runs(300, 3_000)
    )
  })

  it("takes the words of any page of the manual against those of any other", () => {
    const docs = fileURLToPath(new URL("../../../../docs", import.meta.url))
    const pages = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"))
    assert.isAbove(pages.length, 20)
    const numbers = new Map<string, number>()
    const words = pages.map((name) =>
      Words.splitWords(readFileSync(join(docs, name), "utf8")).map((word) => {
        const known = numbers.get(word) ?? numbers.size
        numbers.set(word, known)
        return known
      })
    )
    for (const one of words) for (const other of words) checkedMatch(one, other)
  })
})
