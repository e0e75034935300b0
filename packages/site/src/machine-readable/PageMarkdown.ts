/**
 * Page as Markdown for machines. The first line links to the list of all pages, and all links are absolute.
 *
 * Limit: 50,000 characters (`TextParts.maxLength`). A longer page is split into parts, each with a link to the next.
 */
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import { PrintAbsolute } from "@lectern/core/content/documents/PrintAbsolute"
import * as StoredDocument from "@lectern/core/content/documents/StoredDocument"
import * as TitleHeading from "@lectern/core/content/documents/TitleHeading"
import * as Fallback from "@lectern/core/thread/Fallback"
import type { Threads } from "@lectern/core/thread/Threads"
import type { ContentRef } from "@lectern/document/Document"
import { Effect } from "effect"
import type { LinkTarget } from "../document/BlockRenderer.ts"
import type { PageDocument } from "../reading/PageDocument.ts"
import * as TextParts from "./TextParts.ts"

interface Page extends Pick<PageDocument, "stored" | "refs"> {
  readonly title: string
  readonly description?: string
  /** Canonical URL of the page. */
  readonly url: string
}

/** Characters reserved for the text around a part. */
const reservedLength = 5_000

/** Returns the whole text of a page with its title, without links to the list or to parts. */
export const textOf = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  { title, description, stored, refs, url }: Page,
  targetOf: (ref: ContentRef) => LinkTarget | undefined
) {
  const targets = refs.flatMap((ref) => {
    const target = targetOf(ref)?.url
    return target === undefined ? [] : [[JSON.stringify(ref), target] as const]
  })
  const text = yield* Fallback.withFallback(
    "A page could not be printed as Markdown",
    threads.run(PrintAbsolute, { document: stored, base: url, targets: new Map(targets) }),
    Effect.sync(() => StoredDocument.jsonCodeBlock(stored))
  )
  return TitleHeading.withTitleHeading(title, description ? `${collapseWhiteSpace(description)}\n\n${text}` : text)
})

/** Returns one part of a page; undefined if the page has no such part. */
export const pagePart = (
  text: string,
  { number, maxLength }: TextParts.RequestedPart,
  { url, index }: { readonly url: string; readonly index: string }
) => {
  const part = TextParts.partAt(text, maxLength - reservedLength, number)
  if (part === undefined) return undefined
  const listLink = `> For a list of all pages, see [llms.txt](${index}).\n\n`
  const nextPartLink = !part.isLast ? `\n\n---\n\nThis page goes on: ${url}?part=${number + 1}\n` : ""
  return listLink + part.text.trimEnd() + (nextPartLink || "\n")
}
