/** Responses to readers who do not get a page: equal for all reasons, while observers receive the reason. */
import { type CompletedRequest, Observers } from "@lectern/http/server/Observation"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeSite } from "../../http/test/AudienceSites.ts"
import { Harness, has, onMemory } from "../../http/test/Harness.ts"
import { addSection, createSite, ofSite, patchSection, patchSite, publishSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish } from "../../http/test/Steps.ts"
import { serving } from "./Serving.ts"

const origin = "http://127.0.0.1:4000"

/** Returns a function that requests a URL, and returns the response and the observed reason. */
const observed = Effect.gen(function* () {
  const completed: Array<CompletedRequest> = []
  const { ask } = yield* serving(0, 0).pipe(
    Effect.provideService(Observers, [(request: CompletedRequest) => void completed.push(request)])
  )
  return (url: string) =>
    Effect.map(ask(url, { accept: "text/html" }), (response) => ({ response, reason: completed.at(-1)!.reason }))
})

onMemory("Readers without a page", (it) => {
  it.effect("get one response for all reasons for which a site does not admit them", () =>
    Effect.gen(function* () {
      const ask = yield* observed
      const unpublished = yield* makeSite("public")
      yield* ofSite(unpublished.id, "POST", "/unpublish").pipe(has(200))
      const [links, signOn] = [yield* makeSite("share-link"), yield* makeSite("visitor-auth")]
      const refusals = yield* Effect.forEach(
        [
          `${origin}/sites/no-such-site/`,
          `${unpublished.base}setup`,
          `${links.base}setup`,
          links.inactive.url.replace(/^.*?\/sites\//, `${origin}/sites/`),
          links.removed.url.replace(/^.*?\/sites\//, `${origin}/sites/`),
          `${signOn.base}setup`,
          `${signOn.base}setup?jwt_token=a.b.c`
        ],
        ask
      )
      assert.deepStrictEqual(
        refusals.map(({ reason }) => reason),
        [
          "site-not-found",
          "site-unpublished",
          "share-link-missing",
          "share-link-inactive",
          "share-link-missing",
          "sign-in-required",
          "sign-in-invalid"
        ]
      )
      const [first] = refusals
      assert.strictEqual(first!.response.status, 404)
      for (const { reason, response } of refusals) assert.deepStrictEqual(response, first!.response, reason)
    })
  )

  it.effect("get one response for all reasons for which a site has no page at a path", () =>
    Effect.gen(function* () {
      const ask = yield* observed
      const { call } = yield* Harness
      const [guide, internal] = [yield* createSpace(), yield* createSpace()]
      yield* publish(guide.id, [insertPage("Start", "Text")])
      yield* publish(internal.id, [
        insertPage("Wages", "Secret"),
        { ...insertPage("Plans", "Secret"), condition: "false" }
      ])
      const { id } = yield* createSite([])
      yield* addSection(id, guide.id, "Guide")
      const section = yield* addSection(id, internal.id, "Internal")
      const { basename } = yield* publishSite(id)
      const base = `${origin}/sites/${basename}/`
      const wages = `${base}internal/wages`
      assert.deepInclude(yield* ask(wages), { reason: undefined })
      // Only the reader of the visible section gets suggestions, so that it is hidden in all cases.
      yield* patchSection(id, section.id, { condition: "false" })
      const byCondition = yield* ask(wages)
      yield* patchSection(id, section.id, { condition: null })
      yield* call("admin", "PATCH", `/v1/spaces/${internal.id}`, { visibility: "private" }).pipe(has(200))
      const bySpace = yield* ask(wages)
      yield* ofSite(id, "DELETE", `/sections/${section.id}`).pipe(has(204))
      const byAbsence = yield* ask(wages)
      const refusals = [byCondition, bySpace, byAbsence]
      assert.deepStrictEqual(
        refusals.map(({ reason }) => reason),
        ["section-condition", "space-visibility", "page-not-found"]
      )
      assert.strictEqual(byAbsence.response.status, 404)
      for (const { reason, response } of refusals) assert.deepStrictEqual(response, byAbsence.response, reason)
    })
  )

  it.effect("get one response for a hidden page and for one that does not exist", () =>
    Effect.gen(function* () {
      const ask = yield* observed
      const space = yield* createSpace()
      yield* publish(space.id, [
        insertPage("Start", "Text"),
        { ...insertPage("Hidden", "Secret"), condition: "visitor.claims.pro" }
      ])
      const { id } = yield* createSite([space.id])
      const { basename } = yield* publishSite(id)
      const base = `${origin}/sites/${basename}/`
      const [hidden, absent] = [yield* ask(`${base}hidden`), yield* ask(`${base}absent`)]
      assert.deepStrictEqual([hidden.reason, absent.reason], ["page-condition", "page-not-found"])
      assert.deepStrictEqual(hidden.response, absent.response)
      yield* patchSite(id, { visibility: "unlisted" })
      assert.strictEqual((yield* ask(`${base}start`)).reason, undefined)
    })
  )
})
