import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Document } from "@lectern/core/content/Document"
import { entries } from "@lectern/core/content/document/BlockTree"
import { diff } from "@lectern/core/content/document/DocumentDiff"
import { merge } from "@lectern/core/content/document/DocumentMerge"
import { edited, keys, randomDocument, randomEdits, words } from "./Documents.ts"
import { runs } from "../../Runs.ts"

const threeWay = fc
  .tuple(randomDocument, randomEdits, randomEdits)
  .map(([base, left, right]) => ({ base, main: edited(base, left, "m"), ours: edited(base, right, "o") }))

const check = (property: (sides: { base: Document; main: Document; ours: Document }) => void) =>
  fc.assert(fc.property(threeWay, property), runs(400))

describe("the laws of merging documents", { timeout: 1_800_000 }, () => {
  it("what both sides have is the result", () => {
    check(({ base, main }) =>
      assert.deepStrictEqual(merge({ base, main, ours: main }), { document: main, conflicts: [] })
    )
  })

  it("what one side alone changed is the result", () => {
    check(({ base, main, ours }) => {
      assert.deepStrictEqual(merge({ base, main: base, ours }), { document: ours, conflicts: [] })
      assert.deepStrictEqual(merge({ base, main, ours: base }), { document: main, conflicts: [] })
    })
  })

  it("no text is lost that its side did not delete", () => {
    check(({ base, main, ours }) => {
      const merged = merge({ base, main, ours })
      const kept = new Set(words([merged.document, merged.conflicts]))
      const [inBase, inMain, inOurs] = [new Set(words(base)), new Set(words(main)), new Set(words(ours))]
      for (const word of [...inMain, ...inOurs]) {
        const isOwed = !inBase.has(word) || (inMain.has(word) && inOurs.has(word))
        if (isOwed) assert.isTrue(kept.has(word), word)
      }
    })
  })

  it("no word is there that neither side has, nor one that a side deleted where nobody touched it", () => {
    check(({ base, main, ours }) => {
      const merged = merge({ base, main, ours })
      const known = new Set(words([main, ours]))
      for (const word of words(merged.document)) assert.isTrue(known.has(word), word)
    })
  })

  it("keys are unique and the same blocks stay whichever side is called main", () => {
    check(({ base, main, ours }) => {
      const one = merge({ base, main, ours }).document
      const other = merge({ base, main: ours, ours: main }).document
      const [inOne, inOther] = [new Set(keys(one)), new Set(keys(other))]
      assert.strictEqual(inOne.size, keys(one).length)
      // What both sides inserted alike has the key of the side that is called main.
      const rest = (from: Document, other: ReadonlySet<string>) =>
        entries(from)
          .flatMap(({ block }) => (other.has(block.key) ? [] : [block.type]))
          .toSorted()
      assert.deepStrictEqual(rest(one, inOther), rest(other, inOne))
      assert.strictEqual(inOne.size, inOther.size)
    })
  })

  it("every block stands in a block of a type in which one of the sides has it", () => {
    check(({ base, main, ours }) => {
      const parents = new Map<string, Set<string | undefined>>()
      for (const { block, parent, slot } of [...entries(main), ...entries(ours)]) {
        parents.set(block.key, (parents.get(block.key) ?? new Set()).add(`${parent?.type} ${slot}`))
      }
      for (const { block, parent, slot } of entries(merge({ base, main, ours }).document)) {
        const before = parents.get(block.key)!
        // A paragraph and a heading hold no blocks, so a type that changed is no parent.
        assert.isTrue(before.has(`${parent?.type} ${slot}`), `${block.key} in ${parent?.type}`)
      }
    })
  })

  it("the same sides give the same result", () => {
    check((sides) => {
      const copy = JSON.parse(JSON.stringify(sides)) as typeof sides
      assert.deepStrictEqual(merge(copy), merge(sides))
    })
  })

  it("without a base nothing is lost", () => {
    check(({ main, ours }) => {
      const merged = merge({ base: undefined, main, ours })
      const kept = new Set(words([merged.document, merged.conflicts]))
      for (const word of words([main, ours])) assert.isTrue(kept.has(word), word)
      assert.deepStrictEqual(merge({ base: undefined, main, ours: main }), { document: main, conflicts: [] })
    })
  })

  it("a difference is empty exactly between equal documents", () => {
    check(({ base, main }) => {
      assert.deepStrictEqual(diff(main, main), [])
      assert.strictEqual(diff(base, main).length === 0, JSON.stringify(base) === JSON.stringify(main))
    })
  })
})
