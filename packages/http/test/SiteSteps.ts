/** The steps that tests of sites begin with, taken by the organization's administrator, and what a visitor does. */
import { createHmac, createSign, generateKeyPairSync } from "node:crypto"
import { assert } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { type Answer, answers, Harness, has } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"

/** The id of a page that is computed names the page that it stands below, too. */
const PublishedUrl = Schema.Struct({ ...Shapes.PublishedUrl.fields, page: Schema.optionalKey(Shapes.Text) })

export interface Visitor {
  readonly jwtToken?: string
  readonly unsignedClaims?: unknown
}

/** An answer as it stands, of this status. */
export const json = (status: number) => answers(status, Schema.Any as unknown as Schema.Codec<any, unknown>)

export const pathOfSite = Effect.fnUntraced(function* (site: string) {
  const { organization } = yield* Harness
  return `/v1/orgs/${organization}/sites/${site}`
})

export const createSite = Effect.fnUntraced(function* (
  spaces: ReadonlyArray<string>,
  input: Record<string, unknown> = {}
) {
  const { call, organization } = yield* Harness
  return yield* call("admin", "POST", `/v1/orgs/${organization}/sites`, { title: "Site", spaces, ...input }).pipe(
    answers(201, Shapes.Site)
  )
})

/** Asks for something of a site as its administrator. */
export const ofSite = Effect.fnUntraced(function* (
  site: string,
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown
) {
  const { call } = yield* Harness
  return yield* call("admin", method, `${yield* pathOfSite(site)}${path}`, body)
})

export const patchSite = (site: string, patch: Record<string, unknown>) =>
  ofSite(site, "PATCH", "", patch).pipe(answers(200, Shapes.Site))

export const publishSite = (site: string) => ofSite(site, "POST", "/publish").pipe(answers(200, Shapes.Site))

/** A site of these spaces that is published. */
export const publishedSite = Effect.fnUntraced(function* (
  spaces: ReadonlyArray<string>,
  input: Record<string, unknown> = {}
) {
  return yield* publishSite((yield* createSite(spaces, input)).id)
})

export const siteSpacesOf = (site: string) =>
  ofSite(site, "GET", "/site-spaces?limit=1000").pipe(
    answers(200, Shapes.listOf(Shapes.SiteSpace)),
    Effect.map(({ items }) => items)
  )

export const addSection = (site: string, spaceId: string, title: string) =>
  ofSite(site, "POST", "/sections", { spaceId, title }).pipe(answers(201, Shapes.SiteSection))

export const addSiteSpace = (site: string, spaceId: string, sectionId?: string) =>
  ofSite(site, "POST", "/site-spaces", { spaceId, ...(sectionId !== undefined && { sectionId }) }).pipe(
    answers(201, Shapes.SiteSpace)
  )

export const patchSection = (site: string, id: string, patch: Record<string, unknown>) =>
  ofSite(site, "PATCH", `/sections/${id}`, patch).pipe(answers(200, Shapes.SiteSection))

export const patchSiteSpace = (site: string, id: string, patch: Record<string, unknown>) =>
  ofSite(site, "PATCH", `/site-spaces/${id}`, patch).pipe(answers(200, Shapes.SiteSpace))

export const createShareLink = Effect.fnUntraced(function* (site: string) {
  const link = yield* ofSite(site, "POST", "/share-links", { name: "Link" }).pipe(
    answers(201, Schema.Struct({ id: Shapes.Text, urls: Schema.Struct({ published: Shapes.Text }) }))
  )
  return { id: link.id, url: link.urls.published, key: link.urls.published.split("/").at(-2)! }
})

export const keyOf = (site: string) =>
  ofSite(site, "GET", "/publishing/auth").pipe(
    answers(200, Schema.Struct({ privateKey: Shapes.Text })),
    Effect.map(({ privateKey }) => privateKey)
  )

/** A space of this title whose pages have these titles, in that order; `more` says more of a page. */
export const spaceOf = Effect.fnUntraced(function* (
  title: string,
  pages: ReadonlyArray<string>,
  more: Readonly<Record<string, Record<string, unknown>>> = {}
) {
  const space = yield* createSpace({ title })
  const { idOf } = yield* publish(
    space.id,
    pages.map((page) => insertPage(page, `Findable text of ${page}`, more[page]))
  )
  return { id: space.id, idOf }
})

/** A renderer's question at every page view. The asking user doesn't count: here it is a stranger. */
export const ask = Effect.fnUntraced(function* (url: string, visitor?: Visitor, more: Record<string, unknown> = {}) {
  const { call } = yield* Harness
  return yield* call("outsider", "POST", "/v1/urls/published", {
    url,
    ...(visitor !== undefined && { visitor }),
    ...more
  })
})

export const resolve = (url: string, visitor?: Visitor) => ask(url, visitor).pipe(answers(200, PublishedUrl))

export const leadsOn = (url: string, visitor?: Visitor) =>
  ask(url, visitor).pipe(answers(200, Shapes.PublishedRedirect))

/** Destination of a URL that leads on. */
export const ledFrom = (url: string) => Effect.map(leadsOn(url), ({ redirect }) => redirect)

/** Last answer for a URL; every redirect on the way is followed. */
export const follow = Effect.fnUntraced(function* (url: string, visitor?: Visitor) {
  const passed = [url]
  for (;;) {
    const answer = yield* ask(passed.at(-1)!, visitor).pipe(json(200))
    if (answer.redirect === undefined) {
      return {
        place: Schema.decodeUnknownSync(PublishedUrl)(answer),
        url: passed.at(-1)!,
        redirects: passed.length - 1
      }
    }
    assert.notInclude(passed, answer.redirect, `${passed.join(" -> ")} goes round in circles`)
    passed.push(answer.redirect)
  }
})

/** URL without a site. */
export const nowhere = "http://127.0.0.1:4000/sites/no-such-site/"

/** Nothing is there, and it is told as of a site that does not exist. */
export const isNowhere = Effect.fnUntraced(function* (url: string, visitor?: Visitor) {
  const answer = yield* ask(url, visitor).pipe(has(404))
  assert.deepStrictEqual(toldIn(answer), toldIn(yield* ask(nowhere, visitor).pipe(has(404))), url)
})

/** A site is there, and below it no page. */
export const isNoPage = Effect.fnUntraced(function* (url: string, visitor?: Visitor) {
  const place = yield* resolve(url, visitor)
  assert.notProperty(place, "page", url)
  assert.notStrictEqual(place.pathname, "/", url)
  assert.isTrue(place.complete, url)
})

/** All of an answer by which one nothing could be told from another. */
export const toldIn = ({ status, headers, text }: Answer, ...ids: ReadonlyArray<string>) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id" && name !== "content-length")),
  text: ids.reduce((told, id) => told.replaceAll(id, "<id>"), text)
})

// The tokens of visitors, made here and apart from what checks them.

const encode = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey

export type Algorithm = "HS256" | "HS512" | "RS256" | "none"

/** A token of these claims; text stands for itself. */
export const token = (key: string, claims: Record<string, unknown> | string, alg: Algorithm = "HS256"): string => {
  const signed = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`
  switch (alg) {
    case "HS256":
    case "HS512":
      return `${signed}.${createHmac(`sha${alg.slice(2)}`, key)
        .update(signed)
        .digest("base64url")}`
    case "RS256":
      return `${signed}.${createSign("sha256").update(signed).sign(rsa).toString("base64url")}`
    case "none":
      return `${signed}.`
  }
}

export const nowInSeconds = Effect.map(Clock.currentTimeMillis, (now) => Math.floor(now / 1000))

/** A token that is good for an hour. */
export const goodToken = Effect.fnUntraced(function* (site: string, claims: Record<string, unknown> = {}) {
  return token(yield* keyOf(site), { exp: (yield* nowInSeconds) + 3600, ...claims })
})

/** A request with a read token. */
export const reading = Effect.fnUntraced(function* (apiToken: string, path: string) {
  const { call } = yield* Harness
  return yield* call({ token: apiToken }, "GET", `/v1${path}`)
})
