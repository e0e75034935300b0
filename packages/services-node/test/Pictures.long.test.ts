/** Pictures of pages, as a thread draws them. */
import { assert, describe, it } from "@effect/vitest"
import { FetchFailed, GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { SnippetRenderer } from "@lectern/site/rendering/SnippetRenderer"
import { Effect, Layer } from "effect"
import { NodeSnippetRenderer } from "../src/rendering/NodeSnippetRenderer.ts"

const plain = {
  site: "Acme",
  title: "Start",
  description: "",
  sign: "A",
  language: "en",
  direction: "ltr",
  ground: "#ffffff",
  ink: "#000000",
  muted: "#555555",
  fill: "#2f5bd7",
  onFill: "#ffffff"
} as const

describe("NodeSnippetRenderer", () => {
  it.live("draws pictures of pages in any script, whatever their texts are", () =>
    Effect.gen(function* () {
      const painter = (yield* SnippetRenderer)!
      const draw = (more: object = {}) =>
        Effect.map(painter.socialImage!({ ...plain, ...more }), (png) => Buffer.from(png!))
      const [first, again] = [yield* draw(), yield* draw()]
      assert.isTrue(first.equals(again))
      const others = [
        yield* draw({ title: "", site: "", sign: "" }),
        yield* draw({ title: "مرحبا 2.0", direction: "rtl", language: "ar" }),
        yield* draw({ title: "日本語 🎉", description: "한국어 \u{10ffff}", language: "ja" }),
        yield* draw({ title: "x".repeat(10_000), description: "W ".repeat(10_000), site: "y".repeat(1_000) }),
        yield* draw({ title: "\u0300".repeat(200), language: "no such language" })
      ]
      for (const png of [first, ...others]) {
        assert.strictEqual(png.subarray(1, 4).toString(), "PNG")
        assert.deepStrictEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1200, 630])
        assert.isBelow(png.length, 200_000)
      }
      for (const png of others) assert.isFalse(png.equals(first))
    }).pipe(Effect.provide(NodeSnippetRenderer.layer()))
  )

  it.live("draws a logo where it can be had, and the picture all the same where it can't", () =>
    Effect.gen(function* () {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><rect width="4" height="1" fill="red"/></svg>'
      const asked: Array<string> = []
      const files: Record<string, readonly [type: string, content: string]> = {
        "https://acme.test/logo.svg": ["image/svg+xml", svg],
        "https://acme.test/page.html": ["text/html", svg],
        "https://acme.test/broken.png": ["image/png", "no picture"],
        "https://acme.test/deep.svg": ["image/svg+xml", "<svg>".repeat(20_000)]
      }
      const none = new FetchFailed({ reason: "failed", message: "none" })
      const fetch = Layer.effect(
        GuardedFetch,
        Effect.map(GuardedFetch, (guarded) => ({
          ...guarded,
          fetch: (url: string) => {
            asked.push(url)
            const found = files[url]
            return found === undefined
              ? Effect.fail(none)
              : Effect.succeed({ url, contentType: found[0], bytes: new TextEncoder().encode(found[1]) })
          }
        }))
      ).pipe(Layer.provide(GuardedFetch.layer))
      yield* Effect.gen(function* () {
        const painter = (yield* SnippetRenderer)!
        const draw = (logo?: string) =>
          Effect.map(painter.socialImage!({ ...plain, ...(logo !== undefined && { logo }) }), (png) =>
            Buffer.from(png!)
          )
        const without = yield* draw()
        const logo = yield* draw("https://acme.test/logo.svg")
        assert.isFalse(logo.equals(without))
        assert.isTrue(logo.equals(yield* draw("https://acme.test/logo.svg")))
        assert.deepStrictEqual(asked, ["https://acme.test/logo.svg"])
        // One that can't be drawn is tried once: it ends the thread.
        for (let i = 0; i < 2; i++) yield* draw("https://acme.test/deep.svg")
        assert.strictEqual(asked.filter((url) => url.endsWith("deep.svg")).length, 1)
        for (const name of ["page.html", "broken.png", "deep.svg", "none.png"]) {
          assert.isTrue(without.equals(yield* draw(`https://acme.test/${name}`)), name)
        }
      }).pipe(Effect.provide(NodeSnippetRenderer.layer({ fetch })))
    })
  )
})
