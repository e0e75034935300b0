/**
 * A page as Markdown for machines: its first line leads to the list of all pages, its links hold wherever it is read.
 *
 * Limit: 50,000 characters (`Parts.maxLength`). A longer page comes in parts, each of which names the next.
 */
import { collapsed } from "@lectern/document/markdown/OneLine"
import { print } from "@lectern/core/content/documents/Markdowns"
import * as StoredDocument from "@lectern/core/content/documents/StoredDocument"
import * as TitleHeading from "@lectern/core/content/documents/TitleHeading"
import { Slice } from "@lectern/core/storage/Slice"
import type { Threads } from "@lectern/core/thread/Threads"
import type { ContentRef, Document } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { Effect } from "effect"
import type { Target } from "../document/Rendering.ts"
import * as Parts from "./Parts.ts"

interface Page {
  readonly title: string
  readonly description?: string
  readonly document: Document
  /** Its canonical URL. */
  readonly url: string
}

/** Room for what stands around a part. */
const around = 5_000

/** The whole text below the title, and nothing of where it is. */
export const textOf = Effect.fnUntraced(function* (
  threads: Threads["Service"],
  { title, description, document, url }: Page,
  targetOf: (ref: ContentRef) => Target | undefined
) {
  // Each of these takes its time where the page is large.
  const slice = yield* Slice.begin
  const absolute = DocumentRefs.mapRefs(document, (ref) => absoluteRef(ref, url, targetOf))
  if (slice.isOver()) yield* slice.rest
  const shown = VisitorDocument.forMarkdown(absolute)
  if (slice.isOver()) yield* slice.rest
  const folded = StoredDocument.fold(shown)
  if (slice.isOver()) yield* slice.rest
  const text = yield* print(threads, folded)
  return TitleHeading.above(title, description ? `${collapsed(description)}\n\n${text}` : text)
})

/** Left as they are: names of people and specs, which have no address. */
const absoluteRef = (ref: ContentRef, base: string, targetOf: (ref: ContentRef) => Target | undefined): ContentRef => {
  if (ref.kind === "user" || ref.kind === "openapi") return ref
  const url = targetOf(ref)?.url
  return { kind: "url", url: url === undefined ? "" : (URL.parse(url, base)?.href ?? "") }
}

/** One part of a page; undefined where it has no such part. */
export const part = (
  text: string,
  number: number,
  { url, index }: { readonly url: string; readonly index: string }
) => {
  const parts = Parts.split(text, Parts.maxLength - around)
  const found = parts[number - 1]
  if (found === undefined) return undefined
  const first = `> For a list of all pages, see [llms.txt](${index}).\n\n`
  const next = number < parts.length ? `\n\n---\n\nThis page goes on: ${url}?part=${number + 1}\n` : ""
  return first + found.trimEnd() + (next || "\n")
}
