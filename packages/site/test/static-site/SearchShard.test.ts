import { levelCount } from "@lectern/core/storage/SearchIndex"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import * as SearchShard from "../../src/static-site/SearchShard.ts"

const pageLists = fc.tuple(
  ...Array.from({ length: levelCount }, () => fc.uniqueArray(fc.nat(100_000), { maxLength: 5 }))
)
const words = fc
  .uniqueArray(fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 }), { maxLength: 60 })
  .map((all) => all.filter((word) => word.isWellFormed()).sort((a, b) => (a < b ? -1 : 1)))

describe("SearchShard", () => {
  it("decodes what it encoded", () => {
    fc.assert(
      fc.property(words, fc.array(pageLists, { minLength: 60, maxLength: 60 }), (words, lists) => {
        const indexed = words.map((word, i) => ({
          word,
          entries: lists[i]!.map((pages) => pages.toSorted((a, b) => a - b))
        }))
        const shards = SearchShard.encode(indexed)
        assert.deepStrictEqual(
          shards.flatMap(({ bytes }) => [...SearchShard.decode(bytes)]),
          indexed
        )
      }),
      runs(100)
    )
  })

  it("splits many words into parts, each with its first word", () => {
    const indexed = Array.from({ length: 5_000 }, (_, i) => ({
      word: `word${String(i).padStart(5, "0")}`,
      entries: Array.from({ length: levelCount }, (_, level) => (level === i % levelCount ? [i, i + 300] : []))
    }))
    const shards = SearchShard.encode(indexed)
    assert.isAbove(shards.length, 2)
    for (const { firstWord, bytes } of shards) {
      assert.strictEqual(SearchShard.decode(bytes)[0]!.word, firstWord)
      assert.isBelow(bytes.length, 16 * 1024)
    }
  })
})
