/**
 * Cached results of a `Painter`. Rendering a page never waits: code, formulas and icons that are not cached appear
 * plain and are rendered in the background. The caller may wait for them with `arriving` and render the page again.
 *
 * Limits: caches 32 MiB of the most recently used results, which hold the formulas of seven chapters full of formulas.
 * At most 2,000 items wait, and 32 are rendered at a time. Code has up to 50,000 characters, formulas 4,000 and icon
 * names 100.
 */
import { LruCache } from "@lectern/core/storage/LruCache"
import { Context, Deferred, Effect, Layer, Queue } from "effect"
import { type Html, trusted } from "../html/Html.ts"
import { maxHighlighted } from "../document/Code.ts"
import type { Parts } from "../document/BlockRenderer.ts"
import { type Painted, Painter, type Wanted } from "./SnippetRenderer.ts"

const keptBytes = 32 * 1024 * 1024
const maxWaiting = 2_000
const atOnce = 32
const maxTex = 4_000
const maxName = 100

/** Rendered parts of a page, and whether all requested parts were cached. */
export interface PaintedParts extends Pick<Parts, "highlighted" | "formula" | "icon"> {
  /** Returns false if a requested part was not cached. */
  readonly isWhole: () => boolean
  /**
   * Waits for requested parts that are being rendered, and resets `isWhole` for the next rendering of the page.
   * Undefined if no parts will follow.
   */
  readonly arriving: () => Effect.Effect<void> | undefined
}

const none = Symbol("nothing is drawn of it")

/** Memory of an entry in addition to its text (bytes). */
const overhead = 100

const plain: PaintedParts = {
  highlighted: () => undefined,
  formula: () => undefined,
  icon: () => undefined,
  isWhole: () => true,
  arriving: () => undefined
}

/** Returns the memory of a text (bytes): one per character, or two if the text has a character above U+00FF. */
const sizeOf = (text: string): number => (/^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length)

/** Default: all parts are plain. */
export const Paintings = Context.Reference<{
  /** Returns the parts for one rendering of one page. `iconStyle`: icon style of the customization. */
  readonly parts: (iconStyle: string) => PaintedParts
}>("@lectern/site/rendering/SnippetCache", { defaultValue: () => ({ parts: () => plain }) })

/** Renders with the `Painter` of the context. */
export const layer = Layer.effect(
  Paintings,
  Effect.gen(function* () {
    const painter = yield* Painter
    const kept = new LruCache<string, ReadonlyArray<Html> | typeof none>(keptBytes)
    const waiting = yield* Queue.unbounded<{ readonly key: string; readonly wanted: Wanted }>()
    const asked = new Map<string, Deferred.Deferred<void>>()

    const keep = (key: string, painted: Painted | undefined) => {
      const size = painted === undefined ? 0 : painted.reduce((sum, part) => sum + sizeOf(part) + 50, 0)
      kept.set(key, painted === undefined ? none : painted.map(trusted), size + sizeOf(key) + overhead)
      const waited = asked.get(key)
      asked.delete(key)
      if (waited !== undefined) Deferred.doneUnsafe(waited, Effect.void)
    }

    if (painter === undefined) return { parts: () => plain }
    const paint = Effect.gen(function* () {
      const batch = yield* Queue.takeBetween(waiting, 1, atOnce)
      const painted = yield* painter.paint(batch.map(({ wanted }) => wanted))
      batch.forEach(({ key }, i) => keep(key, painted[i]))
    })
    yield* Effect.forkScoped(Effect.forever(paint))

    const parts = (iconStyle: string): PaintedParts => {
      let isWhole = true
      const missed = new Set<Deferred.Deferred<void>>()
      const find = (key: string, wanted: Wanted): ReadonlyArray<Html> | undefined => {
        const found = kept.get(key)
        if (found !== undefined) return found === none ? undefined : found
        isWhole = false
        let waited = asked.get(key)
        if (waited === undefined && asked.size < maxWaiting) {
          waited = Deferred.makeUnsafe<void>()
          asked.set(key, waited)
          Queue.offerUnsafe(waiting, { key, wanted })
        }
        if (waited !== undefined) missed.add(waited)
        return undefined
      }
      return {
        highlighted: (code, syntax) =>
          code.length > maxHighlighted || !/^[\w+#.-]{1,40}$/.test(syntax)
            ? undefined
            : find(`code ${syntax} ${code}`, { kind: "code", code, syntax }),
        formula: (tex, isBlock) =>
          tex.length > maxTex || tex.trim() === ""
            ? undefined
            : find(`formula ${isBlock} ${tex}`, { kind: "formula", tex, isBlock })?.[0],
        icon: (name) =>
          name === "" || name.length > maxName
            ? undefined
            : find(`icon ${iconStyle} ${name}`, { kind: "icon", name, style: iconStyle })?.[0],
        isWhole: () => isWhole,
        arriving: () => {
          if (missed.size === 0) return undefined
          const all = [...missed]
          missed.clear()
          isWhole = true
          return Effect.forEach(all, (one) => Deferred.await(one), { discard: true })
        }
      }
    }

    return { parts }
  })
)
