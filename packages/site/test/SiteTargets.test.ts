/** Ends of links and pictures that the text of a page names by URLs. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

onMemory("Links of a site", (it) => {
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
