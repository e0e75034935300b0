/** Integrations, installations and placements: each operation with its status and the shape of its answer. */
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import LZString from "lz-string"
import { answers, has, Harness, refused, type Services } from "../Harness.ts"
import * as Shapes from "../IntegrationShapes.ts"
import { freshName, install, installed, manifest, pixel, program, publishIntegration } from "../IntegrationSteps.ts"
import { listOf, SiteScripts } from "../Shapes.ts"
import { createSite } from "../SiteSteps.ts"
import { createSpace, insertPage, publish } from "../Steps.ts"

const integrations = Effect.fnUntraced(function* (query: string, by: "admin" | "read" | "outsider" = "admin") {
  const { call } = yield* Harness
  const { items } = yield* call(by, "GET", `/v1/integrations?limit=1000&${query}`).pipe(
    answers(200, listOf(Shapes.Integration))
  )
  return items.map(({ name }) => name)
})

const city = { type: "string", title: "City" }

export const integrationOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("publishes the first version and the next, shows it, and unpublishes it with its installations", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const name = yield* freshName
      const first = yield* publishIntegration(name, {
        icon: pixel,
        previewImages: [pixel],
        summary: "# Weather",
        categories: ["content"],
        externalLinks: [{ url: "https://example.com/", label: "Home" }],
        contentSecurityPolicy: { "default-src": "'self'" }
      })
      assert.deepInclude(first, { name, version: 1, title: "Weather", target: "all", verified: false })
      assert.strictEqual(first.owner.id, organization)
      assert.isTrue(first.permissions.admin)
      assert.notInclude(JSON.stringify(first), manifest.script)
      const icon = new URL(first.urls.icon ?? "")
      const picture = yield* call("nobody", "GET", icon.pathname).pipe(has(200))
      assert.strictEqual(picture.headers.get("content-type"), "image/png")
      assert.strictEqual(Buffer.from(picture.bytes).toString("base64"), pixel)
      yield* call("nobody", "GET", `/v1/integrations/${name}/assets/${"A".repeat(43)}`).pipe(refused(404))

      // What is left out is as if it had never been said; case tells no names apart.
      const upper = name.toUpperCase()
      const second = yield* publishIntegration(upper, { title: "Forecast" })
      assert.deepInclude(second, { name: upper, version: 2, title: "Forecast", previewImages: [], categories: [] })
      assert.notProperty(second.urls, "icon")
      const path = `/v1/integrations/${name}`
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, Shapes.Integration)), second)

      const { id } = yield* install(name)
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* call("admin", "GET", `${path}/installations/${id}`).pipe(refused(404))
      // Whatever was installed is gone, and the name is free.
      assert.strictEqual((yield* publishIntegration(name, {}, "outsider")).version, 1)
      yield* call("admin", "GET", `${path}/installations/${id}`).pipe(refused(404))
    })
  )

  it.effect("lists what is public and one's own, narrowed by what is said of them", () =>
    Effect.gen(function* () {
      const { call, organization, elsewhere } = yield* Harness
      const [shown, hidden, secret, foreign] = [yield* freshName, yield* freshName, yield* freshName, yield* freshName]
      yield* publishIntegration(shown, {
        title: "Ünfurler",
        scopes: ["space:content:read"],
        categories: ["analytics", "other"],
        target: "space",
        blocks: [{ id: "b", title: "Block", urlUnfurl: ["https://maps.example.com/"] }]
      })
      yield* publishIntegration(hidden, { visibility: "unlisted" })
      yield* publishIntegration(secret, { visibility: undefined })
      yield* publishIntegration(foreign, { target: "site", contentSources: [] }, "outsider")

      const listed = yield* integrations("", "outsider")
      assert.includeMembers(listed, [shown, foreign])
      assert.notIncludeMembers(listed, [hidden])
      assert.notIncludeMembers(listed, [secret])
      assert.includeMembers(yield* integrations("", "read"), [shown, hidden, secret, foreign])
      yield* call("outsider", "GET", `/v1/integrations/${hidden}`).pipe(answers(200, Shapes.Integration))
      yield* call("outsider", "GET", `/v1/integrations/${secret}`).pipe(refused(404))

      const ours = yield* integrations(`owner=${organization}`)
      assert.includeMembers(ours, [shown, hidden, secret])
      assert.notInclude(ours, foreign)
      const theirs = yield* integrations(`owner=${elsewhere}`)
      assert.include(theirs, foreign)
      assert.notIncludeMembers(theirs, ours)
      const only = Effect.fnUntraced(function* (query: string) {
        return (yield* integrations(`${query}&owner=${organization}`)).filter((name) =>
          [shown, hidden, secret].includes(name)
        )
      })
      for (const query of ["search=unf", "category=analytics", "scope=space:content:read", "blocks=true"]) {
        assert.deepStrictEqual(yield* only(query), [shown], query)
      }
      assert.deepStrictEqual(yield* only("blockDomain=Maps.example.com"), [shown])
      assert.deepStrictEqual(yield* only(`search=${hidden}`), [hidden])
      assert.notInclude(yield* only("blocks=false"), shown)
      assert.deepStrictEqual(yield* only("contentSources=true"), [])
      // What works on everything works on each.
      assert.includeMembers(yield* only("target=space"), [shown, hidden])
      assert.notInclude(yield* only("target=site"), shown)
      const own = yield* call("read", "GET", `/v1/orgs/${organization}/integrations?limit=1000`).pipe(
        answers(200, listOf(Shapes.Integration))
      )
      assert.includeMembers(
        own.items.map(({ name }) => name),
        [shown, hidden, secret, foreign]
      )
      // By title, in pages.
      const page = yield* call("admin", "GET", "/v1/integrations?limit=1").pipe(
        answers(200, listOf(Shapes.Integration))
      )
      const next = yield* call("admin", "GET", `/v1/integrations?limit=1000&page=${page.next?.page}`).pipe(
        answers(200, listOf(Shapes.Integration))
      )
      assert.strictEqual(page.count, next.items.length + 1)
    })
  )

  it.effect("refuses what can't be used, and writes nothing of it", () =>
    Effect.gen(function* () {
      const { call, organization, elsewhere } = yield* Harness
      const name = yield* freshName
      const path = `/v1/integrations/${name}`
      const whole = { ...manifest, organization }
      const refusals: ReadonlyArray<readonly [number, Record<string, unknown>, string]> = [
        [400, { ...whole, title: "x" }, "title"],
        [400, { ...whole, title: undefined }, "title"],
        [400, { ...whole, description: "x".repeat(101) }, "description"],
        [400, { ...whole, scopes: ["space:everything"] }, "scopes"],
        [400, { ...whole, script: "" }, "script"],
        [400, { ...whole, script: "export default {" }, "script"],
        [400, { ...whole, script: "export default {}", runtime: "v1" }, "script"],
        [400, { ...whole, script: "(".repeat(100_000) }, "script"],
        [400, { ...whole, runtime: "v3" }, "runtime"],
        [400, { ...whole, icon: "no Base64!" }, "icon"],
        [400, { ...whole, icon: btoa("<svg xmlns='http://www.w3.org/2000/svg'/>") }, "icon"],
        [400, { ...whole, icon: Buffer.alloc(600 * 1024).toString("base64") }, "icon"],
        [400, { ...whole, previewImages: [pixel, btoa("text")] }, "previewImages"],
        [400, { ...whole, previewImages: [pixel, pixel, pixel, pixel] }, "previewImages"],
        [400, { ...whole, externalLinks: [{ url: "javascript:x", label: "x" }] }, "externalLinks"],
        [400, { ...whole, contentSecurityPolicy: "default-src \u0001" }, "contentSecurityPolicy"],
        [400, { ...whole, contentSecurityPolicy: { "default-src": "https://ü.example" } }, "contentSecurityPolicy"],
        [400, { ...whole, configurations: { account: { properties: { constructor: city } } } }, "configurations"],
        [
          400,
          { ...whole, secrets: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`s${i}`, "x"])) },
          "secrets"
        ],
        [404, { ...whole, organization: elsewhere }, "organization"],
        [404, { ...whole, organization: "nobody" }, "organization"]
      ]
      for (const [status, body, field] of refusals) {
        const { issues, message } = yield* call("admin", "POST", path, body).pipe(refused(status))
        if (status === 400) assert.isTrue(issues?.[0]?.path.startsWith(`body.${field}`), `${field}: ${message}`)
      }
      yield* call("admin", "POST", "/v1/integrations/a%20b", whole).pipe(refused(400))
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* publishIntegration(name)
      yield* call("outsider", "POST", path, { ...manifest, organization: elsewhere }).pipe(refused(409))
      yield* call("outsider", "DELETE", path).pipe(refused(403))
      yield* call("create", "POST", path, whole).pipe(refused(403))
      // The subdomain names the organization as well.
      const { hostname } = (yield* publishIntegration(name)).owner
      assert.strictEqual((yield* publishIntegration(name, { organization: hostname })).version, 3)
    })
  )

  it.effect("installs once, is pending until what is required is configured, and can be paused", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { name, id, path } = yield* installed({
        configurations: {
          account: {
            properties: {
              city,
              unit: { type: "string", enum: ["C", "F"], default: "C" },
              days: { type: "number" },
              on: { type: "boolean" }
            },
            required: ["city", "unit"]
          }
        }
      })
      const made = yield* call("admin", "GET", path).pipe(answers(200, Shapes.Installation))
      assert.deepInclude(made, {
        status: "pending",
        space_selection: "all",
        site_selection: "all",
        configuration: { unit: "C" },
        externalIds: [],
        target: { organization }
      })
      assert.deepStrictEqual((yield* install(name)).id, id)
      const patch = (body: unknown) => call("admin", "PATCH", path, body).pipe(answers(200, Shapes.Installation))
      // Whatever is not declared is kept as it is.
      const configuration = { city: "Oslo", credentials: { token: "t" } }
      const configured = yield* patch({ configuration, externalIds: ["team-1"] })
      assert.deepInclude(configured, { status: "active", externalIds: ["team-1"] })
      assert.deepStrictEqual(configured.configuration, { unit: "C", ...configuration })
      assert.deepStrictEqual(yield* patch({}), configured)
      for (const wrong of [{ city: 1 }, { unit: "K" }, { days: "1" }, { on: "yes" }]) {
        const { issues } = yield* call("admin", "PATCH", path, { configuration: wrong }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, `body.configuration.${Object.keys(wrong)[0]}`)
      }
      yield* call("admin", "PATCH", path, { configuration: { big: "x".repeat(70_000) } }).pipe(refused(400))
      yield* call("admin", "PATCH", path, { externalIds: ["1", "2", "3", "4", "5", "6"] }).pipe(refused(400))
      assert.strictEqual((yield* patch({ status: "paused" })).status, "paused")
      assert.strictEqual((yield* patch({ status: "active" })).status, "active")
      assert.strictEqual((yield* patch({ configuration: { city: null } })).status, "pending")
      yield* patch({ configuration })

      // Members see that it is there, and not what is kept in it.
      const seen = yield* call("read", "GET", path).pipe(answers(200, Shapes.Installation))
      assert.deepStrictEqual(seen.configuration, {})
      yield* call("read", "PATCH", path, {}).pipe(refused(403))
      yield* call("outsider", "GET", path).pipe(refused(404))

      const found = yield* call("admin", "GET", `/v1/integrations/${name}/installations?externalId=team-1`).pipe(
        answers(200, listOf(Shapes.Installation))
      )
      assert.deepStrictEqual(
        found.items.map((item) => item.id),
        [id]
      )
      const none = yield* call("admin", "GET", `/v1/integrations/${name}/installations?externalId=team-2`).pipe(
        answers(200, listOf(Shapes.Installation))
      )
      assert.strictEqual(none.count, 0)

      const here = yield* call("read", "GET", `/v1/orgs/${organization}/installations?search=${name}`).pipe(
        answers(200, listOf(Schema.Struct({ integration: Shapes.Integration, installation: Shapes.Installation })))
      )
      assert.deepStrictEqual(
        here.items.map(({ installation }) => installation.id),
        [id]
      )
      const Statuses = listOf(Schema.Struct({ integration: Shapes.Integration, status: Schema.String }))
      const statuses = yield* call(
        "read",
        "GET",
        `/v1/orgs/${organization}/integrations/installations-status?limit=1000`
      ).pipe(answers(200, Statuses))
      assert.deepStrictEqual(
        statuses.items.flatMap(({ integration, status }) => (integration.name === name ? [status] : [])),
        ["active"]
      )
      const status = `/v1/orgs/${organization}/integrations/${name}/installation_status`
      assert.strictEqual((yield* call("read", "GET", status).pipe(has(200))).text, '{"status":"active"}')

      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
      yield* call("read", "GET", status).pipe(refused(404))
    })
  )

  it.effect("asks each installer for what a later version wants beyond what was agreed to", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { name, path } = yield* installed({ scopes: ["space:content:read", "site:script:inject"] })
      const get = call("admin", "GET", path).pipe(answers(200, Shapes.Installation))
      assert.deepInclude(yield* get, { scopes: ["space:content:read", "site:script:inject"], requestedScopes: [] })
      yield* publishIntegration(name, { scopes: ["space:content:read", "space:content:write"] })
      assert.deepInclude(yield* get, { scopes: ["space:content:read"], requestedScopes: ["space:content:write"] })
      // Installing once more agrees to nothing.
      assert.deepInclude(yield* install(name), { requestedScopes: ["space:content:write"] })
      yield* call("admin", "PATCH", path, { scopes: ["site:script:inject"] }).pipe(refused(400))
      yield* call("admin", "PATCH", path, { scopes: ["space:content:read", "space:content:write"] }).pipe(has(200))
      assert.deepInclude(yield* get, { requestedScopes: [] })
    })
  )

  it.effect("places an installation on spaces and sites, with settings of their own", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: space } = yield* createSpace()
      const { id: site } = yield* createSite([space])
      for (const [kind, content, body, shape] of [
        ["space", space, { space }, Shapes.SpacePlacement],
        ["site", site, { siteId: site }, Shapes.SitePlacement]
      ] as const) {
        const { name, id, path } = yield* installed({
          target: kind,
          scopes: ["site:script:inject"],
          blocks: [{ id: "b", title: "Block" }],
          configurations: { [kind]: { properties: { city }, required: ["city"] } }
        })
        const placements = `${path}/${kind}s`
        const one = `${placements}/${content}`
        const unsuitable = kind === "space" ? [`${path}/sites`, { siteId: site }] : [`${path}/spaces`, { space }]
        yield* call("admin", "POST", unsuitable[0] as string, unsuitable[1]).pipe(refused(409))
        yield* call("admin", "GET", one).pipe(refused(404))
        yield* call("admin", "PATCH", one, {}).pipe(refused(404))
        const placed = yield* call("admin", "POST", placements, body).pipe(answers(201, shape))
        assert.deepInclude(placed, { integration: name, installation: id, status: "pending", [kind]: content })
        assert.deepStrictEqual(yield* call("admin", "POST", placements, body).pipe(answers(201, shape)), placed)
        const configured = yield* call("admin", "PATCH", one, {
          configuration: { city: "Oslo" },
          externalIds: ["channel-1"]
        }).pipe(answers(200, shape))
        assert.deepInclude(configured, { status: "active", externalIds: ["channel-1"] })
        yield* call("admin", "PATCH", one, { configuration: { city: 5 } }).pipe(refused(400))
        assert.deepStrictEqual(yield* call("admin", "GET", one).pipe(answers(200, shape)), configured)
        // Members see that it is there, and not what is kept in it.
        const seen = yield* call("read", "GET", one).pipe(answers(200, shape))
        assert.deepStrictEqual(seen.configuration, {})
        const whole = yield* call("read", "GET", `${one}?extended=true`).pipe(answers(200, shape))
        assert.deepInclude((whole as Record<string, unknown>)[kind], { object: kind, id: content })

        const all = `/v1/integrations/${name}/${kind}s`
        for (const [list, count] of [
          [placements, 1],
          [all, 1],
          [`${all}?externalId=channel-1&extended=true`, 1],
          [`${all}?externalId=channel-2`, 0]
        ] as const) {
          const found = yield* call("read", "GET", list).pipe(answers(200, listOf(shape)))
          assert.strictEqual(found.count, count, list)
        }
        const working =
          kind === "space"
            ? `/v1/spaces/${space}/integrations?search=${name}`
            : `/v1/orgs/${organization}/sites/${site}/integrations?search=${name}`
        const atWork = Effect.map(
          call("read", "GET", working).pipe(answers(200, listOf(Shapes.Integration))),
          ({ count }) => count
        )
        assert.strictEqual(yield* atWork, 1)
        if (kind === "space") {
          const blocks = yield* call("read", "GET", `/v1/spaces/${space}/integration-blocks`).pipe(
            answers(
              200,
              Schema.Array(Schema.Struct({ name: Schema.String, blocks: Schema.Array(Shapes.IntegrationBlock) }))
            )
          )
          assert.deepStrictEqual(
            blocks.find((found) => found.name === name)?.blocks.map((block) => block.id),
            ["b"]
          )
        } else {
          const scripts = yield* call("read", "GET", `/v1/orgs/${organization}/sites/${site}/integration-scripts`).pipe(
            answers(200, SiteScripts)
          )
          assert.isTrue(scripts.some(({ script, cookies }) => script.includes(name.toLowerCase()) && !cookies))
        }
        yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
        assert.strictEqual(yield* atWork, 0)
        yield* call("admin", "PATCH", path, { status: "active" }).pipe(has(200))

        yield* call("read", "DELETE", one).pipe(refused(403))
        yield* call("admin", "DELETE", one).pipe(has(204))
        yield* call("admin", "DELETE", one).pipe(has(204))
        assert.strictEqual(yield* atWork, 0)
        // On all of them it is there without being placed.
        yield* call("admin", "PATCH", path, { [`${kind}_selection`]: "all" }).pipe(has(200))
        assert.strictEqual((yield* call("admin", "GET", one).pipe(answers(200, shape))).status, "pending")
        yield* call("admin", "PATCH", one, { configuration: { city: "Oslo" } }).pipe(has(200))
        assert.strictEqual(yield* atWork, 1)
      }
    })
  )

  it.effect("shows the publisher where it is installed, and nothing of what it is installed on", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const name = yield* freshName
      yield* publishIntegration(name, {}, "outsider")
      const { id } = yield* install(name)
      const { id: space } = yield* createSpace({ title: "Confidential" })
      const path = `/v1/integrations/${name}/installations/${id}`
      yield* call("admin", "PATCH", path, { configuration: { key: "ours" } }).pipe(has(200))
      yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
      for (const query of [path, `${path}/spaces?extended=true`, `${path}/spaces/${space}?extended=true`]) {
        const { text } = yield* call("outsider", "GET", query).pipe(has(200))
        assert.notInclude(text, "Confidential")
        assert.notInclude(text, "ours")
      }
      const listed = yield* call("outsider", "GET", `/v1/integrations/${name}/spaces?extended=true`).pipe(
        answers(200, listOf(Shapes.SpacePlacement))
      )
      assert.deepStrictEqual(
        listed.items.map((item) => item.space),
        [space]
      )
      yield* call("outsider", "PATCH", path, { status: "paused" }).pipe(refused(403))
      // What can't be seen counts as removed, and stays.
      yield* call("outsider", "DELETE", `${path}/spaces/${space}`).pipe(has(204))
      yield* call("admin", "GET", `${path}/spaces/${space}`).pipe(has(200))
      // A space that is closed to a member is in no list of its own.
      yield* call("admin", "PATCH", `/v1/spaces/${space}`, { defaultLevel: null }).pipe(has(200))
      const seen = yield* call("read", "GET", `/v1/integrations/${name}/spaces`).pipe(
        answers(200, listOf(Shapes.SpacePlacement))
      )
      assert.strictEqual(seen.count, 0)
      yield* call("read", "GET", `${path}/spaces/${space}`).pipe(refused(404))
    })
  )

  it.effect("draws what an integration answers, by POST and by a packed GET, and keeps a record of it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { name, path } = yield* installed({
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
      const { items } = yield* call("read", "GET", `${events}?limit=100`).pipe(
        answers(200, listOf(Shapes.IntegrationEvent))
      )
      const renders = items.filter(({ payload }) => payload.type === "ui_render")
      const outcomes = new Map(renders.map(({ payload, status }) => [payload["componentId"], status]))
      assert.deepStrictEqual(
        ["none", "html", "broken"].map((component) => outcomes.get(component)),
        ["success", "failed", "failed"]
      )
      const one = renders.find(({ payload }) => payload["componentId"] === "broken")?.id
      const traced = yield* call("admin", "GET", `${events}/${one}`).pipe(answers(200, Shapes.TracedEvent))
      assert.deepStrictEqual(
        traced.trace.logs.map((line) => line.message),
        ["drawing broken"]
      )
      yield* call("outsider", "GET", `${events}/${one}`).pipe(refused(404))
      const theirs = yield* call("outsider", "GET", events).pipe(answers(200, listOf(Shapes.IntegrationEvent)))
      assert.strictEqual(theirs.count, 0)
      yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
      yield* call("read", "POST", render, request("diagram")).pipe(refused(404))
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
    })
  )
}
