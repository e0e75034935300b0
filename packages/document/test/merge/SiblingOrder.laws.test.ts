/** Tests laws of the order of siblings that two sides changed. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import { mergeOrder } from "@lectern/document/merge/SiblingOrder"

const all = () => true

const behind = (keys: ReadonlyArray<string>, key: string): string | undefined => keys[keys.indexOf(key) - 1]

/** True if an inserted key follows the key that it was inserted after, or stayed last with it. */
const isInPlace = (
  merged: ReadonlyArray<string>,
  side: ReadonlyArray<string>,
  key: string,
  base: ReadonlyArray<string>
) => {
  if (behind(merged, key) === behind(side, key)) return true
  const appended = side.slice(side.findLastIndex((one) => base.includes(one)) + 1)
  return appended[0] === key && merged.slice(-appended.length).join() === appended.join()
}

/** Returns a list with keys inserted after some of its keys, or at its start. */
const withInserted = (base: ReadonlyArray<string>, places: ReadonlyArray<number>, name: string): Array<string> => {
  const result = [...base]
  for (const [i, place] of places.entries()) result.splice(place % (result.length + 1), 0, `${name}${i}`)
  return result
}

const lists = fc
  .tuple(
    fc.integer({ min: 0, max: 12 }),
    fc.array(fc.nat(30), { maxLength: 5 }),
    fc.array(fc.nat(30), { maxLength: 5 })
  )
  .chain(([size, inserted, more]) => {
    const base = Array.from({ length: size }, (_, i) => String(i))
    const shuffled = fc.shuffledSubarray(base, { minLength: size, maxLength: size })
    return fc.record({
      base: fc.constant(base),
      other: fc.oneof(shuffled, fc.constant(base.toReversed())),
      inserted: fc.constant(withInserted(base, inserted, "x")),
      more: fc.constant(more)
    })
  })

describe("The order of siblings", () => {
  it("puts what a side inserted behind what it was inserted behind, however the other side ordered the rest", () => {
    fc.assert(
      fc.property(lists, ({ base, other, inserted }) => {
        for (const merged of [mergeOrder(base, inserted, other, all), mergeOrder(base, other, inserted, all)]) {
          assert.deepStrictEqual(
            merged.filter((key) => base.includes(key)),
            other
          )
          for (const key of inserted) {
            if (!base.includes(key)) assert.isTrue(isInPlace(merged, inserted, key, base), `${key} in ${merged}`)
          }
        }
      }),
      runs(500)
    )
  })

  it("keeps what a side appended last where the other side moved what was last", () => {
    const base = ["a", "b", "c"]
    const [appended, moved] = [
      [...base, "x", "y"],
      ["c", "a", "b"]
    ]
    assert.deepStrictEqual(mergeOrder(base, appended, moved, all), ["c", "a", "b", "x", "y"])
    assert.deepStrictEqual(mergeOrder(base, moved, appended, all), ["c", "a", "b", "x", "y"])
    assert.deepStrictEqual(mergeOrder(base, base.toReversed(), ["a", "x", "b", "c"], all), ["c", "b", "a", "x"])
    assert.deepStrictEqual(mergeOrder(base, base.toReversed(), ["a", "b", "x", "c"], all), ["c", "b", "x", "a"])
  })

  it("keeps it so where the other side inserts as well, but for what that put behind the same", () => {
    fc.assert(
      fc.property(lists, ({ base, other, inserted, more }) => {
        const both = withInserted(other, more, "y")
        for (const merged of [mergeOrder(base, inserted, both, all), mergeOrder(base, both, inserted, all)]) {
          assert.sameMembers(merged, [...new Set([...inserted, ...both])])
          const of = (name: string) => merged.filter((key) => base.includes(key) || key.startsWith(name))
          for (const [side, name] of [
            [inserted, "x"],
            [both, "y"]
          ] as const) {
            for (const key of side) {
              if (key.startsWith(name)) assert.isTrue(isInPlace(of(name), side, key, base), `${key} in ${merged}`)
            }
          }
        }
      }),
      runs(500)
    )
  })

  it("of two sides that moved and inserted holds each key once", () => {
    fc.assert(
      fc.property(lists, lists, (one, two) => {
        const [base] = one.base.length < two.base.length ? [one.base] : [two.base]
        const side = ({ other, more }: typeof one, name: string) =>
          withInserted(
            other.filter((key) => base.includes(key)),
            more,
            name
          )
        const [main, ours] = [side(one, "x"), side(two, "y")]
        const merged = mergeOrder(base, main, ours, all)
        assert.sameMembers(merged, [...new Set([...main, ...ours])])
        assert.lengthOf(merged, new Set(merged).size)
      }),
      runs(500)
    )
  })
})
