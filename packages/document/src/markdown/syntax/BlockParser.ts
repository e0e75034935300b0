/**
 * The blocks of a text: CommonMark, the tables, tasks and footnotes of GFM, tags and formulas. It
 * goes through the text once, line by line; what a line looks ahead for is bounded.
 *
 * Limits: containers nest 24 deep, what would nest deeper is text; values of tags that have no end
 * are looked for through 128 KiB in all.
 */
import { normalise } from "../LinkReferences.ts"
import * as Admonition from "./Admonition.ts"
import * as AttributeList from "./AttributeList.ts"
import { decode } from "./CharacterReference.ts"
import { Container, type ContainerNode, isSetIn, type OpenList, type OpenTabs, skipQuoteMark } from "./Container.ts"
import { Content } from "./Content.ts"
import * as IndentedHint from "./IndentedHint.ts"
import * as IndentedTab from "./IndentedTab.ts"
import { LineCursor } from "./LineCursor.ts"
import { LeafParser } from "./LeafParser.ts"
import type { Pending } from "./LeafParser.ts"
import * as LeafStarts from "./LeafStarts.ts"
import * as ListMarker from "./ListMarker.ts"
import type * as Tree from "./SyntaxTree.ts"
import { TagScan } from "./TagSyntax.ts"

export const maxDepth = 24
const maxFailedScan = 128 * 1024

export interface Blocks {
  readonly root: Tree.Root
  readonly pending: ReadonlyArray<Pending>
  /** The identifiers of definitions and of footnotes. */
  readonly defined: ReadonlySet<string>
  readonly footnotes: ReadonlySet<string>
}

export class BlockParser {
  readonly #text: string
  readonly #isPlain: boolean
  readonly #cursor: LineCursor
  /** Looks ahead. */
  readonly #ahead: LineCursor
  readonly #root: Tree.Root
  readonly #stack: Array<Container>
  readonly #leaves: LeafParser
  readonly #footnotes = new Set<string>()
  /** How many of the containers the line goes on with, or has begun. */
  #matched = 1
  /** The line has begun a container. */
  #isFresh = false
  #failedScan = 0
  /** Start of the last line that could end a hint. */
  #lastEnd: number | undefined

  /** Reads from `from` on, which is where a line starts; where it is plain, CommonMark alone. */
  constructor(text: string, from: number, isPlain: boolean) {
    this.#isPlain = isPlain
    this.#text = text
    this.#cursor = new LineCursor(text, from)
    this.#ahead = new LineCursor(text, from)
    this.#root = { type: "root", from: 0, to: text.length, children: [] }
    this.#stack = [new Container(this.#root, 0, this.#cursor)]
    this.#leaves = new LeafParser(this.#cursor, isPlain)
  }

  parse(): Blocks {
    while (this.#cursor.nextLine()) this.#line()
    this.#close(0)
    const { pending, defined } = this.#leaves
    return { root: this.#root, pending, defined, footnotes: this.#footnotes }
  }

  get #top(): Container {
    return this.#stack.at(-1)!
  }

  #line(): void {
    const cursor = this.#cursor
    this.#isFresh = false
    this.#matched = this.#match(cursor, this.#stack.length)
    if (this.#matched === this.#stack.length && this.#leaves.takes(this.#top)) {
      if (!cursor.isBlank || !this.#leaves.isLoose) this.#touch()
      return
    }
    if (this.#endAdmonition()) return
    if (cursor.isBlank) {
      this.#close(this.#matched)
      // Around a quote the line is not blank.
      this.#touch(this.#stack.findLastIndex(({ node }) => node.type === "blockquote"))
      return
    }
    while (cursor.indent < 4 && !cursor.isBlank && this.#startContainer());
    if (!cursor.isBlank) this.#startLeaf()
    this.#touch()
  }

  /** How many of the first `count` containers go on at the cursor. */
  #match(cursor: LineCursor, count: number): number {
    let matched = 1
    while (matched < count && this.#stack[matched]!.continuesAt(cursor)) matched++
    return matched
  }

  /** The line has something of the open containers, or of the first `count` of them. */
  #touch(count = this.#stack.length): void {
    const { number, end } = this.#cursor
    for (let i = 0; i < count; i++) {
      const container = this.#stack[i]!
      container.lastLine = number
      container.end = end
    }
  }

  /** Ends the open leaf, and the containers but for the first `count`. */
  #close(count: number): void {
    this.#leaves.finish(this.#top)
    while (this.#stack.length > count) {
      const container = this.#stack.pop()!
      container.close()
      if (container.hasAttributes) this.#apply(container.node)
      if (isOpenHint(container.node)) this.#dissolve(container.node)
    }
  }

  #apply({ children }: ContainerNode): void {
    const blocks = children as Array<Tree.Block>
    const applied = AttributeList.applied(blocks, this.#text)
    blocks.length = 0
    for (const block of applied) blocks.push(block)
  }

  /** Makes text again of the line that began a hint which has no end. */
  #dissolve(node: Tree.Admonition): void {
    const blocks = this.#top.node.children as Array<Tree.Block>
    blocks.pop()
    for (const block of Admonition.asText(node)) blocks.push(block)
  }

  /** Makes room for a block: what the line does not go on with ends. */
  #begin(): Container {
    this.#close(this.#matched)
    const parent = this.#top
    if (!parent.isEmpty && parent.node.type === "listItem" && this.#cursor.number - parent.lastLine > 1) {
      parent.node.spread = true
    }
    parent.isEmpty = false
    return parent
  }

  /** True where the line could go on with a paragraph. */
  get #isInParagraph(): boolean {
    return !this.#isFresh && this.#leaves.isParagraph && !this.#leavesSetIn
  }

  /** The line is not set in as those of an open hint or tab are. */
  get #leavesSetIn(): boolean {
    if (this.#matched === this.#stack.length) return false
    return this.#stack.some(({ node }, i) => i >= this.#matched && isSetIn(node))
  }

  #startContainer(): boolean {
    const cursor = this.#cursor
    if (this.#matched > maxDepth) return false
    const from = cursor.next
    const code = cursor.nextCode
    if (code === 62) {
      skipQuoteMark(cursor)
      this.#push({ type: "blockquote", from, to: cursor.end, children: [] }, 0)
      return true
    }
    if (code === 91) return this.#startFootnote(from)
    if (code === 58) return this.#startAdmonition(from)
    if (code === 33 || code === 63) return this.#startIndentedHint(from)
    if (code === 61) return this.#startTab(from)
    const endsParagraph = this.#isInParagraph && this.#matched === this.#stack.length
    const marker = ListMarker.at(cursor, endsParagraph)
    if (marker === undefined || LeafStarts.isThematicBreak(cursor)) return false
    this.#startItem(from, marker)
    return true
  }

  #push(node: Exclude<ContainerNode, Tree.Root | Tree.ListItem | Tree.Tab>, indent: number): void {
    this.#begin().node.children.push(node as Tree.Block)
    this.#open(new Container(node, indent, this.#cursor))
  }

  #open(container: Container): void {
    this.#stack.push(container)
    this.#matched = this.#stack.length
    this.#isFresh = true
  }

  #startFootnote(from: number): boolean {
    const label = LeafStarts.footnoteLabelAt(this.#text, from)
    // Footnotes in footnotes would be read in more than one way.
    const isInside = this.#stack.slice(0, this.#matched).some(({ node }) => node.type === "footnoteDefinition")
    if (label === undefined || isInside || this.#isPlain) return false
    const identifier = normalise(label)
    this.#footnotes.add(identifier)
    this.#cursor.skipTo(label.length + 4)
    this.#cursor.skipSpaces()
    const { end } = this.#cursor
    this.#push({ type: "footnoteDefinition", from, to: end, identifier, label: decode(label), children: [] }, 4)
    return true
  }

  #startAdmonition(from: number): boolean {
    const cursor = this.#cursor
    const start = this.#isPlain ? undefined : Admonition.startAt(cursor)
    // Without an end behind it, it takes nothing of the text.
    if (start === undefined || cursor.start >= (this.#lastEnd ??= Admonition.lastEnd(this.#text))) return false
    this.#pushHint(from, start, 0)
    return true
  }

  #startIndentedHint(from: number): boolean {
    const start = this.#isPlain ? undefined : IndentedHint.startAt(this.#cursor)
    if (start === undefined || !this.#isSetInBelow()) return false
    this.#pushHint(from, { ...start, colons: 0 }, IndentedHint.indent)
    return true
  }

  /** Tells whether the next line that has text is set in, within the same containers. */
  #isSetInBelow(): boolean {
    const ahead = this.#ahead
    ahead.moveTo(this.#cursor)
    while (ahead.nextLine()) {
      if (this.#match(ahead, this.#matched) < this.#matched) return false
      if (!ahead.isBlank) return ahead.indent >= IndentedHint.indent
    }
    return false
  }

  #startTab(from: number): boolean {
    const cursor = this.#cursor
    const start = this.#isPlain ? undefined : IndentedTab.startAt(cursor)
    if (start === undefined || !this.#isSetInBelow()) return false
    const { end } = cursor
    this.#close(this.#matched)
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
    this.#open(new Container(tab, IndentedHint.indent, cursor, tabs))
    cursor.skipTo(end - cursor.next)
    return true
  }

  /** The tabs before it that a tab goes on, or new ones. */
  #tabsFor(from: number, { beginsGroup }: IndentedTab.Start): OpenTabs {
    const last = this.#top.node.children.at(-1)
    if (last?.type === "tabs" && !beginsGroup) return last
    const tabs: OpenTabs = { type: "tabs", from, to: this.#cursor.end, children: [] }
    this.#begin().node.children.push(tabs)
    return tabs
  }

  /** A paragraph of a part of the line. */
  #paragraphAt([from, to]: readonly [from: number, to: number]): Tree.Paragraph {
    const node: Tree.Paragraph = { type: "paragraph", from, to, children: [] }
    this.#leaves.pending.push({ node, content: new Content(this.#text.slice(from, to), from), from: 0 })
    return node
  }

  #pushHint(from: number, { title, ...start }: Hint, indent: number): void {
    const cursor = this.#cursor
    const { end } = cursor
    const children: Array<Tree.Block> = []
    const first = this.#text.slice(from, end).trimEnd()
    const said = { ...start, first, last: undefined, hasTitle: title !== undefined }
    this.#push({ type: "admonition", from, to: end, ...said, children }, indent)
    if (title !== undefined) children.push(this.#paragraphAt(title))
    cursor.skipTo(end - cursor.next)
  }

  /** Ends the innermost that a line of colons can end. */
  #endAdmonition(): boolean {
    const colons = this.#cursor.nextCode === 58 ? Admonition.endAt(this.#cursor) : 0
    if (colons === 0) return false
    for (let i = this.#matched - 1; i > 0; i--) {
      const { node } = this.#stack[i]!
      if (node.type !== "admonition" || node.colons === 0 || node.colons > colons) continue
      node.last = this.#cursor.rest().trim()
      this.#touch(i + 1)
      this.#close(i)
      return true
    }
    return false
  }

  #startItem(from: number, marker: ListMarker.ListMarker): void {
    const cursor = this.#cursor
    const before = cursor.indent
    const width = ListMarker.skip(cursor, marker)
    this.#close(this.#matched)
    const list = this.#listFor(from, marker)
    const { end: to } = cursor
    const item: Tree.ListItem = { type: "listItem", from, to, checked: undefined, spread: false, children: [] }
    list.children.push(item)
    this.#open(new Container(item, before + width, cursor, list))
  }

  /** The list before it that an item goes on, or a new one. */
  #listFor(from: number, { ordered, delimiter, start }: ListMarker.ListMarker): OpenList {
    const parent = this.#top
    const { list } = parent
    if (
      list !== undefined &&
      parent.node.children.at(-1) === list.node &&
      list.delimiter === delimiter &&
      list.node.ordered === ordered
    ) {
      if (this.#cursor.number - parent.lastLine > 1) list.node.spread = true
      return list.node
    }
    const { end: to } = this.#cursor
    const node: OpenList = { type: "list", from, to, ordered, start, spread: false, children: [] }
    this.#begin().node.children.push(node)
    parent.list = { node, delimiter }
    return node
  }

  #startLeaf(): void {
    const cursor = this.#cursor
    const leaves = this.#leaves
    const isInParagraph = this.#isInParagraph
    const goesOn = !this.#isFresh && this.#matched === this.#stack.length
    if (cursor.indent > 3) {
      if (isInParagraph) leaves.addLine()
      else {
        this.#begin()
        leaves.startIndented()
      }
      return
    }
    const code = cursor.nextCode
    if (goesOn && isInParagraph && (code === 45 || code === 61)) {
      const depth = LeafStarts.underlineAt(cursor)
      if (depth !== undefined && leaves.underline(depth, this.#top)) return
    }
    const start = LeafStarts.at(cursor, this.#isInParagraph, this.#isPlain)
    if (start !== undefined) {
      leaves.start(start, this.#begin())
      return
    }
    if (code === 123 && !this.#isPlain && (this.#startTag() || this.#takeAttributes())) return
    if (!this.#isPlain && this.#isTable()) {
      this.#begin()
      leaves.startTable()
    } else if (this.#isInParagraph) leaves.addLine()
    else if (goesOn && leaves.isTable) leaves.addRow()
    else {
      this.#begin()
      leaves.startParagraph()
    }
  }

  /** A tag on this line, and on those behind it where a value goes on. */
  #startTag(): boolean {
    const cursor = this.#cursor
    const from = cursor.next
    if (this.#text.charCodeAt(from + 1) !== 37) return false
    const scan = new TagScan()
    let found = scan.read(this.#text, from + 2, cursor.end)
    let value = ""
    if (found === "open" && !this.#isInParagraph && this.#failedScan < maxFailedScan) {
      const ahead = this.#ahead
      ahead.moveTo(cursor)
      while (found === "open" && ahead.nextLine() && this.#isOwn(ahead)) {
        const line = ahead.rest()
        value += `\n${line}`
        found = scan.read(line, 0, line.length)
      }
      if (found !== "complete") this.#failedScan += value.length
      else {
        value = this.#text.slice(from, cursor.end) + value
        cursor.moveTo(ahead)
      }
    }
    if (found !== "complete") return false
    if (value === "") value = this.#text.slice(from, cursor.end)
    this.#begin().node.children.push({ type: "tag", from, to: cursor.end, value: value.trimEnd() })
    return true
  }

  /** A line that is a list of attributes, which ends a paragraph. */
  #takeAttributes(): boolean {
    const { next: from, end } = this.#cursor
    const found = AttributeList.lineAt(this.#text, from, end, "withColon")
    if (found === undefined) return false
    const parent = this.#begin()
    parent.hasAttributes = true
    parent.node.children.push({ type: "attributes", from, to: found.end, attributes: found.attributes })
    return true
  }

  /** Tells whether a line ahead stands in the same containers and starts none. */
  #isOwn(ahead: LineCursor): boolean {
    if (this.#match(ahead, this.#matched) < this.#matched) return false
    if (ahead.isBlank || ahead.indent > 3) return true
    const code = ahead.nextCode
    if (code === 62 || (code === 91 && LeafStarts.footnoteLabelAt(this.#text, ahead.next) !== undefined)) return false
    return ListMarker.at(ahead, true) === undefined || LeafStarts.isThematicBreak(ahead)
  }

  /** Tells whether the line is the header of a table: the next one has its delimiters. */
  #isTable(): boolean {
    const cursor = this.#cursor
    if (this.#matched < this.#stack.length && this.#isInParagraph) return false
    if (this.#leaves.isTable && !this.#isFresh && this.#matched === this.#stack.length) return false
    const ahead = this.#ahead
    if (!LeafStarts.couldBeTable(cursor)) return false
    ahead.moveTo(cursor)
    if (!ahead.nextLine() || !this.#isOwn(ahead) || ahead.isBlank || ahead.indent > 3) return false
    return this.#leaves.alignTable(ahead)
  }
}

interface Hint {
  readonly name?: string
  readonly style: string
  readonly colons: number
  readonly fold?: Tree.Admonition["fold"]
  readonly title: readonly [from: number, to: number] | undefined
}

/** Tells whether it has no end yet, which it needs to be a hint. */
const isOpenHint = (node: ContainerNode): node is Tree.Admonition =>
  node.type === "admonition" && node.colons > 0 && node.last === undefined
