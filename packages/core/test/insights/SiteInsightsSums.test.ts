import type { InsightsQuery } from "@lectern/core/insights/InsightsQuery"
import { SiteInsights } from "@lectern/core/insights/SiteInsights"
import type { SiteInsightsEvent } from "@lectern/core/insights/SiteInsightsEvent"
import { Sites } from "@lectern/core/site/Sites"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { siteWithMembers } from "../site/SiteMembers.ts"

/** Three views of two visitors: one of the first site space, two of the second one. */
const visited = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site } = fixture
  const { urls } = yield* (yield* Sites).publish(org, site)
  const { items } = yield* (yield* SiteSpaces).list(org, site, {})
  const insights = yield* SiteInsights
  const view = (visitorId: string, siteSpace: string): SiteInsightsEvent => ({
    type: "page_view",
    session: { visitorId, sessionId: visitorId, cookies: {}, userAgent: "", language: null, referrer: null },
    location: { url: urls.published!, siteSection: null, siteSpace, space: null, revision: null, page: null }
  })
  const [first, second] = [items[0]!.id, items[1]!.id]
  const events = [view("a", first), view("a", second), view("b", second)]
  yield* insights.track(org, site, { events }, { actor: undefined, ip: "" })
  const rows = (query: Omit<InsightsQuery, "range"> & { readonly range?: InsightsQuery["range"] }) =>
    Effect.map(insights.aggregate(org, site, { range: "last7Days", ...query }), ({ columns }) =>
      columns.map(({ values }) => values)
    )
  return { ...fixture, insights, rows, first, second }
})

for (const [name, services] of onEach(adapters)) {
  describe(`SiteInsightsSums (${name})`, () => {
    const rule = ruleOn(services)

    rule("are sums of events, visitors and sessions, over all or by group", () =>
      Effect.gen(function* () {
        const { rows, first, second } = yield* visited
        const [events, visitors] = [{ column: "eventsCount" }, { column: "visitorsCount" }] as const
        assert.deepStrictEqual(yield* rows({ select: [events, visitors] }), [[3], [2]])
        assert.deepStrictEqual(yield* rows({ select: [{ column: "siteSpace" }, events] }), [
          [second, first],
          [2, 1]
        ])
        const where = [{ column: "siteSpace", values: [first] }] as const
        assert.deepStrictEqual(yield* rows({ select: [events], where }), [[1]])
      })
    )

    rule("are for members from the level edit on", () =>
      Effect.gen(function* () {
        const { org, people, site, insights } = yield* visited
        assert.deepStrictEqual(yield* outcomes(people, insights.aggregate(org, site, { range: "last7Days" })), {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SiteNotFound: "guest outsider"
        })
      })
    )

    rule("leave out parts of the site that the actor does not see", () =>
      Effect.gen(function* () {
        const { people, reference, rows } = yield* visited
        yield* (yield* Spaces).update(reference, { defaultLevel: null })
        const count = rows({ select: [{ column: "eventsCount" }] })
        assert.deepStrictEqual(yield* count.pipe(as(people.edit)), [[1]])
        assert.deepStrictEqual(yield* count.pipe(as(people.admin)), [[3]])
      })
    )

    rule("cover their time range only", () =>
      Effect.gen(function* () {
        const { rows } = yield* visited
        const select = [{ column: "eventsCount" }, { column: "eventType" }] as const
        yield* TestClock.adjust("2 days")
        assert.deepStrictEqual((yield* rows({ select, range: "last7Days" }))[0], [3])
        assert.deepStrictEqual((yield* rows({ select, range: "last24Hours" }))[0], [])
      })
    )

    rule("reject ranges that end before they begin, and limits outside of 1 to 1,000", () =>
      Effect.gen(function* () {
        const { org, site, insights } = yield* visited
        const range = { from: "2026-01-02T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" } as const
        for (const query of [
          { range },
          { range: "last7Days", limit: 0 },
          { range: "last7Days", limit: 1_001 },
          { range: "last7Days", select: [{ column: "unknown" }] },
          { range: "yesterday" }
        ] as unknown as ReadonlyArray<InsightsQuery>) {
          assert.strictEqual(yield* outcome(insights.aggregate(org, site, query)), "InvalidInput")
        }
      })
    )
  })
}
