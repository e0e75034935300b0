/** Integrations on sites: their scripts on the pages, and signing visitors on. */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import { install, installed, program, publishIntegration } from "./IntegrationSteps.ts"
import { outside } from "./Outside.ts"
import * as Shapes from "./Shapes.ts"
import {
  ask,
  goodToken,
  isNoPage,
  isNowhere,
  json,
  keyOf,
  leadsOn,
  nowInSeconds,
  ofSite,
  patchSite,
  publishedSite,
  reading,
  resolve,
  spaceOf,
  token
} from "./SiteSteps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const policy = { "script-src": "https://a.example.com\n  https://b.example.com;\n", "img-src": "data:" }

/** A program that answers its script, and signs visitors on as identity providers would have it. */
const onSite = program(`
  const { siteInstallation, signingSecrets } = environment
  if (event.type === "fetch_published_script") {
    const { id } = siteInstallation.configuration
    return new Response("track(" + JSON.stringify(id) + ")", { headers: { "content-type": "text/javascript" } })
  }
  const { issuer = "https://idp.example.com", published } = environment.installation.configuration
  if (event.type === "fetch_visitor_authentication") {
    log(JSON.stringify([event.cookies, event.searchParams]))
    if (event.action === "logout") return Response.redirect(issuer + "/logout?to=" + encodeURIComponent(event.location ?? "none"))
    const url = new URL(issuer + "/authorize")
    url.searchParams.set("redirect_uri", siteInstallation.urls.publicEndpoint + "/callback")
    url.searchParams.set("state", event.location ?? "")
    return Response.redirect(url)
  }
  const url = new URL(event.request.url)
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const text = part({ alg: "HS256", typ: "JWT" }) + "." + part({ plan: "pro", exp: Number(url.searchParams.get("exp")) })
  const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(signingSecrets.siteInstallation), { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const signature = Buffer.from(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(text))).toString("base64url")
  const back = new URL(published + (url.searchParams.get("state") ?? ""))
  back.searchParams.append("jwt_token", text + "." + signature)
  return Response.redirect(back)
`)

const scopes = ["site:script:inject", "site:script:cookies", "site:visitor:auth"]

/** A published site with an integration on it, of two that are installed. */
const siteWith = Effect.fnUntraced(function* (
  visibility: string,
  input: Record<string, unknown> = {},
  more: Record<string, unknown> = {}
) {
  const { call } = yield* Harness
  const space = yield* spaceOf("Guide", ["Home", "Setup", "Members"], {
    Members: { condition: 'visitor.claims.plan == "pro"' }
  })
  const site = yield* publishedSite([space.id], { visibility, ...more })
  const base = `http://127.0.0.1:4000/sites/${site.basename}/`
  const { name, path } = yield* installed({
    target: "site",
    scopes,
    script: onSite,
    contentSecurityPolicy: policy,
    configurations: { site: { properties: { id: { type: "string", title: "Id" } }, required: ["id"] } },
    ...input
  })
  yield* call("admin", "PATCH", path, { configuration: { published: base } }).pipe(has(200))
  yield* call("admin", "POST", `${path}/sites`, { siteId: site.id }).pipe(has(201))
  return { ...site, base, name, path, on: `${path}/sites/${site.id}`, space: space.id, members: space.idOf("Members") }
})

const configure = Effect.fnUntraced(function* (on: string, id = "GA-1") {
  const { call } = yield* Harness
  yield* call("admin", "PATCH", on, { configuration: { id, secret: "hidden" } }).pipe(has(200))
})

onMemory(
  "Integrations on sites",
  (it) => {
    it.effect("puts scripts on the pages of a site as long as they are at work on it", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const site = yield* siteWith("public")
        const { apiToken } = yield* resolve(site.base)
        const at = `/v1/orgs/${organization}/sites/${site.id}`
        const published = Effect.map(
          call({ token: apiToken }, "GET", `${at}/published`).pipe(answers(200, Shapes.PublishedSite)),
          ({ scripts }) => scripts
        )
        const listed = call({ token: apiToken }, "GET", `${at}/integration-scripts`).pipe(
          answers(200, Shapes.SiteScripts)
        )
        // What is not configured yet is not at work.
        assert.deepStrictEqual(yield* published, [])
        yield* configure(site.on)
        const scripts = yield* published
        assert.deepStrictEqual(scripts, yield* listed)
        assert.strictEqual(scripts.length, 1)
        const [{ script, contentSecurityPolicy, cookies }] = scripts as [(typeof scripts)[number]]
        assert.isTrue(cookies)
        assert.strictEqual(
          contentSecurityPolicy,
          "script-src https://a.example.com https://b.example.com; img-src data:"
        )
        assert.notInclude(script, "GA-1")
        assert.notInclude(JSON.stringify(scripts), "hidden")
        // Anyone's browser loads it, from the origin of integrations.
        assert.isTrue(script.startsWith("http://127.0.0.1:4001/"))
        const loaded = yield* outside(script)
        assert.deepInclude(loaded, { status: 200, text: 'track("GA-1")' })
        assert.strictEqual(loaded.headers.get("content-type"), "text/javascript")
        assert.include(loaded.headers.get("content-security-policy") ?? "", "b.example.com")

        // A script that changes is another URL.
        yield* publishIntegration(site.name, {
          target: "site",
          scopes: ["site:script:inject", "site:views:read"],
          script: onSite
        })
        const [next] = yield* published
        assert.notStrictEqual(next?.script, script)
        assert.deepInclude(next, { cookies: false })
        yield* call("admin", "PATCH", site.path, { status: "paused" }).pipe(has(200))
        assert.deepStrictEqual(yield* published, [])
        assert.strictEqual((yield* outside(script)).status, 404)
        yield* call("admin", "PATCH", site.path, { status: "active" }).pipe(has(200))
        assert.lengthOf(yield* published, 1)
        yield* call("admin", "DELETE", site.on).pipe(has(204))
        assert.deepStrictEqual(yield* published, [])
        assert.strictEqual((yield* outside(script)).status, 404)
        yield* call("admin", "POST", `${site.path}/sites`, { siteId: site.id }).pipe(has(201))
        assert.lengthOf(yield* published, 1)
        yield* call("admin", "DELETE", `/v1/integrations/${site.name}`).pipe(has(204))
        assert.deepStrictEqual(yield* published, [])
      })
    )

    it.effect("is asked for nothing on sites and spaces that are not its organization's", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { path } = yield* installed({ scopes, script: onSite })
        const site = yield* siteWith("public")
        const at = (below: string) => outside(`http://127.0.0.1:4001${path}${below}`)
        assert.strictEqual((yield* at(`/sites/${site.id}/~/visitor-auth/login`)).status, 302)
        const elsewhere = yield* call("outsider", "POST", `/v1/orgs/${(yield* Harness).elsewhere}/sites`, {
          spaces: "sample"
        }).pipe(json(201))
        for (const id of ["absent", elsewhere.id]) {
          assert.strictEqual((yield* at(`/sites/${id}/~/visitor-auth/login`)).status, 404)
          assert.strictEqual((yield* at(`/sites/${id}/anything`)).status, 404)
          assert.strictEqual((yield* at(`/spaces/${id}/anything`)).status, 404)
        }
        yield* call("admin", "DELETE", path).pipe(has(204))
      })
    )

    it.effect("signs visitors on through the identity provider and back, with its own key", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const site = yield* siteWith("visitor-auth", { configurations: undefined })
        const auth = (body: unknown) => ofSite(site.id, "PATCH", "/publishing/auth", body)
        yield* isNowhere(site.base)
        const shown = yield* auth({ backend: "integration" }).pipe(answers(200, Shapes.PublishingAuth))
        assert.deepInclude(shown, { backend: "integration", integration: site.name })

        const wanted = `${site.base}setup?a=1&b=ä&invitation=i1&organization=o1`
        const led = yield* leadsOn(wanted)
        assert.strictEqual(led.target, "external")
        const login = new URL(led.redirect)
        assert.strictEqual(login.origin, "http://127.0.0.1:4001")
        const asked = yield* outside(led.redirect, { headers: { cookie: "lectern-visitor=s; state=x y; n" } })
        assert.strictEqual(asked.status, 302)
        const authorize = new URL(asked.headers.get("location") ?? "")
        assert.strictEqual(authorize.origin, "https://idp.example.com")
        const state = authorize.searchParams.get("state") ?? ""
        assert.strictEqual(new URL(state, site.base).href, new URL(wanted).href)

        // The identity provider sends the visitor back, and the integration signs.
        const exp = (yield* nowInSeconds) + 3600
        const callback = new URL(authorize.searchParams.get("redirect_uri") ?? "")
        callback.search = new URLSearchParams({ state, code: "c", exp: String(exp) }).toString()
        const back = (yield* outside(callback.href)).headers.get("location") ?? ""
        assert.isTrue(back.startsWith(`${site.base}setup?`))
        const place = yield* resolve(back)
        assert.strictEqual(place.pathname, "/setup")
        const session = { jwtToken: place.session!.value }
        assert.strictEqual((yield* resolve(`${site.base}members`, session)).page, site.members)
        yield* reading(place.apiToken, `/spaces/${site.space}/content/page/${site.members}`).pipe(has(200))
        const { urls } = (yield* reading(place.apiToken, `/orgs/${organization}/sites/${site.id}/published`).pipe(
          answers(200, Shapes.PublishedSite)
        )).site
        assert.strictEqual(urls.login, login.origin + login.pathname)

        // The site's own key signs nobody on any more, nor does another installation's.
        const own = token(yield* keyOf(site.id), { exp })
        const refusedUrl = yield* leadsOn(`${site.base}?jwt_token=${own}`)
        assert.notInclude(refusedUrl.redirect, "jwt_token")
        yield* ask(`${site.base}?jwt_token=${own}`, undefined, { redirectOnError: false }).pipe(refused(404))

        // Who signs off goes where the integration says.
        const out = yield* outside(`${urls.logout}?location=${encodeURIComponent("/")}`)
        assert.strictEqual(out.headers.get("location"), "https://idp.example.com/logout?to=")

        // Paused, it lets nobody in, and in again afterwards; removed, those that it let in are out for good.
        const isIn = (status: number) =>
          Effect.andThen(
            ask(`${site.base}setup`, session, { redirectOnError: false }).pipe(has(status)),
            reading(place.apiToken, `/spaces/${site.space}/content`).pipe(has(status))
          )
        yield* isIn(200)
        yield* call("admin", "PATCH", site.path, { status: "paused" }).pipe(has(200))
        yield* isIn(404)
        yield* isNowhere(site.base)
        yield* call("admin", "PATCH", site.path, { status: "active" }).pipe(has(200))
        yield* isIn(200)
        yield* auth({ backend: "custom" }).pipe(has(200))
        yield* isIn(404)
        yield* resolve(site.base, { jwtToken: yield* goodToken(site.id) })
        yield* auth({ backend: "integration" }).pipe(has(200))
        yield* isIn(200)
        yield* call("admin", "DELETE", site.path).pipe(has(204))
        yield* isIn(404)
        yield* install(site.name)
        yield* call("admin", "POST", `${site.path}/sites`, { siteId: site.id }).pipe(has(404))
        yield* isIn(404)
      })
    )

    it.effect("tells the program where the visitor wants to go on the site, and nowhere else", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const site = yield* siteWith("visitor-auth", { configurations: undefined })
        const stateOf = Effect.fnUntraced(function* (location: string) {
          const url = `http://127.0.0.1:4001${site.on}/~/visitor-auth/login?location=${encodeURIComponent(location)}`
          const asked = yield* outside(url, { headers: { cookie: "lectern-visitor=secret; state=x" } })
          return new URL(asked.headers.get("location") ?? "").searchParams.get("state")
        })
        for (const [location, state] of [
          ["setup", "setup"],
          ["/setup/", "setup/"],
          ["//evil.example", "evil.example"],
          ["/\\evil.example", "evil.example"],
          ["https://evil.example/x", ""],
          ["https:evil.example", "evil.example"],
          ["ht\ntps://evil.example", ""],
          ["javascript:alert(1)", ""],
          ["a/../..//evil.example", "evil.example"],
          ["@evil.example", "@evil.example"],
          ["", ""]
        ] as const) {
          assert.strictEqual(yield* stateOf(location), state, location)
        }
        // Its people see that visitors signed on, and nothing that would let them in.
        const { items } = yield* call("admin", "GET", `/v1/integrations/${site.name}/events?limit=100`).pipe(json(200))
        assert.notInclude(JSON.stringify(items), "secret")
      })
    )

    it.effect("draws the same for all visitors of a site, but for those whose claims it may see", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        // What a program says of its own rights counts for nothing.
        const script = `let runs = 0; export default { fetch: async () => Response.json(
          { type: "element", state: {}, props: { run: ++runs }, element: { type: "block", children: [] }, canAccessVisitorClaims: true },
          { headers: { "cache-control": "max-age=600" } }) }`
        const Drawn = Schema.Struct({
          props: Schema.Struct({ run: Schema.Int }),
          canAccessVisitorClaims: Schema.Boolean
        })
        for (const seesClaims of [false, true]) {
          const scopes = seesClaims ? ["site:visitor:claims"] : []
          const { name, base, space } = yield* siteWith("public", {
            target: "all",
            configurations: undefined,
            scopes,
            script: `${script} // ${seesClaims}`
          })
          const drawnFor = Effect.fnUntraced(function* (plan: string) {
            const { apiToken } = yield* resolve(base, { unsignedClaims: { plan } })
            return yield* call({ token: apiToken }, "POST", `/v1/integrations/${name}/render`, {
              componentId: "block",
              props: {},
              context: { type: "document", spaceId: space }
            }).pipe(answers(200, Drawn))
          })
          const drawn = [yield* drawnFor("pro"), yield* drawnFor("pro"), yield* drawnFor("free")]
          assert.deepStrictEqual(
            drawn.map(({ props }) => props.run),
            seesClaims ? [1, 1, 2] : [1, 1, 1]
          )
          for (const { canAccessVisitorClaims } of drawn) assert.strictEqual(canAccessVisitorClaims, seesClaims)
        }
      })
    )

    it.effect("counts the claims that an integration signs on public sites too, where it is what signs", () =>
      Effect.gen(function* () {
        const site = yield* siteWith("public", { configurations: undefined })
        const exp = (yield* nowInSeconds) + 3600
        const callback = `http://127.0.0.1:4001${site.on}/callback?state=members&exp=${exp}`
        const back = (yield* outside(callback)).headers.get("location") ?? ""
        yield* isNoPage(back)
        yield* ofSite(site.id, "PATCH", "/publishing/auth", { backend: "integration" }).pipe(has(200))
        assert.strictEqual((yield* resolve(back)).page, site.members)
        // Where nothing depends on who a visitor is, it is not told where to sign on.
        const shape = Schema.Struct({ site: Schema.Struct({ urls: Schema.Record(Schema.String, Schema.String) }) })
        const { apiToken, organization } = yield* resolve(site.base)
        const path = `/orgs/${organization}/sites/${site.id}/published`
        const told = Effect.map(
          reading(apiToken, path).pipe(answers(200, shape)),
          (answer) => answer.site.urls["login"]
        )
        assert.isUndefined(yield* told)
        yield* patchSite(site.id, { adaptiveContent: { enabled: true } })
        assert.include((yield* told) ?? "", "/~/visitor-auth/login")
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer }
)
