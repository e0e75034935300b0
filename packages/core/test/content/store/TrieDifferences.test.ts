import { assert, describe, it } from "@effect/vitest"
import * as TrieDifferences from "@lectern/core/content/store/TrieDifferences"
import * as TrieUpdate from "@lectern/core/content/store/TrieUpdate"
import { Objects } from "@lectern/core/content/store/Objects"
import { Effect, Schema, Stream } from "effect"
import { checks } from "../../Runs.ts"
import { layer } from "./MemoryObjects.ts"

const Edits = Schema.Array(
  Schema.Tuple([Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })), Schema.NullOr(Schema.Int)])
)

/** Differences between two maps, by key. */
const expected = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) =>
  Array.from(new Set([...before.keys(), ...after.keys()]))
    .sort()
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => ({ key, before: before.get(key), after: after.get(key) }))

describe("TrieDifferences", () => {
  it.effect.prop(
    "finds all that differs between two maps, in slices, whatever their sizes",
    [Edits, Edits, Schema.Boolean],
    ([first, second, isLarge]) =>
      Effect.gen(function* () {
        const draft = (yield* Objects).draft()
        const many = Array.from({ length: isLarge ? 700 : 0 }, (_, i) => [`m${i}`, i] as const)
        // JSON has no negative zero: adding nothing makes it a plain one.
        const changes = (edits: typeof first) =>
          edits.map(([key, value]) => [`k${key}`, value === null ? undefined : value + 0] as const)
        const edited = (
          map: ReadonlyMap<string, number>,
          edits: ReadonlyArray<readonly [string, number | undefined]>
        ) => {
          const next = new Map(map)
          for (const [key, value] of edits) {
            if (value === undefined) next.delete(key)
            else next.set(key, value)
          }
          return next
        }
        const empty = { root: null, map: new Map<string, number>() }
        const before = {
          root: yield* TrieUpdate.update(draft, null, new Map(changes(first))),
          map: edited(empty.map, changes(first))
        }
        const after = {
          root: yield* TrieUpdate.update(draft, before.root, new Map([...changes(second), ...many])),
          map: edited(before.map, [...changes(second), ...many])
        }
        for (const [a, b] of [
          [before, after],
          [after, before],
          [empty, after]
        ] as const) {
          const slices = yield* Stream.runCollect(TrieDifferences.inSlices<number>(draft, a.root, b.root))
          const found = slices.flat().sort((x, y) => (x.key < y.key ? -1 : 1))
          assert.deepStrictEqual(found, expected(a.map, b.map))
          assert.deepStrictEqual(yield* TrieDifferences.all<number>(draft, a.root, b.root), expected(a.map, b.map))
          for (const slice of slices) assert.isAtMost(slice.length, 32 * 32)
        }
      }).pipe(Effect.provide(layer())),
    { arbitrary: checks() }
  )
})
