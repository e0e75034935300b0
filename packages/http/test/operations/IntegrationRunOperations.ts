/** Integrations at work: what they draw, what they are told, their tasks, tokens and development. */
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import LZString from "lz-string"
import { answers, has, Harness, refused, type Services } from "../Harness.ts"
import * as Shapes from "../IntegrationShapes.ts"
import { installed, program } from "../IntegrationSteps.ts"
import { AuditEvent, listOf } from "../Shapes.ts"
import { json } from "../SiteSteps.ts"
import { createSpace, insertPage, publish } from "../Steps.ts"

/** Answers that draw nothing, by the names of the components that they are given for. */
const undrawn = {
  nothing: {},
  list: [],
  otherType: { type: "other", element: { type: "block", children: [] } },
  noElement: { type: "element", state: {}, props: {} },
  elementOfText: { type: "element", element: "text" },
  elements: { type: "element", element: [{ type: "block", children: [] }] },
  noType: { type: "element", element: { children: [] } },
  noRoot: { type: "element", element: { type: "text", children: [] } },
  unknownRoot: { type: "element", element: { type: "constructor", children: [] } }
}

/** Answers that the client has, in their shortest form. */
const drawn = {
  block: { type: "element", element: { type: "block", children: [] }, state: {}, props: {} },
  dialog: { type: "element", element: { type: "modal", children: [] }, state: {}, props: {} },
  screen: { type: "element", element: { type: "configuration", children: [] }, state: {}, props: {} },
  untyped: { element: { type: "block", children: [] }, state: {}, props: {} },
  end: { type: "complete" },
  endWithValue: { type: "complete", returnValue: { a: 1 } }
}

export const integrationRunOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("draws what an integration answers, by POST and by a packed GET, and keeps a record of it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { name } = yield* installed({
        script: program(`
          log("drawing " + event.componentId)
          if (event.componentId === "none") return Response.json({ error: "Component none not found" }, { status: 404 })
          if (event.componentId === "html") return new Response("<p>no</p>")
          if (event.componentId === "broken") return Response.json({ error: "Internal" }, { status: 500 })
          return Response.json({ type: "element", state: {}, props: event.props, element: { type: "block", children: [], event } })
        `)
      })
      const request = (componentId: string) => ({
        componentId,
        props: { content: "a" },
        context: { type: "document", spaceId: space, theme: "dark" }
      })
      const Drawn = Schema.Struct({
        type: Schema.Literal("element"),
        props: Schema.Json,
        element: Schema.Struct({ event: Schema.Record(Schema.String, Schema.Json) })
      })
      const render = `/v1/integrations/${name}/render`
      const drawn = yield* call("read", "POST", render, request("diagram")).pipe(answers(200, Drawn))
      assert.deepStrictEqual(drawn.props, { content: "a" })
      assert.deepInclude(drawn.element.event, { type: "ui_render", componentId: "diagram", spaceId: space })
      const packed = encodeURIComponent(LZString.compressToBase64(JSON.stringify(request("diagram"))))
      const inUrl = LZString.compressToEncodedURIComponent(JSON.stringify(request("diagram")))
      for (const text of [packed, inUrl]) {
        yield* call("read", "GET", `${render}?request=${text}`).pipe(answers(200, Drawn))
      }
      const huge = LZString.compressToEncodedURIComponent("a".repeat(300_000))
      for (const text of ["", "%25", "abc", huge, LZString.compressToEncodedURIComponent("[1"), "x".repeat(9000)]) {
        yield* call("read", "GET", `${render}?request=${text}`).pipe(refused(400))
      }
      for (const [wrong, path] of [
        [[], "query.request"],
        [{ ...request("diagram"), props: 1 }, "query.request.props"]
      ] as const) {
        const text = LZString.compressToEncodedURIComponent(JSON.stringify(wrong))
        const { issues } = yield* call("read", "GET", `${render}?request=${text}`).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, path)
      }
      const { message } = yield* call("read", "POST", render, request("none")).pipe(refused(400))
      assert.strictEqual(message, "Component none not found")
      for (const wrong of ["html", "broken"]) yield* call("read", "POST", render, request(wrong)).pipe(has(502))
      const large = { ...request("diagram"), props: { content: "x".repeat(300_000) } }
      yield* call("read", "POST", render, large).pipe(refused(400))
      yield* call("outsider", "POST", render, request("diagram")).pipe(refused(404))
      const configured = { ...request("diagram"), context: { type: "configuration_space", spaceId: space } }
      yield* call("read", "POST", render, configured).pipe(refused(403))
      yield* call("admin", "POST", render, configured).pipe(has(200))

      yield* (yield* IntegrationRecords).flush
      const events = `/v1/integrations/${name}/events`
      const { items } = yield* call("admin", "GET", `${events}?limit=100`).pipe(
        answers(200, listOf(Shapes.IntegrationEvent))
      )
      const renders = items.filter(({ payload }) => payload.type === "ui_render")
      const outcomes = new Map(renders.map(({ payload, status }) => [payload["componentId"], status]))
      assert.deepStrictEqual(
        ["none", "html", "broken"].map((component) => outcomes.get(component)),
        ["failed", "failed", "failed"]
      )
      const one = renders.find(({ payload }) => payload["componentId"] === "broken")?.id
      const traced = yield* call("admin", "GET", `${events}/${one}`).pipe(answers(200, Shapes.TracedEvent))
      assert.deepStrictEqual(
        traced.trace.logs.map((line) => line.message),
        ["drawing broken", "The program responded with status 500"]
      )
      // They hold what stands on pages of any space.
      const other = yield* installed({ visibility: "public" })
      const { token } = yield* call("admin", "POST", `${other.path}/tokens`).pipe(json(200))
      for (const by of ["guest", "create", "outsider", { token }] as const) {
        yield* call(by, "GET", `${events}/${one}`).pipe(refused(404))
        const theirs = yield* call(by, "GET", events).pipe(answers(200, listOf(Shapes.IntegrationEvent)))
        assert.strictEqual(theirs.count, 0)
      }
    })
  )

  it.effect("tells administrators why nothing is drawn, and nobody else that it is installed", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const needed = { properties: { city: { type: "string" } }, required: ["city"] }
      const { name, path } = yield* installed({
        script: program(`return Response.json({ type: "complete" })`),
        configurations: { account: needed, space: needed }
      })
      const draw = (by: "admin" | "read", called = name) =>
        call(by, "POST", `/v1/integrations/${called}/render`, {
          componentId: "block",
          props: {},
          context: { type: "document", spaceId: space }
        })
      const absent = `There is no integration ${name}`
      const says = Effect.fnUntraced(function* (why: string) {
        assert.strictEqual((yield* draw("admin").pipe(refused(404))).message, `The integration ${name} ${why}`)
        assert.strictEqual((yield* draw("read").pipe(refused(404))).message, absent)
        // A name that is written otherwise would tell that there is one.
        const shouted = name.toUpperCase()
        assert.strictEqual(
          (yield* draw("read", shouted).pipe(refused(404))).message,
          `There is no integration ${shouted}`
        )
      })
      yield* says("waits for its configuration")
      const configuration = { city: "Rome" }
      yield* call("admin", "PATCH", path, { configuration }).pipe(has(200))
      yield* says("waits for its configuration")
      yield* call("admin", "PATCH", `${path}/spaces/${space}`, { configuration }).pipe(has(200))
      yield* draw("read").pipe(has(200))
      yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
      yield* says("is paused")
      yield* call("admin", "DELETE", path).pipe(has(204))
      assert.strictEqual((yield* draw("admin").pipe(refused(404))).message, absent)
    })
  )

  it.effect("takes an answer for a drawing where it is one, in outline, and for a failure else", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { name } = yield* installed({
        script: program(`
          const { body = null, status } = event.props
          return new Response(body, { status })`)
      })
      const render = (componentId: string, body: string | undefined, status = 200) =>
        call("read", "POST", `/v1/integrations/${name}/render`, {
          componentId,
          props: { ...(body !== undefined && { body }), status },
          context: { type: "document", spaceId: space }
        })
      for (const [component, answer] of Object.entries(undrawn)) {
        const { message } = yield* render(component, JSON.stringify(answer)).pipe(refused(502))
        assert.match(message, /could not render this component/)
      }
      for (const [component, answer] of Object.entries(drawn)) {
        const { text } = yield* render(component, JSON.stringify(answer)).pipe(has(200))
        const told = component === "untyped" ? { ...drawn.block, canAccessVisitorClaims: false } : answer
        assert.deepStrictEqual(JSON.parse(text), told)
      }
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
      yield* render("deep", `{"element":{"type":"block","children":${deep}}}`).pipe(refused(502))
      yield* render("noContent", undefined, 204).pipe(refused(502))
      yield* render("sentOn", undefined, 302).pipe(refused(502))
      yield* render("rejected", "{}", 400).pipe(refused(400))

      yield* (yield* IntegrationRecords).flush
      const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=100`).pipe(
        answers(200, listOf(Shapes.IntegrationEvent))
      )
      const outcomes = Object.fromEntries(items.map(({ payload, status }) => [payload["componentId"], status]))
      assert.deepStrictEqual(outcomes, {
        ...Object.fromEntries(
          [...Object.keys(undrawn), "deep", "noContent", "sentOn", "rejected"].map((name) => [name, "failed"])
        ),
        ...Object.fromEntries(Object.keys(drawn).map((name) => [name, "success"]))
      })
    })
  )

  it.effect("tells a program what it is installed on, once, in order, and gives it tasks and tokens", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace()
      const { name, id, path } = yield* installed({
        scopes: ["space:content:read"],
        secrets: { key: "hidden" },
        script: program(`
          log(JSON.stringify([environment.secrets, environment.apiEndpoint, event.type]))
          return event.type === "installation_setup" ? new Response("OK") : Response.json({ error: "no" }, { status: 406 })
        `)
      })
      yield* call("admin", "PATCH", path, { configuration: { secret: "s3cret" } }).pipe(has(200))
      yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
      yield* publish(space, [insertPage("New")])
      yield* call("admin", "POST", `/v1/integrations/${name}/tasks`, { task: { do: "it" } }).pipe(has(204))
      yield* call("admin", "POST", `/v1/integrations/${name}/tasks`, { task: { later: 1 }, schedule: 3600 }).pipe(
        has(204)
      )
      yield* call("admin", "POST", `/v1/integrations/${name}/tasks`, { task: {}, schedule: 86_401 }).pipe(refused(400))
      yield* call("admin", "DELETE", `${path}/spaces/${space}`).pipe(has(204))
      yield* (yield* JobWorker).runDue
      const events = `/v1/integrations/${name}/events?limit=100`
      const listed = yield* call("admin", "GET", events).pipe(answers(200, listOf(Shapes.IntegrationEvent)))
      assert.deepStrictEqual(
        listed.items
          .toReversed()
          .map(({ payload, status }) => [payload.type, status])
          .filter(([type]) => type !== "task"),
        [
          ["installation_setup", "success"],
          ["installation_setup", "success"],
          ["space_installation_setup", "success"],
          ["space_content_updated", "success"],
          ["space_installation_deleted", "success"]
        ]
      )
      assert.strictEqual(listed.items.filter(({ payload }) => payload.type === "task").length, 1)
      const text = JSON.stringify(listed)
      assert.notInclude(text, "s3cret")
      const first = listed.items.at(-1)?.id
      const traced = yield* call("admin", "GET", `/v1/integrations/${name}/events/${first}`).pipe(
        answers(200, Shapes.TracedEvent)
      )
      assert.include(traced.trace.logs[0]?.message, '{"key":"hidden"}')

      const Token = Schema.Struct({ token: Schema.String })
      const { token } = yield* call("admin", "POST", `${path}/tokens`).pipe(answers(200, Token))
      yield* call({ token }, "GET", `/v1/spaces/${space}`).pipe(has(200))
      yield* call({ token }, "GET", `/v1/orgs/${organization}/members`).pipe(refused(404))
      yield* call({ token: `${token}x` }, "GET", `/v1/spaces/${space}`).pipe(has(401))
      const own = yield* call({ token }, "PATCH", path, { configuration: { city: "Oslo" } }).pipe(
        answers(200, Shapes.Installation)
      )
      assert.deepStrictEqual(own.configuration, { city: "Oslo" })
      yield* call({ token }, "PATCH", path, { space_selection: "all" }).pipe(refused(403))
      yield* call({ token }, "DELETE", path).pipe(refused(403))
      yield* call("read", "POST", `${path}/tokens`).pipe(refused(403))
      yield* TestClock.adjust("61 minutes")
      yield* call({ token }, "GET", `/v1/spaces/${space}`).pipe(has(401))
      assert.strictEqual(own.id, id)
    })
  )

  it.effect("sends events to a developer's tunnel for a day, and no longer", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { name } = yield* installed()
      const path = `/v1/integrations/${name}/dev`
      for (const tunnelUrl of ["", "no URL", "ftp://example.com/", `https://example.com/${"x".repeat(300)}`]) {
        yield* call("admin", "PUT", path, { tunnelUrl }).pipe(refused(400))
      }
      yield* call("create", "PUT", path, { tunnelUrl: "https://tunnel.example.com/" }).pipe(refused(403))
      yield* call("admin", "PUT", path, { tunnelUrl: "https://tunnel.example.com/", all: true }).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      const events = yield* auditEvents(name.toLowerCase())
      assert.deepStrictEqual(events.map(({ action }) => action).slice(0, 2), [
        "integration_development_ended",
        "integration_development_started"
      ])
      assert.strictEqual(events[1]?.payload["all"], true)
      assert.notInclude(JSON.stringify(events), "tunnel.example.com")
    })
  )

  it.effect("tells of a development that ends by itself", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { name, path } = yield* installed({
        script: program(`
          if (environment.installation.configuration.city === "Atlantis") throw new Error("unreachable")
          return new Response()
        `)
      })
      const develop = call("admin", "PUT", `/v1/integrations/${name}/dev`, {
        tunnelUrl: "https://tunnel.example.com/"
      }).pipe(has(204))
      const told = Effect.map(auditEvents(name.toLowerCase()), (events) =>
        events
          .filter(({ action }) => action === "integration_development_ended")
          .map(({ actor, source, payload }) => ({ actor: actor.id, source, reason: payload["reason"] }))
      )
      const byItself = { actor: "lectern", source: "workflow" as const }
      const { runDue } = yield* JobWorker

      yield* develop
      yield* TestClock.adjust("23 hours")
      yield* runDue
      assert.deepStrictEqual(yield* told, [])
      // Begun anew: it lasts as long as if nothing had been.
      yield* develop
      yield* TestClock.adjust("2 hours")
      yield* runDue
      assert.deepStrictEqual(yield* told, [])
      yield* TestClock.adjust("23 hours")
      yield* runDue
      assert.deepStrictEqual(yield* told, [{ ...byItself, reason: "expired" }])

      yield* develop
      yield* call("admin", "PATCH", path, { configuration: { city: "Atlantis" } }).pipe(has(200))
      yield* runDue
      assert.deepStrictEqual((yield* told)[0], { ...byItself, reason: "unreachable" })
      yield* TestClock.adjust("25 hours")
      yield* runDue
      assert.lengthOf(yield* told, 2)
    })
  )

  it.effect("tells of the tokens of an installation that somebody makes, once a day", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id, path } = yield* installed()
      const make = call("admin", "POST", `${path}/tokens`).pipe(has(200))
      const told = Effect.map(auditEvents(id), (events) =>
        events.filter(({ action }) => action === "installation_token_created")
      )
      yield* make
      yield* make
      assert.lengthOf(yield* told, 1)
      yield* TestClock.adjust("25 hours")
      yield* make
      assert.lengthOf(yield* told, 2)
    })
  )
}

/** Events of the audit log that are about something, the newest first. */
const auditEvents = Effect.fnUntraced(function* (target: string) {
  const { call, organization } = yield* Harness
  const { items } = yield* call("admin", "GET", `/v1/orgs/${organization}/audit-events?target=${target}`).pipe(
    answers(200, listOf(AuditEvent))
  )
  return items
})
