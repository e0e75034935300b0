/**
 * Search is as good as what readers find: of what they look for (see `JudgedQueries`), in real
 * documentation, which is not part of the project. Skipped where it is not there.
 */
import { assert, describe, it } from "@effect/vitest"
import { Searches } from "@lectern/core/search/Searches"
import { Effect, Layer } from "effect"
import { onEach } from "../Adapters.ts"
import { adapters } from "../../../exchange/test/Instances.ts"
import * as Documentation from "./Documentation.ts"
import { isSetAside, judgedQueries } from "./JudgedQueries.ts"

const folders = Object.keys(judgedQueries)

const isOneOf = (path: string, pages: ReadonlyArray<string>) =>
  pages.some((page) => `/${path.toLowerCase()}`.endsWith(`/${page.toLowerCase()}`))

interface Judged {
  readonly query: string
  readonly setAside: boolean
  /** Place of the first page that answers, from 1; Infinity: none of the first 50 does. */
  readonly rank: number
}

const judge = Effect.gen(function* () {
  const judged: Array<Judged> = []
  for (const [folder, queries] of Object.entries(judgedQueries)) {
    const id = yield* Documentation.imported(folder)
    for (const [i, { query, pages }] of queries.entries()) {
      const { items } = yield* (yield* Searches).space(id, query, { limit: 50 })
      const rank = items.find(({ path }) => isOneOf(path, pages))?.rank ?? Infinity
      judged.push({ query, setAside: isSetAside(i), rank })
    }
  }
  return judged
})

const figures = (judged: ReadonlyArray<Judged>) => ({
  queries: judged.length,
  inFirstThree: judged.filter(({ rank }) => rank <= 3).length / judged.length,
  meanReciprocalRank: judged.reduce((sum, { rank }) => sum + 1 / rank, 0) / judged.length
})

for (const [name, services] of onEach(adapters)) {
  describe.skipIf(!Documentation.exists(folders))(`Judged queries (${name})`, () => {
    it.effect("find a page that answers among the first three, mostly as the first", () =>
      Effect.provide(
        Effect.gen(function* () {
          const judged = yield* judge
          const all = figures(judged)
          console.info(all, "set aside:", figures(judged.filter(({ setAside }) => setAside)))
          assert.isAtLeast(all.queries, 85)
          assert.isAtLeast(all.inFirstThree, 0.95)
          assert.isAtLeast(all.meanReciprocalRank, 0.85)
        }),
        Layer.fresh(services)
      )
    )
  })
}
