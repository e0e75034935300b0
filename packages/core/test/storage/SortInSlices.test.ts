/** A list that is sorted in slices is the list that is sorted at once. */
import { assert, describe, it } from "@effect/vitest"
import { sortBy } from "@lectern/core/storage/SortInSlices"
import { Effect, Scheduler } from "effect"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"
import { countedTurns } from "./CountedTurns.ts"
import { hastily } from "./HastyClock.ts"

const items = (length: number, kinds: number) =>
  Array.from({ length }, (_, place) => ({ key: `k${(place * 7919) % kinds}`, place }))

describe("sortBy", () => {
  it("sorts by key, and keeps the order of items with one key", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(5_000), fc.integer({ min: 1, max: 5_000 }), async (length, kinds) => {
        const all = items(length, kinds)
        const sorted = await Effect.runPromise(hastily(sortBy(all, ({ key }) => key)))
        assert.deepStrictEqual(
          sorted,
          all.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
        )
      }),
      runs(20)
    )
  })

  it("lets others have their turn", async () => {
    const turns = countedTurns()
    const sorting = hastily(sortBy(items(50_000, 50_000), ({ key }) => key))
    await Effect.runPromise(Effect.provideService(sorting, Scheduler.Scheduler, turns))
    assert.isAbove(turns.count, 50 * 5)
  })
})
