/** Serializes blocks as Markdown. */
import * as BlockSpacing from "../BlockSpacing.ts"
import * as HeadingId from "../HeadingId.ts"
import * as TagLine from "../TagLine.ts"
import type { Block, Heading, Item, List, Table, Tag } from "./Block.ts"
import * as CodeText from "./CodeText.ts"
import { characterReference, escape } from "./Escape.ts"
import { LineWriter } from "./Lines.ts"
import type { Phrase } from "./Phrase.ts"
import * as Phrases from "./Phrases.ts"
import * as TextContext from "./TextContext.ts"
import * as Resources from "./Resources.ts"
import { otherBullet, type Style } from "./Style.ts"

/** Returns the text of blocks. It ends with a line feed unless it is empty. */
export const write = (blocks: ReadonlyArray<Block>, style: Style): string => {
  const writer = new BlockWriter(style)
  writer.writeFlow(blocks)
  const text = writer.lines.toString()
  return text === "" || /[\r\n]$/.test(text) ? text : `${text}\n`
}

/** Position of a block in nested lists. Determines if adjacent bullets could be parsed as a divider. */
interface Nesting {
  /** True if the block is the first block of an item. */
  readonly isFirst: boolean
  /** True if that item is the first of a list that is itself the first block of an item. */
  readonly isFirstOfFirst: boolean
}

const notNested: Nesting = { isFirst: false, isFirstOfFirst: false }

class BlockWriter {
  readonly lines = new LineWriter()
  readonly #style: Style
  /** Bullet of the previous list, unless another block was written since. */
  #lastBullet: string | undefined

  constructor(style: Style) {
    this.#style = style
  }

  /** Writes blocks one below the other. Returns the shape of the last one, which determines the spacing after it. */
  writeFlow(blocks: ReadonlyArray<Block>): BlockSpacing.Shape | undefined {
    let previous: BlockSpacing.Shape | undefined
    for (const block of blocks) {
      if (previous !== undefined)
        this.lines.endLine(previous.type === "definition" && block.type === "definition" ? 0 : 1)
      previous = this.#block(block, notNested)
    }
    return previous
  }

  #block(block: Block, nesting: Nesting): BlockSpacing.Shape {
    if (block.type === "list") return this.#list(block, nesting)
    let tail: string = block.type
    switch (block.type) {
      case "paragraph":
        this.lines.write(this.#phrases(block.phrases))
        break
      case "heading":
        this.lines.write(heading(block, this.#style))
        break
      case "thematicBreak":
        this.lines.write("***")
        break
      case "blockquote":
        this.lines.withPrefix("> ", "> ", () => {
          tail = this.writeFlow(block.blocks)?.tail ?? tail
        })
        break
      case "code":
        this.lines.write(CodeText.fencedCode(block, this.#style))
        break
      case "html":
      case "verbatim":
        this.lines.write(block.value)
        break
      case "math":
        this.lines.write(block.value === "" ? "$$\n$$" : `$$\n${block.value}\n$$`)
        break
      case "definition":
        this.lines.write(Resources.definition(block))
        break
      case "footnoteDefinition":
        this.lines.write(
          `[^${escape(block.label, TextContext.footnote, "[^", "]")}]:${block.blocks.length > 0 ? " " : ""}`
        )
        this.lines.withPrefix("", "    ", () => void this.writeFlow(block.blocks))
        break
      case "table":
        this.lines.write(table(block, this.#style))
        break
      case "tag":
        this.#tag(block)
        break
    }
    this.#lastBullet = undefined
    return { type: block.type, tail, mayInterrupt: false }
  }

  #list(list: List, nesting: Nesting): BlockSpacing.Shape {
    const isOrdered = list.start !== undefined
    const defaultMarker = isOrdered ? "." : this.#style.bullet
    const usesOtherMarker =
      defaultMarker === this.#lastBullet || (!isOrdered && couldBeDivider(list, defaultMarker, nesting))
    const bullet = !usesOtherMarker ? defaultMarker : isOrdered ? ")" : otherBullet(this.#style)
    let tail = "list"
    for (const [i, item] of list.items.entries()) {
      if (i > 0) this.lines.endLine(list.isLoose ? 1 : 0)
      const marker = isOrdered ? `${itemNumber(list, i)}${bullet} ` : `${bullet} `
      this.lines.withPrefix(marker, " ".repeat(marker.length), () => {
        tail = this.#item(item, { isFirst: true, isFirstOfFirst: i === 0 && nesting.isFirst })
      })
      this.#lastBullet = undefined
    }
    this.#lastBullet = bullet
    return { type: "list", tail, mayInterrupt: canInterrupt(list) }
  }

  #item({ blocks, checked, isLoose }: Item, nesting: Nesting): string {
    const task = checked === undefined ? undefined : blocks.find((block) => block.type !== "definition")
    let previous: BlockSpacing.Shape | undefined
    for (const block of blocks) {
      if (previous !== undefined)
        this.lines.endLine(isLoose || BlockSpacing.needsBlankLine(previous, shapeBefore(block)) ? 1 : 0)
      if (block === task && block.type === "paragraph") {
        // A checkbox without text after it would be parsed as text, so an empty phrase is printed.
        const phrases: ReadonlyArray<Phrase> = block.phrases.length > 0 ? block.phrases : [{ type: "text", value: " " }]
        this.lines.write(`[${checked === true ? "x" : " "}] ${this.#phrases(phrases)}`)
        this.#lastBullet = undefined
        previous = { type: "paragraph", tail: "paragraph", mayInterrupt: false }
      } else previous = this.#block(block, previous === undefined ? nesting : notNested)
    }
    return previous?.tail ?? "listItem"
  }

  #tag({ line, blocks }: Tag): void {
    this.lines.write(TagLine.print(line))
    if (blocks === undefined) return
    this.lines.endLine(0)
    const before = this.lines.length
    this.writeFlow(blocks)
    if (this.lines.length > before) this.lines.endLine(0)
    this.lines.write(TagLine.print({ name: `end${line.name}`, attributes: [] }))
  }

  #phrases(phrases: ReadonlyArray<Phrase>): string {
    return Phrases.write(phrases, { context: TextContext.paragraph, before: "\n", after: "\n" }, this.#style)
  }
}

/**
 * True if bullets could be parsed as a divider. Examples: `* * *` of nested empty items, `* ***` of an item that starts
 * with a divider.
 */
const couldBeDivider = ({ items }: List, bullet: string, { isFirst, isFirstOfFirst }: Nesting): boolean =>
  (bullet !== "+" && isFirst && isFirstOfFirst && items[0]?.blocks.length === 0) ||
  (bullet === "*" && items.some(({ blocks }) => blocks[0]?.type === "thematicBreak"))

/**
 * Returns the number of an item. Numbers have at most nine digits: in a list that would exceed them, all items have the
 * first number.
 */
const itemNumber = ({ start = 1, items }: List, i: number): number =>
  (start > -1 ? start : 1) + (start + items.length <= 999_999_999 ? i : 0)

/** True if a list may interrupt a paragraph: its first number is 1 and its first item is not empty. */
const canInterrupt = ({ start = 1, items }: List): boolean => start === 1 && (items[0]?.blocks.length ?? 0) > 0

const shapeBefore = (block: Block): BlockSpacing.Shape => ({
  type: block.type,
  tail: block.type,
  mayInterrupt: block.type === "list" && canInterrupt(block)
})

const heading = ({ depth, phrases }: Heading, style: Style): string => {
  if (depth < 3 && hasLineEnd(phrases) && hasText(phrases)) {
    const position = { context: TextContext.paragraph, before: "\n", after: "\n" }
    const text = HeadingId.escapeBraces(Phrases.write(phrases, position, style))
    const lastLine = text.length - Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) - 1
    return `${text}\n${(depth === 1 ? "=" : "-").repeat(lastLine)}`
  }
  const marker = "#".repeat(depth)
  const position = { context: TextContext.paragraph | TextContext.heading, before: "# ", after: "\n" }
  const text = HeadingId.escapeBraces(Phrases.write(phrases, position, style))
  if (text === "") return marker
  // White space at the start of the text is written as a character reference, since it would be part of the marker.
  return `${marker} ${/^[ \t]/.test(text) ? characterReference(text.charCodeAt(0)) + text.slice(1) : text}`
}

const hasLineEnd = (phrases: ReadonlyArray<Phrase>): boolean =>
  phrases.some((phrase) => {
    if (phrase.type === "break") return true
    if ("children" in phrase) return hasLineEnd(phrase.children)
    return "value" in phrase && /[\r\n]/.test(phrase.value)
  })

const hasText = (phrases: ReadonlyArray<Phrase>): boolean =>
  phrases.some((phrase) => {
    if ("children" in phrase) return hasText(phrase.children)
    return ("value" in phrase && phrase.value !== "") || ("alt" in phrase && phrase.alt !== "")
  })

/**
 * Writes a table without alignment of its columns. A change of one cell changes one line, and a wide cell does not
 * widen all rows.
 */
const table = ({ align, rows }: Table, style: Style): string => {
  const position = { context: TextContext.paragraph | TextContext.cell, before: "|", after: "|" }
  const [head = "", ...body] = rows.map((cells) =>
    tableLine(
      cells.map((cell) => Phrases.write(cell, position, style)),
      style
    )
  )
  return [head, tableLine(align.map(delimiter), style), ...body].join("\n")
}

const delimiter = (align: Table["align"][number]): string =>
  `${align === "left" || align === "center" ? ":" : ""}---${align === "right" || align === "center" ? ":" : ""}`

const tableLine = (cells: ReadonlyArray<string>, { cellPadding }: Style): string =>
  cells.length === 0 ? "|" : `|${cellPadding}${cells.join(`${cellPadding}|${cellPadding}`)}${cellPadding}|`
