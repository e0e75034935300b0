/**
 * Requests that each scope allows to an installation's token, on what it is installed on, as it was decided:
 * apart from the tables of the core. Any request that is not named here for a scope is not there for it.
 */
import { IntegrationScope } from "@lectern/core/integration/IntegrationManifest"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, type Method, onMemory } from "./Harness.ts"
import { installed } from "./IntegrationSteps.ts"
import { createSite, publishSite } from "./SiteSteps.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"

interface Places {
  readonly org: string
  readonly space: string
  readonly page: string
  readonly site: string
}

interface Request {
  readonly method: Method
  readonly path: (places: Places) => string
  readonly body?: unknown
  /** Any of these is enough. */
  readonly scopes: ReadonlyArray<typeof IntegrationScope.Type>
}

const get = (path: Request["path"], ...scopes: Request["scopes"]): Request => ({ method: "GET", path, scopes })
const send = (method: Method, path: Request["path"], body: unknown, ...scopes: Request["scopes"]): Request => ({
  method,
  path,
  body,
  scopes
})

const content = ["space:content:read", "space:content:write"] as const
const metadata = ["space:metadata:read", "space:metadata:write"] as const
const schema = { jsonSchema: { type: "object", properties: {}, additionalProperties: false } }

const requests: ReadonlyArray<Request> = [
  get(({ space }) => `/v1/spaces/${space}`, ...metadata, ...content),
  send("PATCH", ({ space }) => `/v1/spaces/${space}`, { title: "New" }, "space:metadata:write"),
  get(({ space }) => `/v1/spaces/${space}/content`, ...content),
  get(({ space }) => `/v1/spaces/${space}/content/pages`, ...content),
  get(({ space, page }) => `/v1/spaces/${space}/content/page/${page}`, ...content),
  get(({ space }) => `/v1/spaces/${space}/search?query=page`, ...content),
  get(({ space }) => `/v1/spaces/${space}/change-requests`, ...content),
  get(({ space }) => `/v1/spaces/${space}/comments`, ...content),
  send("POST", ({ space }) => `/v1/spaces/${space}/change-requests`, {}, "space:content:write"),
  send(
    "POST",
    ({ space }) => `/v1/spaces/${space}/content/import`,
    { url: "data:text/markdown,Imported", source: "markdown" },
    "space:content:write"
  ),
  send(
    "POST",
    ({ space }) => `/v1/spaces/${space}/content/computed/document`,
    { source: { type: "integration:none:none", props: {} }, seed: "x" },
    "space:content:write"
  ),
  send("POST", ({ space }) => `/v1/spaces/${space}/comments`, { body: { markdown: "x" } }),
  send("POST", ({ space }) => `/v1/spaces/${space}/duplicate`, {}),
  send("POST", ({ space }) => `/v1/spaces/${space}/permissions`, { users: ["someone"], role: "admin" }),
  send("POST", ({ space }) => `/v1/spaces/${space}/move`, {}),
  get(({ org, site }) => `/v1/orgs/${org}/sites/${site}`, "site:metadata:read"),
  get(({ org, site }) => `/v1/orgs/${org}/sites/${site}/structure`, "site:metadata:read"),
  get(({ org, site }) => `/v1/orgs/${org}/sites/${site}/integration-scripts`, "site:metadata:read"),
  get(({ org, site }) => `/v1/orgs/${org}/sites/${site}/published`, "site:metadata:read"),
  send(
    "POST",
    ({ org, site }) => `/v1/orgs/${org}/sites/${site}/insights/events`,
    { events: [] },
    "site:metadata:read"
  ),
  get(
    ({ org, site }) => `/v1/orgs/${org}/sites/${site}/adaptive-schema/template-conditions`,
    "site:adaptive:read",
    "site:adaptive:write"
  ),
  send("PATCH", ({ org, site }) => `/v1/orgs/${org}/sites/${site}/publishing/auth`, { backend: "custom" }),
  send("PATCH", ({ org, site }) => `/v1/orgs/${org}/sites/${site}`, { title: "New" }),
  send("PUT", ({ org, site }) => `/v1/orgs/${org}/sites/${site}/adaptive-schema`, schema, "site:adaptive:write"),
  get(({ org, site }) => `/v1/orgs/${org}/sites/${site}/adaptive-schema`, "site:adaptive:read", "site:adaptive:write"),
  get(({ org, site }) => `/v1/orgs/${org}/sites/${site}/publishing/auth`),
  get(({ org, site }) => `/v1/orgs/${org}/sites/${site}/share-links`),
  get(({ org }) => `/v1/orgs/${org}/openapi`, "openapi:read", "openapi:write"),
  send("PUT", ({ org }) => `/v1/orgs/${org}/openapi/spec`, { source: { text: "{}" } }, "openapi:write"),
  get(({ org }) => `/v1/orgs/${org}`),
  get(({ org }) => `/v1/orgs/${org}/members`),
  get(({ org }) => `/v1/orgs/${org}/spaces`),
  get(({ org }) => `/v1/orgs/${org}/sites`),
  get(({ org }) => `/v1/orgs/${org}/teams`),
  get(({ org }) => `/v1/orgs/${org}/saml`),
  get(({ org }) => `/v1/orgs/${org}/oidc`),
  get(({ org }) => `/v1/orgs/${org}/collections`),
  send("POST", ({ org }) => `/v1/orgs/${org}/spaces`, {})
]

const Token = Schema.Struct({ token: Schema.String })

onMemory("Scopes of integrations", (it) => {
  const worlds = Effect.gen(function* () {
    const { call, organization } = yield* Harness
    const { id: space } = yield* createSpace()
    const { idOf } = yield* publish(space, [insertPage("Page")])
    const { id: site } = yield* createSite([space], { visibility: "visitor-auth" })
    yield* publishSite(site)
    yield* call("admin", "PUT", `/v1/orgs/${organization}/sites/${site}/adaptive-schema`, schema).pipe(has(200))
    return { org: organization, space, page: idOf("Page"), site } satisfies Places
  })

  /** The token of an installation that has these scopes, on the space and the site alone. */
  const tokenWith = Effect.fnUntraced(function* (scopes: ReadonlyArray<string>, { space, site }: Places) {
    const { call } = yield* Harness
    const { path } = yield* installed({ scopes })
    yield* call("admin", "PATCH", path, { space_selection: "selected", site_selection: "selected" }).pipe(has(200))
    yield* call("admin", "POST", `${path}/spaces`, { space }).pipe(has(201))
    yield* call("admin", "POST", `${path}/sites`, { siteId: site }).pipe(has(201))
    const { token } = yield* call("admin", "POST", `${path}/tokens`).pipe(answers(200, Token))
    return { token, path }
  })

  for (const scope of [undefined, ...IntegrationScope.literals]) {
    it.effect(`${scope ?? "no scope"} allows what it says, and nothing else`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const places = yield* worlds
        const { token } = yield* tokenWith(scope === undefined ? [] : [scope], places)
        for (const { method, path, body, scopes } of requests) {
          const { status, text } = yield* call({ token }, method, path(places), body)
          const allowed = scope !== undefined && scopes.includes(scope)
          const asked = `${method} ${path(places)} with ${scope}: ${status} ${text.slice(0, 200)}`
          if (allowed) assert.isBelow(status, 300, asked)
          else assert.include([403, 404], status, asked)
        }
      })
    )
  }

  it.effect("allows nothing elsewhere, nothing while it is paused, and nothing once it is gone", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const places = yield* worlds
      const other = yield* worlds
      const { token, path } = yield* tokenWith(IntegrationScope.literals, places)
      const ask = (where: Places, status: number) =>
        Effect.andThen(
          call({ token }, "GET", `/v1/spaces/${where.space}/content`).pipe(has(status)),
          call({ token }, "GET", `/v1/orgs/${where.org}/sites/${where.site}`).pipe(has(status))
        )
      yield* ask(places, 200)
      yield* ask(other, 404)
      yield* call({ token }, "PATCH", `/v1/spaces/${places.space}`, { visibility: "public" }).pipe(has(403))
      yield* call({ token }, "POST", `${path}/spaces`, { space: other.space }).pipe(has(404))
      yield* call("admin", "PATCH", path, { status: "paused" }).pipe(has(200))
      yield* ask(places, 404)
      yield* call("admin", "PATCH", path, { status: "active", scopes: [] }).pipe(has(200))
      yield* ask(places, 404)
      yield* call("admin", "PATCH", path, { scopes: ["space:content:read", "site:metadata:read"] }).pipe(has(200))
      yield* ask(places, 200)
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* ask(places, 404)
    })
  )

  it.effect("shows nothing of other integrations that are installed beside it", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const mine = yield* installed({ visibility: "private", scopes: [] })
      const hidden = yield* installed({ visibility: "private" })
      const open = yield* installed()
      yield* call("admin", "PUT", `${open.path}/spaces/${(yield* createSpace()).id}`, {})
      const { token } = yield* call("admin", "POST", `${mine.path}/tokens`).pipe(answers(200, Token))
      const names = (text: string) => [mine, hidden, open].filter(({ name }) => text.includes(name))

      yield* call({ token }, "GET", `/v1/integrations/${mine.name}`).pipe(has(200))
      yield* call({ token }, "GET", `/v1/integrations/${hidden.name}`).pipe(has(404))
      yield* call({ token }, "GET", `/v1/integrations/${open.name}`).pipe(has(200))
      const listed = yield* call({ token }, "GET", "/v1/integrations?limit=1000").pipe(has(200))
      assert.deepStrictEqual(names(listed.text), [open])
      for (const { name, path, id } of [mine, hidden, open]) {
        const isMine = name === mine.name
        const told = yield* call({ token }, "GET", `/v1/integrations/${name}/installations`)
        assert.strictEqual(told.text.includes(id), isMine, told.text)
        for (const list of ["spaces", "sites"]) {
          const placed = yield* call({ token }, "GET", `/v1/integrations/${name}/${list}`)
          assert.notInclude(placed.text, id)
        }
        yield* call({ token }, "GET", path).pipe(has(isMine ? 200 : 404))
      }
      yield* call({ token }, "GET", `/v1/orgs/${organization}/installations`).pipe(has(404))
    })
  )
})
