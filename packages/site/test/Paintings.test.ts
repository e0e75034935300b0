import { assert, describe, it } from "@effect/vitest"
import { Effect, Latch, Layer } from "effect"
import { Painter, type Wanted } from "../src/painting/Painter.ts"
import * as Paintings from "../src/painting/Paintings.ts"

/** A painter that paints when it may, and says what it was asked for. */
const painting = Effect.gen(function* () {
  const may = yield* Latch.make(false)
  const done = yield* Latch.make(false)
  const asked: Array<Wanted> = []
  const painter = Layer.succeed(Painter, {
    paint: (wanted) =>
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
  const context = yield* Layer.build(Layer.provide(Paintings.layer, painter))
  const paintings = yield* Effect.provideContext(Paintings.Paintings, context)
  return { paintings, asked, letPaint: may.open.pipe(Effect.andThen(done.await), Effect.andThen(Effect.yieldNow)) }
})

describe("Paintings", () => {
  it.effect("shows a page plain until its code is painted, once, and then whole", () =>
    Effect.gen(function* () {
      const { paintings, asked, letPaint } = yield* painting
      const first = paintings.parts("solid")
      assert.isTrue(first.isWhole())
      assert.isUndefined(first.highlighted("a\nb", "ts"))
      assert.isUndefined(first.highlighted("a\nb", "ts"))
      assert.isFalse(first.isWhole())
      yield* letPaint
      const next = paintings.parts("solid")
      assert.deepStrictEqual(
        next.highlighted("a\nb", "ts")?.map(({ text }) => text),
        ["<b>a</b>", "<b>b</b>"]
      )
      assert.isTrue(next.isWhole())
      assert.strictEqual(asked.length, 1)
    })
  )

  it.effect("asks no second time for what can't be painted, and never for what is too long", () =>
    Effect.gen(function* () {
      const { paintings, asked, letPaint } = yield* painting
      paintings.parts("solid").icon("no-such-icon")
      yield* letPaint
      const { icon, formula, highlighted, isWhole } = paintings.parts("solid")
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
      const paintings = yield* Paintings.Paintings
      const { highlighted, isWhole } = paintings.parts("solid")
      assert.isUndefined(highlighted("a", "ts"))
      assert.isTrue(isWhole())
    }).pipe(Effect.provide(Paintings.layer))
  )
})
