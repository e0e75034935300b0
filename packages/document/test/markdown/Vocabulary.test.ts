import { assert, describe, it } from "@effect/vitest"
import { brokenLaw, parse, print, shape } from "./laws.ts"
import { rows, verbatim } from "./Vocabulary.ts"

describe("the blocks of the hosted service", () => {
  for (const { name, markdown, blocks, written } of rows) {
    it(name, () => {
      const parsed = parse(markdown)
      assert.deepStrictEqual(shape(parsed.document), JSON.parse(JSON.stringify(blocks)))
      assert.strictEqual(print(parsed), `${written ?? markdown}\n`)
      assert.isUndefined(brokenLaw(markdown))
    })
  }

  for (const markdown of verbatim) {
    it(`keeps ${markdown}`, () => {
      assert.strictEqual(print(parse(markdown)), `${markdown}\n`)
      assert.isUndefined(brokenLaw(markdown))
    })
  }
})
