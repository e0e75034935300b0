import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { spaceWith } from "../../http/test/Steps.ts"
import { SnippetRenderer, type SnippetRequest } from "../src/rendering/SnippetRenderer.ts"
import * as SnippetCache from "../src/rendering/SnippetCache.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

/** A painter that paints when it may, and says what it was asked for. */
const painting = Effect.gen(function* () {
  const may = yield* Latch.make(false)
  const done = yield* Latch.make(false)
  const asked: Array<SnippetRequest> = []
  const painter = Layer.succeed(SnippetRenderer, {
    render: (wanted) =>
      may.await.pipe(
        Effect.andThen(() => {
          asked.push(...wanted)
          return done.open
        }),
        Effect.as(
          wanted.map((one) => (one.kind === "code" ? one.code.split("\n").map((line) => `<b>${line}</b>`) : undefined))
        )
      )
  })
  const paintings = yield* paintedBy(painter)
  return { paintings, asked, letPaint: may.open.pipe(Effect.andThen(done.await), Effect.andThen(Effect.yieldNow)) }
})

const paintedBy = Effect.fnUntraced(function* (painter: Layer.Layer<never>) {
  const context = yield* Layer.build(Layer.provide(SnippetCache.layer, painter))
  return yield* Effect.provideContext(SnippetCache.SnippetCache, context)
})

describe("SnippetCache", () => {
  it.effect("shows a page plain until its code is painted, once, and then whole", () =>
    Effect.gen(function* () {
      const { paintings, asked, letPaint } = yield* painting
      const first = paintings.snippets("solid")
      assert.isTrue(first.isComplete())
      assert.isUndefined(first.highlight("a\nb", "ts"))
      assert.isUndefined(first.highlight("a\nb", "ts"))
      assert.isFalse(first.isComplete())
      yield* letPaint
      const next = paintings.snippets("solid")
      assert.deepStrictEqual(
        next.highlight("a\nb", "ts")?.map(({ text }) => text),
        ["<b>a</b>", "<b>b</b>"]
      )
      assert.isTrue(next.isComplete())
      assert.strictEqual(asked.length, 1)
    })
  )

  it.effect("lets a page wait for what it missed, and for nothing else", () =>
    Effect.gen(function* () {
      const { paintings, letPaint } = yield* painting
      const page = paintings.snippets("solid")
      assert.isUndefined(page.pending())
      page.highlight("a", "ts")
      // Another page missed it too, and something more that is not waited for here.
      paintings.snippets("solid").highlight("a", "ts")
      const waiting = yield* Effect.forkChild(page.pending()!)
      yield* Effect.yieldNow
      assert.isUndefined(waiting.pollUnsafe())
      yield* letPaint
      yield* Fiber.join(waiting)
      assert.strictEqual(page.highlight("a", "ts")?.length, 1)
      assert.isTrue(page.isComplete())
      assert.isUndefined(page.pending())
    })
  )

  it.effect("keeps drawings by the bytes that they take: half as many where a character needs two", () =>
    Effect.gen(function* () {
      const kept = Effect.fnUntraced(function* (character: string) {
        const paintings = yield* paintedBy(
          Layer.succeed(SnippetRenderer, {
            render: (wanted) => Effect.succeed(wanted.map(() => [character.repeat(1024 * 1024)]))
          })
        )
        const names = Array.from({ length: 40 }, (_, i) => `x${i}`)
        const page = paintings.snippets("solid")
        for (const name of names) page.formula(name, false)
        yield* page.pending()!
        return names.filter((name) => page.formula(name, false) !== undefined).length
      })
      assert.strictEqual(yield* kept("x"), 31)
      assert.strictEqual(yield* kept("式"), 15)
    })
  )

  it.effect("asks no second time for what can't be painted, and never for what is too long", () =>
    Effect.gen(function* () {
      const { paintings, asked, letPaint } = yield* painting
      paintings.snippets("solid").icon("no-such-icon")
      yield* letPaint
      const { icon, formula, highlight: highlighted, isComplete: isWhole } = paintings.snippets("solid")
      assert.isUndefined(icon("no-such-icon"))
      assert.isUndefined(icon("x".repeat(101)))
      assert.isUndefined(formula("x".repeat(4_001), true))
      assert.isUndefined(highlighted("x".repeat(50_001), "ts"))
      assert.isUndefined(highlighted("x", "../x y"))
      assert.isTrue(isWhole())
      assert.strictEqual(asked.length, 1)
    })
  )

  it.effect("paints nothing without a painter", () =>
    Effect.gen(function* () {
      const paintings = yield* SnippetCache.SnippetCache
      const { highlight: highlighted, isComplete: isWhole } = paintings.snippets("solid")
      assert.isUndefined(highlighted("a", "ts"))
      assert.isTrue(isWhole())
    }).pipe(Effect.provide(SnippetCache.layer))
  )
})

onMemory("A page of a site", (it) => {
  const drawn = "<b>drawn</b>"
  const plain = "<code>\\operatorname{sign}</code>"

  /** Its first reader, and whoever lets its formula be drawn. */
  const read = Effect.gen(function* () {
    const may = yield* Latch.make(false)
    const begun = yield* Latch.make(false)
    const paint = (wanted: ReadonlyArray<SnippetRequest>) =>
      begun.open.pipe(Effect.andThen(may.await), Effect.as(wanted.map(() => [drawn])))
    const { space } = yield* spaceWith({ Formulas: "The sign is $$\\operatorname{sign}$$.\n" })
    const { urls } = yield* publishedSite([space])
    const ask = yield* asking.pipe(
      Effect.provideService(
        SnippetCache.SnippetCache,
        yield* paintedBy(Layer.succeed(SnippetRenderer, { render: paint }))
      )
    )
    const page = ask(urls.published!).pipe(hasStatus(200))
    const first = yield* Effect.forkChild(page)
    yield* begun.await
    // The page is drawn by now, and waits.
    yield* Effect.yieldNow
    return { first, letPaint: may.open, page }
  })

  it.effect("has its formulas for the first who reads it", () =>
    Effect.gen(function* () {
      const { first, letPaint } = yield* read
      assert.isUndefined(first.pollUnsafe())
      yield* letPaint
      const { text } = yield* Fiber.join(first)
      assert.include(text, drawn)
      assert.notInclude(text, plain)
    })
  )

  it.effect("waits 4 seconds for them and no longer, and is whole the next time", () =>
    Effect.gen(function* () {
      const { first, letPaint, page } = yield* read
      yield* TestClock.adjust("3900 millis")
      assert.isUndefined(first.pollUnsafe())
      yield* TestClock.adjust("200 millis")
      assert.include((yield* Fiber.join(first)).text, plain)
      yield* letPaint
      assert.include((yield* page).text, drawn)
    })
  )
})
