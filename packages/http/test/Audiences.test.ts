/**
 * Whom a published site is for, and what they may read of it: every audience with every kind of
 * visitor. Who is not let in is told what is told of a site that does not exist.
 */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { audiences, isShut, makeSite, reads, visit, type Audience, type Made } from "./AudienceSites.ts"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import {
  ask,
  goodToken,
  isNoPage,
  isNowhere,
  json,
  leadsOn,
  nowInSeconds,
  ofSite,
  patchSite,
  pathOfSite,
  publishedSite,
  publishSite,
  reading,
  resolve,
  siteSpacesOf,
  token,
  toldIn,
  type Visitor
} from "./SiteSteps.ts"

interface Shown {
  readonly url: string
  readonly visitor?: Visitor
}

/** Everyone who could ask for a page of a site, with what they show. */
const everyone = Effect.fnUntraced(function* (site: Made, otherKey: string) {
  const now = yield* nowInSeconds
  const exp = now + 3600
  const shows = (jwtToken: string): Shown => ({ url: `${site.base}setup`, visitor: { jwtToken } })
  const good = token(site.key, { title: "Site", exp })
  return {
    anonymous: { url: `${site.base}setup` },
    "link holder": { url: `${site.link.url}setup` },
    "link holder with a bad token": { url: `${site.link.url}setup`, visitor: { jwtToken: "x" } },
    "wrong link": { url: `${site.base}${"x".repeat(site.link.key.length)}/setup` },
    "part of a link": { url: `${site.base}${site.link.key.slice(0, -1)}/setup` },
    "inactive link": { url: `${site.inactive.url}setup` },
    "removed link": { url: `${site.removed.url}setup` },
    "valid token": shows(good),
    "valid token in the URL": { url: `${site.base}setup?jwt_token=${good}` },
    "token that expired a moment ago": shows(token(site.key, { exp: now - 59 })),
    "token that starts in a moment": shows(token(site.key, { exp, nbf: now + 59 })),
    "expired token": shows(token(site.key, { exp: now - 60 })),
    "token that has not begun": shows(token(site.key, { exp, nbf: now + 61 })),
    "token of another site": shows(token(otherKey, { exp })),
    "token of another key": shows(token("x".repeat(site.key.length), { exp })),
    "alg: none": shows(token(site.key, { exp }, "none")),
    "alg: none with a signature": shows(`${token(site.key, { exp }, "none")}${good.split(".")[2]}`),
    HS512: shows(token(site.key, { exp }, "HS512")),
    RS256: shows(token(site.key, { exp }, "RS256")),
    "no exp": shows(token(site.key, {})),
    "exp as text": shows(token(site.key, { exp: String(exp) })),
    "100 KB": shows(token(site.key, { exp, much: "x".repeat(100_000) })),
    "changed claims": shows(
      [good.split(".")[0], token("x", { exp: exp + 1 }).split(".")[1], good.split(".")[2]].join(".")
    ),
    "no claims": shows(token(site.key, "null")),
    "no JSON": shows(token(site.key, "{")),
    "no token": shows("a.b.c"),
    "empty token": shows("")
  } satisfies Record<string, Shown>
})

const withGoodToken = new Set([
  "valid token",
  "valid token in the URL",
  "token that expired a moment ago",
  "token that starts in a moment"
])
const throughLinks = new Set(["link holder", "link holder with a bad token"])
const otherPaths = new Set([...throughLinks, "wrong link", "part of a link", "inactive link", "removed link"])

const admits = (audience: Audience, name: string) => {
  switch (audience) {
    case "public":
    case "unlisted":
      // The key of a link is a path like any other there.
      return !otherPaths.has(name)
    case "share-link":
      return throughLinks.has(name)
    case "visitor-auth":
      return withGoodToken.has(name)
  }
}

onEachAdapter("Audiences", (it) => {
  it.effect.each(audiences)("lets in whom a site of visibility %s is for", (visibility) =>
    Effect.gen(function* () {
      const site = yield* makeSite(visibility)
      const other = yield* makeSite("visitor-auth")
      for (const [name, { url, visitor }] of Object.entries<Shown>(yield* everyone(site, other.key))) {
        if (!admits(visibility, name)) {
          // To who is let in, a path that leads nowhere is a path without a page.
          const isOpen = visibility === "public" || visibility === "unlisted"
          yield* (isOpen ? isNoPage : isNowhere)(url, visitor)
          continue
        }
        const place = yield* resolve(url, visitor)
        assert.strictEqual(place.site, site.id, name)
        assert.strictEqual(place.page, site.page, name)
        assert.strictEqual(place.shareKey, visibility === "share-link" ? site.link.key : undefined)
        assert.strictEqual(place.session !== undefined, withGoodToken.has(name), name)
        for (const path of yield* reads(site.id, site.space, site.page)) {
          yield* reading(place.apiToken, path).pipe(has(200))
        }
        const search = yield* reading(place.apiToken, `/spaces/${site.space}/search?query=findable`).pipe(json(200))
        assert.strictEqual(search.count, 2)
      }
    })
  )

  it.effect.each(audiences)("lets nobody in to a site of visibility %s that is not published", (visibility) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const site = yield* makeSite(visibility)
      const other = yield* makeSite("visitor-auth")
      yield* ofSite(site.id, "POST", "/unpublish").pipe(has(200))
      for (const { url, visitor } of Object.values<Shown>(yield* everyone(site, other.key)))
        yield* isNowhere(url, visitor)
      const path = yield* pathOfSite(site.id)
      yield* call("read", "GET", `${path}/published`).pipe(refused(404))
      yield* call("admin", "GET", `${path}/published`).pipe(refused(404))
      yield* call("read", "GET", `${path}/structure`).pipe(has(200))
    })
  )

  it.effect.each(audiences)("shows members their own of a site of visibility %s, and strangers nothing", (visibility) =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const site = yield* makeSite(visibility)
      for (const path of yield* reads(site.id, site.space, site.page)) {
        yield* call("read", "GET", `/v1${path}`).pipe(has(200))
        const [stranger, absent] = [
          yield* call("outsider", "GET", `/v1${path}`).pipe(has(404)),
          yield* call("outsider", "GET", `/v1${path.replace(site.id, "absent").replace(site.space, "absent")}`)
        ]
        assert.deepStrictEqual(toldIn(stranger, site.id, site.space), toldIn(absent, "absent"), path)
        yield* call("nobody", "GET", `/v1${path}`).pipe(refused(401))
      }
      // A member who follows a link to the site is a visitor like any other.
      const { status } = yield* call("read", "POST", "/v1/urls/published", { url: `${site.base}setup` })
      assert.strictEqual(status, admits(visibility, "anonymous") ? 200 : 404)
    })
  )

  it.effect("takes a link by its key alone, and tells it in the URLs of who holds it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const site = yield* makeSite("share-link")
      const place = yield* resolve(`${site.link.url}reference`)
      assert.strictEqual(place.siteBasePath, new URL(site.link.url).pathname)
      assert.strictEqual(place.canonicalUrl, `${site.link.url}reference/`)
      const path = yield* pathOfSite(site.id)
      for (const actor of ["read", { token: place.apiToken }] as const) {
        const urlOf = (query: string) =>
          Effect.map(
            call(actor, "GET", `${path}/published${query}`).pipe(json(200)),
            ({ site, structure }) => [site.urls.published, structure.structure[0].urls.published] as const
          )
        assert.deepStrictEqual(yield* urlOf(`?shareKey=${site.link.key}`), [site.link.url, site.link.url])
        for (const key of [site.inactive.key, site.removed.key, "x", "", site.link.id]) {
          assert.deepStrictEqual(yield* urlOf(`?shareKey=${key}`), [undefined, undefined])
        }
        assert.deepStrictEqual(yield* urlOf(""), [undefined, undefined])
      }
    })
  )

  it.effect("is nothing to another site, whatever that is open to", () =>
    Effect.gen(function* () {
      for (const visibility of audiences) {
        const { apiToken } = yield* visit(visibility)
        for (const other of audiences) yield* isShut(apiToken, yield* makeSite(other))
      }
    })
  )

  it.effect("shuts at once for those who are inside", () =>
    Effect.gen(function* () {
      const ways: ReadonlyArray<readonly [Audience, (site: Made) => Effect.Effect<unknown, never, Harness>]> = [
        ...audiences.map((audience) => [audience, ({ id }: Made) => ofSite(id, "POST", "/unpublish")] as const),
        ...audiences.map((audience) => [audience, ({ id }: Made) => ofSite(id, "DELETE", "")] as const),
        ["public", ({ id }) => patchSite(id, { visibility: "visitor-auth" })],
        ["unlisted", ({ id }) => patchSite(id, { visibility: "share-link" })],
        ["share-link", ({ id }) => patchSite(id, { visibility: "visitor-auth" })],
        ["visitor-auth", ({ id }) => patchSite(id, { visibility: "share-link" })],
        ["share-link", ({ id, link }) => ofSite(id, "PATCH", `/share-links/${link.id}`, { active: false })],
        ["share-link", ({ id, link }) => ofSite(id, "DELETE", `/share-links/${link.id}`)],
        ["visitor-auth", ({ id }) => ofSite(id, "POST", "/publishing/auth/regenerate")]
      ]
      for (const [audience, shut] of ways) {
        const site = yield* visit(audience)
        const [path] = yield* reads(site.id, site.space, site.page)
        yield* reading(site.apiToken, path!).pipe(has(200))
        yield* shut(site)
        yield* isShut(site.apiToken, site)
      }
    })
  )

  it.effect("shuts a space that is taken off the site, put in the trash, or made private", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const ways = [
        (site: Made) =>
          Effect.gen(function* () {
            const entry = (yield* siteSpacesOf(site.id)).find(({ space }) => space.id === site.space)!
            yield* ofSite(site.id, "DELETE", `/site-spaces/${entry.id}`).pipe(has(204))
          }),
        (site: Made) => call("admin", "DELETE", `/v1/spaces/${site.space}`).pipe(has(204)),
        (site: Made) => call("admin", "PATCH", `/v1/spaces/${site.space}`, { visibility: "private" }).pipe(has(200))
      ]
      for (const shut of ways) {
        const site = yield* visit("public")
        yield* shut(site)
        for (const path of yield* reads(site.id, site.space, site.page)) {
          const { status } = yield* reading(site.apiToken, path)
          assert.strictEqual(status, path.startsWith("/spaces/") ? 404 : 200, path)
        }
        const { text } = yield* reading(
          site.apiToken,
          `/orgs/${(yield* Harness).organization}/sites/${site.id}/published`
        )
        assert.notInclude(text, site.space)
        yield* isNoPage(`${site.base}setup`)
      }
    })
  )

  it.effect("sends who has to sign on to where that is done, where such a place is set", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("visitor-auth")
      const set = (fallbackURL: string | null) =>
        ofSite(site.id, "PATCH", "/publishing/auth", { fallbackURL }).pipe(has(200))
      yield* set("https://login.example.com/start?app=docs")
      const url = `${site.base}reference/calls?a=1&b=ä`
      const led = yield* leadsOn(url, { jwtToken: "x" })
      assert.strictEqual(led.target, "external")
      const redirect = new URL(led.redirect)
      assert.strictEqual(redirect.origin + redirect.pathname, "https://login.example.com/start")
      assert.strictEqual(redirect.searchParams.get("app"), "docs")
      const location = redirect.searchParams.get("location") ?? ""
      assert.strictEqual(new URL(location, site.base).href, new URL(url).href)
      // A visitor that is signed on is not sent away, and no other audience is.
      yield* resolve(site.base, { jwtToken: yield* goodToken(site.id) })
      // What may hold it back is about a token that is no good.
      yield* ask(url, undefined, { redirectOnError: false }).pipe(
        answers(
          200,
          Schema.Struct({ target: Schema.Literal("external"), site: Schema.Literal(site.id), redirect: Schema.String })
        )
      )
      const unasked = yield* ask(url, { jwtToken: "x" }, { redirectOnError: false }).pipe(refused(404))
      assert.strictEqual(unasked.message, "There is nothing at this URL")
      yield* patchSite(site.id, { visibility: "share-link" })
      yield* isNowhere(url)
      yield* patchSite(site.id, { visibility: "visitor-auth" })
      yield* ofSite(site.id, "POST", "/unpublish").pipe(has(200))
      yield* isNowhere(url)
      yield* publishSite(site.id)
      yield* set(null)
      yield* isNowhere(url)
    })
  )

  it.effect("reads a site of nothing", () =>
    Effect.gen(function* () {
      const { id, basename } = yield* publishedSite([])
      yield* isNowhere(`http://127.0.0.1:4000/sites/${basename}/`)
      const { call } = yield* Harness
      const published = yield* call("read", "GET", `${yield* pathOfSite(id)}/published`).pipe(json(200))
      assert.deepStrictEqual(published.structure, { type: "siteSpaces", structure: [] })
    })
  )
})
