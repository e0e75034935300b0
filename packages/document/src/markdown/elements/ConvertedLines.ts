/** The lines of a converted text, each with the lines of the file that it comes from. */
import { continuedLead } from "./ElementPart.ts"

export interface LineRange {
  /** Numbers of the first line, and of the line after the last. Equal if the line is not in the file. */
  readonly from: number
  readonly to: number
}

export interface ConvertedLine extends LineRange {
  readonly text: string
}

export class ConvertedLines {
  readonly lines: Array<ConvertedLine> = []

  push(text: string, { from, to }: LineRange): void {
    this.lines.push({ text, from, to })
  }

  /** Adds a blank line, unless the last line is blank. */
  separate(lead: string): void {
    const last = this.lines.at(-1)
    if (last === undefined || /^[\s>]*$/.test(last.text)) return
    const { to } = last
    this.push(continuedLead(lead).trimEnd(), { from: to, to })
  }
}
