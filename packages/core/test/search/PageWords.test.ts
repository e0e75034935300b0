import { assert, describe, it } from "@effect/vitest"
import { Language } from "@lectern/core/schema/Language"
import { wordsOf } from "@lectern/core/search/PageWords"
import { isWord } from "@lectern/core/storage/SearchIndex"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

const page = { title: "A page" }

describe("PageWords", () => {
  it("keeps no word that is longer once its letters are plain", () => {
    const text = `Letters: ${"æ".repeat(40)} and ${"ß".repeat(33)}1`
    const words = wordsOf(page, [{ title: "", anchor: "", text }], undefined).flat()
    assert.isTrue(words.includes("ae".repeat(32)))
    assert.isTrue(words.includes("ss".repeat(32)))
    assert.isTrue(words.every(isWord))
  })

  it("finds only words that an index can keep, in any text of any language", () => {
    const long = fc.string({ unit: fc.constantFrom(..."aZ1æßœþŉİﬃㅎ한𝒜𐐨é-./"), minLength: 30, maxLength: 140 })
    const text = fc.array(fc.oneof(long, fc.string({ unit: "binary", maxLength: 80 })), { maxLength: 3 })
    fc.assert(
      fc.property(fc.constantFrom(...Language.literals), text, (language, texts) => {
        const words = wordsOf(page, [{ title: texts[0] ?? "", anchor: "", text: texts.join(" ") }], language).flat()
        assert.deepStrictEqual(
          words.filter((word) => !isWord(word)),
          []
        )
      }),
      runs(1_000)
    )
  })
})
