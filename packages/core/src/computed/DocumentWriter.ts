/**
 * Writes a document block by block. Texts are literal: only arguments of `markdown` and `phrase` are parsed as
 * Markdown.
 *
 * Limits: 40,000 nodes, 100,000 characters of Markdown with 20,000 in one piece; 200 rows of a table. Content beyond a
 * limit is left out, and a note states it.
 */
import {
  type Block,
  type ContentRef,
  type Data,
  type Document,
  type Fragment,
  type Inline,
  schemaVersion,
  type Text
} from "@lectern/document/Document"
import { countNodes } from "@lectern/document/DocumentSize"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as Phrase from "@lectern/document/markdown/Phrase"

export const maxNodes = 40_000
const maxMarkdown = 100_000
const maxPiece = 20_000
const maxRows = 200

export type Line = ReadonlyArray<Inline | Text>

export const text = (value: string, mark?: "bold" | "code"): Text => ({
  object: "text",
  leaves: [{ object: "leaf", text: value, marks: mark === undefined ? [] : [{ object: "mark", type: mark }] }]
})

export const line = (...parts: ReadonlyArray<Inline | Text | string>): Line =>
  parts.flatMap((part) => (typeof part !== "string" ? [part] : part === "" ? [] : [text(part)]))

/** Parses a line of Markdown. */
export const phrase = Phrase.parse

export const link = (label: string, ref: ContentRef): Inline => ({
  object: "inline",
  type: "link",
  data: { ref },
  nodes: [text(label)]
})

export class DocumentWriter {
  readonly #blocks: Array<Block> = []
  #nodes = 0
  #markdown = 0
  #keys = 0
  #isCut = false
  #isFull = false

  /** True after a block did not fit. Later blocks are not written. */
  get isFull(): boolean {
    return this.#isFull
  }

  readonly #nextKey = (): string => `c${++this.#keys}`

  #add(block: Omit<Block, "object" | "key">): void {
    const keyedBlock: Block = { object: "block", key: this.#nextKey(), ...block }
    const size = countNodes([keyedBlock], maxNodes)
    if (this.#isFull || this.#nodes + size > maxNodes) {
      this.#isFull = this.#isCut = true
      return
    }
    this.#nodes += size
    this.#blocks.push(keyedBlock)
  }

  heading(level: 1 | 2, title: string): void {
    this.#add({ type: `heading-${level}`, data: {}, nodes: line(title) })
  }

  paragraph(nodes: Line): void {
    if (nodes.length > 0) this.#add({ type: "paragraph", nodes })
  }

  hint(style: "info" | "warning", nodes: Line): void {
    const content: Block = { object: "block", type: "paragraph", key: this.#nextKey(), nodes }
    this.#add({ type: "hint", data: { style }, nodes: [content] })
  }

  /** Adds a block that has only data. */
  data(type: string, data: Data): void {
    this.#add({ type, data, isVoid: true })
  }

  code(syntax: string, value: string): void {
    const nodes = value.split("\n").map((lineText): Block => ({
      object: "block",
      type: "code-line",
      key: this.#nextKey(),
      nodes: lineText === "" ? [] : [text(lineText)]
    }))
    this.#add({ type: "code", data: syntax === "" ? {} : { syntax }, nodes })
  }

  markdown(value: string): void {
    const remaining = Math.min(maxPiece, maxMarkdown - this.#markdown)
    const source = value.length <= remaining ? value : truncate(value, remaining)
    if (source.length < value.length) this.#isCut = true
    if (source.trim() === "") return
    this.#markdown += source.length
    // A leading line break prevents front matter, which is only valid in pages.
    const { document } = Markdown.parse(`\n${source}`, { nextKey: this.#nextKey })
    for (const { object: _, key: __, ...block } of document.nodes) this.#add(block)
  }

  /** Adds a table with column titles and rows of cells. */
  table(titles: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Line>>): void {
    if (rows.length === 0) return
    if (rows.length > maxRows) this.#isCut = true
    const fragments: Array<Fragment> = []
    const records: Record<string, unknown> = {}
    for (const [i, row] of rows.slice(0, maxRows).entries()) {
      const values: Record<string, string> = {}
      for (const [j, nodes] of row.entries()) {
        const id = `r${i + 1}-c${j + 1}`
        values[`c${j + 1}`] = id
        const cell: Block = { object: "block", type: "paragraph", key: this.#nextKey(), nodes }
        fragments.push({ object: "fragment", fragment: id, nodes: [cell] })
      }
      records[`r${i + 1}`] = { orderIndex: String(i + 1).padStart(6, "0"), values }
    }
    const columns = titles.map((_, j) => `c${j + 1}`)
    const definition = Object.fromEntries(
      titles.map((title, j) => [columns[j]!, { id: columns[j], title, type: "text" }])
    )
    this.#add({
      type: "table",
      data: { view: { type: "grid", columns, hideHeader: false }, records, definition },
      isVoid: true,
      fragments
    })
  }

  finish(): Document {
    const truncationNote: ReadonlyArray<Block> = this.#isCut
      ? [
          {
            object: "block",
            type: "paragraph",
            key: this.#nextKey(),
            nodes: line("This page shows only a part of the spec.")
          }
        ]
      : []
    return { object: "document", data: { schemaVersion }, nodes: [...this.#blocks, ...truncationNote] }
  }
}

/** Cuts a text between two characters. */
const truncate = (value: string, maxLength: number): string => {
  const head = value.slice(0, Math.max(0, maxLength))
  return head.isWellFormed() ? head : head.slice(0, -1)
}
