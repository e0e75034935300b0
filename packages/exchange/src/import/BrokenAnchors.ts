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

/** A content, with the cache of the import that made it. */
export interface CachedContent {
  readonly content: Content
  readonly cache: ImportCache
}

/** Finds the links of contents that link to one another. */
export const find = Effect.fnUntraced(function* (objects: ObjectReader, contents: ReadonlyArray<CachedContent>) {
  const targets = new Map<string, { readonly path: string; readonly content: Content }>()
  for (const { cache, content } of contents) {
    for (const [path, { id, findings }] of cache.pages) {
      const hasGenerated = findings?.markup.some(({ kind }) => generating.has(kind)) === true
      if (id !== undefined && !hasGenerated) targets.set(id, { path, content })
    }
  }
  const links = contents.flatMap(({ cache }) =>
    Array.from(cache.pages).flatMap(([path, cached]) =>
      Array.from(cached.targets).flatMap(([url, ref]) => {
        const [page, anchor] = url.startsWith("#") ? [cached.id, url.slice(1)] : anchorIn(ref)
        const target = page === undefined ? undefined : targets.get(page)
        if (page === undefined || target === undefined || !anchor || isOfBrowser(anchor)) return []
        return [{ link: { path, url, target: target.path, anchor }, page, content: target.content }]
      })
    )
  )
  const broken = new Set<BrokenAnchor>()
  for (const { content } of contents) {
    const linksInto = links.filter((one) => one.content === content)
    const pages = new Set(linksInto.map(({ page }) => page))
    const anchors = yield* LinkAnchors.load(objects, content, [...pages], new Map(), () => false)
    for (const { link, page } of linksInto) if (anchors.find(page, link.anchor) === undefined) broken.add(link)
  }
  return links.flatMap(({ link }) => (broken.has(link) ? [link] : []))
})

/** Returns true for a fragment that browsers resolve without an element. */
const isOfBrowser = (anchor: string): boolean => /^(?:|top|:~:.*)$/i.test(anchor)

const anchorIn = (target: string): readonly [page?: string, anchor?: string] => {
  if (!target.startsWith("{")) return []
  const ref = JSON.parse(target) as { readonly kind: string; readonly page: string; readonly anchor: string }
  return ref.kind === "anchor" ? [ref.page, ref.anchor] : []
}
