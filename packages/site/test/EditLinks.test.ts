/** Links of sites that lead to where a page is edited. */
import { AppPaths } from "@lectern/core/identity/AppUrls"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { has, onMemory } from "../../http/test/Harness.ts"
import { ofSite, publishedSite } from "../../http/test/SiteSteps.ts"
import { publish, spaceWith } from "../../http/test/Steps.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const withApp = Effect.provideService(AppPaths, {
  space: (space) => `/spaces/${space}`,
  page: (space, page) => `/spaces/${space}/pages/${page}`,
  changeRequest: (space, changeRequest) => `/spaces/${space}/changes/${changeRequest}`,
  content: /^\/spaces\//
})

const shownLink = { git: { showEditLink: true }, pageActions: { items: ["git"] } }

onMemory("Edit links of sites", (it) => {
  it.effect("lead to the page in the app, in the page menu and below the page, if the site shows them", () =>
    Effect.gen(function* () {
      const { space, idOf } = yield* spaceWith({ Start: "Text" })
      const { id, urls } = yield* publishedSite([space])
      const ask = yield* asking.pipe(withApp)
      const before = yield* ask(urls.published ?? "").pipe(hasStatus(200))
      assert.notInclude(before.text, "#edit")
      yield* ofSite(id, "PUT", "/customization", shownLink).pipe(has(200))
      const { headers, text } = yield* ask(urls.published ?? "").pipe(hasStatus(200))
      assert.strictEqual(text.split(`/${space}/content/page/${idOf("Start")}#edit"`).length - 1, 2)
      assert.strictEqual(text.split("Edit this page").length - 1, 2)
      // The link does not depend on the reader.
      assert.strictEqual(headers.get("cache-control"), before.headers.get("cache-control"))
    })
  )

  it.effect("are absent for pages that nobody edits, and without an app", () =>
    Effect.gen(function* () {
      const { space } = yield* spaceWith({ Start: "Text" })
      const { id, urls } = yield* publishedSite([space])
      yield* ofSite(id, "PUT", "/customization", shownLink).pipe(has(200))
      yield* publish(space, [{ operation: "insert_page", title: "More" }])
      const { text } = yield* (yield* asking)(urls.published ?? "").pipe(hasStatus(200))
      assert.notInclude(text, "Edit this page")
    })
  )
})
