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

  /** Adds a line. A text of several lines becomes one line for each. */
  push(text: string, { from, to }: LineRange): void {
    const lines = text.split("\n")
    const hasOwnLines = lines.length > 1 && lines.length === to - from
    for (const [i, line] of lines.entries())
      this.lines.push(hasOwnLines ? { text: line, from: from + i, to: from + i + 1 } : { text: line, from, to })
  }

  /** Adds a blank line, unless the last line is blank. */
  separate(lead: string): void {
    const last = this.lines.at(-1)
    if (last === undefined || /^[\s>]*$/.test(last.text)) return
    const { to } = last
    this.push(continuedLead(lead).trimEnd(), { from: to, to })
  }
}
