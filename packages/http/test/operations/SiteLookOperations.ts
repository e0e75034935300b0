/** How sites look, and what their visitors did there: each operation once, with its status and shape. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSite, json, ofSite, pathOfSite, publishedSite, publishSite, siteSpacesOf } from "../SiteSteps.ts"
import { createSpace } from "../Steps.ts"

export const siteLookOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("takes in what visitors of a site see", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id: site } = yield* publishedSite([])
      const session = { visitorId: "v", sessionId: "s", cookies: {}, userAgent: "", language: null, referrer: null }
      const place = { siteSection: null, siteSpace: null, siteShareKey: null, space: null, revision: null, page: null }
      const event = { type: "page_view", session, location: { url: "https://docs.example.com/", ...place } }
      const at = `/v1/orgs/${organization}/sites/${site}`
      yield* call("nobody", "POST", `${at}/insights/events`, { events: [event] }).pipe(has(204))
      const feedback = { category: "usability", summary: "Unclear" }
      yield* call("nobody", "POST", `${at}/agents/feedback`, { subject: { kind: "generic" }, feedback }).pipe(
        answers(201, Schema.Struct({ id: Shapes.Text, result: Shapes.Text }))
      )
      const ofPage = { feedback: "Unclear", url: "https://docs.example.com/", spaceId: "x", pageId: "x" }
      yield* call("nobody", "POST", `${at}/agent-feedback`, ofPage).pipe(has(204))
    })
  )

  it.effect("sets how a site looks, and one of its site spaces otherwise", () =>
    Effect.gen(function* () {
      const spaces = yield* Effect.forEach(["One", "Two"], (title) => createSpace({ title }))
      const { id: site } = yield* createSite(spaces.map(({ id }) => id))
      const get = ofSite(site, "GET", "/customization").pipe(answers(200, Shapes.Customization))
      const first = yield* get
      assert.isUndefined(first.title)
      const put = yield* ofSite(site, "PUT", "/customization", {
        title: "Looks",
        styling: { theme: "bold" },
        privacyPolicy: { url: "https://example.com/privacy" }
      }).pipe(answers(200, Shapes.Customization))
      assert.deepStrictEqual(put, {
        ...first,
        title: "Looks",
        styling: { ...first.styling, theme: "bold" },
        privacyPolicy: { url: "https://example.com/privacy" }
      })
      assert.deepStrictEqual(yield* get, put)

      const [own, other] = yield* siteSpacesOf(site)
      const path = `/site-spaces/${own!.id}/customization`
      const ofOwn = ofSite(site, "GET", path).pipe(answers(200, Shapes.SiteSpaceCustomization))
      assert.deepStrictEqual(yield* ofOwn, { ...put, hasOverrides: false })
      const patched = yield* ofSite(site, "PATCH", path, { title: "Own", pdf: { enabled: false } }).pipe(
        answers(200, Shapes.SiteSpaceCustomization)
      )
      assert.deepStrictEqual(patched, { ...put, title: "Own", pdf: { enabled: false }, hasOverrides: true })
      assert.deepStrictEqual(yield* ofOwn, patched)
      yield* publishSite(site)
      const { customizations } = yield* ofSite(site, "GET", "/published").pipe(answers(200, Shapes.PublishedSite))
      // Nobody has set the theme: renderers follow the reader's device.
      assert.strictEqual(put.themes.default, "light")
      const rendered = { ...put, themes: { ...put.themes, default: "system" } }
      assert.deepStrictEqual(customizations.site, rendered)
      // Renderers look up the site space that they show.
      assert.deepStrictEqual(customizations.siteSpaces[other!.id], rendered)
      assert.strictEqual(customizations.siteSpaces[own!.id]?.title, "Own")
      assert.isFalse(
        (yield* ofSite(site, "GET", `/site-spaces/${other!.id}/customization`).pipe(
          answers(200, Shapes.SiteSpaceCustomization)
        )).hasOverrides
      )
      const back = yield* ofSite(site, "PATCH", path, { title: null }).pipe(answers(200, Shapes.SiteSpaceCustomization))
      assert.deepInclude(back, { title: "Looks", hasOverrides: true })
      for (let i = 0; i < 2; i++) yield* ofSite(site, "DELETE", path).pipe(has(204))
      assert.isFalse((yield* ofOwn).hasOverrides)

      yield* ofSite(site, "GET", "/site-spaces/unknown/customization").pipe(refused(404))
      yield* ofSite(site, "PATCH", "/site-spaces/unknown/customization", {}).pipe(refused(404))
      yield* ofSite(site, "DELETE", "/site-spaces/unknown/customization").pipe(has(204))
      for (const wrong of [{ styling: { theme: "loud" } }, { title: 1 }, { privacyPolicy: { url: "javascript:1" } }]) {
        yield* ofSite(site, "PUT", "/customization", wrong).pipe(refused(400))
        yield* ofSite(site, "PATCH", path, wrong).pipe(refused(400))
      }
      assert.deepStrictEqual(
        yield* ofSite(site, "PUT", "/customization", {}).pipe(answers(200, Shapes.Customization)),
        first
      )
    })
  )

  it.effect("sums up what visitors of a site did", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const site = yield* publishedSite([space])
      const sums = yield* ofSite(site.id, "POST", "/insights/events/aggregate", {
        select: [{ column: "datetime", interval: "day" }, { column: "eventsCount" }],
        range: "last7Days"
      }).pipe(json(200))
      assert.deepStrictEqual(sums, {
        columns: [
          { column: "datetime", values: [] },
          { column: "eventsCount", values: [] }
        ]
      })
      const path = `${yield* pathOfSite(site.id)}/insights/events/aggregate`
      yield* call("edit", "POST", path, { range: "last7Days" }).pipe(has(200))
      yield* call("comment", "POST", path, { range: "last7Days" }).pipe(refused(403))
    })
  )
}
