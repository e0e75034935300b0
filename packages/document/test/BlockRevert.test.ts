import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { describe } from "vitest"
import { revertBlocks } from "@lectern/document/BlockRevert"
import type { Block, Document } from "@lectern/document/Document"
import { paragraph, tree as document } from "../../core/test/content/Documents.ts"
import { runs } from "../../core/test/Runs.ts"

const quote = (key: string, ...nodes: ReadonlyArray<Block>): Block => ({
  object: "block",
  type: "blockquote",
  key,
  nodes
})

const p = (key: string, text = key) => paragraph(key, text)
const before = document(p("a"), p("b"), quote("q", p("q1"), p("q2")), p("c"))

const cases: ReadonlyArray<readonly [name: string, now: Document, keys: ReadonlyArray<string>, expected: Document]> = [
  ["an edited block", document(p("a", "new"), p("b", "new")), ["a"], document(p("a"), p("b", "new"))],
  ["an added block", document(p("a"), p("x"), p("y")), ["x"], document(p("a"), p("y"))],
  [
    "removed blocks, in their order",
    document(p("x"), p("a"), p("c")),
    ["q", "b"],
    document(p("x"), p("a"), p("b"), quote("q", p("q1"), p("q2")), p("c"))
  ],
  ["the first block", document(p("b"), p("x")), ["a"], document(p("a"), p("b"), p("x"))],
  [
    "a block inside another",
    document(p("a"), quote("q", p("q1")), p("c")),
    ["q2"],
    document(p("a"), quote("q", p("q1"), p("q2")), p("c"))
  ],
  [
    "a block together with what it stood in",
    document(p("a")),
    ["q", "q1"],
    document(p("a"), quote("q", p("q1"), p("q2")))
  ],
  ["a block whose surroundings are gone", document(p("a")), ["q1"], document(p("a"), p("q1"))],
  ["what neither has", document(p("a")), ["nothing"], document(p("a"))]
]

describe("BlockRevert", () => {
  for (const [name, now, keys, expected] of cases) {
    it(name, () => assert.deepStrictEqual(revertBlocks(now, before, new Set(keys)), expected))
  }

  it("of every block of flat documents is the earlier set of blocks, in its order", () => {
    const blocks = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"))
    fc.assert(
      fc.property(blocks, blocks, (one, two) => {
        const earlier = one.toSorted()
        const now = two.toSorted()
        const reverted = revertBlocks(
          document(...now.map((key) => p(key, "new"))),
          document(...earlier.map((key) => p(key))),
          new Set("abcdef")
        )
        assert.deepStrictEqual(reverted, document(...earlier.map((key) => p(key))))
      }),
      runs()
    )
  })
})
