/** Blocks as the lines of a page. */
import * as BlockSpacing from "../BlockSpacing.ts"
import * as HeadingId from "../HeadingId.ts"
import * as TagLine from "../TagLine.ts"
import type { Block, Heading, Item, List, Table, Tag } from "./Block.ts"
import * as CodeText from "./CodeText.ts"
import { characterReference, escape } from "./Escape.ts"
import { Lines } from "./Lines.ts"
import type { Phrase } from "./Phrase.ts"
import * as Phrases from "./Phrases.ts"
import * as TextContext from "./TextContext.ts"
import * as Resources from "./Resources.ts"
import { otherBullet, type Style } from "./Style.ts"

/** Ends with a line feed, unless it is empty. */
export const write = (blocks: ReadonlyArray<Block>, style: Style): string => {
  const writer = new BlockWriter(style)
  writer.flow(blocks)
  const text = writer.lines.toString()
  return text === "" || /[\r\n]$/.test(text) ? text : `${text}\n`
}

/** Of the list that an item or a list in it belongs to, what could make one divider of their bullets. */
interface Nesting {
  /** It is the first block of an item. */
  readonly isFirst: boolean
  /** And that item the first of a list that is the first block of an item. */
  readonly isFirstOfFirst: boolean
}

const notNested: Nesting = { isFirst: false, isFirstOfFirst: false }

class BlockWriter {
  readonly lines = new Lines()
  readonly #style: Style
  /** Bullet of the list before, unless something else was written since. */
  #lastBullet: string | undefined

  constructor(style: Style) {
    this.#style = style
  }

  /** Blocks one below the other; gives what decides the space behind them. */
  flow(blocks: ReadonlyArray<Block>): BlockSpacing.Shape | undefined {
    let left: BlockSpacing.Shape | undefined
    for (const block of blocks) {
      if (left !== undefined) this.lines.end(left.type === "definition" && block.type === "definition" ? 0 : 1)
      left = this.#block(block, notNested)
    }
    return left
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
        this.lines.within("> ", "> ", () => {
          tail = this.flow(block.blocks)?.tail ?? tail
        })
        break
      case "code":
        this.lines.write(CodeText.fenced(block, this.#style))
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
        this.lines.within("", "    ", () => void this.flow(block.blocks))
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
    const usual = isOrdered ? "." : this.#style.bullet
    const isOther = usual === this.#lastBullet || (!isOrdered && couldBeDivider(list, usual, nesting))
    const bullet = !isOther ? usual : isOrdered ? ")" : otherBullet(this.#style)
    let tail = "list"
    for (const [i, item] of list.items.entries()) {
      if (i > 0) this.lines.end(list.isLoose ? 1 : 0)
      const marker = isOrdered ? `${numberAt(list, i)}${bullet} ` : `${bullet} `
      this.lines.within(marker, " ".repeat(marker.length), () => {
        tail = this.#item(item, { isFirst: true, isFirstOfFirst: i === 0 && nesting.isFirst })
      })
      this.#lastBullet = undefined
    }
    this.#lastBullet = bullet
    return { type: "list", tail, mayInterrupt: mayInterrupt(list) }
  }

  #item({ blocks, checked, isLoose }: Item, nesting: Nesting): string {
    const task = checked === undefined ? undefined : blocks.find((block) => block.type !== "definition")
    let left: BlockSpacing.Shape | undefined
    for (const block of blocks) {
      if (left !== undefined) this.lines.end(isLoose || BlockSpacing.needsBlank(left, shapeBefore(block)) ? 1 : 0)
      if (block === task && block.type === "paragraph") {
        // Without text behind it the box would be text itself.
        const phrases: ReadonlyArray<Phrase> = block.phrases.length > 0 ? block.phrases : [{ type: "text", value: " " }]
        this.lines.write(`[${checked === true ? "x" : " "}] ${this.#phrases(phrases)}`)
        this.#lastBullet = undefined
        left = { type: "paragraph", tail: "paragraph", mayInterrupt: false }
      } else left = this.#block(block, left === undefined ? nesting : notNested)
    }
    return left?.tail ?? "listItem"
  }

  #tag({ line, blocks }: Tag): void {
    this.lines.write(TagLine.print(line))
    if (blocks === undefined) return
    this.lines.end(0)
    const before = this.lines.length
    this.flow(blocks)
    if (this.lines.length > before) this.lines.end(0)
    this.lines.write(TagLine.print({ name: `end${line.name}`, attributes: [] }))
  }

  #phrases(phrases: ReadonlyArray<Phrase>): string {
    return Phrases.write(phrases, { context: TextContext.paragraph, before: "\n", after: "\n" }, this.#style)
  }
}

/** `* * *`, of bullets without anything behind them, or with a divider there. */
const couldBeDivider = ({ items }: List, bullet: string, { isFirst, isFirstOfFirst }: Nesting): boolean =>
  (bullet !== "+" && isFirst && isFirstOfFirst && items[0]?.blocks.length === 0) ||
  (bullet === "*" && items.some(({ blocks }) => blocks[0]?.type === "thematicBreak"))

/** A marker has nine digits at most: a list that would pass them repeats its number. */
const numberAt = ({ start = 1, items }: List, i: number): number =>
  (start > -1 ? start : 1) + (start + items.length <= 999_999_999 ? i : 0)

/** A list that does not start at 1, or starts with an empty item, cannot end a paragraph. */
const mayInterrupt = ({ start = 1, items }: List): boolean => start === 1 && (items[0]?.blocks.length ?? 0) > 0

const shapeBefore = (block: Block): BlockSpacing.Shape => ({
  type: block.type,
  tail: block.type,
  mayInterrupt: block.type === "list" && mayInterrupt(block)
})

const heading = ({ depth, phrases }: Heading, style: Style): string => {
  if (depth < 3 && hasLineEnd(phrases) && hasText(phrases)) {
    const around = { context: TextContext.paragraph, before: "\n", after: "\n" }
    const text = HeadingId.escaped(Phrases.write(phrases, around, style))
    const lastLine = text.length - Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) - 1
    return `${text}\n${(depth === 1 ? "=" : "-").repeat(lastLine)}`
  }
  const marker = "#".repeat(depth)
  const around = { context: TextContext.paragraph | TextContext.heading, before: "# ", after: "\n" }
  const text = HeadingId.escaped(Phrases.write(phrases, around, style))
  if (text === "") return marker
  // White space there would be a part of the marker.
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

/** Not aligned: a change of one cell is a change of one line, and a wide cell does not widen every row. */
const table = ({ align, rows }: Table, style: Style): string => {
  const around = { context: TextContext.paragraph | TextContext.cell, before: "|", after: "|" }
  const [head = "", ...body] = rows.map((cells) =>
    tableLine(
      cells.map((cell) => Phrases.write(cell, around, style)),
      style
    )
  )
  return [head, tableLine(align.map(delimiter), style), ...body].join("\n")
}

const delimiter = (align: Table["align"][number]): string =>
  `${align === "left" || align === "center" ? ":" : ""}---${align === "right" || align === "center" ? ":" : ""}`

const tableLine = (cells: ReadonlyArray<string>, { cellPadding }: Style): string =>
  cells.length === 0 ? "|" : `|${cellPadding}${cells.join(`${cellPadding}|${cellPadding}`)}${cellPadding}|`
