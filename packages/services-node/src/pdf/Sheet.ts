/** Context for the layout of one page of a space. */
import type { ContentRef } from "@lectern/document/Document"
import type { LocalizedMessages } from "@lectern/site/page/LocalizedMessages"
import type PDFDocument from "pdfkit"
import { colors, textSize } from "./PageStyle.ts"
import type { Formulas } from "./Formulas.ts"
import type { Destinations } from "./Destinations.ts"
import type { Image, Style, Target } from "./Span.ts"
import type { Structure } from "./Structure.ts"
import type { Typesetter } from "./Typesetter.ts"

/** A file for display: its image, or the reason why it cannot be displayed. */
export interface DisplayedFile {
  readonly name: string
  readonly image?: Image
  readonly problem?: string
}

export interface Sheet {
  readonly words: LocalizedMessages
  readonly doc: InstanceType<typeof PDFDocument>
  readonly typesetter: Typesetter
  readonly structure: Structure
  readonly destinations: Destinations
  /** Page id. */
  readonly page: string
  /** Titles of the book's pages by page id. */
  readonly titles: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, DisplayedFile>
  readonly formulas: Formulas
  /** Anchors of headings by node key. */
  readonly anchors: ReadonlyMap<string, string>
  /** Returns the level of the next heading of this depth. No level is skipped. */
  readonly levelOf: (depth: number) => 1 | 2 | 3 | 4 | 5 | 6
  /** Reports that a heading was drawn at this height of the current sheet. */
  readonly headed: (title: string, depth: number, y: number) => void
}

export const body: Style = { size: textSize, color: colors.text }

/**
 * Returns the target of a reference: an external URL with a safe scheme, or a destination in the PDF. Undefined for
 * other references.
 */
export const targetOf = (
  ref: ContentRef,
  { destinations, page }: Pick<Sheet, "destinations" | "page">
): Target | undefined => {
  switch (ref.kind) {
    case "url":
      return outward(ref.url)
    case "page":
      return ref.space === undefined ? destinations.target(ref.page) : undefined
    case "anchor":
      return ref.space === undefined ? destinations.target(ref.page ?? page, ref.anchor) : undefined
    default:
      return undefined
  }
}

/** Returns the display text of a reference. */
export const nameOf = (ref: ContentRef, { titles, files }: Pick<Sheet, "titles" | "files">): string => {
  switch (ref.kind) {
    case "url":
      return ref.url
    case "page":
      return titles.get(ref.page) ?? ref.page
    case "anchor":
      return `${ref.page === undefined ? "" : (titles.get(ref.page) ?? ref.page)}#${ref.anchor}`
    case "file":
      return files.get(ref.file)?.name ?? ref.file
    case "user":
      return `@${ref.user}`
    case "collection":
      return ref.collection
    case "space":
      return ref.space
    case "reusable-content":
      return ref.reusableContent
    case "openapi":
      return ref.spec
  }
}

const schemes = new Set(["http:", "https:", "mailto:", "tel:"])

export const outward = (url: string): Target | undefined => {
  const parsed = URL.parse(url)
  return parsed !== null && schemes.has(parsed.protocol) && parsed.href.length <= 4096
    ? { url: parsed.href }
    : undefined
}
