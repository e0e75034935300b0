/** Sites of every audience, what their visitors read of them, and that it is shut to others. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has } from "./Harness.ts"
import {
  addSection,
  createShareLink,
  createSite,
  goodToken,
  keyOf,
  ofSite,
  publishSite,
  reading,
  resolve,
  spaceOf,
  toldIn
} from "./SiteSteps.ts"

export const audiences = ["public", "unlisted", "share-link", "visitor-auth"] as const
export type Audience = (typeof audiences)[number]

/** Requests by which a site's visitors read of it, below `/v1`. */
export const reads = Effect.fnUntraced(function* (site: string, space: string, page: string) {
  const { organization } = yield* Harness
  const [ofSite, ofSpace] = [`/orgs/${organization}/sites/${site}`, `/spaces/${space}`]
  return [
    `${ofSite}/published`,
    `${ofSite}/structure`,
    `${ofSite}/sections`,
    `${ofSite}/section-groups`,
    `${ofSite}/site-spaces`,
    ofSpace,
    `${ofSpace}/content`,
    `${ofSpace}/content/pages`,
    `${ofSpace}/content/files`,
    `${ofSpace}/content/page/${page}`,
    `${ofSpace}/content/page/${page}/document`,
    `${ofSpace}/search?query=findable`
  ]
})

/** A published site with two sections, links of every kind, and all that visitors could show. */
export const makeSite = Effect.fnUntraced(function* (visibility: Audience) {
  const guide = yield* spaceOf("Guide", ["Home", "Setup"])
  const reference = yield* spaceOf("Reference", ["Calls"])
  const { id } = yield* createSite([guide.id], { visibility })
  yield* addSection(id, guide.id, "Guide")
  yield* addSection(id, reference.id, "Reference")
  const { basename } = yield* publishSite(id)
  const [link, inactive, removed] = [
    yield* createShareLink(id),
    yield* createShareLink(id),
    yield* createShareLink(id)
  ] as const
  yield* ofSite(id, "PATCH", `/share-links/${inactive.id}`, { active: false }).pipe(has(200))
  yield* ofSite(id, "DELETE", `/share-links/${removed.id}`).pipe(has(204))
  return {
    id,
    space: guide.id,
    page: guide.idOf("Setup"),
    base: `http://127.0.0.1:4000/sites/${basename}/`,
    link,
    inactive,
    removed,
    key: yield* keyOf(id)
  }
})
export type Made = Effect.Success<ReturnType<typeof makeSite>>

/** A place of a site of each audience that its visitor has come to. */
export const visit = Effect.fnUntraced(function* (visibility: Audience) {
  const site = yield* makeSite(visibility)
  const place =
    visibility === "share-link"
      ? yield* resolve(`${site.link.url}setup`)
      : visibility === "visitor-auth"
        ? yield* resolve(`${site.base}setup`, { jwtToken: yield* goodToken(site.id) })
        : yield* resolve(`${site.base}setup`)
  return { ...site, apiToken: place.apiToken }
})

/** With the token nothing of the site is there, as if there were none. */
export const isShut = Effect.fnUntraced(function* (
  apiToken: string,
  site: { id: string; space: string; page: string }
) {
  for (const path of yield* reads(site.id, site.space, site.page)) {
    const shut = yield* reading(apiToken, path).pipe(has(404))
    const absent = yield* reading(apiToken, path.replace(site.id, "absent").replace(site.space, "absent"))
    assert.deepStrictEqual(toldIn(shut, site.id, site.space), toldIn(absent, "absent"), path)
  }
})
