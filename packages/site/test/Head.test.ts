/** Everything in the head of pages. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import {
  addSiteSpace,
  createSite,
  ofSite,
  publishedSite,
  publishSite,
  siteSpacesOf
} from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish, spaceWith } from "../../http/test/Steps.ts"
import { has } from "../../http/test/Harness.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const headOf = (html: string): string => /<head>([^]*)<\/head>/.exec(html)?.[1] ?? ""

onMemory("The head of a page", (it) => {
  it.effect("names the page, what it stands under, and its previews", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const hostile = `</script><script>alert(1)</script>"'<b>`
      const space = yield* createSpace({ title: "Docs" })
      const { idOf } = yield* publish(space.id, [insertPage("Start", `First words. ${"More. ".repeat(50)}`)])
      yield* publish(space.id, [insertPage(hostile, "", { into: idOf("Start"), slug: "below", description: hostile })])
      const site = yield* publishedSite([space.id], { title: "Acme" })
      const base = site.urls.published ?? ""
      const front = headOf((yield* ask(base).pipe(hasStatus(200))).text)
      assert.include(front, "<title>Start | Acme</title>")
      const description = /<meta name="description" content="([^"]*)">/.exec(front)?.[1] ?? ""
      assert.match(description, /^First words\..*…$/)
      assert.isAtMost(description.length, 161)
      assert.include(front, `<meta property="og:type" content="website">`)
      assert.include(front, `<meta property="og:url" content="${base}">`)
      assert.include(front, `<link rel="icon" href="data:image/svg+xml,`)
      assert.notMatch(front, /robots|og:image|hreflang|atom/)
      // Without text, what its headings say.
      yield* publish(space.id, [insertPage("Steps", "## First *step*\n\n```\nx\n```\n\n## Second\n\n- y")])
      const steps = headOf((yield* ask(`${base}steps`).pipe(hasStatus(200))).text)
      assert.include(steps, `<meta name="description" content="First step · Second">`)
      const first = headOf((yield* ask(`${base}start`).pipe(hasStatus(200))).text)
      assert.include(first, `<link rel="canonical" href="${base}">`)

      const below = headOf((yield* ask(`${base}start/below`).pipe(hasStatus(200))).text)
      assert.notInclude(below, "<script>alert")
      const data = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(below)?.[1] ?? ""
      assert.deepStrictEqual(
        JSON.parse(data).itemListElement.map(({ name, item }: { name: string; item: string }) => [name, item]),
        [
          ["Acme", base],
          ["Start", base],
          [hostile, `${base}start/below`]
        ]
      )
      yield* ofSite(site.id, "PUT", "/customization", {
        favicon: { icon: { light: "https://pictures.example/l.png", dark: "https://pictures.example/d.png" } },
        socialPreview: { url: "https://pictures.example/p.png" },
        socialAccounts: [{ platform: "twitter", handle: "acme", display: { footer: true, header: true } }],
        title: "Named"
      }).pipe(has(200))
      yield* ofSite(site.id, "PATCH", "", { visibility: "unlisted" }).pipe(has(200))
      const customized = headOf((yield* ask(base)).text)
      assert.include(customized, "<title>Start | Named</title>")
      assert.include(customized, `href="https://pictures.example/d.png" media="(prefers-color-scheme: dark)"`)
      assert.include(customized, `<meta property="og:image" content="https://pictures.example/p.png">`)
      assert.include(customized, `<meta name="twitter:card" content="summary_large_image">`)
      assert.include(customized, `<meta name="twitter:site" content="@acme">`)
      assert.include(customized, `<meta name="robots" content="noindex">`)
    })
  )

  it.effect("leads to the page in other languages and versions, and to their front where it is not there", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const pages = { Start: "Hello", Guide: "Words", Alone: "One" }
      const english = yield* createSpace({ title: "English", language: "en" })
      yield* publish(
        english.id,
        Object.entries(pages).map(([title, text]) => insertPage(title, text))
      )
      const german = yield* createSpace({ title: "Deutsch", language: "de" })
      yield* publish(german.id, [insertPage("Anfang", "Hallo"), insertPage("Leitfaden", "Worte", { slug: "guide" })])
      const plain = yield* spaceWith({ Start: "", Guide: "" })
      const { id } = yield* createSite([english.id])
      yield* addSiteSpace(id, german.id)
      yield* addSiteSpace(id, plain.space)
      const base = (yield* publishSite(id)).urls.published ?? ""
      const [, other, third] = yield* siteSpacesOf(id)
      const shown = yield* ask(`${base}guide`)
      const guide = headOf(shown.text)
      assert.include(guide, `hreflang="en" href="${base}guide"`)
      assert.include(guide, `hreflang="x-default" href="${base}guide"`)
      assert.include(guide, `hreflang="de" href="${base}${other?.path}/guide"`)
      assert.strictEqual(guide.match(/hreflang/g)?.length, 3)
      const alone = yield* ask(`${base}alone`)
      assert.notInclude(headOf(alone.text), "hreflang")
      const menuOf = ({ text }: typeof shown) =>
        [...(/id="~variants"[^]*?<\/ul>/.exec(text)?.[0] ?? "").matchAll(/href="([^"]*)"/g)].map(([, url]) => url)
      const [own, translated, older] = [base, `${base}${other?.path}/`, `${base}${third?.path}/`]
      assert.deepStrictEqual(menuOf(shown), [`${own}guide`, `${translated}guide`, `${older}guide`])
      assert.deepStrictEqual(menuOf(alone), [`${own}alone`, translated, older])
      assert.include(shown.text, `<a href="${translated}guide" lang="de" hreflang="de">Deutsch</a>`)
      assert.include(shown.text, `<a href="${older}guide">`)
    })
  )
})
