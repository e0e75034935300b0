/**
 * Updates on a page as an Atom feed (RFC 4287).
 *
 * Limit: the newest 100 updates.
 */
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import type { Block, Document } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { Effect } from "effect"
import * as Blocks from "../document/Blocks.ts"
import { blocksOf, textOf } from "../document/Nodes.ts"
import * as Footnotes from "../document/Footnotes.ts"
import type { RenderDependencies } from "../document/BlockRenderer.ts"
import { each, html, escapedSource, trusted } from "../html/Html.ts"
import * as HtmlChunks from "../html/HtmlChunks.ts"
import * as Head from "../page/Head.ts"
import type { SitePage } from "../page/SitePage.ts"
import * as AlternateUrls from "./AlternateUrls.ts"

const maxEntries = 100

/** Returns blocks of type `update`, in page order. */
export const updatesOf = ({ nodes }: Document): ReadonlyArray<Block> =>
  nodes.filter(({ type }) => type === "updates").flatMap((block) => blocksOf(block.nodes))

export const renderFeed = Effect.fnUntraced(function* (sitePage: SitePage): Effect.fn.Return<Uint8Array | undefined> {
  const datedUpdates = updatesOf(sitePage.page.document).flatMap((block) => {
    const date = dateOf(block)
    return date === undefined ? [] : [{ block, date }]
  })
  if (datedUpdates.length === 0) return undefined
  const newestUpdates = datedUpdates.toSorted((a, b) => (a.date < b.date ? 1 : -1)).slice(0, maxEntries)
  const url = sitePage.canonicalUrl
  const { nodes } = sitePage.page.document
  const dependencies: RenderDependencies = {
    ...sitePage.dependencies,
    linksHeadings: false,
    targetOf: (ref) => {
      const target = sitePage.dependencies.targetOf(ref)
      const absolute = target?.url === undefined ? undefined : URL.parse(target.url, url)?.href
      return target && (absolute === undefined ? target : { ...target, url: absolute })
    }
  }
  const definitions = Footnotes.definitionsIn(nodes)
  const count = new Map<string, number>()
  const entries = each(newestUpdates, ({ block, date }) => () => {
    const occurrence = (count.get(date) ?? 0) + 1
    count.set(date, occurrence)
    const id = `${url}#update-${date}${occurrence === 1 ? "" : `-${occurrence}`}`
    return html`<entry><id>${id}</id><title>${titleOf(block) || sitePage.dependencies.messages.date(date)}</title><link rel="alternate" href="${`${url}#update-${date}`}"/><updated>${date}T00:00:00Z</updated>${tagsOf(block).map((tag) => html`<category term="${tag}"/>`)}<content type="html">${escapedSource(Blocks.renderPage(dependencies, block.nodes ?? [], definitions))}</content></entry>`
  })
  const name = Head.nameOf(sitePage)
  const feed = html`${trusted('<?xml version="1.0" encoding="utf-8"?>\n')}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${sitePage.dependencies.messages.language}"><id>${url}</id><title>${sitePage.page.title === name ? name : `${sitePage.page.title} | ${name}`}</title><link rel="alternate" type="text/html" href="${url}"/><link rel="self" type="application/atom+xml" href="${AlternateUrls.feedUrl(url)}"/><updated>${newestUpdates[0]!.date}T00:00:00Z</updated><author><name>${name}</name></author>${entries}</feed>${"\n"}`
  // Control characters other than tabs and line breaks are removed, since XML does not allow them.
  const text = yield* HtmlChunks.mapChunks(yield* HtmlChunks.serialize(feed), (part) =>
    part.replace(/[^\P{Cc}\n\t\r]|[\ufffe\uffff]/gu, "")
  )
  return yield* HtmlChunks.encode(text)
})

const dateOf = ({ data }: Block): string | undefined => /^\d{4}-\d\d-\d\d/.exec(textOf(data?.["date"]))?.[0]

/** Returns the first heading of an update, otherwise the start of its first block. */
const titleOf = ({ nodes }: Block): string => {
  const blocks = blocksOf(nodes)
  const titleBlock = blocks.find((block) => DocumentText.headingLevel(block) !== undefined) ?? blocks[0]
  const text = titleBlock === undefined ? "" : collapseWhiteSpace(DocumentText.plainText(titleBlock).slice(0, 1_000))
  return text.length <= 200 ? text : `${text.slice(0, 199).toWellFormed()}…`
}

const tagsOf = ({ data }: Block): ReadonlyArray<string> => {
  const tags = data?.["tags"]
  if (!Array.isArray(tags)) return []
  return tags.flatMap((tag: { readonly tag?: unknown } | null) => textOf(tag?.tag) || [])
}
