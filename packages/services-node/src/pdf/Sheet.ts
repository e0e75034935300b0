/** Everything that the blocks of one page of a space need to be set. */
import type { ContentRef } from "@lectern/document/Document"
import type { Words } from "@lectern/site/page/Words"
import type PDFDocument from "pdfkit"
import { colours, textSize } from "./Look.ts"
import type { Formulas } from "./Formulas.ts"
import type { Destinations } from "./Destinations.ts"
import type { Image, Style, Target } from "./Span.ts"
import type { Structure } from "./Structure.ts"
import type { Typesetter } from "./Typesetter.ts"

/** A file as the PDF shows it: the picture that it is, or why it is none. */
export interface ShownFile {
  readonly name: string
  readonly image?: Image
  readonly problem?: string
}

export interface Sheet {
  readonly words: Words
  readonly doc: InstanceType<typeof PDFDocument>
  readonly typesetter: Typesetter
  readonly structure: Structure
  readonly destinations: Destinations
  /** The id of the page. */
  readonly page: string
  /** The titles of the pages of the book by their ids. */
  readonly titles: ReadonlyMap<string, string>
  readonly files: ReadonlyMap<string, ShownFile>
  readonly formulas: Formulas
  /** The anchors of headings by their keys. */
  readonly anchors: ReadonlyMap<string, string>
  /** The level of a heading of this depth below those before it, so that none is left out. */
  readonly levelOf: (depth: number) => 1 | 2 | 3 | 4 | 5 | 6
  /** A heading was drawn at this height of the current sheet of paper. */
  readonly headed: (title: string, depth: number, y: number) => void
}

export const body: Style = { size: textSize, colour: colours.text }

/** The target of a reference: a URL outside, where that is harmless, or a destination in the PDF. */
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

/** The text that stands for a reference. */
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
