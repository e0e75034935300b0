/** Parts of a text with elements: lines of Markdown, tags, and source that is not displayed. */
import type { ElementForm } from "../dialect/Dialect.ts"
import type { ElementTag } from "./ElementTag.ts"

/** Position of a part in the text. A line may have several parts. */
export interface PartPosition {
  /** Numbers of the first line, and of the line after the last. */
  readonly from: number
  readonly to: number
  /** White space, and the markers of lists and blockquotes, at the start of the first line. */
  readonly lead: string
  /** True for the first part of a line. */
  readonly startsLine: boolean
}

export interface TextPart extends PartPosition {
  readonly type: "text"
  readonly text: string
  /** `start`: the first line of fenced code. `rest`: a further line of it, including the closing fence. */
  readonly code?: "start" | "rest"
}

/** A statement or an expression. `source`: several lines if the part is in no container. */
export interface HiddenPart extends PartPosition {
  readonly type: "hidden"
  readonly source: string
}

export interface TagPart extends PartPosition {
  readonly type: "tag"
  readonly tag: ElementTag
  /** Undefined for an element of HTML and for an element that no dialect has. */
  readonly form: ElementForm | undefined
}

export type Part = TextPart | HiddenPart | TagPart

/** Matches the markers of lists at the end of a lead, which later lines do not repeat. */
const listMarkers = /(?:[-*+]|\d{1,9}[.)])(?=[ \t])/g

/** Returns the lead of the next line in a list item or blockquote: markers of lists become spaces. */
export const continuedLead = (lead: string): string => lead.replace(listMarkers, (marker) => " ".repeat(marker.length))

/** Returns the number of columns of the white space at the start of a lead. */
export const indentOf = (lead: string): number => {
  let columns = 0
  for (const character of lead) {
    if (character === " ") columns++
    else if (character === "\t") columns += 4 - (columns % 4)
    else break
  }
  return columns
}
