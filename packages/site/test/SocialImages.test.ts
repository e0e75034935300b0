/** Pictures of pages where links to them are shown. */
import { assert, describe, it } from "@effect/vitest"
import { SnippetRenderer } from "@lectern/site/rendering/SnippetRenderer"
import * as SocialImage from "@lectern/site/rendering/SocialImage"
import { Deferred, Effect, Fiber } from "effect"
import { has, onMemory } from "../../http/test/Harness.ts"
import { ofSite, publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import { examplePage } from "./ExamplePages.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const pictureOf = (title: string, description = "", settings = {}) => {
  const shown = examplePage({ markdown: "", settings })
  return SocialImage.socialImageOf({ ...shown, page: { ...shown.page, title } }, "Acme", description)
}

describe("The picture of a page", () => {
  it("has texts of one line, within bounds, cut between characters", () => {
    assert.strictEqual(pictureOf("x".repeat(10_000)).title.length, 200)
    const families = pictureOf("👨‍👩‍👧‍👦".repeat(300)).title
    assert.isTrue(families.endsWith("👨‍👩‍👧‍👦…"))
    assert.strictEqual(pictureOf(" a\n\u0000\u202e b\t").title, "a b")
    assert.isBelow(pictureOf(`a${"\u0301".repeat(10_000)}b`).title.length, 10)
    assert.isTrue(pictureOf("a".repeat(199) + "\ud83d").title.isWellFormed())
    assert.isAtMost(pictureOf("", "word ".repeat(10_000)).description.length, 300)
    assert.isBelow(pictureOf("e\u{e0061}".repeat(5_000)).title.length, 8_000)
  })

  it("goes by the site's colours, and by the script of its title", () => {
    assert.strictEqual(pictureOf("مرحبا").direction, "rtl")
    assert.strictEqual(pictureOf("2.0 שלום").direction, "rtl")
    assert.strictEqual(pictureOf("Hello مرحبا").direction, "ltr")
    const styling = { primaryColor: { light: "#aa0000", dark: "#00aa00" } }
    assert.strictEqual(pictureOf("x", "", { styling }).fill.toLowerCase(), "#aa0000")
    const dark = pictureOf("x", "", { styling, themes: { default: "dark" } })
    assert.strictEqual(dark.fill.toLowerCase(), "#00aa00")
    assert.notStrictEqual(dark.ground, pictureOf("x").ground)
    assert.strictEqual(pictureOf("x").sign, "A")
    const logo = { light: "https://acme.test/l.png", dark: "https://acme.test/d.png" }
    assert.strictEqual(pictureOf("x", "", { header: { logo } }).logo, logo.light)
    assert.strictEqual(pictureOf("x", "", { header: { logo }, themes: { default: "dark" } }).logo, logo.dark)
    assert.strictEqual(pictureOf("x", "", { favicon: { emoji: "📗" } }).sign, "📗")
  })
})

const imageIn = (page: string) => /<meta property="og:image" content="([^"]*)">/.exec(page)?.[1]

onMemory("A site", (it) => {
  it.effect("has a picture for each page, drawn once, when it is asked for", () =>
    Effect.gen(function* () {
      const drawn: Array<SocialImage.SocialImage> = []
      const gate = yield* Deferred.make<void>()
      const painter = {
        render: () => Effect.succeed([]),
        socialImage: (picture: SocialImage.SocialImage) => {
          drawn.push(picture)
          return Effect.as(Deferred.await(gate), new TextEncoder().encode(picture.title))
        }
      }
      const ask = yield* Effect.provideService(asking, SnippetRenderer, painter)
      const { space } = yield* spaceWith({ Start: "First words.", Guide: "Words" })
      const { id, urls } = yield* publishedSite([space], { title: "Acme" })
      const { text } = yield* ask(`${urls.published}guide`).pipe(hasStatus(200))
      const image = imageIn(text) ?? ""
      assert.match(image, /^https?:\/\/.*\/guide\.png\?v=[\w-]{22}$/)
      assert.include(text, '<meta name="twitter:card" content="summary_large_image">')
      assert.include(text, '<meta property="og:image:width" content="1200">')
      assert.strictEqual(drawn.length, 0)
      const fibers = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(ask(image)))
      yield* Deferred.succeed(gate, undefined)
      for (const fiber of fibers) {
        const { headers, status, text } = yield* Fiber.join(fiber)
        assert.deepStrictEqual([status, text], [200, "Guide"])
        assert.strictEqual(headers.get("content-type"), "image/png")
        assert.strictEqual(headers.get("cache-control"), "public, max-age=31536000, immutable")
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      }
      yield* ask(image).pipe(hasStatus(200))
      assert.deepStrictEqual(
        drawn.map(({ title, site, description }) => [title, site, description]),
        [["Guide", "Acme", "Words"]]
      )
      // Another hash makes nothing: it leads to the picture as it is.
      for (const other of [image.replace(/v=.*/, "v=other"), image.replace(/\?.*/, "")]) {
        const { headers } = yield* ask(other).pipe(hasStatus(307))
        assert.strictEqual(headers.get("location"), image)
      }
      assert.strictEqual(drawn.length, 1)
      const front = imageIn((yield* ask(urls.published ?? "").pipe(hasStatus(200))).text) ?? ""
      assert.match(front, /\/index\.png\?v=/)
      assert.strictEqual((yield* ask(front).pipe(hasStatus(200))).text, "Start")
      yield* ask(`${urls.published}none.png`).pipe(hasStatus(404))

      const own = "https://acme.test/own.png"
      yield* ofSite(id, "PUT", "/customization", { socialPreview: { url: own } }).pipe(has(200))
      assert.strictEqual(imageIn((yield* ask(`${urls.published}guide`)).text), own)
      yield* ask(image).pipe(hasStatus(404))
      yield* ofSite(id, "PUT", "/customization", { title: "Acme Inc." }).pipe(has(200))
      const later = imageIn((yield* ask(`${urls.published}guide`)).text)
      assert.notStrictEqual(later, image)
      yield* ofSite(id, "PATCH", "", { visibility: "share-link" }).pipe(has(200))
      yield* ask(later ?? "").pipe(hasStatus(404))
    })
  )

  it.effect("has none where nobody draws them", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: "Words" })
      const { urls } = yield* publishedSite([space], { title: "Acme" })
      const { text } = yield* ask(urls.published ?? "").pipe(hasStatus(200))
      assert.isUndefined(imageIn(text))
      assert.include(text, '<meta name="twitter:card" content="summary">')
    })
  )
})
