/**
 * Drawings of a `Painter` for pages that are drawn now. Drawing a page waits for nothing: code, a formula or an icon
 * that is not there yet is shown plain, and is drawn meanwhile. Whoever drew the page may wait for that with `arriving`
 * and draw it once more.
 *
 * Limits: 32 MiB of drawings, those used last, which is the formulas of seven chapters full of them; 2,000 that wait,
 * 32 drawn at a time; code of 50,000 characters, formulas of 4,000, names of icons of 100.
 */
import { LruCache } from "@lectern/core/storage/LruCache"
import { Context, Deferred, Effect, Layer, Queue } from "effect"
import { type Html, trusted } from "../html/Html.ts"
import { maxHighlighted } from "../document/Code.ts"
import type { Parts } from "../document/Rendering.ts"
import { type Painted, Painter, type Wanted } from "./Painter.ts"

const keptBytes = 32 * 1024 * 1024
const maxWaiting = 2_000
const atOnce = 32
const maxTex = 4_000
const maxName = 100

/** Parts of a page that are painted, and whether all that was asked for was there. */
export interface PaintedParts extends Pick<Parts, "highlighted" | "formula" | "icon"> {
  /** False where something that was asked for was not there. */
  readonly isWhole: () => boolean
  /**
   * Waits for what was asked for and is being drawn, and begins anew: `isWhole` speaks of the next drawing of the page
   * then. Undefined where nothing will come.
   */
  readonly arriving: () => Effect.Effect<void> | undefined
}

const none = Symbol("nothing is drawn of it")

/** Bytes that an entry takes beside its text. */
const overhead = 100

const plain: PaintedParts = {
  highlighted: () => undefined,
  formula: () => undefined,
  icon: () => undefined,
  isWhole: () => true,
  arriving: () => undefined
}

/** Bytes that a text takes in memory: one for each character, or two where one of them needs it. */
const sizeOf = (text: string): number => (/^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length)

/** Default: nothing is painted. */
export const Paintings = Context.Reference<{
  /** For one drawing of one page. `iconStyle`: as customization names it. */
  readonly parts: (iconStyle: string) => PaintedParts
}>("@lectern/site/painting/Paintings", { defaultValue: () => ({ parts: () => plain }) })

/** Paints by the `Painter` that is there. */
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
