import { CurrentActor, host, type Actor } from "@lectern/core/access/Actor"
import type { InsightsTrack, SiteInsightsEvent } from "@lectern/core/insights/SiteInsightsEvent"
import { type EventSender, SiteInsights } from "@lectern/core/insights/SiteInsights"
import { PublishingAuths } from "@lectern/core/publishing/PublishingAuths"
import { Sites } from "@lectern/core/site/Sites"
import { assert, describe } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { outcome, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { siteWithMembers } from "../site/SiteMembers.ts"

const anyone: EventSender = { actor: undefined, ip: "192.0.2.1" }

const viewed = (url: string, more: object = {}): SiteInsightsEvent => ({
  type: "page_view",
  session: { visitorId: "v", sessionId: "s", cookies: {}, userAgent: "", language: null, referrer: null },
  location: { url, siteSection: null, siteSpace: null, space: null, revision: null, page: null },
  ...more
})

const published = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site } = fixture
  const { urls } = yield* (yield* Sites).publish(org, site)
  const insights = yield* SiteInsights
  const view = viewed(urls.published!)
  const track = (events: InsightsTrack["events"], sender = anyone) => insights.track(org, site, { events }, sender)
  const count = Effect.gen(function* () {
    const { columns } = yield* insights.aggregate(org, site, {
      select: [{ column: "eventsCount" }],
      range: "last7Days"
    })
    return columns[0]!.values[0] ?? 0
  }).pipe(Effect.provideService(CurrentActor, host))
  return { ...fixture, insights, view, track, count, url: urls.published! }
})

for (const [name, services] of onEach(adapters)) {
  describe(`SiteInsights (${name})`, () => {
    const rule = ruleOn(services)

    rule("store events of anyone on a site that is open to everyone", () =>
      Effect.gen(function* () {
        const { view, track, count } = yield* published
        assert.strictEqual(yield* track([view, view]), 0)
        assert.strictEqual(yield* count, 2)
      })
    )

    rule("need an actor who sees the site, or a token of it, on any other site", () =>
      Effect.gen(function* () {
        const { org, site, people, view, track } = yield* published
        const sites = yield* Sites
        yield* sites.update(org, site, { visibility: "visitor-auth" })
        const { privateKey } = yield* (yield* PublishingAuths).get(org, site)
        const user = (id: typeof people.read): Actor => ({ type: "user", user: id })
        for (const [sender, expected] of [
          [anyone, "SiteNotFound"],
          [{ ...anyone, actor: user(people.outsider) }, "SiteNotFound"],
          [{ ...anyone, actor: user(people.read) }, "ok"],
          [{ ...anyone, actor: host }, "ok"],
          [{ ...anyone, siteToken: privateKey }, "ok"],
          [{ ...anyone, siteToken: "invalid" }, "Unauthorized"]
        ] as const) {
          assert.strictEqual(yield* outcome(track([view], sender)), expected)
        }
        yield* sites.unpublish(org, site)
        assert.strictEqual(yield* outcome(track([view])), "SiteNotFound")
      })
    )

    rule("reject events that are not of the last 5 minutes, too many, or too long", () =>
      Effect.gen(function* () {
        const { view, track, count, url } = yield* published
        const now = yield* Clock.currentTimeMillis
        const at = (milliseconds: number) => ({ ...view, timestamp: new Date(now + milliseconds).toISOString() })
        const feedback = { feedback: { rating: "good", comment: "x".repeat(513) } }
        for (const events of [
          [at(-301_000)],
          [view, at(301_000)],
          Array.from({ length: 101 }, () => view),
          [viewed("not a URL")],
          [{ ...viewed(url), type: "page_post_feedback_comment", ...feedback } as SiteInsightsEvent]
        ]) {
          assert.strictEqual(yield* outcome(track(events)), "InvalidInput")
        }
        assert.strictEqual(yield* count, 0)
        yield* track([at(-299_000), at(0)])
        assert.strictEqual(yield* count, 2)
      })
    )

    rule("store feedback of agents, and return its id", () =>
      Effect.gen(function* () {
        const { org, site, insights, count } = yield* published
        const feedback = {
          subject: { kind: "generic" },
          feedback: { category: "usability", summary: "Hard to find" }
        } as const
        assert.isNotEmpty((yield* insights.agentFeedback(org, site, feedback, anyone)).id)
        assert.strictEqual(yield* count, 1)
        const long = { ...feedback, feedback: { ...feedback.feedback, summary: "x".repeat(257) } }
        assert.strictEqual(yield* outcome(insights.agentFeedback(org, site, long, anyone)), "InvalidInput")
      })
    )

    rule("store views of rendered sites shortly afterwards, without waiting", () =>
      Effect.gen(function* () {
        const { site, insights, view, count } = yield* published
        insights.recordView(site, "view", () => ({ event: view, ip: anyone.ip, isForIntegrations: false }))
        yield* Effect.yieldNow
        assert.strictEqual(yield* count, 1)
      })
    )

    rule("ignore events on a site that does not exist", () =>
      Effect.gen(function* () {
        const { org, site, elsewhere, insights, view } = yield* published
        assert.strictEqual(yield* outcome(insights.track(elsewhere, site, { events: [view] }, anyone)), "SiteNotFound")
        yield* (yield* Sites).remove(org, site)
        assert.strictEqual(yield* outcome(insights.track(org, site, { events: [view] }, anyone)), "SiteNotFound")
      })
    )
  })
}
