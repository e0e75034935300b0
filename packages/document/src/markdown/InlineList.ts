/** Gathers the text and inlines of a paragraph: text with the same marks becomes one leaf. */
import type { Inline, Leaf, Text } from "../Document.ts"
import * as Marks from "./Marks.ts"

export interface InlineContext {
  /** Nothing stands before it on its line. */
  readonly startsLine?: boolean
  /** In the cell of a table. */
  readonly inCell?: boolean
}

export class InlineList {
  readonly #nodes: Array<Inline | Text> = []
  #leaves: Array<Leaf> = []
  #set = 0
  #text = ""
  readonly #startsLine: boolean
  /** In the cell of a table, where a line break is HTML. */
  readonly inCell: boolean

  constructor({ startsLine = false, inCell = false }: InlineContext = {}) {
    this.#startsLine = startsLine
    this.inCell = inCell
  }

  text(text: string, set: number): void {
    if (text === "") return
    if (set !== this.#set) this.#endLeaf()
    this.#set = set
    this.#text += text
  }

  inline(inline: Inline): void {
    this.#endText()
    this.#nodes.push(inline)
  }

  /** HTML within text: its line goes on, as at the start of one it could be a block. */
  html(source: string): void {
    const value = source.replace(/\n[ \t]*/g, " ")
    if (this.inCell && lineBreak.test(value)) {
      this.inline({ object: "inline", type: "hard-break", isVoid: true })
      return
    }
    if (this.#endElement(value)) return
    if (this.#text.endsWith("\n") && !inlineElement.test(value)) this.#text = `${this.#text.slice(0, -1)} `
    this.inline({ object: "inline", type: "html", data: { html: value }, isVoid: true })
  }

  /** True where the next node starts a paragraph, or a line after a hard break. */
  get atStart(): boolean {
    if (this.#text !== "" || this.#leaves.length > 0) return false
    const last = this.#nodes.at(-1)
    return last === undefined ? this.#startsLine : last.object === "inline" && last.type === "hard-break"
  }

  nodes(): Array<Inline | Text> {
    this.#endText()
    return this.#nodes
  }

  /** Text alone between the tags of an element that is a mark takes that mark. */
  #endElement(close: string): boolean {
    const bit = close.startsWith("</") ? Marks.bitOfTag.get(`<${close.slice(2)}`) : undefined
    const open = this.#nodes.at(-1)
    if (bit === undefined || open?.object !== "inline" || open.data?.html !== `<${close.slice(2)}`) return false
    this.#endLeaf()
    const inside = this.#leaves
    if (inside.length === 0) return false
    this.#nodes.pop()
    const before = this.#nodes.at(-1)
    if (before?.object === "text") this.#nodes.pop()
    this.#leaves = before?.object === "text" ? [...before.leaves] : []
    for (const leaf of inside) this.#leaf(leaf.text, Marks.toBits(leaf.marks) | bit)
    return true
  }

  #endLeaf(): void {
    if (this.#text === "") return
    this.#leaf(this.#text, this.#set)
    this.#text = ""
  }

  #leaf(text: string, set: number): void {
    const marks = Marks.ofBits(set)
    const last = this.#leaves.at(-1)
    if (last?.marks === marks) this.#leaves[this.#leaves.length - 1] = { ...last, text: last.text + text }
    else this.#leaves.push({ object: "leaf", text, marks })
  }

  #endText(): void {
    this.#endLeaf()
    if (this.#leaves.length === 0) return
    this.#nodes.push({ object: "text", leaves: this.#leaves })
    this.#leaves = []
  }
}

const lineBreak = /^<br\s*\/?>$/

/** Elements that never start a block while other text is on their line. */
export const inlineElement =
  /^<\/?(?:a|abbr|b|bdi|bdo|br|button|cite|code|del|dfn|em|i|img|input|ins|kbd|label|mark|picture|q|s|samp|small|source|span|strong|sub|sup|time|u|var|wbr)(?=[\s/>])/i
