/** Integrations as they are published: each operation with its status and the shape of its answer. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, has, Harness, refused, type Services } from "../Harness.ts"
import * as Shapes from "../IntegrationShapes.ts"
import { freshName, install, manifest, pixel, publishIntegration } from "../IntegrationSteps.ts"
import { listOf } from "../Shapes.ts"

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
        contentSecurityPolicy: { "default-src": "'self'", "img-src": "*" }
      })
      assert.strictEqual(first.contentSecurityPolicy, "default-src 'self'; img-src *")
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
      const block = { id: "map", title: "Map" }
      const link = "https://*.maps.example/n/**"
      const source = { id: "places", title: "Places", configuration: { componentId: "configure" } }
      const refusals: ReadonlyArray<readonly [number, Record<string, unknown>, string]> = [
        [400, { ...whole, title: "x" }, "title"],
        [400, { ...whole, title: undefined }, "title"],
        [400, { ...whole, description: "x".repeat(101) }, "description"],
        [400, { ...whole, scopes: ["space:everything"] }, "scopes"],
        [400, { ...whole, script: "" }, "script"],
        [400, { ...whole, script: "export default {" }, "script"],
        [400, { ...whole, script: "export default {}", runtime: "v1" }, "script"],
        [400, { ...whole, script: "(".repeat(100_000) }, "script"],
        [400, { ...whole, script: "export const fetch = () => new Response('fine')" }, "script"],
        [400, { ...whole, script: "import { Router } from 'router'; export default Router" }, "script"],
        [400, { ...whole, runtime: "v3" }, "runtime"],
        [400, { ...whole, icon: "no Base64!" }, "icon"],
        [400, { ...whole, icon: btoa("<svg xmlns='http://www.w3.org/2000/svg'/>") }, "icon"],
        [400, { ...whole, icon: Buffer.alloc(600 * 1024).toString("base64") }, "icon"],
        [400, { ...whole, previewImages: [pixel, btoa("text")] }, "previewImages"],
        [400, { ...whole, previewImages: [pixel, pixel, pixel, pixel] }, "previewImages"],
        [400, { ...whole, externalLinks: [{ url: "javascript:x", label: "x" }] }, "externalLinks"],
        [400, { ...whole, contentSecurityPolicy: "default-src \u0001" }, "contentSecurityPolicy"],
        [400, { ...whole, contentSecurityPolicy: { "default-src": "https://ü.example" } }, "contentSecurityPolicy"],
        [400, { ...whole, contentSecurityPolicy: "default-src 'self'\r\nset-cookie: a=b" }, "contentSecurityPolicy"],
        [400, { ...whole, blocks: [block, { ...block, title: "Other" }] }, "blocks[1].id"],
        [400, { ...whole, contentSources: [source, source] }, "contentSources[1].id"],
        [400, { ...whole, blocks: [{ ...block, urlUnfurl: ["javascript:**"] }] }, "blocks[0].urlUnfurl[0]"],
        [400, { ...whole, blocks: [{ ...block, urlUnfurl: [link, "https://**"] }] }, "blocks[0].urlUnfurl[1]"],
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
      const misnamed = yield* call("admin", "POST", "/v1/integrations/a%20b", whole).pipe(refused(400))
      assert.strictEqual(misnamed.issues?.[0]?.path, "path.integrationName")
      assert.match(misnamed.message, /^The input can't be accepted: path.integrationName: Expected letters/)
      yield* call("admin", "GET", path).pipe(refused(404))
      // Lines are how people write a long policy.
      yield* publishIntegration(name, { contentSecurityPolicy: { "script-src": "a.example\nb.example;\n" } })
      yield* call("admin", "DELETE", path).pipe(has(204))
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
}
