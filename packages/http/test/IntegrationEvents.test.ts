/**
 * Every event that the interface has for integrations: each is told where it happens, and says what the
 * interface says. Computed content has tests of its own.
 */
import { IntegrationScope } from "@lectern/core/integration/IntegrationManifest"
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventTypes, problemsOf } from "../../core/test/integration/EventSchemas.ts"
import { pushed, remote } from "./BranchInMemory.ts"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./IntegrationShapes.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { outside } from "./Outside.ts"
import { listOf } from "./Shapes.ts"
import { json, ofSite, publishedSite } from "./SiteSteps.ts"
import { createCollection, createSpace, insertPage, publish } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

/** Told by those who compute content. */
const computed = ["content_compute_revision", "content_compute_document"]

interface Told {
  readonly type: string
  readonly [name: string]: unknown
}

/** An integration with every scope on a space and a site, that says what it is told. */
const world = Effect.gen(function* () {
  const { call, organization } = yield* Harness
  const collection = yield* createCollection()
  const { id: space } = yield* createSpace({ parent: collection.id })
  const { id: site } = yield* publishedSite([space])
  const { name, id, path } = yield* installed({
    scopes: IntegrationScope.literals,
    script: program(`
      log(JSON.stringify(event))
      return event.type === "ui_render" ? Response.json({ type: "complete" }) : new Response("OK")`)
  })
  yield* call("admin", "PATCH", path, { space_selection: "selected", site_selection: "selected" }).pipe(has(200))
  yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
  yield* call("admin", "POST", `${path}/sites`, { siteId: site }).pipe(has(201))
  const told = Effect.gen(function* () {
    yield* (yield* JobWorker).runDue
    yield* (yield* IntegrationRecords).flush
    const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=1000`).pipe(
      answers(200, listOf(Shapes.IntegrationEvent))
    )
    return yield* Effect.forEach(items.toReversed(), (item) =>
      Effect.map(
        call("admin", "GET", `/v1/integrations/${name}/events/${item.id}`).pipe(answers(200, Shapes.TracedEvent)),
        ({ trace }) => JSON.parse(trace.logs[0]?.message ?? "{}") as Told
      )
    )
  })
  return { organization, space, site, name, id, path, told }
})

const last = (told: ReadonlyArray<Told>, type: string) => told.findLast((event) => event.type === type)

onMemory(
  "Events of integrations",
  (it) => {
    it.effect("are all told where they happen, as the interface has them", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { organization, space, site, name, id, path, told } = yield* world
        const { page } = yield* Effect.map(publish(space, [insertPage("Page")]), ({ idOf }) => ({ page: idOf("Page") }))
        yield* call("admin", "PATCH", `/v1/spaces/${space}`, { visibility: "public" }).pipe(has(200))
        pushed({})
        const repository = { url: "https://example.com/docs.git", ref: "refs/heads/main" }
        yield* call("admin", "POST", `/v1/spaces/${space}/git/import`, repository).pipe(has(204))
        yield* call("admin", "POST", `/v1/integrations/${name}/tasks`, { task: { do: "it" } }).pipe(has(204))
        const session = {
          visitorId: "v",
          sessionId: "s",
          cookies: { a: "b" },
          userAgent: "Mozilla/5.0",
          language: "en",
          referrer: null
        }
        const location = {
          url: "https://docs.example.com/page",
          siteSection: null,
          siteSpace: null,
          siteShareKey: null,
          space,
          revision: null,
          page
        }
        const events = [
          { type: "page_view", session, location },
          { type: "page_post_feedback", session, location, feedback: { rating: "good" } }
        ]
        yield* call("nobody", "POST", `/v1/orgs/${organization}/sites/${site}/insights/events`, { events }).pipe(
          has(204)
        )
        yield* call("admin", "POST", `/v1/integrations/${name}/render`, {
          componentId: "block",
          props: { content: "x" },
          context: { type: "document", spaceId: space, theme: "light", editable: false }
        }).pipe(has(200))
        const endpoint = `http://127.0.0.1:4001${path}/sites/${site}`
        const callback = "/callback?co%64e=s3cret&state=s3cret&session_state=1&a=b&id_token=s3cret"
        for (const below of [
          callback,
          "/hook?a=b",
          "/~/script.js",
          "/~/visitor-auth/login?location=page",
          "/~/visitor-auth/logout"
        ]) {
          const asked = yield* outside(endpoint + below, { headers: { referer: endpoint + callback } })
          assert.strictEqual(asked.status, 200, below)
        }
        // What goes on in the background ends before it is taken off the space.
        yield* told
        yield* TestClock.adjust("1 second")
        yield* call("admin", "PATCH", `${path}/spaces/${space}`, { configuration: { a: "b" } }).pipe(has(200))
        yield* call("admin", "DELETE", `${path}/spaces/${space}`).pipe(has(204))
        yield* call("admin", "DELETE", path).pipe(has(204))

        const all = yield* told
        // The program is given all of a URL, the record is not.
        assert.include(JSON.stringify(all), "co%64e=s3cret&state=s3cret")
        const records = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=1000`).pipe(json(200))
        const recorded = JSON.stringify(records)
        assert.notInclude(recorded, "s3cret")
        assert.include(recorded, "/callback?co%64e=&state=&session_state=1&a=b&id_token=")
        for (const event of all) assert.deepStrictEqual(problemsOf(event), [], JSON.stringify(event))
        assert.sameMembers(
          eventTypes.filter((type) => last(all, type) === undefined),
          computed
        )
        assert.strictEqual(new Set(all.map(({ eventId }) => eventId)).size, all.length)
        const ofSpace = { installationId: id, spaceId: space }
        assert.deepInclude(last(all, "space_visibility_updated"), {
          ...ofSpace,
          previousVisibility: "in-collection",
          visibility: "public"
        })
        assert.deepInclude(last(all, "space_gitsync_completed"), { ...ofSpace, state: "failure" })
        assert.deepInclude(last(all, "space_installation_setup"), {
          ...ofSpace,
          status: "active",
          previous: { status: "active", configuration: {} }
        })
        assert.deepInclude(last(all, "space_installation_deleted"), { previous: { configuration: { a: "b" } } })
        // What is asked in place is recorded in no order.
        assert.sameDeepMembers(
          all.flatMap(({ type, siteId, location, action }) =>
            type === "fetch_visitor_authentication" ? [[siteId, location, action]] : []
          ),
          [
            [site, "page", undefined],
            [site, undefined, "logout"]
          ]
        )
        assert.strictEqual(all.at(-1)?.type, "installation_deleted")
      })
    )

    it.effect("tell of a space that leaves its collection, and of what is gone with a site or a space", () =>
      Effect.gen(function* () {
        const { call, organization, elsewhere } = yield* Harness
        const { space, site, id, path, told } = yield* world
        yield* call("admin", "POST", `/v1/spaces/${space}/move`, { parent: null }).pipe(has(200))
        assert.deepInclude(last(yield* told, "space_visibility_updated"), {
          previousVisibility: "in-collection",
          visibility: "private"
        })
        yield* call("admin", "PATCH", `${path}/sites/${site}`, { configuration: { on: "site" } }).pipe(has(200))
        yield* ofSite(site, "DELETE", "").pipe(has(204))
        assert.deepInclude(last(yield* told, "site_installation_deleted"), {
          installationId: id,
          siteId: site,
          previous: { configuration: { on: "site" } }
        })
        yield* call("admin", "GET", `${path}/sites/${site}`).pipe(has(404))

        const atWork = call("admin", "GET", `/v1/spaces/${space}/integrations`).pipe(json(200))
        assert.strictEqual((yield* atWork).count, 1)
        // There and back again it is not on it any more.
        yield* call("outsider", "POST", `/v1/orgs/${elsewhere}/invites`, {
          emails: ["admin@example.com"],
          role: "admin"
        })
        const { items } = yield* call("admin", "GET", "/v1/user/invites").pipe(json(200))
        yield* call("admin", "POST", `/v1/orgs/${elsewhere}/invites/${items[0].id}`).pipe(has(200))
        for (const to of [elsewhere, organization]) {
          yield* call("admin", "POST", `/v1/spaces/${space}/transfer`, { organization: to }).pipe(has(200))
        }
        assert.deepInclude(last(yield* told, "space_installation_deleted"), { installationId: id, spaceId: space })
        assert.strictEqual((yield* atWork).count, 0)
      })
    )

    it.effect("say why they have failed, also where the program logged nothing", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { id: space } = yield* createSpace()
        const { name, path } = yield* installed({
          script: program(`
            if (event.type === "fetch") return new Response(null, { status: Number(event.request.url.split("?")[1]) })
            return Response.json({ error: "Not today" }, { status: event.type === "ui_render" ? 400 : 500 })`)
        })
        const drawing = { componentId: "block", props: {}, context: { type: "document", spaceId: space } }
        yield* call("admin", "POST", `/v1/integrations/${name}/render`, drawing).pipe(refused(400))
        for (const status of [404, 503]) yield* outside(`http://127.0.0.1:4001${path}?${status}`)
        yield* (yield* JobWorker).runDue
        yield* (yield* IntegrationRecords).flush
        const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events`).pipe(
          answers(200, listOf(Shapes.IntegrationEvent))
        )
        const outcomes = yield* Effect.forEach(items, ({ id, status, payload }) =>
          Effect.map(
            call("admin", "GET", `/v1/integrations/${name}/events/${id}`).pipe(answers(200, Shapes.TracedEvent)),
            ({ trace }) => [payload.type, status, ...trace.logs.map(({ level, message }) => `${level}: ${message}`)]
          )
        )
        assert.sameDeepMembers(outcomes, [
          ["installation_setup", "failed", "error: The program responded with status 500"],
          ["ui_render", "failed", "error: The program responded with status 400"],
          ["fetch", "success"],
          ["fetch", "failed", "error: The program responded with status 503"]
        ])
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer, gitRemote: remote }
)
