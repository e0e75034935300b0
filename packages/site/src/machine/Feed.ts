/** The updates on a page as Atom (RFC 4287): the newest 100 of them. */
import { collapsed } from "@lectern/document/markdown/OneLine"
import type { Block, Document } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import * as Blocks from "../document/Blocks.ts"
import { blocksOf, textOf } from "../document/Nodes.ts"
import type { Parts } from "../document/Rendering.ts"
import { html } from "../html/Html.ts"
import * as Head from "../page/Head.ts"
import type { SitePage } from "../page/SitePage.ts"
import * as Addresses from "./Addresses.ts"

const maxEntries = 100

/** Blocks of the type `update`, in the order of the page. */
export const updatesOf = ({ nodes }: Document): ReadonlyArray<Block> =>
  nodes.filter(({ type }) => type === "updates").flatMap((block) => blocksOf(block.nodes))

export const of = (shown: SitePage): string | undefined => {
  const dated = updatesOf(shown.page.document).flatMap((block) => {
    const date = dateOf(block)
    return date === undefined ? [] : [{ block, date }]
  })
  if (dated.length === 0) return undefined
  const newest = dated.toSorted((a, b) => (a.date < b.date ? 1 : -1)).slice(0, maxEntries)
  const url = shown.canonicalUrl
  const { nodes } = shown.page.document
  const parts: Parts = {
    ...shown.parts,
    linksHeadings: false,
    targetOf: (ref) => {
      const target = shown.parts.targetOf(ref)
      const absolute = target?.url === undefined ? undefined : URL.parse(target.url, url)?.href
      return target && (absolute === undefined ? target : { ...target, url: absolute })
    }
  }
  const count = new Map<string, number>()
  const entries = newest.map(({ block, date }) => {
    const place = (count.get(date) ?? 0) + 1
    count.set(date, place)
    const id = `${url}#update-${date}${place === 1 ? "" : `-${place}`}`
    return html`<entry><id>${id}</id><title>${titleOf(block) || shown.parts.words.date(date)}</title><link rel="alternate" href="${`${url}#update-${date}`}"/><updated>${date}T00:00:00Z</updated>${tagsOf(block).map((tag) => html`<category term="${tag}"/>`)}<content type="html">${Blocks.page(parts, block.nodes ?? [], nodes).text}</content></entry>`
  })
  const name = Head.nameOf(shown)
  const text = `<?xml version="1.0" encoding="utf-8"?>\n${
    html`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${shown.parts.words.language}"><id>${url}</id><title>${shown.page.title === name ? name : `${shown.page.title} | ${name}`}</title><link rel="alternate" type="text/html" href="${url}"/><link rel="self" type="application/atom+xml" href="${Addresses.feedOf(url)}"/><updated>${newest[0]!.date}T00:00:00Z</updated><author><name>${name}</name></author>${entries}</feed>`
      .text
  }\n`
  // No control characters but line breaks stand in XML.
  return text.replace(/[^\P{Cc}\n\t\r]|[\ufffe\uffff]/gu, "")
}

const dateOf = ({ data }: Block): string | undefined => /^\d{4}-\d\d-\d\d/.exec(textOf(data?.["date"]))?.[0]

/** The first heading of an update, or its first line. */
const titleOf = ({ nodes }: Block): string => {
  const blocks = blocksOf(nodes)
  const first = blocks.find((block) => DocumentText.headingLevel(block) !== undefined) ?? blocks[0]
  const text = first === undefined ? "" : collapsed(DocumentText.plainText(first))
  return text.length <= 200 ? text : `${text.slice(0, 199).toWellFormed()}…`
}

const tagsOf = ({ data }: Block): ReadonlyArray<string> => {
  const tags = data?.["tags"]
  if (!Array.isArray(tags)) return []
  return tags.flatMap((tag: { readonly tag?: unknown } | null) => textOf(tag?.tag) || [])
}
