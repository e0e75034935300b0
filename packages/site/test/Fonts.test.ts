/** Fonts that settings name: loaded from beside the site, in the parts that a page needs. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { json, ofSite, publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import { bundleSiteFonts } from "../../../bundle/SiteFonts.ts"
import { readFonts } from "../../services-node/src/site/NodeFonts.ts"
import * as Fonts from "../src/styling/Fonts.ts"
import { answering } from "./SiteHarness.ts"

const library = readFonts(await bundleSiteFonts())!

describe("Fonts of sites", () => {
  it("are all that settings name but the system's own, and the one whose licence is not open", () => {
    const isLoaded = (name: string) => library.faces[name] !== undefined
    const names = Object.keys(Fonts.families)
    assert.deepStrictEqual(
      names.filter((name) => !isLoaded(name)),
      ["ABCFavorit", "FiraCode"]
    )
    assert.sameMembers(Object.keys(library.faces), names.filter(isLoaded))
    for (const faces of Object.values(library.faces)) {
      assert.strictEqual(faces.filter(({ isFirst }) => isFirst).length, 1)
      for (const { range } of faces) assert.match(range, /^U\+[\dA-F-]+(?:,U\+[\dA-F-]+)*$/)
    }
  })
})

onMemory("A site in a font that its settings name", (it) => {
  it.effect("loads plain Latin at once, and gives every file for good", () =>
    Effect.gen(function* () {
      const answer = yield* answering({ fonts: library })
      const ask = (url: string) => Effect.promise(() => answer(new Request(url)))
      const { id, urls } = yield* publishedSite([(yield* spaceWith({ Start: "Hello" })).space])
      const base = urls.published!
      const pageOf = Effect.flatMap(ask(base), (response) => Effect.promise(() => response.text()))
      const first = yield* pageOf
      assert.match(first, /<link rel="preload" as="font"[^>]*href="[^"]*~lectern\/inter-basic\.[\da-f]{16}\.woff2"/)
      // Two fonts have the letters that the first file lacks, and the preliminary one is the system's.
      assert.match(first, /<style>@font-face\{font-family:"Inter Preliminary";src:local\("Arial"\)/)
      const styling = { font: "Lato", monospaceFont: "JetBrainsMono" }
      yield* ofSite(id, "PUT", "/customization", { styling }).pipe(json(200))
      const page = yield* pageOf
      const preloaded = Array.from(
        page.matchAll(/<link rel="preload" as="font"[^>]*href="([^"]+)"/g),
        ([, url]) => url!
      )
      assert.strictEqual(preloaded.length, 1)
      assert.match(preloaded[0]!, /~lectern\/lato-latin-400-normal\.[\da-f]{16}\.woff2$/)
      assert.match(page, /<style>@font-face\{font-family:"Lato";font-weight:400;font-display:swap;src:url/)
      const files = Array.from(page.matchAll(/url\("([^"]+\.woff2)"\)/g), ([, url]) => new URL(url!, base).href)
      assert.isAtLeast(files.length, 8)
      for (const url of files) {
        const { status, headers, ...response } = yield* Effect.map(ask(url), (response) => ({
          status: response.status,
          headers: response.headers,
          bytes: () => response.arrayBuffer()
        }))
        assert.deepStrictEqual(
          [status, headers.get("content-type"), headers.get("cache-control")],
          [200, "font/woff2", "public, max-age=31536000, immutable"]
        )
        const bytes = new Uint8Array(yield* Effect.promise(response.bytes))
        assert.strictEqual(new TextDecoder().decode(bytes.slice(0, 4)), "wOF2")
      }
      const none = yield* ask(`${base}~lectern/lato-latin-400-normal.0123456789abcdef.woff2`)
      assert.strictEqual(none.status, 404)
    })
  )

  it.effect("is set in the system's fonts where there are no files", () =>
    Effect.gen(function* () {
      const answer = yield* answering()
      const { id, urls } = yield* publishedSite([(yield* spaceWith({ Start: "Hello" })).space])
      yield* ofSite(id, "PUT", "/customization", { styling: { font: "Lato" } }).pipe(json(200))
      const page = yield* Effect.promise(() => answer(new Request(urls.published!)).then((found) => found.text()))
      assert.include(page, '--font:"Lato",ui-sans-serif')
      assert.notInclude(page, "woff2")
    })
  )
})
