/**
 * Finds the links of an imported folder whose anchor names no heading of the page (see `LinkAnchors`). Pages with markup
 * of other programs may have headings that these programs generate, so any anchor counts as existing there.
 *
 * Limit: anchors of the own page are not checked in reusable content, which several pages include.
 */
import type { Content } from "@lectern/core/content/Content"
import type { ObjectReader } from "@lectern/core/content/store/Objects"
import type { MarkupKind } from "@lectern/core/exchange/ImportReport"
import * as LinkAnchors from "@lectern/core/link/LinkAnchors"
import { Effect } from "effect"
import type { ImportCache } from "./ImportCache.ts"

/** Markup that may generate headings. */
const generating: ReadonlySet<MarkupKind> = new Set(["directive", "jsx", "shortcode", "template"])

export interface BrokenAnchor {
  /** Path of the file with the link. */
  readonly path: string
  readonly url: string
  /** Path of the page that the link leads to. */
  readonly target: string
  readonly anchor: string
}

/** `cache`: the cache of the import that made the content. */
export const find = Effect.fnUntraced(function* (objects: ObjectReader, content: Content, cache: ImportCache) {
  const paths = new Map<string, string>()
  for (const [path, { id, findings }] of cache.pages) {
    const hasGenerated = findings?.markup.some(({ kind }) => generating.has(kind)) === true
    if (id !== undefined && !hasGenerated) paths.set(id, path)
  }
  const links = Array.from(cache.pages).flatMap(([path, { id, targets }]) =>
    Array.from(targets).flatMap(([url, target]) => {
      const [page, anchor] = url.startsWith("#") ? [id, url.slice(1)] : anchorIn(target)
      const pagePath = page === undefined ? undefined : paths.get(page)
      if (page === undefined || pagePath === undefined || !anchor || isOfBrowser(anchor)) return []
      return [{ path, url, target: pagePath, page, anchor }]
    })
  )
  const pages = new Set(links.map(({ page }) => page))
  const anchors = yield* LinkAnchors.load(objects, content, [...pages], new Map(), () => false)
  return links.flatMap(({ page, ...link }): ReadonlyArray<BrokenAnchor> =>
    anchors.find(page, link.anchor) === undefined ? [link] : []
  )
})

/** Returns true for a fragment that browsers resolve without an element. */
const isOfBrowser = (anchor: string): boolean => /^(?:|top|:~:.*)$/i.test(anchor)

const anchorIn = (target: string): readonly [page?: string, anchor?: string] => {
  if (!target.startsWith("{")) return []
  const ref = JSON.parse(target) as { readonly kind: string; readonly page: string; readonly anchor: string }
  return ref.kind === "anchor" ? [ref.page, ref.anchor] : []
}
