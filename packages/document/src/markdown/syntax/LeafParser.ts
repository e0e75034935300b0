/**
 * Holds the open leaf block while its lines are read. Stores the content of paragraphs, headings and cells. Their
 * inlines are parsed after all definitions have been read.
 */
import * as AttributeList from "./AttributeList.ts"
import { isSpace } from "./Characters.ts"
import { decodeText } from "./CharacterReference.ts"
import { type Container, isIndentedContainer } from "./Container.ts"
import { InlineSource } from "./Content.ts"
import * as Definitions from "./Definitions.ts"
import * as HtmlBlock from "./HtmlBlock.ts"
import * as LeafStarts from "./LeafStarts.ts"
import type { LineCursor } from "./LineCursor.ts"
import * as MathBlock from "./MathBlock.ts"
import type * as Tree from "./SyntaxTree.ts"
import * as TableSyntax from "./TableSyntax.ts"

/** A node whose inlines are not parsed yet. */
export interface PendingInlines {
  readonly node: Tree.Paragraph | Tree.Heading | Tree.TableCell
  readonly content: InlineSource
  /** Offset in the content at which the inlines start. */
  readonly from: number
}

/** Lines of literal text. */
interface LiteralLines {
  readonly from: number
  /** Offset of the end of the last line. */
  to: number
  readonly lines: Array<string>
}

interface ParagraphLeaf {
  readonly kind: "paragraph"
  readonly content: InlineSource
  /** Offset of the `$$` that ends the open formula. Lines before this offset start no other block. */
  formulaEnd: number | undefined
}

type OpenLeaf =
  | ParagraphLeaf
  | ({
      readonly kind: "fence"
      readonly marker: number
      readonly length: number
      readonly indent: number
      readonly info: string
    } & LiteralLines)
  | ({ readonly kind: "indented" } & LiteralLines)
  | ({ readonly kind: "html"; readonly ending: HtmlBlock.HtmlEnd; hasEnd: boolean } & LiteralLines)
  | ({ readonly kind: "math" } & LiteralLines)
  | {
      readonly kind: "table"
      readonly from: number
      to: number
      readonly align: ReadonlyArray<Tree.Alignment>
      readonly rows: Array<Tree.TableRow>
      /** True if the next line holds the delimiters, which are parsed already. */
      awaitsDelimiters: boolean
    }

export class LeafParser {
  readonly pending: Array<PendingInlines> = []
  /** Identifiers of link definitions. */
  readonly definedLabels = new Set<string>()
  readonly #cursor: LineCursor
  readonly #text: string
  readonly #isPlain: boolean
  #leaf: OpenLeaf | undefined
  #align: ReadonlyArray<Tree.Alignment> = []
  #lastMathEnd: number | undefined

  constructor(cursor: LineCursor, isPlain: boolean) {
    this.#isPlain = isPlain
    this.#cursor = cursor
    this.#text = cursor.text
  }

  /** True if a blank line is part of the open block only if more of the block follows. */
  get allowsBlankLines(): boolean {
    return this.#leaf?.kind === "indented"
  }

  get isParagraph(): boolean {
    return this.#leaf?.kind === "paragraph"
  }

  get isTable(): boolean {
    return this.#leaf?.kind === "table"
  }

  /** Adds the line to the open block if the line certainly belongs to the block. Returns false otherwise. */
  continueLeaf(parent: Container): boolean {
    const leaf = this.#leaf
    const cursor = this.#cursor
    switch (leaf?.kind) {
      case "paragraph":
        if (cursor.isBlank || leaf.formulaEnd === undefined || leaf.formulaEnd < cursor.start) return false
        this.addLine()
        return true
      case "table":
        if (!leaf.awaitsDelimiters) return false
        leaf.awaitsDelimiters = false
        leaf.to = cursor.end
        return true
      case "fence":
        leaf.to = cursor.end
        if (LeafStarts.isClosingFence(cursor, leaf.marker, leaf.length)) this.finish(parent)
        else leaf.lines.push(cursor.restFrom(leaf.indent))
        return true
      case "math":
        leaf.to = cursor.end
        if (MathBlock.isMathFence(cursor)) this.finish(parent)
        else leaf.lines.push(cursor.isBlank ? "" : cursor.rest())
        return true
      case "html":
        if (leaf.ending.endsAtBlank && (cursor.isBlank || (!this.#isPlain && LeafStarts.isTagLine(cursor))))
          return false
        if (
          leaf.ending.endsAtBlank &&
          parent.node.type === "admonition" &&
          parent.node.fence !== undefined &&
          LeafStarts.isClosingFence(cursor, parent.node.fence.code, 3)
        )
          return false
        leaf.to = cursor.end
        leaf.lines.push(cursor.rest())
        leaf.hasEnd = HtmlBlock.isEndingLine(leaf.ending, cursor, cursor.offset)
        if (leaf.hasEnd) this.finish(parent)
        return true
      case "indented":
        if (!cursor.isBlank) {
          if (cursor.indent < 4) return false
          leaf.to = cursor.end
        }
        leaf.lines.push(cursor.restFrom(4))
        return true
      default:
        return false
    }
  }

  start(start: LeafStarts.LeafStart, parent: Container): void {
    const cursor = this.#cursor
    const { next: from, end: to } = cursor
    switch (start.kind) {
      case "thematicBreak":
        parent.node.children.push({ type: "thematicBreak", from, to })
        break
      case "heading":
        this.#heading(start.depth, parent)
        break
      case "fence": {
        const { length } = start
        const info = this.#text.slice(from + length, to).trim()
        const marker = cursor.nextCode
        this.#leaf = { kind: "fence", marker, length, indent: cursor.indent, info, from, to, lines: [] }
        break
      }
      case "html": {
        const hasEnd = HtmlBlock.isEndingLine(start.ending, cursor, from)
        this.#leaf = { kind: "html", ending: start.ending, hasEnd, from, to, lines: [this.#text.slice(from, to)] }
        if (hasEnd) this.finish(parent)
        break
      }
      case "math":
        // A `$$` without a closing `$$` is text.
        if (cursor.start < this.#mathEnd()) this.#leaf = { kind: "math", from, to, lines: [] }
        else this.startParagraph()
    }
  }

  #mathEnd(): number {
    return (this.#lastMathEnd ??= LeafStarts.lastLineWithEnd(this.#text, "$$"))
  }

  #heading(depth: 1 | 2 | 3 | 4 | 5 | 6, parent: Container): void {
    const text = this.#text
    const { next, end } = this.#cursor
    let from = next + depth
    while (from < end && isSpace(text.charCodeAt(from))) from++
    let to = trimmedEnd(text, from, end)
    let before = to
    while (before > from && text.charCodeAt(before - 1) === 35) before--
    if (before === from || isSpace(text.charCodeAt(before - 1))) to = trimmedEnd(text, from, before)
    const node: Tree.Heading = { type: "heading", depth, from: next, to: end, children: [] }
    parent.node.children.push(node)
    this.pending.push({ node, content: new InlineSource(text.slice(from, to), from), from: 0 })
  }

  startIndented(): void {
    const { offset: from, end: to } = this.#cursor
    this.#leaf = { kind: "indented", from, to, lines: [this.#cursor.restFrom(4)] }
  }

  startParagraph(): void {
    const { next, end } = this.#cursor
    const content = new InlineSource(this.#text.slice(next, end), next)
    this.#leaf = { kind: "paragraph", content, formulaEnd: undefined }
    this.#openFormula(this.#leaf)
  }

  /** Adds a line to the paragraph. */
  addLine(): void {
    const { next, end } = this.#cursor
    if (this.#leaf?.kind !== "paragraph") return
    this.#leaf.content.addLine(this.#text.slice(next, end), next)
    this.#openFormula(this.#leaf)
  }

  #openFormula(leaf: ParagraphLeaf): void {
    const isOpen = leaf.formulaEnd !== undefined && leaf.formulaEnd >= this.#cursor.start
    if (!this.#isPlain && !isOpen) leaf.formulaEnd = MathBlock.formulaEndBelow(this.#cursor)
  }

  /**
   * True if the line at `ahead` has one delimiter for each cell of the current line. Stores the alignments for
   * `startTable`.
   */
  alignTable(ahead: LineCursor): boolean {
    const { next, end } = this.#cursor
    const align = TableSyntax.parseAlignments(ahead.rest())
    if (align === undefined || TableSyntax.cellRanges(this.#text, next, end).length !== align.length) return false
    this.#align = align
    return true
  }

  startTable(): void {
    const { next: from, end: to } = this.#cursor
    this.#leaf = { kind: "table", from, to, align: this.#align, rows: [], awaitsDelimiters: true }
    this.addRow()
  }

  addRow(): void {
    const { next: from, end: to } = this.#cursor
    if (this.#leaf?.kind !== "table") return
    const children = TableSyntax.cellRanges(this.#text, from, to).map(([start, end]) => {
      const node: Tree.TableCell = { type: "tableCell", from: start, to: end, children: [] }
      this.pending.push({ node, content: new InlineSource(this.#text.slice(start, end), start), from: 0 })
      return node
    })
    this.#leaf.rows.push({ type: "tableRow", from, to, children })
    this.#leaf.to = to
  }

  /** Turns the paragraph into a heading. Returns false if it consists of definitions only. */
  underline(depth: 1 | 2, parent: Container): boolean {
    if (this.#leaf?.kind !== "paragraph") return false
    const { content } = this.#leaf
    this.#leaf = undefined
    const at = this.#definitions(content, parent)
    if (at === -1) return false
    const node: Tree.Heading = {
      type: "heading",
      depth,
      from: content.toSourceOffset(at),
      to: this.#cursor.end,
      children: []
    }
    parent.node.children.push(node)
    this.pending.push({ node, content, from: at })
    return true
  }

  /** Parses the definitions at the start of a text. Returns the offset after them, or -1 if nothing follows. */
  #definitions(content: InlineSource, parent: Container): number {
    content.trimEnd()
    if (content.text.charCodeAt(0) !== 91) return 0
    const { definitions, end } = Definitions.read(content, !this.#isPlain)
    for (const definition of definitions) {
      this.definedLabels.add(definition.identifier)
      parent.node.children.push(definition)
    }
    return end < content.text.length ? end : -1
  }

  finish(parent: Container): void {
    const leaf = this.#leaf
    if (leaf === undefined) return
    this.#leaf = undefined
    const { children } = parent.node
    switch (leaf.kind) {
      case "paragraph":
        this.#finishParagraph(leaf.content, parent)
        break
      case "fence": {
        const [, lang, meta] = /^(\S*)\s*([^]*)$/.exec(leaf.info)!
        children.push({
          type: "code",
          from: leaf.from,
          to: leaf.to,
          ...(lang === "" ? {} : { lang: decodeText(lang!) }),
          ...(meta === "" ? {} : { meta: decodeText(meta!) }),
          value: leaf.lines.join("\n")
        })
        break
      }
      case "indented": {
        const { lines } = leaf
        while (lines.length > 0 && lines.at(-1)!.trim() === "") lines.pop()
        children.push({ type: "code", from: leaf.from, to: leaf.to, value: lines.join("\n") })
        break
      }
      case "table":
        children.push({ type: "table", from: leaf.from, to: leaf.to, align: leaf.align, children: leaf.rows })
        break
      case "html": {
        const { from, to } = leaf
        const value = leaf.lines.join("\n")
        const isOpen = !leaf.ending.endsAtBlank && !leaf.hasEnd
        // Unclosed HTML becomes a paragraph, since it would extend beyond the end of such a hint or tab.
        if (isOpen && isIndentedContainer(parent.node)) {
          children.push({ type: "paragraph", from, to, children: [{ type: "text", from, to, value: value.trimEnd() }] })
        } else children.push({ type: "html", from, to, value, ...(isOpen && { isOpen }) })
        break
      }
      default:
        children.push({ type: leaf.kind, from: leaf.from, to: leaf.to, value: leaf.lines.join("\n") })
    }
  }

  #finishParagraph(content: InlineSource, parent: Container): void {
    const attributes = this.#isPlain ? undefined : extractAttributes(content)
    this.#addParagraph(content, parent)
    if (attributes === undefined) return
    parent.hasAttributes = true
    parent.node.children.push(attributes)
  }

  #addParagraph(content: InlineSource, parent: Container): void {
    const isFirst = parent.node.type === "listItem" && parent.node.children.length === 0
    const at = this.#definitions(content, parent)
    if (at === -1 || content.text === "") return
    let from = at
    if (isFirst && at === 0 && !this.#isPlain && parent.node.type === "listItem") {
      const task = taskMarker.exec(content.text)
      if (task !== null) {
        parent.node.checked = task[1] !== undefined
        from = 4
      }
    }
    const node: Tree.Paragraph = {
      type: "paragraph",
      from: content.toSourceOffset(at),
      to: content.toSourceOffset(content.text.length),
      children: []
    }
    parent.node.children.push(node)
    this.pending.push({ node, content, from })
  }
}

/** Removes an attribute list that is the last line of a paragraph, and returns it. */
const extractAttributes = (content: InlineSource): Tree.AttributeLine | undefined => {
  const { text } = content
  const from = text.lastIndexOf("\n") + 1
  const list = AttributeList.attributeLineAt(text, from, text.length, "afterText")
  if (list === undefined) return undefined
  const node: Tree.AttributeLine = {
    type: "attributes",
    from: content.toSourceOffset(from),
    to: content.toSourceOffset(list.end - 1) + 1,
    attributes: list.attributes
  }
  content.text = text.slice(0, Math.max(0, from - 1))
  content.trimEnd()
  return node
}

const taskMarker = /^\[(?:[ \t\n]|([xX]))\][ \t\n]/

const trimmedEnd = (text: string, from: number, end: number): number => {
  while (end > from && isSpace(text.charCodeAt(end - 1))) end--
  return end
}
