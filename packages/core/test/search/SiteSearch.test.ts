import type { SiteSearchQuery } from "@lectern/core/publishing/SiteSearch"
import { Searches } from "@lectern/core/search/Searches"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { readers, siteWithMembers } from "../site/SiteMembers.ts"

/** A published site whose spaces, Guide and Reference, both have a page about owls. */
const searchable = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site, guide, reference, blog } = fixture
  for (const space of [guide, reference, blog]) yield* publish(space, [{ operation: "insert_page", title: "Owls" }])
  yield* (yield* Sites).publish(org, site)
  const searches = yield* Searches
  const { items } = yield* (yield* SiteSpaces).list(org, site, {})
  const found = (query: Omit<SiteSearchQuery, "query">) =>
    Effect.map(searches.site(org, site, { query: "owls", ...query }, {}), (page) => page.items.map(({ id }) => id))
  return { ...fixture, searches, found, first: items[0]!.id, second: items[1]!.id }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Searches of sites (${name})`, () => {
    const rule = ruleOn(services)

    rule("find pages of the spaces on the site, grouped by space", () =>
      Effect.gen(function* () {
        const { org, site, guide, reference, searches, found } = yield* searchable
        assert.sameMembers(yield* found({ scope: { mode: "all" } }), [guide, reference])
        const { items } = yield* searches.site(org, site, { query: "owls", scope: { mode: "all" } }, {})
        assert.deepStrictEqual(items.map(({ title }) => title).toSorted(), ["Guide", "Reference"])
        assert.deepStrictEqual(
          items.flatMap(({ pages }) => pages.map(({ title }) => title)),
          ["Owls", "Owls"]
        )
      })
    )

    rule("search the default site space, the current one, or the named ones", () =>
      Effect.gen(function* () {
        const { guide, reference, found, first, second } = yield* searchable
        for (const [scope, expected] of [
          [{ mode: "default" }, [guide]],
          [{ mode: "default", currentSiteSpace: second }, [reference]],
          [{ mode: "specific", siteSpaceIds: [second, "missing"] }, [reference]],
          [{ mode: "specific", siteSpaceIds: [first, second] }, [guide, reference]]
        ] as const) {
          assert.sameMembers(yield* found({ scope }), [...expected], JSON.stringify(scope))
        }
        assert.deepStrictEqual(yield* found({ siteSpaceId: second }), [reference])
      })
    )

    rule("are for everyone who sees the site, while it is published", () =>
      Effect.gen(function* () {
        const { org, people, site, searches } = yield* searchable
        const search = searches.site(org, site, { query: "owls" }, {})
        for (const read of [search, searches.prewarm(org, site)]) {
          assert.deepStrictEqual(yield* outcomes(people, read), readers)
        }
        yield* (yield* Sites).unpublish(org, site)
        for (const read of [search, searches.prewarm(org, site)]) {
          assert.strictEqual(yield* outcome(read), "SiteNotFound")
        }
      })
    )

    rule("find nothing in spaces and parts that the actor does not see", () =>
      Effect.gen(function* () {
        const { org, people, site, guide, reference, found, second } = yield* searchable
        yield* (yield* Spaces).update(guide, { defaultLevel: null })
        const all = found({ scope: { mode: "all" } })
        assert.deepStrictEqual(yield* all.pipe(as(people.read)), [reference])
        yield* (yield* SiteSpaces).update(org, site, second, { condition: "visitor.claims.beta === true" })
        assert.deepStrictEqual(yield* all.pipe(as(people.read)), [])
      })
    )

    rule("reject queries without text or of more than 512 characters", () =>
      Effect.gen(function* () {
        const { org, site, searches } = yield* searchable
        for (const query of ["", "x".repeat(513)]) {
          assert.strictEqual(yield* outcome(searches.site(org, site, { query }, {})), "InvalidInput")
        }
        assert.deepStrictEqual((yield* searches.site(org, site, { query: "?!" }, {})).items, [])
      })
    )
  })
}
