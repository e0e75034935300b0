/**
 * Indentation of the lines in one element, or outside of all elements. Elements may be indented freely, but in
 * CommonMark four columns start code. So lines move to the column of the element or of the list item that contains them.
 */
import { continuedLead, indentOf, type PartPosition } from "./ElementPart.ts"

/** A column in the file, and the corresponding column in the converted text. */
interface Column {
  readonly source: number
  readonly output: number
}

export class Indentation {
  readonly #base: Column
  readonly #hasIndentedCode: boolean
  /** Columns of the contents of the open list items. */
  readonly #items: Array<Column> = []
  #lastLead: string
  #codeShift = 0

  /**
   * `lead`: lead of lines in the element. `source`: column of its first line in the file. `hasIndentedCode`: true if
   * indented lines can be code.
   */
  constructor(lead: string, source: number, hasIndentedCode: boolean) {
    this.#lastLead = lead
    this.#base = { source, output: indentOf(lead) }
    this.#hasIndentedCode = hasIndentedCode
  }

  /**
   * Returns a line without text. Outside of elements in Markdown, it stays: a page without elements is not converted, even
   * if it has lines of white space.
   */
  blank({ lead, text }: { readonly lead: string; readonly text: string }): string {
    return this.#hasIndentedCode && this.#base.source === 0 && this.#base.output === 0 ? lead + text : lead.trim()
  }

  /** Returns the indentation of the content of an element. `lead`: lead of the lines after its tag. */
  inner(lead: string, firstLine: { readonly lead: string } | undefined): Indentation {
    const source = firstLine === undefined || firstLine.lead.includes(">") ? indentOf(lead) : indentOf(firstLine.lead)
    return new Indentation(lead, source, this.#hasIndentedCode)
  }

  /** Returns the lead of a part in the converted text. Parts are requested in the order of the text. */
  leadOf({ lead, startsLine }: PartPosition, kind: "text" | "tag" = "text"): string {
    if (!startsLine) return continuedLead(this.#lastLead)
    if (lead.includes(">")) return (this.#lastLead = lead)
    const markers = lead.trimStart()
    const indent = indentOf(lead)
    while (this.#items.length > 0 && indent < this.#items.at(-1)!.source) this.#items.pop()
    const column = this.#items.at(-1) ?? this.#base
    const output = this.#outputColumn(indent, column, kind === "tag" || (!this.#hasIndentedCode && markers === ""))
    this.#codeShift = indent - output
    this.#lastLead = indent === output ? lead : " ".repeat(output) + markers
    if (markers !== "")
      this.#items.push({ source: indentOf(continuedLead(lead)), output: indentOf(continuedLead(this.#lastLead)) })
    return this.#lastLead
  }

  /** Returns the lead of a further line of fenced code. */
  codeLead(lead: string): string {
    if (this.#codeShift <= 0) return lead
    return " ".repeat(Math.max(0, indentOf(lead) - this.#codeShift)) + lead.trimStart()
  }

  /** `isFree`: true if indentation within the container has no meaning. */
  #outputColumn(indent: number, { output, source }: Column, isFree: boolean): number {
    const excess = indent - source
    if (excess < 0) return Math.min(indent, output)
    return output + (isFree || (excess > 3 && !this.#hasIndentedCode) ? 0 : excess)
  }
}
