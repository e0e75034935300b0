/**
 * Cached results of a `SnippetRenderer`. Rendering a page never waits: code, formulas and icons that are not cached
 * appear plain and are rendered in the background. The caller may wait for them with `pending` and render the page
 * again.
 *
 * Limits: caches 32 MiB of the most recently used results, which hold the formulas of seven chapters full of formulas.
 * At most 2,000 items wait, and 32 are rendered at a time. Code has up to 50,000 characters, formulas 4,000 and icon
 * names 100.
 */
import { LruCache } from "@lectern/core/storage/LruCache"
import { Context, Deferred, Effect, Layer, Queue } from "effect"
import { type Html, trusted } from "../html/Html.ts"
import { maxHighlighted } from "../document/Code.ts"
import type { RenderDependencies } from "../document/BlockRenderer.ts"
import { type RenderedSnippet, SnippetRenderer, type SnippetRequest } from "./SnippetRenderer.ts"

const cacheBytes = 32 * 1024 * 1024
const maxWaiting = 2_000
const batchSize = 32
const maxTex = 4_000
const maxName = 100

/** Rendered parts of a page, and whether all requested parts were cached. */
export interface SnippetSource extends Pick<RenderDependencies, "highlight" | "formula" | "icon"> {
  /** Returns false if a requested part was not cached. */
  readonly isComplete: () => boolean
  /**
   * Waits for requested parts that are being rendered, and resets `isComplete` for the next rendering of the page.
   * Undefined if no parts will follow.
   */
  readonly pending: () => Effect.Effect<void> | undefined
}

const noResult = Symbol("nothing is drawn of it")

/** Memory of an entry in addition to its text (bytes). */
const entryOverhead = 100

const noSnippets: SnippetSource = {
  highlight: () => undefined,
  formula: () => undefined,
  icon: () => undefined,
  isComplete: () => true,
  pending: () => undefined
}

/** Returns the memory of a text (bytes): one per character, or two if the text has a character above U+00FF. */
const sizeOf = (text: string): number => (/^[\0-\xff]*$/.test(text) ? text.length : 2 * text.length)

/** Cached code, formulas and icons. Default: code and formulas are plain text, and icons are omitted. */
export const SnippetCache = Context.Reference<{
  /** Returns the parts for one rendering of one page. `iconStyle`: icon style of the customization. */
  readonly snippets: (iconStyle: string) => SnippetSource
}>("@lectern/site/rendering/SnippetCache", { defaultValue: () => ({ snippets: () => noSnippets }) })

/** Renders with the `SnippetRenderer` of the context. */
export const layer = Layer.effect(
  SnippetCache,
  Effect.gen(function* () {
    const renderer = yield* SnippetRenderer
    const cache = new LruCache<string, ReadonlyArray<Html> | typeof noResult>(cacheBytes)
    const queue = yield* Queue.unbounded<{ readonly key: string; readonly request: SnippetRequest }>()
    const pendingByKey = new Map<string, Deferred.Deferred<void>>()

    const store = (key: string, rendered: RenderedSnippet | undefined) => {
      const size = rendered === undefined ? 0 : rendered.reduce((sum, part) => sum + sizeOf(part) + 50, 0)
      cache.set(key, rendered === undefined ? noResult : rendered.map(trusted), size + sizeOf(key) + entryOverhead)
      const deferred = pendingByKey.get(key)
      pendingByKey.delete(key)
      if (deferred !== undefined) Deferred.doneUnsafe(deferred, Effect.void)
    }

    if (renderer === undefined) return { snippets: () => noSnippets }
    const renderBatch = Effect.gen(function* () {
      const batch = yield* Queue.takeBetween(queue, 1, batchSize)
      const rendered = yield* renderer.render(batch.map(({ request }) => request))
      batch.forEach(({ key }, i) => store(key, rendered[i]))
    })
    yield* Effect.forkScoped(Effect.forever(renderBatch))

    const snippets = (iconStyle: string): SnippetSource => {
      let isComplete = true
      const awaitedResults = new Set<Deferred.Deferred<void>>()
      const find = (key: string, request: SnippetRequest): ReadonlyArray<Html> | undefined => {
        const cached = cache.get(key)
        if (cached !== undefined) return cached === noResult ? undefined : cached
        isComplete = false
        let deferred = pendingByKey.get(key)
        if (deferred === undefined && pendingByKey.size < maxWaiting) {
          deferred = Deferred.makeUnsafe<void>()
          pendingByKey.set(key, deferred)
          Queue.offerUnsafe(queue, { key, request })
        }
        if (deferred !== undefined) awaitedResults.add(deferred)
        return undefined
      }
      return {
        highlight: (code, syntax) =>
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
        isComplete: () => isComplete,
        pending: () => {
          if (awaitedResults.size === 0) return undefined
          const all = [...awaitedResults]
          awaitedResults.clear()
          isComplete = true
          return Effect.forEach(all, (deferred) => Deferred.await(deferred), { discard: true })
        }
      }
    }

    return { snippets }
  })
)
