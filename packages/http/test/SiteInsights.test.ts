/** Events of a site's visitors that renderers tell, and those that the integrations on it receive. */
import { IntegrationQueueTable } from "@lectern/core/integration/IntegrationEvent"
import { StoredEventTable } from "@lectern/core/insights/StoredEvent"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { SiteId } from "@lectern/core/site/Site"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { makeSite, visit } from "./AudienceSites.ts"
import { type Answer, answers, type Caller, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./IntegrationShapes.ts"
import { installed, program, publishIntegration } from "./IntegrationSteps.ts"
import { listOf } from "./Shapes.ts"
import { goodToken, ofSite, pathOfSite, resolve, siteSpacesOf } from "./SiteSteps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const Sums = Schema.Struct({
  columns: Schema.Array(Schema.Struct({ column: Schema.String, values: Schema.Array(Schema.Json) }))
})

type Fields = Record<string, unknown>

const session = {
  visitorId: "visitor-1",
  sessionId: "session-1",
  cookies: { __gitbook_cookie_granted: "yes", theme: "dark" },
  userAgent: "Mozilla/5.0",
  language: "de",
  referrer: "https://search.example.com/"
}
const location = {
  url: "https://docs.example.com/setup?x=1",
  siteSection: null,
  siteSpace: null,
  siteShareKey: null,
  space: null,
  revision: null,
  page: null
}
const view = (more: { session?: Fields; location?: Fields } & Fields = {}) => ({
  type: "page_view",
  ...more,
  session: { ...session, ...more.session },
  location: { ...location, ...more.location }
})
const feedback = (given: Fields, type = "page_post_feedback") => ({ ...view(), type, feedback: given })

/** A published site, and an integration on it that logs what it is told. */
const heard = Effect.fnUntraced(function* (
  audience: "public" | "unlisted" | "share-link" | "visitor-auth",
  scopes: ReadonlyArray<string> = ["site:views:read", "page:feedback:read"]
) {
  const { call } = yield* Harness
  const site = yield* visit(audience)
  const { name, path } = yield* installed({
    target: "site",
    scopes,
    script: program("log(JSON.stringify(event)); return new Response('OK')")
  })
  yield* call("admin", "POST", `${path}/sites`, { siteId: site.id }).pipe(has(201))
  const at = `${yield* pathOfSite(site.id)}/insights/events`
  const tell = (by: Parameters<typeof call>[0], events: unknown, headers?: Record<string, string>) =>
    call(by, "POST", at, { events }, headers)
  /** Visitors' events that the program received, in order. */
  const told = Effect.gen(function* () {
    yield* (yield* JobWorker).runDue
    const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=1000`).pipe(
      answers(200, listOf(Shapes.IntegrationEvent))
    )
    const events = items.filter(({ payload }) => ["site_view", "page_feedback"].includes(payload.type)).toReversed()
    return yield* Effect.forEach(events, ({ id, payload }) =>
      Effect.map(
        call("admin", "GET", `/v1/integrations/${name}/events/${id}`).pipe(answers(200, Shapes.TracedEvent)),
        ({ trace }) => ({ shown: payload, heard: JSON.parse(trace.logs[0]?.message ?? "{}") as Fields })
      )
    )
  })
  return { ...site, name, path, at, tell, told }
})

const dropped = ({ headers }: Answer) => headers.get("x-events-dropped")

onMemory(
  "Site insights",
  (it) => {
    it.effect("tells integrations on a site what its visitors see and think of it", () =>
      Effect.gen(function* () {
        const site = yield* heard("public")
        const [siteSpace] = yield* siteSpacesOf(site.id)
        const place = { siteSpace: siteSpace!.id, space: site.space, page: site.page }
        const { status } = yield* site.tell(
          "nobody",
          [
            view({ location: place, timestamp: new Date(yield* Clock.currentTimeMillis).toISOString() }),
            { ...view(), type: "search_open" },
            { ...view(), type: "ask_rate_response", query: "q", rating: 1 },
            feedback({ rating: "good" }),
            feedback({ rating: "bad", comment: "Missing an example" }, "page_post_feedback_comment")
          ],
          { "x-forwarded-for": "203.0.113.7, 10.0.0.1", cookie: "own=1" }
        )
        assert.strictEqual(status, 204)
        const [seen, rated, commented, ...others] = yield* site.told
        assert.lengthOf(others, 0)
        const visitor = {
          anonymousId: "visitor-1",
          cookies: session.cookies,
          userAgent: "Mozilla/5.0",
          ip: "203.0.113.7",
          language: "de"
        }
        const { installationId } = seen!.heard
        const about = { installationId, siteId: site.id, visitor, url: location.url, referrer: session.referrer }
        const { eventId: _, ...said } = seen!.heard
        assert.deepStrictEqual(said, {
          type: "site_view",
          ...about,
          spaceId: site.space,
          siteSpaceId: siteSpace!.id,
          pageId: site.page
        })
        assert.deepInclude(rated!.heard, { type: "page_feedback", ...about, feedback: { rating: "good" } })
        assert.deepInclude(commented!.heard, { feedback: { rating: "bad", comment: "Missing an example" } })
        // Its people see that it happened, and nothing that says who it was.
        assert.deepInclude(seen!.shown, { url: location.url })
        for (const secret of ["dark", "203.0.113.7"]) assert.notInclude(JSON.stringify(seen!.shown), secret)
      })
    )

    it.effect("tells those alone that may know, on the site alone, while they are at work", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const none = yield* heard("public", ["site:metadata:read"])
        const views = yield* heard("public", ["site:views:read"])
        const rates = yield* heard("public", ["page:feedback:read"])
        const events = [view(), feedback({ rating: "ok" })]
        for (const site of [none, views, rates]) yield* site.tell("nobody", events).pipe(has(204))
        const types = (site: typeof none) => Effect.map(site.told, (told) => told.map((event) => event.heard["type"]))
        assert.deepStrictEqual(yield* types(none), [])
        assert.deepStrictEqual(yield* types(views), ["site_view"])
        assert.deepStrictEqual(yield* types(rates), ["page_feedback"])
        yield* call("admin", "PATCH", views.path, { status: "paused" }).pipe(has(200))
        yield* views.tell("nobody", events).pipe(has(204))
        assert.deepStrictEqual(yield* types(views), ["site_view"])
      })
    )

    it.effect("is told by whoever may read the site, and is not there for anyone else", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        for (const audience of ["public", "unlisted", "share-link", "visitor-auth"] as const) {
          const site = yield* heard(audience)
          const isOpen = audience === "public" || audience === "unlisted"
          const ask = (by: Parameters<typeof call>[0]) => Effect.map(site.tell(by, [view()]), ({ status }) => status)
          assert.strictEqual(yield* ask({ token: site.apiToken }), 204, audience)
          assert.strictEqual(yield* ask("read"), 204, audience)
          assert.strictEqual(yield* ask("nobody"), isOpen ? 204 : 404, audience)
          assert.strictEqual(yield* ask("outsider"), isOpen ? 204 : 404, audience)
          assert.strictEqual(yield* ask({ token: "wrong" }), 401, audience)
          yield* call("admin", "POST", `${yield* pathOfSite(site.id)}/unpublish`).pipe(has(200))
          for (const by of ["nobody", "read", { token: site.apiToken }] as const) {
            assert.strictEqual(yield* ask(by), 404, audience)
          }
        }
        const { elsewhere } = yield* Harness
        const { id } = yield* visit("public")
        yield* call("nobody", "POST", `/v1/orgs/${elsewhere}/sites/${id}/insights/events`, { events: [] }).pipe(
          refused(404)
        )
      })
    )

    it.effect("refuses what is no event, and takes of a visitor's own words what is bounded", () =>
      Effect.gen(function* () {
        const site = yield* heard("public")
        const now = yield* Clock.currentTimeMillis
        const at = (ms: number) => new Date(now + ms).toISOString()
        for (const wrong of [
          {},
          { type: "page_view" },
          { ...view(), type: "" },
          { ...view(), session: { ...session, cookies: { a: 1 } } },
          { ...view(), session: { ...session, userAgent: "x".repeat(5000) } },
          view({ location: { url: "javascript:alert(1)" } }),
          view({ location: { url: `https://example.com/${"x".repeat(4096)}` } }),
          view({ location: { page: 5 } }),
          view({ session: { language: "\ud800" } }),
          feedback({}),
          feedback({ rating: "best" }),
          { ...view(), type: "page_post_feedback" },
          feedback({ rating: "ok" }, "page_post_feedback_comment"),
          feedback({ rating: "ok", comment: "x".repeat(513) }, "page_post_feedback_comment"),
          view({ timestamp: at(-5 * 60_000 - 1) }),
          view({ timestamp: at(5 * 60_000 + 1) }),
          view({ timestamp: "soon" })
        ]) {
          const { issues } = yield* site.tell("nobody", [view(), wrong]).pipe(refused(400))
          assert.match(issues?.[0]?.path ?? "", /^body\.events\[1\]/, JSON.stringify(wrong).slice(0, 200))
        }
        // What is right is not blamed beside what is wrong.
        const { revision: _, ...place } = location
        const blamed: ReadonlyArray<readonly [wrong: unknown, path: string]> = [
          [{ ...view(), location: place }, "location.revision"],
          [{ ...view(), type: "search_open", location: place }, "location.revision"],
          [{ ...view(), type: "page_post_feedback" }, "feedback"],
          [{ ...view(), type: 5 }, "type"]
        ]
        for (const [wrong, path] of blamed) {
          const { issues } = yield* site.tell("nobody", [wrong]).pipe(refused(400))
          assert.deepStrictEqual(
            issues?.map((issue) => issue.path),
            [`body.events[0].${path}`]
          )
        }
        yield* site
          .tell(
            "nobody",
            Array.from({ length: 101 }, () => view())
          )
          .pipe(refused(400))
        yield* site.tell("nobody", "x".repeat(2 * 1024 * 1024)).pipe(refused(413))
        assert.lengthOf(yield* site.told, 0)

        // What is not on the site is left out, and so is what nobody could use.
        const cookies = { ["__proto__x"]: "1", small: "s", large: "x".repeat(9000), bad: "\ud800" }
        yield* site
          .tell("nobody", [
            view({
              location: { siteSpace: "absent", space: "absent", page: "any" },
              session: { cookies, ip: "not an address", language: null, referrer: null }
            })
          ])
          .pipe(has(204))
        const event = (yield* site.told)[0]?.heard ?? {}
        assert.deepInclude(event, { pageId: "any", referrer: "" })
        assert.notProperty(event, "spaceId")
        assert.notProperty(event, "siteSpaceId")
        assert.deepStrictEqual(event["visitor"], {
          anonymousId: "visitor-1",
          cookies: { small: "s", __proto__x: "1" },
          userAgent: "Mozilla/5.0",
          ip: ""
        })
      })
    )

    it.effect(
      "takes events of a restricted site from who shows what lets its visitors in, without a token of theirs",
      () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const { siteShareKey: _, ...withoutKey } = location
          const told = (location: Fields, cookies: Fields = {}) => ({
            type: "page_view",
            location,
            session: { ...session, cookies }
          })
          const linked = yield* makeSite("share-link")
          const other = yield* makeSite("share-link")
          const inUrl = { ...withoutKey, url: `${linked.base}${linked.link.key}/setup` }
          const ofLink = yield* pathOfSite(linked.id)
          const track = (at: string, events: ReadonlyArray<unknown>, by: Caller = "nobody") =>
            call(by, "POST", `${at}/insights/events`, { events })
          yield* track(ofLink, [told({ ...location, siteShareKey: linked.link.key })]).pipe(has(204))
          yield* track(ofLink, [told(inUrl)]).pipe(has(204))
          for (const events of [
            [],
            [told(withoutKey)],
            [told({ ...location, siteShareKey: linked.link.id })],
            [told({ ...location, siteShareKey: linked.inactive.key })],
            [told({ ...location, siteShareKey: other.link.key })],
            [told(inUrl), told(withoutKey)]
          ]) {
            yield* track(ofLink, events).pipe(refused(404))
          }
          // The rate limit applies as for all other visitors.
          const hundred = Array.from({ length: 100 }, () => told(inUrl))
          for (let i = 0; i < 6; i++) yield* track(ofLink, hundred).pipe(has(204))
          assert.strictEqual(dropped(yield* track(ofLink, hundred).pipe(has(204))), "90")

          const signed = yield* makeSite("visitor-auth")
          const stranger = yield* makeSite("visitor-auth")
          const ofSigned = yield* pathOfSite(signed.id)
          const visitor = yield* goodToken(signed.id)
          const { value } = (yield* resolve(signed.base, { jwtToken: visitor })).session!
          yield* track(ofSigned, [told(withoutKey)], { token: signed.key }).pipe(has(204))
          yield* track(ofSigned, [told(withoutKey)], { token: visitor }).pipe(has(204))
          yield* track(ofSigned, [told(withoutKey, { "lectern-visitor": value })]).pipe(has(204))
          yield* track(ofSigned, [told(withoutKey, { kept: JSON.stringify({ token: visitor }) })]).pipe(has(204))
          yield* track(ofSigned, [told(withoutKey)], { token: stranger.key }).pipe(refused(401))
          yield* track(ofSigned, [told(withoutKey)], { token: `${signed.key}x` }).pipe(refused(401))
          yield* track(ofSigned, [told(withoutKey, { other: yield* goodToken(stranger.id) })]).pipe(refused(404))
          yield* track(ofSigned, [told(withoutKey)]).pipe(refused(404))
          // The key grants no other access.
          yield* call({ token: signed.key }, "GET", ofSigned).pipe(refused(401))
          yield* call({ token: signed.key }, "POST", `${ofSigned}/insights/events/aggregate`, {}).pipe(refused(401))
        })
    )

    it.effect("stores what agents have to say, whoever may read the site", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const site = yield* visit("public")
        const at = yield* pathOfSite(site.id)
        const subject = { kind: "documentation", url: `${site.base}setup` }
        const said = { category: "documentation", severity: "high", summary: "A step is missing", detail: "The third" }
        const taken = yield* call("nobody", "POST", `${at}/agents/feedback`, { subject, feedback: said }).pipe(has(201))
        assert.hasAllKeys(JSON.parse(taken.text), ["id", "result"])
        yield* call({ token: site.apiToken }, "POST", `${at}/agent-feedback`, {
          feedback: "It is out of date",
          goal: "Install it",
          url: `${site.base}setup`,
          spaceId: site.space,
          pageId: site.page,
          source: "mcp"
        }).pipe(has(204))
        // Queued events are stored before the query runs.
        yield* ofSite(site.id, "POST", "/insights/events/aggregate", { range: "last7Days" }).pipe(has(200))
        const rows = yield* (yield* Storage)
          .repository(StoredEventTable)
          .list({ where: { site: SiteId.make(site.id) } })
        assert.deepStrictEqual(
          rows
            .map(({ type, comment, context }) => ({ type, comment, context }))
            .toSorted((a, b) => a.comment!.localeCompare(b.comment!)),
          [
            {
              type: "agent_feedback",
              comment: "A step is missing (documentation, high)\n\nThe third",
              context: "server"
            },
            { type: "agent_feedback", comment: "It is out of date\n\nGoal: Install it", context: "mcp" }
          ]
        )
        assert.deepStrictEqual(rows.find(({ context }) => context === "mcp")!.page, {
          page: site.page,
          space: site.space
        })
        for (const body of [
          { subject, feedback: { summary: "x" } },
          { subject: { kind: "x" }, feedback: said }
        ]) {
          yield* call("nobody", "POST", `${at}/agents/feedback`, body).pipe(refused(400))
        }
        const closed = yield* visit("visitor-auth")
        const path = `${yield* pathOfSite(closed.id)}/agents/feedback`
        yield* call("nobody", "POST", path, { subject, feedback: said }).pipe(refused(404))
        yield* call({ token: closed.apiToken }, "POST", path, { subject, feedback: said }).pipe(has(201))
      }).pipe(Effect.orDie)
    )

    it.effect("passes a flood on in samples, says so, and starts anew with the next minute", () =>
      Effect.gen(function* () {
        const site = yield* heard("public")
        const hundred = Array.from({ length: 100 }, () => view())
        for (let i = 0; i < 6; i++) assert.isNull(dropped(yield* site.tell("nobody", hundred).pipe(has(204))))
        assert.strictEqual(dropped(yield* site.tell("nobody", hundred)), "90")
        // Feedback is counted apart.
        assert.isNull(dropped(yield* site.tell("nobody", [feedback({ rating: "ok" })])))
        // Another site is another one.
        const other = yield* heard("public")
        assert.isNull(dropped(yield* other.tell("nobody", hundred)))
        yield* TestClock.adjust("1 minute")
        assert.isNull(dropped(yield* site.tell("nobody", [view()])))
      })
    )

    it.effect("keeps records of views as long as they are not too many, and of all that went wrong", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const site = yield* heard("public")
        const script = program(
          "log(event.url); return new Response('', { status: event.url.includes('broken') ? 500 : 200 })"
        )
        yield* publishIntegration(site.name, { target: "site", scopes: ["site:views:read"], script })
        const broken = view({ location: { url: "https://docs.example.com/broken" } })
        yield* site.tell("nobody", [...Array.from({ length: 50 }, () => view()), broken]).pipe(has(204))
        yield* (yield* JobWorker).runDue
        const { items } = yield* call("admin", "GET", `/v1/integrations/${site.name}/events?limit=1000`).pipe(
          answers(200, listOf(Shapes.IntegrationEvent))
        )
        const views = items.filter(({ payload }) => payload.type === "site_view")
        assert.deepStrictEqual(
          Object.fromEntries(
            Object.entries(Object.groupBy(views, ({ status }) => status)).map(([status, of]) => [status, of.length])
          ),
          { failed: 1, success: 30 }
        )
      })
    )

    it.effect("lets no more views wait than leave room for what else happens", () =>
      Effect.gen(function* () {
        const site = yield* heard("public")
        const { call } = yield* Harness
        const script = program(
          "if (event.url.includes('gone')) throw new Error('unreachable'); return new Response('')"
        )
        yield* publishIntegration(site.name, { target: "site", scopes: ["site:views:read"], script })
        const gone = view({ location: { url: "https://docs.example.com/gone" } })
        yield* site.tell("nobody", [...Array.from({ length: 60 }, () => view()), gone]).pipe(has(204))
        yield* (yield* JobWorker).runDue
        const queues = (yield* Storage).repository(IntegrationQueueTable)
        const receiver = site.path.split("/").at(-1)!
        const waiting = Effect.map(queues.get({ receiver }), (queue) => queue?.waiting)
        // What was forgotten waits no more, as little as what has a record.
        assert.strictEqual(yield* waiting, 1)
        yield* queues.update({ receiver }, { waiting: 4_999 })
        assert.strictEqual(dropped(yield* site.tell("nobody", [view(), view(), view()]).pipe(has(204))), "2")
        assert.strictEqual(yield* waiting, 5_000)
        // What else happens is still told.
        yield* call("admin", "PATCH", site.path, { configuration: { a: "b" } }).pipe(has(200))
        assert.strictEqual(yield* waiting, 5_001)
      }).pipe(Effect.orDie)
    )

    it.effect("sums up what visitors did, and keeps nothing that says who they are", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const site = yield* visit("public")
        const [siteSpace] = yield* siteSpacesOf(site.id)
        const at = `${yield* pathOfSite(site.id)}/insights/events`
        const place = { siteSpace: siteSpace!.id, space: site.space, page: site.page }
        const other = { session: { visitorId: "visitor-2", sessionId: "session-2", referrer: null } }
        const tell = (events: ReadonlyArray<unknown>) => call("nobody", "POST", at, { events }).pipe(has(204))
        yield* tell([
          view({ location: place }),
          view({ location: { ...place, url: "https://docs.example.com/a?utm_source=news&secret=1#x" }, ...other }),
          view({ location: { space: "absent", page: "any", siteSpace: "absent" } }),
          { ...view(other), type: "search_type_query", query: "install" },
          feedback({ rating: "good" }),
          { ...view(), type: "no_such_thing" }
        ])
        const ask = (query: unknown, by: Parameters<typeof call>[0] = "edit") =>
          call(by, "POST", `${at}/aggregate`, query)
        const sums = (query: Fields) =>
          ask({ range: "last24Hours", ...query }).pipe(
            answers(200, Sums),
            Effect.map(({ columns }) => columns.map(({ values }) => values))
          )
        const counted = ["eventsCount", "visitorsCount", "sessionsCount"].map((column) => ({ column }))
        assert.deepStrictEqual(yield* sums({ select: counted }), [[5], [2], [2]])
        const views = [{ column: "eventType", values: ["page_view"] }]
        assert.deepStrictEqual(yield* sums({ groupBy: [{ column: "page" }], where: views }), [
          [{ page: site.page, space: site.space }, null],
          [2, 1]
        ])
        assert.deepStrictEqual(yield* sums({ groupBy: [{ column: "siteSpace" }], where: views }), [
          [siteSpace!.id, null],
          [2, 1]
        ])
        assert.deepStrictEqual(yield* sums({ groupBy: [{ column: "eventSearchQuery" }] }), [["install"], [1]])
        assert.deepStrictEqual(yield* sums({ groupBy: [{ column: "utmSource" }], where: views }), [
          ["", "news"],
          [2, 1]
        ])
        const all = ["url", "referrer", "visitorBrowser", "eventPageFeedbackRating", "datetime"]
        for (const column of all) yield* sums({ groupBy: [{ column }] })
        const rows = yield* (yield* Storage)
          .repository(StoredEventTable)
          .list({ where: { site: SiteId.make(site.id) } })
        assert.lengthOf(rows, 5)
        for (const secret of ["visitor-1", "session-1", "dark", "Mozilla", "secret=1", "127.0.0.1"]) {
          assert.notInclude(JSON.stringify(rows), secret)
        }
        for (const by of ["comment", "read"] as const) yield* ask({ range: "last7Days" }, by).pipe(refused(403))
        yield* ask({ range: "last7Days" }, "outsider").pipe(refused(404))
        yield* ask({ range: "last7Days" }, { token: site.apiToken }).pipe(refused(404))
        for (const wrong of [
          {},
          { range: "ever" },
          { range: { from: "2026-01-02", to: "2026-01-01" } },
          { range: { from: "soon", to: "later" } },
          { range: { from: "2026-01-01", to: "+275760-09-13T00:00:00.001Z" } },
          { range: "last7Days", limit: 1_001 },
          { range: "last7Days", select: [{ column: "visitorGeoCountry" }] },
          { range: "last7Days", where: [{ column: "page", values: [1], operator: "like" }] }
        ]) {
          yield* ask(wrong).pipe(refused(400))
        }
        const long = { from: "1970-01-01T00:00:00.000Z", to: "2200-01-01T00:00:00.000Z" }
        assert.deepStrictEqual(yield* sums({ range: long }), [[5]])
        // A flood is kept in samples that stand for all of it.
        const hundred = Array.from({ length: 100 }, () => view())
        for (let i = 0; i < 8; i++) yield* tell(hundred)
        const [total] = (yield* sums({ where: views }))[0] as [number]
        assert.isAtLeast(total, 790)
        assert.isAtMost(total, 803)
        yield* TestClock.adjust("31 days")
        yield* (yield* JobWorker).runDue
        assert.deepStrictEqual(yield* sums({ range: long }), [[0]])
      }).pipe(Effect.orDie)
    )

    it.effect("tells nobody the key of a share link, which those who may edit the site are not to know", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const site = yield* heard("share-link")
        const { id, key, url } = site.link
        const escaped = url.replace(key, `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`)
        const seen = (at: string, siteShareKey: string) =>
          view({ session: { referrer: url }, location: { url: `${at}setup?x=1`, siteShareKey } })
        yield* site.tell({ token: site.apiToken }, [seen(url, key), seen(escaped, id)]).pipe(has(204))
        const told = yield* site.told
        assert.deepStrictEqual(
          told.map(({ heard }) => [heard["url"], heard["referrer"]]),
          [
            [`${site.base}setup?x=1`, site.base],
            [`${site.base}setup?x=1`, site.base]
          ]
        )
        const columns = ["url", "referrer", "siteShareKey"].map((column) => ({ column }))
        const sums = yield* call("edit", "POST", `${site.at}/aggregate`, {
          range: "last24Hours",
          groupBy: columns
        }).pipe(answers(200, Sums))
        assert.deepStrictEqual(
          sums.columns.map(({ values }) => values),
          [[`${site.base}setup`], [site.base], [id], [2]]
        )
        assert.notInclude(JSON.stringify([told, sums]), key)
      })
    )

    it.effect("writes what visitors did a moment later, many at once, and nothing of a site that has gone", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const storage = yield* Storage
        const [site, gone] = [yield* visit("public"), yield* visit("public")]
        const at = `${yield* pathOfSite(site.id)}/insights/events`
        const goneAt = yield* pathOfSite(gone.id)
        const kept = ({ id }: typeof site) => storage.repository(StoredEventTable).count({ site: SiteId.make(id) })
        // Words of the pages that were made are written before.
        yield* TestClock.adjust("200 millis")
        const before = (yield* storage.generation)!
        for (let i = 0; i < 3; i++) yield* call("nobody", "POST", at, { events: [view(), view()] }).pipe(has(204))
        yield* call("nobody", "POST", `${goneAt}/insights/events`, { events: [view()] }).pipe(has(204))
        assert.strictEqual(yield* storage.generation, before)
        yield* call("admin", "DELETE", goneAt).pipe(has(204))
        const removed = (yield* storage.generation)!
        yield* TestClock.adjust("200 millis")
        assert.strictEqual(yield* storage.generation, removed + 1)
        assert.deepStrictEqual([yield* kept(site), yield* kept(gone)], [6, 0])
      }).pipe(Effect.orDie)
    )

    it.effect("takes what nobody listens to", () =>
      Effect.gen(function* () {
        const site = yield* visit("public")
        const { call } = yield* Harness
        const at = `${yield* pathOfSite(site.id)}/insights/events`
        yield* call("nobody", "POST", at, { events: [view()] }).pipe(has(204))
        yield* call("nobody", "POST", at, { events: [] }).pipe(has(204))
        yield* call("nobody", "POST", at, {}).pipe(
          answers(400, Schema.Any as unknown as Schema.Codec<unknown, unknown>)
        )
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
