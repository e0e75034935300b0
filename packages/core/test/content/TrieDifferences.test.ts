import { assert, describe, it } from "@effect/vitest"
import * as Trie from "@lectern/core/content/Trie"
import * as TrieDifferences from "@lectern/core/content/TrieDifferences"
import { Objects } from "@lectern/core/content/Objects"
import { Effect, Schema, Stream } from "effect"
import { layer } from "./MemoryObjects.ts"

const Edits = Schema.Array(
  Schema.Tuple([Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 })), Schema.NullOr(Schema.Int)])
)

describe("TrieDifferences", () => {
  it.effect.prop(
    "finds what Trie.diff finds, whatever the sizes",
    [Edits, Edits, Schema.Boolean],
    ([first, second, isLarge]) =>
      Effect.gen(function* () {
        const draft = (yield* Objects).draft()
        const many = Array.from({ length: isLarge ? 700 : 0 }, (_, i) => [`m${i}`, i] as const)
        const entries = (edits: typeof first) => edits.map(([key, value]) => [`k${key}`, value ?? undefined] as const)
        const before = yield* Trie.update(draft, null, new Map(entries(first)))
        const after = yield* Trie.update(draft, before, new Map([...entries(second), ...many]))
        for (const [a, b] of [
          [before, after],
          [after, before],
          [null, after]
        ] as const) {
          const slices = yield* Stream.runCollect(TrieDifferences.inSlices(draft, a, b))
          const found = slices.flat().sort((x, y) => (x.key < y.key ? -1 : 1))
          assert.deepStrictEqual(found, [...(yield* Trie.diff(draft, a, b))])
          for (const slice of slices) assert.isAtMost(slice.length, 32 * 32)
        }
      }).pipe(Effect.provide(layer()))
  )
})
