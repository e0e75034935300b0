/**
 * Tests earlier revisions for visitors. A renderer continues to read the revision that it resolved, even after a merge.
 * An attacker with a token reads nothing that the site did not publish to its audience within the token's lifetime.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Harness, has, onEachAdapter, refused } from "./Harness.ts"
import {
  addSiteSpace,
  createShareLink,
  createSite,
  goodToken,
  ofSite,
  patchSite,
  patchSiteSpace,
  publishedSite,
  publishSite,
  reading,
  resolve,
  siteSpacesOf
} from "./SiteSteps.ts"
import { createSpace, getSpace, insertPage, openChangeRequest, publish, write } from "./Steps.ts"

/** Advances the clock, so that two events never have equal times. */
const aMoment = TestClock.adjust("1 second")

const revisionOf = (space: string) => Effect.map(getSpace(space), ({ revision }) => revision)

/** Creates a space with a page, before the space is part of a site. */
const makeSpace = Effect.gen(function* () {
  const { id } = yield* createSpace({ title: "Docs" })
  const { idOf } = yield* publish(id, [insertPage("Home", "First text"), insertPage("Secret", "A secret")])
  yield* aMoment
  return { space: id, home: idOf("Home"), secret: idOf("Secret") }
})

/** Changes the text of a page, and returns the replaced revision. */
const replace = Effect.fnUntraced(function* (space: string, page: string, markdown: string) {
  yield* aMoment
  const before = yield* revisionOf(space)
  yield* publish(space, [{ operation: "update_page", page, document: { markdown } }])
  yield* aMoment
  return before
})

const parts = (page: string) => [
  "",
  "/pages",
  `/page/${page}`,
  `/page/${page}/document?evaluated=deterministic-only&dereferenced=reusable-contents`,
  `/page/${page}/meta-links`,
  "/path/home"
]

const readsAll = Effect.fnUntraced(function* (token: string, space: string, revision: string, page: string) {
  for (const part of parts(page)) {
    yield* reading(token, `/spaces/${space}/revisions/${revision}${part}`).pipe(has(200))
  }
})

const readsNothing = Effect.fnUntraced(function* (token: string, space: string, revision: string, page: string) {
  for (const part of parts(page)) {
    yield* reading(token, `/spaces/${space}/revisions/${revision}${part}`).pipe(refused(404))
  }
})

onEachAdapter("Earlier revisions of what is published", (it) => {
  it.effect("are read by whoever was shown them, as they were, behind a merge", () =>
    Effect.gen(function* () {
      const { space, home } = yield* makeSpace
      const site = yield* publishedSite([space])
      const { apiToken } = yield* resolve(site.urls.published!)
      const first = yield* replace(space, home, "Second text")
      const second = yield* replace(space, home, "Third text")
      for (const revision of [first, second, yield* revisionOf(space)]) yield* readsAll(apiToken, space, revision, home)
      const document = `/page/${home}/document?evaluated=deterministic-only`
      const { text } = yield* reading(apiToken, `/spaces/${space}/revisions/${first}${document}`).pipe(has(200))
      assert.include(text, "First text")
      // A token of the next day still reads revisions that were public then, but none that was replaced earlier.
      yield* TestClock.adjust("1 day")
      const later = (yield* resolve(site.urls.published!)).apiToken
      const third = yield* replace(space, home, "Fourth text")
      yield* readsAll(apiToken, space, first, home)
      yield* readsNothing(later, space, first, home)
      yield* readsAll(later, space, third, home)
    })
  )

  it.effect("are none of those before the site was published, or of an audience that it had", () =>
    Effect.gen(function* () {
      const { space, home } = yield* makeSpace
      const site = yield* createSite([space])
      const before = yield* replace(space, home, "Second text")
      yield* publishSite(site.id)
      const url = `http://127.0.0.1:4000/sites/${site.basename}/`
      const { apiToken } = yield* resolve(url)
      yield* readsNothing(apiToken, space, before, home)
      const shown = yield* replace(space, home, "Third text")
      yield* readsAll(apiToken, space, shown, home)
      // Each change starts a new audience, which cannot read earlier revisions.
      const changes: ReadonlyArray<Effect.Effect<unknown, never, Harness>> = [
        Effect.andThen(ofSite(site.id, "POST", "/unpublish").pipe(has(200)), publishSite(site.id)),
        Effect.andThen(
          patchSite(site.id, { visibility: "visitor-auth" }),
          patchSite(site.id, { visibility: "public" })
        ),
        ofSite(site.id, "PUT", "/adaptive-schema", {
          jsonSchema: { type: "object", properties: { plan: { type: "string" } }, additionalProperties: false }
        }).pipe(has(200))
      ]
      let last = shown
      for (const change of changes) {
        yield* readsAll(apiToken, space, last, home)
        yield* aMoment
        yield* change
        yield* readsNothing(apiToken, space, last, home)
        last = yield* replace(space, home, `Text after ${last}`)
      }
      yield* readsAll(apiToken, space, last, home)
      // A change without effect on visibility leaves earlier revisions readable.
      yield* patchSite(site.id, { title: "Another title" })
      yield* readsAll(apiToken, space, last, home)
    })
  )

  it.effect("are none of a space from before it stood there, or was open", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const one = yield* makeSpace
      const other = yield* makeSpace
      const site = yield* publishedSite([one.space])
      const { apiToken } = yield* resolve(site.urls.published!)
      const before = yield* replace(other.space, other.home, "Second text")
      const { id } = yield* addSiteSpace(site.id, other.space)
      yield* readsNothing(apiToken, other.space, before, other.home)
      const shown = yield* replace(other.space, other.home, "Third text")
      yield* readsAll(apiToken, other.space, shown, other.home)
      // While a condition or the visibility of the space excludes the visitor, no revision is readable.
      yield* patchSiteSpace(site.id, id, { condition: "visitor.claims.staff == true" })
      yield* readsNothing(apiToken, other.space, shown, other.home)
      const hidden = yield* replace(other.space, other.home, "Fourth text")
      yield* patchSiteSpace(site.id, id, { condition: null })
      yield* readsNothing(apiToken, other.space, hidden, other.home)
      for (const visibility of ["private", "public"]) {
        yield* call("admin", "PATCH", `/v1/spaces/${other.space}`, { visibility }).pipe(has(200))
        if (visibility === "public") break
        yield* readsNothing(apiToken, other.space, yield* revisionOf(other.space), other.home)
        yield* replace(other.space, other.home, "Fifth text")
      }
      yield* readsNothing(apiToken, other.space, hidden, other.home)
      // A revision from the time between removal and re-adding of the space is not readable.
      yield* ofSite(site.id, "DELETE", `/site-spaces/${id}`).pipe(has(204))
      const off = yield* replace(other.space, other.home, "Sixth text")
      yield* addSiteSpace(site.id, other.space)
      yield* readsNothing(apiToken, other.space, off, other.home)
      assert.lengthOf(yield* siteSpacesOf(site.id), 2)
    })
  )

  it.effect("are not those of change requests, of other spaces, or of a visitor without a token's life", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, home } = yield* makeSpace
      const elsewhere = yield* makeSpace
      const site = yield* publishedSite([space])
      const { apiToken } = yield* resolve(site.urls.published!)
      const { id } = yield* openChangeRequest(space)
      const drafted = yield* write(space, id, [
        { operation: "update_page", page: home, document: { markdown: "Draft text" } }
      ])
      const again = yield* write(space, id, [
        { operation: "update_page", page: home, document: { markdown: "Drafted again" } }
      ])
      yield* readsNothing(apiToken, space, drafted.changeRequest.revision, home)
      yield* call("admin", "POST", `/v1/spaces/${space}/change-requests/${id}/merge`).pipe(has(200))
      const now = yield* replace(space, home, "Last text")
      for (const revision of [
        drafted.changeRequest.revision,
        again.changeRequest.revision,
        yield* revisionOf(elsewhere.space)
      ]) {
        yield* readsNothing(apiToken, space, revision, home)
      }
      yield* readsAll(apiToken, space, now, home)
      yield* reading(apiToken, `/spaces/${space}/revisions/${now}/changes`).pipe(refused(404))
      // After unpublishing the site, no revision is readable.
      yield* ofSite(site.id, "POST", "/unpublish").pipe(has(200))
      yield* readsNothing(apiToken, space, now, home)
    })
  )

  it.effect("hide what conditions hide now, whatever they said then", () =>
    Effect.gen(function* () {
      const { space, home, secret } = yield* makeSpace
      const below = yield* publish(space, [insertPage("Below", "Below the secret", { into: secret })])
      const site = yield* publishedSite([space])
      const { apiToken } = yield* resolve(site.urls.published!)
      const open = yield* replace(space, home, "Second text")
      const at = `/spaces/${space}/revisions/${open}`
      yield* reading(apiToken, `${at}/page/${secret}`).pipe(has(200))
      yield* publish(space, [{ operation: "update_page", page: secret, condition: "visitor.claims.staff == true" }])
      yield* aMoment
      yield* readsAll(apiToken, space, open, home)
      const { text } = yield* reading(apiToken, at).pipe(has(200))
      for (const page of [secret, below.idOf("Below")]) {
        assert.notInclude(text, page)
        yield* reading(apiToken, `${at}/page/${page}`).pipe(refused(404))
        yield* reading(apiToken, `${at}/page/${page}/document`).pipe(refused(404))
      }
      yield* reading(apiToken, `${at}/path/secret`).pipe(refused(404))
      // A visitor who meets the current condition reads the page in the earlier revision.
      const staff = yield* goodToken(site.id, { staff: true })
      const signedOn = (yield* resolve(site.urls.published!, { jwtToken: staff })).apiToken
      yield* reading(signedOn, `${at}/page/${secret}`).pipe(has(200))
      // The condition of the earlier revision still applies after the current condition was removed.
      const shut = yield* revisionOf(space)
      yield* publish(space, [{ operation: "update_page", page: secret, condition: null }])
      yield* reading(apiToken, `/spaces/${space}/revisions/${shut}/page/${secret}`).pipe(refused(404))
    })
  )

  it.effect("are none of those before a share link was there, or open", () =>
    Effect.gen(function* () {
      const { space, home } = yield* makeSpace
      const site = yield* publishedSite([space], { visibility: "share-link" })
      const first = yield* createShareLink(site.id)
      const before = yield* replace(space, home, "Second text")
      const second = yield* createShareLink(site.id)
      const { apiToken } = yield* resolve(second.url)
      yield* readsNothing(apiToken, space, before, home)
      const shown = yield* replace(space, home, "Third text")
      yield* readsAll(apiToken, space, shown, home)
      yield* ofSite(site.id, "PATCH", `/share-links/${second.id}`, { active: false }).pipe(has(200))
      yield* readsNothing(apiToken, space, shown, home)
      const meanwhile = yield* replace(space, home, "Fourth text")
      yield* ofSite(site.id, "PATCH", `/share-links/${second.id}`, { active: true }).pipe(has(200))
      yield* readsNothing(apiToken, space, meanwhile, home)
      yield* readsAll((yield* resolve(first.url)).apiToken, space, yield* revisionOf(space), home)
    })
  )
})
