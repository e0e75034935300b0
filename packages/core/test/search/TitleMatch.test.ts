/** A page is named by a query if the query has all words of its title: the titles above it count as well. */
import { assert, describe, it } from "@effect/vitest"
import type { MatchedWord } from "@lectern/core/search/SectionMatch"
import * as TitleMatch from "@lectern/core/search/TitleMatch"

const word = (word: string, weight = 1): MatchedWord => ({ needles: [{ word, match: "whole" }], weight })
const words = [word("text"), word("speech"), word("elevenlabs", 2)]

describe("TitleMatch", () => {
  it("tells which words the titles above a page have, and the part of the query that all titles have", () => {
    assert.deepStrictEqual(TitleMatch.match({ title: "ElevenLabs", ancestors: ["Models", "Text-to-Speech"] }, words), {
      ancestors: [true, true, false],
      queryShare: 1
    })
    assert.deepStrictEqual(TitleMatch.match({ title: "ElevenLabs", ancestors: [] }, words), {
      ancestors: [false, false, false],
      queryShare: 0.5
    })
  })

  it("names no page whose title says more than the query, or nothing", () => {
    for (const title of ["ElevenLabs pricing", "?", ""]) {
      assert.strictEqual(TitleMatch.match({ title, ancestors: ["Text-to-Speech"] }, words).queryShare, 0, title)
    }
  })

  it("reads titles as the index does", () => {
    const crème = [{ needles: [{ word: "creme", match: "beginning" as const }], weight: 1 }]
    assert.strictEqual(TitleMatch.match({ title: "Crème", ancestors: [] }, crème).queryShare, 1)
    assert.strictEqual(TitleMatch.match({ title: "東京", ancestors: [] }, [word("東京")]).queryShare, 1)
  })
})
