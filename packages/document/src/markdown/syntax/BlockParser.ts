/**
 * Parses the blocks of a text: CommonMark, tables, task lists and footnotes of GFM, tags and formulas. Reads the text
 * once, line by line, with bounded lookahead.
 *
 * Limits: containers nest 24 deep, and deeper ones are text. Failed searches for the ends of tag values cover at most
 * 128 KiB in total.
 */
import { containersByCode, tagLinesByCode } from "../dialect/Dialects.ts"
import type { ContainerSyntax, HintStart, Range, TabStart } from "../dialect/Dialect.ts"
import { normalizeLabel } from "../LinkReferences.ts"
import * as AttributeList from "./AttributeList.ts"
import { decodeText } from "./CharacterReference.ts"
import {
  Container,
  type ContainerNode,
  isIndentedContainer,
  type OpenList,
  type OpenTabs,
  skipQuoteMark
} from "./Container.ts"
import { InlineSource } from "./Content.ts"
import { toTextBlocks } from "./HintText.ts"
import { LineCursor } from "./LineCursor.ts"
import { LeafParser } from "./LeafParser.ts"
import type { PendingInlines } from "./LeafParser.ts"
import * as LeafStarts from "./LeafStarts.ts"
import * as ListMarker from "./ListMarker.ts"
import type * as Tree from "./SyntaxTree.ts"

export const maxDepth = 24
const maxFailedScan = 128 * 1024

export interface ParsedBlocks {
  readonly root: Tree.Root
  readonly pending: ReadonlyArray<PendingInlines>
  /** `definitions`: identifiers of link definitions. `footnotes`: identifiers of footnotes. */
  readonly definitions: ReadonlySet<string>
  readonly footnotes: ReadonlySet<string>
}

export class BlockParser {
  readonly #text: string
  readonly #isPlain: boolean
  readonly #cursor: LineCursor
  /** Cursor for lookahead. */
  readonly #lookahead: LineCursor
  readonly #root: Tree.Root
  readonly #stack: Array<Container>
  readonly #leaves: LeafParser
  readonly #footnotes = new Set<string>()
  /** Number of open containers that the current line continues or has started. */
  #matchedCount = 1
  /** True if the current line has started a container. */
  #hasNewContainer = false
  #failedScanLength = 0
  /** Start of the last line of the text that could close a hint, by the character of the fence. */
  readonly #lastClosingLines = new Map<number, number>()

  /** Creates a parser that starts at `from`, the start of a line. `isPlain`: true to parse only CommonMark. */
  constructor(text: string, from: number, isPlain: boolean) {
    this.#isPlain = isPlain
    this.#text = text
    this.#cursor = new LineCursor(text, from)
    this.#lookahead = new LineCursor(text, from)
    this.#root = { type: "root", from: 0, to: text.length, children: [] }
    this.#stack = [new Container(this.#root, 0, this.#cursor)]
    this.#leaves = new LeafParser(this.#cursor, isPlain)
  }

  parse(): ParsedBlocks {
    while (this.#cursor.nextLine()) this.#line()
    this.#close(0)
    const { pending, definedLabels: definitions } = this.#leaves
    return { root: this.#root, pending, definitions, footnotes: this.#footnotes }
  }

  get #top(): Container {
    return this.#stack.at(-1)!
  }

  #line(): void {
    const cursor = this.#cursor
    this.#hasNewContainer = false
    this.#matchedCount = this.#match(cursor, this.#stack.length)
    if (this.#matchedCount === this.#stack.length && this.#leaves.continueLeaf(this.#top)) {
      if (!cursor.isBlank || !this.#leaves.allowsBlankLines) this.#recordContent()
      return
    }
    if (this.#endHint()) return
    if (cursor.isBlank) {
      this.#close(this.#matchedCount)
      // The line has a `>`, so it is not blank for the containers around the blockquote.
      this.#recordContent(this.#stack.findLastIndex(({ node }) => node.type === "blockquote"))
      return
    }
    while (cursor.indent < 4 && !cursor.isBlank && this.#startContainer());
    if (!cursor.isBlank) this.#startLeaf()
    this.#recordContent()
  }

  /** Returns the number of the first `count` containers that continue at the cursor. */
  #match(cursor: LineCursor, count: number): number {
    let matchingCount = 1
    while (matchingCount < count && this.#stack[matchingCount]!.continuesAt(cursor)) matchingCount++
    return matchingCount
  }

  /** Records that the current line has content of the first `count` open containers. Default: all. */
  #recordContent(count = this.#stack.length): void {
    const { number, end } = this.#cursor
    for (let i = 0; i < count; i++) {
      const container = this.#stack[i]!
      container.lastLine = number
      container.end = end
    }
  }

  /** Closes the open leaf, and all containers except the first `count`. */
  #close(count: number): void {
    this.#leaves.finish(this.#top)
    while (this.#stack.length > count) {
      const container = this.#stack.pop()!
      container.close()
      if (container.hasAttributes) this.#applyAttributes(container.node)
      if (isOpenHint(container.node)) this.#replaceByText(container.node)
    }
  }

  #applyAttributes({ children }: ContainerNode): void {
    const blocks = children as Array<Tree.Block>
    const result = AttributeList.applyAttributeLines(blocks, this.#text)
    blocks.length = 0
    for (const block of result) blocks.push(block)
  }

  /** Replaces a hint without a closing line by its blocks, with its first line as text. */
  #replaceByText(node: Tree.Admonition): void {
    const blocks = this.#top.node.children as Array<Tree.Block>
    blocks.pop()
    for (const block of toTextBlocks(node)) blocks.push(block)
  }

  /** Closes all blocks that the line does not continue. Returns the container of the next block. */
  #startBlock(): Container {
    this.#close(this.#matchedCount)
    const parent = this.#top
    if (!parent.isEmpty && parent.node.type === "listItem" && this.#cursor.number - parent.lastLine > 1) {
      parent.node.isLoose = true
    }
    parent.isEmpty = false
    return parent
  }

  /** True if the line could continue the open paragraph. */
  get #isInParagraph(): boolean {
    return !this.#hasNewContainer && this.#leaves.isParagraph && !this.#endsIndented
  }

  /** True if the line lacks the indentation of an open indented hint or tab. */
  get #endsIndented(): boolean {
    if (this.#matchedCount === this.#stack.length) return false
    return this.#stack.some(({ node }, i) => i >= this.#matchedCount && isIndentedContainer(node))
  }

  #startContainer(): boolean {
    const cursor = this.#cursor
    if (this.#matchedCount > maxDepth) return false
    const from = cursor.next
    const code = cursor.nextCode
    if (code === 62) {
      skipQuoteMark(cursor)
      this.#push({ type: "blockquote", from, to: cursor.end, children: [] }, 0)
      return true
    }
    if (code === 91) return this.#startFootnote(from)
    const syntaxes = this.#isPlain || code > 127 ? undefined : containersByCode[code]
    if (syntaxes?.some((syntax) => this.#startSyntax(syntax, from))) return true
    const endsParagraph = this.#isInParagraph && this.#matchedCount === this.#stack.length
    const marker = ListMarker.listMarkerAt(cursor, endsParagraph)
    if (marker === undefined || LeafStarts.isThematicBreak(cursor)) return false
    this.#startItem(from, marker)
    return true
  }

  #push(node: Exclude<ContainerNode, Tree.Root | Tree.ListItem | Tree.Tab>, indent: number): void {
    this.#startBlock().node.children.push(node as Tree.Block)
    this.#open(new Container(node, indent, this.#cursor))
  }

  #open(container: Container): void {
    this.#stack.push(container)
    this.#matchedCount = this.#stack.length
    this.#hasNewContainer = true
  }

  #startFootnote(from: number): boolean {
    const label = LeafStarts.footnoteLabelAt(this.#text, from)
    // A footnote does not start within a footnote, since this would be ambiguous.
    const isInFootnote = this.#stack.slice(0, this.#matchedCount).some(({ node }) => node.type === "footnoteDefinition")
    if (label === undefined || isInFootnote || this.#isPlain) return false
    const identifier = normalizeLabel(label)
    this.#footnotes.add(identifier)
    this.#cursor.skipTo(label.length + 4)
    this.#cursor.skipSpaces()
    const { end } = this.#cursor
    this.#push({ type: "footnoteDefinition", from, to: end, identifier, label: decodeText(label), children: [] }, 4)
    return true
  }

  /** Starts a block in the syntax of a dialect. Its first line is text if the block has no content or no end. */
  #startSyntax(syntax: ContainerSyntax, from: number): boolean {
    const start = syntax.startAt(this.#cursor)
    const { indent } = syntax
    if (start === undefined || !(indent === 0 ? this.#isClosedBelow() : this.#isIndentedBelow(indent))) return false
    if (start.type === "tab") this.#startTab(from, start, indent)
    else this.#startHint(from, start, indent)
    return true
  }

  /** True if a later line could close the hint that starts on the current line. */
  #isClosedBelow(): boolean {
    const { nextCode: code, start } = this.#cursor
    let lastLine = this.#lastClosingLines.get(code)
    if (lastLine === undefined) {
      lastLine = LeafStarts.lastLineWithEnd(this.#text, String.fromCharCode(code).repeat(3))
      this.#lastClosingLines.set(code, lastLine)
    }
    return start < lastLine
  }

  /** True if the next non-blank line is indented and in the same containers. */
  #isIndentedBelow(indent: number): boolean {
    const lookahead = this.#lookahead
    lookahead.moveTo(this.#cursor)
    while (lookahead.nextLine()) {
      if (this.#match(lookahead, this.#matchedCount) < this.#matchedCount) return false
      if (!lookahead.isBlank) return lookahead.indent >= indent
    }
    return false
  }

  #startTab(from: number, start: TabStart, indent: number): void {
    const cursor = this.#cursor
    const { end } = cursor
    this.#close(this.#matchedCount)
    const tabs = this.#tabsFor(from, start)
    const title = this.#paragraphAt(start.title)
    const tab: Tree.Tab = {
      type: "tab",
      from,
      to: end,
      title,
      first: this.#text.slice(from, end).trimEnd(),
      children: []
    }
    tabs.children.push(tab)
    this.#open(new Container(tab, indent, cursor, tabs))
    cursor.skipTo(end - cursor.next)
  }

  /** Returns the directly preceding tabs that a tab continues, or new ones. */
  #tabsFor(from: number, { startsGroup }: TabStart): OpenTabs {
    const last = this.#top.node.children.at(-1)
    if (last?.type === "tabs" && !startsGroup) return last
    const tabs: OpenTabs = { type: "tabs", from, to: this.#cursor.end, children: [] }
    this.#startBlock().node.children.push(tabs)
    return tabs
  }

  /** Returns a paragraph whose text is a part of the line. */
  #paragraphAt([from, to]: Range): Tree.Paragraph {
    const node: Tree.Paragraph = { type: "paragraph", from, to, children: [] }
    this.#leaves.pending.push({ node, content: new InlineSource(this.#text.slice(from, to), from), from: 0 })
    return node
  }

  #startHint(from: number, { title, type: _, fenceLength, ...start }: HintStart, indent: number): void {
    const cursor = this.#cursor
    const { end, nextCode: code } = cursor
    const children: Array<Tree.Block> = []
    const openingLine = this.#text.slice(from, end).trimEnd()
    const fence = fenceLength === undefined ? undefined : { code, length: fenceLength }
    const properties = { ...start, fence, openingLine, closingLine: undefined, hasTitle: title !== undefined }
    this.#push({ type: "admonition", from, to: end, ...properties, children }, indent)
    if (title !== undefined) children.push(this.#paragraphAt(title))
    cursor.skipTo(end - cursor.next)
  }

  /** Closes the innermost hint whose fence the line at the cursor can close. Returns false if no hint is closed. */
  #endHint(): boolean {
    for (let i = this.#matchedCount - 1; i > 0; i--) {
      const { node } = this.#stack[i]!
      if (node.type !== "admonition" || node.fence === undefined) continue
      if (!LeafStarts.isClosingFence(this.#cursor, node.fence.code, node.fence.length)) continue
      node.closingLine = this.#cursor.rest().trim()
      this.#recordContent(i + 1)
      this.#close(i)
      return true
    }
    return false
  }

  #startItem(from: number, marker: ListMarker.ListMarker): void {
    const cursor = this.#cursor
    const before = cursor.indent
    const width = ListMarker.skipListMarker(cursor, marker)
    this.#close(this.#matchedCount)
    const list = this.#listFor(from, marker)
    const { end: to } = cursor
    const item: Tree.ListItem = { type: "listItem", from, to, checked: undefined, isLoose: false, children: [] }
    list.children.push(item)
    this.#open(new Container(item, before + width, cursor, list))
  }

  /** Returns the directly preceding list that an item continues, or a new one. */
  #listFor(from: number, { ordered, delimiter, start }: ListMarker.ListMarker): OpenList {
    const parent = this.#top
    const { list } = parent
    if (
      list !== undefined &&
      parent.node.children.at(-1) === list.node &&
      list.delimiter === delimiter &&
      list.node.ordered === ordered
    ) {
      if (this.#cursor.number - parent.lastLine > 1) list.node.isLoose = true
      return list.node
    }
    const { end: to } = this.#cursor
    const node: OpenList = { type: "list", from, to, ordered, start, isLoose: false, children: [] }
    this.#startBlock().node.children.push(node)
    parent.list = { node, delimiter }
    return node
  }

  #startLeaf(): void {
    const cursor = this.#cursor
    const leaves = this.#leaves
    const isInParagraph = this.#isInParagraph
    const isContinued = !this.#hasNewContainer && this.#matchedCount === this.#stack.length
    if (cursor.indent > 3) {
      if (isInParagraph) leaves.addLine()
      else {
        this.#startBlock()
        leaves.startIndented()
      }
      return
    }
    const code = cursor.nextCode
    if (isContinued && isInParagraph && (code === 45 || code === 61)) {
      const depth = LeafStarts.underlineAt(cursor)
      if (depth !== undefined && leaves.underline(depth, this.#top)) return
    }
    const start = LeafStarts.leafStartAt(cursor, this.#isInParagraph, this.#isPlain)
    if (start !== undefined) {
      leaves.start(start, this.#startBlock())
      return
    }
    if (!this.#isPlain && (this.#startTag(code) || (code === 123 && this.#parseAttributeLine()))) return
    if (!this.#isPlain && this.#isTable()) {
      this.#startBlock()
      leaves.startTable()
    } else if (this.#isInParagraph) leaves.addLine()
    else if (isContinued && leaves.isTable) leaves.addRow()
    else {
      this.#startBlock()
      leaves.startParagraph()
    }
  }

  /**
   * Parses a tag on the current line, and on later lines if a value continues on them. Returns false if the line is not
   * a tag.
   */
  #startTag(code: number): boolean {
    const cursor = this.#cursor
    const from = cursor.next
    const syntax =
      code > 127 ? undefined : tagLinesByCode[code]?.find(({ prefix }) => this.#text.startsWith(prefix, from))
    if (syntax === undefined) return false
    const scan = syntax.createScanner()
    let result = scan.read(this.#text, from + syntax.prefix.length, cursor.end)
    let value = ""
    if (result === "open" && !this.#isInParagraph && this.#failedScanLength < maxFailedScan) {
      const lookahead = this.#lookahead
      lookahead.moveTo(cursor)
      while (result === "open" && lookahead.nextLine() && this.#isInSameContainers(lookahead)) {
        const line = lookahead.rest()
        value += `\n${line}`
        result = scan.read(line, 0, line.length)
      }
      if (result !== "complete") this.#failedScanLength += value.length
      else {
        value = this.#text.slice(from, cursor.end) + value
        cursor.moveTo(lookahead)
      }
    }
    if (result !== "complete") return false
    if (value === "") value = this.#text.slice(from, cursor.end)
    this.#startBlock().node.children.push({ type: "tag", from, to: cursor.end, value: value.trimEnd() })
    return true
  }

  /** Parses a line that is an attribute list. Such a line ends a paragraph. Returns false for other lines. */
  #parseAttributeLine(): boolean {
    const { next: from, end } = this.#cursor
    const list = AttributeList.attributeLineAt(this.#text, from, end, "line")
    if (list === undefined) return false
    const parent = this.#startBlock()
    parent.hasAttributes = true
    parent.node.children.push({ type: "attributes", from, to: list.end, attributes: list.attributes })
    return true
  }

  /** True if a later line is in the same containers and starts no container. */
  #isInSameContainers(lookahead: LineCursor): boolean {
    if (this.#match(lookahead, this.#matchedCount) < this.#matchedCount) return false
    if (lookahead.isBlank || lookahead.indent > 3) return true
    const code = lookahead.nextCode
    if (code === 62 || (code === 91 && LeafStarts.footnoteLabelAt(this.#text, lookahead.next) !== undefined))
      return false
    return ListMarker.listMarkerAt(lookahead, true) === undefined || LeafStarts.isThematicBreak(lookahead)
  }

  /** True if the line is the header of a table: the next line has matching delimiters. */
  #isTable(): boolean {
    const cursor = this.#cursor
    if (this.#matchedCount < this.#stack.length && this.#isInParagraph) return false
    if (this.#leaves.isTable && !this.#hasNewContainer && this.#matchedCount === this.#stack.length) return false
    const lookahead = this.#lookahead
    if (!LeafStarts.couldBeTable(cursor)) return false
    lookahead.moveTo(cursor)
    if (!lookahead.nextLine() || !this.#isInSameContainers(lookahead) || lookahead.isBlank || lookahead.indent > 3)
      return false
    return this.#leaves.alignTable(lookahead)
  }
}

/** True if a hint with a fence has no closing line yet. */
const isOpenHint = (node: ContainerNode): node is Tree.Admonition =>
  node.type === "admonition" && node.fence !== undefined && node.closingLine === undefined
