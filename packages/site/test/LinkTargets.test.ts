/** Ends of links and pictures that the text of a page names by URLs. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

onMemory("Links of a site", (it) => {
  it.effect("lead to nothing that was gone already when somebody else exported it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({
        Start: "Words.",
        Next: [
          "Read [a page](/broken/pages/ngeSCZKxiGVWqYZTHDjY#part), [a space](/broken/spaces/x1) and [news](/broken/news).",
          "![A plan](/broken/files/j1sGKuO2wS5fYyQZ5SGg)",
          "![](/broken/files/j1sGKuO2wS5fYyQZ5SGg)",
          '{% content-ref url="/broken/pages/ngeSCZKxiGVWqYZTHDjY" %}\n[x](/broken/pages/ngeSCZKxiGVWqYZTHDjY)\n{% endcontent-ref %}'
        ].join("\n\n")
      })
      const { urls } = yield* publishedSite([space])
      const { text } = yield* ask(`${urls.published}next`).pipe(hasStatus(200))
      const content = text.slice(text.indexOf(`<div class="content">`), text.indexOf("</main>"))
      assert.include(content, `Read a page, a space and <a href="/broken/news">news</a>.`)
      assert.include(content, `<span class="missing">A plan</span>`)
      assert.include(content, `<p class="missing">`)
      assert.notInclude(content, "<img")
      assert.notMatch(content, /\/broken\/(?!news)/)
    })
  )

  it.effect("encode a fragment that names nothing once", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({
        Start: "[one](#%D8%B3%D9%84) [two](#سل) [three](/pages/none#x) [four](#100%)"
      })
      const { urls } = yield* publishedSite([space])
      const { text } = yield* ask(urls.published ?? "").pipe(hasStatus(200))
      const [, ...links] = text.slice(text.indexOf(`<div class="content">`)).split('href="#')
      assert.deepStrictEqual(
        links.slice(0, 3).map((link) => link.slice(0, link.indexOf('"'))),
        ["%D8%B3%D9%84", "%D8%B3%D9%84", "100%25"]
      )
    })
  )

  it.effect("lead to no file that the space doesn't hold, and pictures of such are what is said of them", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({
        Start: "Words.",
        Next: [
          "Read [the missing page](../elsewhere/missing.md), [prices](/pricing) and [more](https://example.com/more).",
          "![A plan of the house](../../.gitbook/assets/plan.png)",
          "See ![a sign](signs/left.png) there."
        ].join("\n\n")
      })
      const { urls } = yield* publishedSite([space])
      const { text } = yield* ask(`${urls.published}next`).pipe(hasStatus(200))
      const content = text.slice(text.indexOf(`<div class="content">`), text.indexOf("</main>"))
      assert.include(content, "Read the missing page, ")
      assert.include(content, `<a href="/pricing">prices</a>`)
      assert.match(content, /<a href="https:\/\/example\.com\/more"[^>]*>more<\/a>/)
      assert.include(content, `<span class="missing">A plan of the house</span>`)
      assert.include(content, "See a sign there.")
      assert.notInclude(content, "<img")
    })
  )
})
