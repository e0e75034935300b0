/**
 * Parses `SUMMARY.md`. Headings are groups that end at the next divider; a `###` is below the preceding `##`. Entries
 * of lists with a link are pages with their children. Links to external URLs, and to positions in pages, are links. A
 * line outside of lists that is only a link to a page is an entry too. Books of other programs start and end with such
 * lines. The title of a link is the name of the page in navigation. An entry without a link is a group of its children.
 * A block of YAML is the placeholder of computed pages. A comment after an entry states further fields (see
 * `PageFields`).
 *
 * Invalid entries are reported with their line and skipped, and their children move up.
 *
 * The text is parsed in pieces, so that a long table of contents does not block other fibers. Limits: 8 MiB, lines of
 * 16,384 characters, 64 columns of indentation.
 */
import { Effect, Option, Result, Schema } from "effect"
import { decodePercent } from "@lectern/document/PercentEncoding"
import { ComputedSource, providesPages, isIntegration, specOf } from "@lectern/core/computed/ComputedSource"
import * as YamlText from "@lectern/document/YamlText"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type {
  Block,
  Code,
  Heading,
  Inline,
  Link,
  List,
  ListItem,
  Node,
  Paragraph
} from "@lectern/document/markdown/syntax/SyntaxTree"
import * as FolderPath from "./FolderPath.ts"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import * as PageFields from "./PageFields.ts"

/** A range of columns. */
export interface Columns {
  readonly from: number
  readonly to: number
}

/** Lines of an entry in the text, counted from 0, without its children. */
export interface EntryRange {
  readonly from: number
  readonly to: number
  /** Column of the bullet, or of the link if the entry has no bullet. Undefined for a heading. */
  readonly indent: number | undefined
  /** True if the entry is outside of lists and has no bullet. */
  readonly isBare?: true
  /** Columns of the title on the first line. Undefined if there is no title, or if it continues on the next line. */
  readonly title?: Columns
  /** Columns of the complete link. */
  readonly link?: Columns
}

interface EntrySource {
  readonly line: number
  readonly range: EntryRange
}

export interface SummaryPage extends EntrySource {
  readonly type: "page"
  readonly title: string
  /** Name in navigation, if it differs from the title. */
  readonly label?: string
  /** Path of the file, without percent escapes. */
  readonly path: string
  readonly children: Array<SummaryEntry>
}
export interface SummaryGroup extends EntrySource {
  readonly type: "group"
  readonly title: string
  readonly slug?: string
  /** True for a group in a list, which may have no children. A heading without children is ignored. */
  readonly isListed?: boolean
  readonly fields?: PageFields.PageFields
  readonly children: Array<SummaryEntry>
}
export interface SummaryLink extends EntrySource {
  readonly type: "link"
  readonly title: string
  readonly url: string
  /** True if the link leads to a position in a page of the folder, such as `page.md#part`. */
  readonly isPageAnchor?: boolean
  readonly fields?: PageFields.PageFields
}
export type SummaryEntry = SummaryPage | SummaryGroup | SummaryLink

export interface SummaryProblem {
  readonly line: number
  readonly message: string
}

export interface Summary {
  readonly entries: ReadonlyArray<SummaryEntry>
  readonly problems: ReadonlyArray<SummaryProblem>
}

export const maxLength = 8 * 1024 * 1024

/** Minimum length of a piece (characters). */
const minPieceLength = 16 * 1024
/** Length from which a piece is split at any line (characters), if it has no suitable position. */
const maxPieceLength = 32 * 1024
export const maxLineLength = 16 * 1024
const maxIndent = 64

export const parse = Effect.fnUntraced(function* (text: string): Effect.fn.Return<Summary> {
  const builder = new SummaryBuilder()
  for (const piece of pieces(normalize(text), builder.problems)) {
    builder.add(piece)
    yield* Effect.yieldNow
  }
  return { entries: builder.entries, problems: builder.problems } satisfies Summary
})

interface Piece {
  readonly lines: ReadonlyArray<string>
  /** Line number of each line. */
  readonly numbers: ReadonlyArray<number>
  /** Number of lines at the start that repeat the enclosing entries, which were parsed before. */
  readonly repeated: number
}

const bulletStart = /^([ \t]*)(?:[*+-]|\d{1,9}[.)])[ \t]/
const fenceStart = /^[ \t]*(?:[*+-][ \t]+)?(?:```|~~~)/
const commentStart = /^ {0,3}<!--/

/** Returns the text with line feeds only and without a byte order mark. Line numbers refer to this text. */
export const normalize = (text: string): string => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")

function* pieces(text: string, problems: Array<SummaryProblem>): Generator<Piece> {
  let enclosingEntries: Array<{ readonly indent: number; readonly line: string; readonly number: number }> = []
  let lines: Array<string> = []
  let numbers: Array<number> = []
  let repeatedCount = 0
  let length = 0
  let isFenced = false
  let isComment = false
  for (const [i, sourceLine] of text.split("\n").entries()) {
    const number = i + 1
    let line = sourceLine
    const indent = (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length
    if (line.length > maxLineLength || (indent > maxIndent && indent < line.length)) {
      problems.push({ line: number, message: "The line is too long, or indented too far, and is left out" })
      line = ""
    }
    if (!isFenced && commentStart.test(line)) isComment = true
    const isText = !isFenced && !isComment
    const isBullet = isText && bulletStart.test(line)
    const isHeading = isText && line.startsWith("#")
    if (isComment) {
      if (line.includes("-->")) isComment = false
      else if (length >= maxPieceLength) line = ""
    } else if (fenceStart.test(line)) isFenced = !isFenced
    if (isHeading) enclosingEntries = []
    else if (isBullet) while ((enclosingEntries.at(-1)?.indent ?? -1) >= indent) enclosingEntries.pop()
    if (length >= (isBullet || isHeading ? minPieceLength : isComment ? Infinity : maxPieceLength)) {
      yield { lines, numbers, repeated: repeatedCount }
      lines = enclosingEntries.map((entry) => entry.line)
      numbers = enclosingEntries.map((entry) => entry.number)
      repeatedCount = enclosingEntries.length
      length = 0
    }
    if (isBullet) enclosingEntries.push({ indent, line, number })
    lines.push(line)
    numbers.push(number)
    length += line.length + 1
  }
  yield { lines, numbers, repeated: repeatedCount }
}

class SummaryBuilder {
  readonly entries: Array<SummaryEntry> = []
  readonly problems: Array<SummaryProblem> = []
  readonly #groups: Array<{ readonly depth: number; readonly group: SummaryGroup }> = []
  /** Entries that may have children, by line. */
  readonly #byLine = new Map<number, SummaryEntry>()
  /** True after the first heading. */
  #hasHeading = false
  #piece: Piece = { lines: [], numbers: [], repeated: 0 }
  /** For each line of the piece, the offset at which the next line starts. */
  #starts: ReadonlyArray<number> = []

  add(piece: Piece): void {
    this.#piece = piece
    let start = 0
    this.#starts = piece.lines.map((line) => (start += line.length + 1))
    for (const node of Syntax.parse(piece.lines.join("\n"), { isPlain: true }).children) this.#block(node)
  }

  #block(node: Block): void {
    if (node.type === "heading") this.#heading(node)
    else if (node.type === "list") this.#list(node, this.#groups.at(-1)?.group.children ?? this.entries)
    else if (node.type === "thematicBreak") this.#groups.length = 0
    else if (node.type === "code") this.#report(node, "Indented too far to be an entry")
    else if (node.type === "paragraph" && this.#hasOnlyPageLinks(node)) {
      const into = this.#groups.at(-1)?.group.children ?? this.entries
      for (const link of linksIn(node)) {
        const entry = this.#entry(link, link, undefined)
        if (entry !== undefined) into.push(entry)
      }
    } else if (linksIn(node).length > 0) this.#report(node, "A link outside a list is no entry")
  }

  /** Returns true if each line of the paragraph is only a link to a page. */
  #hasOnlyPageLinks({ children }: Paragraph): boolean {
    let line = -1
    return children.every((node) => {
      if (node.type === "text") return node.value.trim() === ""
      if (node.type === "break") return true
      const isFirst = this.#lineIn(node) > line
      line = this.#lineAt(node.to - 1)
      return node.type === "link" && isFirst && !/^$|#/.test(node.url) && !RefUrl.isAbsolute(node.url)
    })
  }

  #heading(node: Heading): void {
    const title = textOf(node).trim()
    // The first heading is the title of the table of contents itself.
    const isFirst = !this.#hasHeading && this.entries.length === 0
    this.#hasHeading = true
    if ((node.depth === 1 && isFirst) || title === "") return
    while ((this.#groups.at(-1)?.depth ?? 0) >= node.depth) this.#groups.pop()
    const slug = anchorOf(node)
    const fields = this.#fieldsOf(node)
    const group: SummaryGroup = {
      type: "group",
      title,
      ...this.#sourceOf(node, undefined, node),
      children: [],
      ...(slug !== undefined && { slug }),
      ...(fields !== undefined && { fields })
    }
    ;(this.#groups.at(-1)?.group.children ?? this.entries).push(group)
    this.#groups.push({ depth: node.depth, group })
  }

  #fieldsOf(entry: Heading | Paragraph): PageFields.PageFields | undefined {
    for (const node of entry.children) {
      const commentFields = node.type === "html" ? PageFields.fromComment(node.value) : undefined
      if (commentFields === undefined) continue
      if (commentFields.wrong.length > 0) this.#report(entry, PageFields.leftOut(commentFields.wrong))
      return commentFields.fields
    }
    return undefined
  }

  #list(list: List, into: Array<SummaryEntry>): void {
    const pending: Array<{ readonly item: ListItem; readonly into: Array<SummaryEntry> }> = []
    const push = (items: ReadonlyArray<ListItem>, target: Array<SummaryEntry>) => {
      for (let i = items.length - 1; i >= 0; i--) pending.push({ item: items[i]!, into: target })
    }
    push(list.children, into)
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const line = this.#lineOf(next.item)
      const isRepeated = this.#lineIn(next.item) < this.#piece.repeated
      const entry = isRepeated ? this.#byLine.get(line) : this.#item(next.item)
      if (entry !== undefined && !isRepeated) {
        next.into.push(entry)
        this.#byLine.set(line, entry)
      }
      const childEntries = entry !== undefined && entry.type !== "link" ? entry.children : next.into
      push(
        next.item.children.flatMap((child) => (child.type === "list" ? child.children : [])),
        childEntries
      )
    }
  }

  #item(item: ListItem): SummaryEntry | undefined {
    const [first, ...others] = item.children
    for (const other of others) {
      if (other.type !== "list") this.#report(other, "Not where an entry can be: look at how far it is indented")
    }
    if (first?.type === "code" && /^ya?ml$/i.test(first.lang ?? "")) return this.#computedEntry(item, first)
    if (first?.type !== "paragraph") {
      if (first?.type !== "list") this.#report(item, "The entry has no title")
      return undefined
    }
    const [link, ...more] = linksIn(first)
    const fields = this.#fieldsOf(first)
    for (const other of more) {
      this.#report(other, `"${excerpt(textOf(other))}" is no entry of its own: look at how far it is indented`)
    }
    if (link !== undefined && (link.url !== "" || fields?.link !== undefined)) return this.#entry(item, link, fields)
    const title = textOf(link ?? first).trim()
    if (title === "") {
      this.#report(item, "The entry has no title")
      return undefined
    }
    const slug = anchorOf(first)
    return {
      type: "group",
      title,
      ...(slug !== undefined && { slug }),
      isListed: true,
      ...this.#sourceOf(item, link, link ?? first),
      children: [],
      ...(fields !== undefined && { fields })
    }
  }

  #entry(item: ListItem | Link, link: Link, fields: PageFields.PageFields | undefined): SummaryEntry | undefined {
    const { url } = link
    const title = textOf(link).trim() || FolderPath.baseName(url) || url
    const source = this.#sourceOf(item, link, link)
    const refuse = (message: string) =>
      void this.problems.push({ line: source.line, message: `The entry "${excerpt(title)}" ${message}` })
    if (fields?.link !== undefined) return { type: "link", title, url: fields.url ?? url, ...source, fields }
    if (RefUrl.isAbsolute(url)) {
      if (/^(?:https?:|mailto:|\/\/)/i.test(url)) return { type: "link", title, url, ...source }
      return refuse("leads to no page and no web address")
    }
    if (url.includes("#")) {
      return { type: "link", title, url, isPageAnchor: true, ...source, fields: { ...fields, link: "reference" } }
    }
    const label = link.title?.trim()
    return {
      type: "page",
      title,
      ...(label && { label }),
      path: decodePercent(url),
      ...source,
      children: []
    }
  }

  /** Parses a block of YAML with the source of computed pages. */
  #computedEntry(item: ListItem, { value }: Code): SummaryLink | undefined {
    const computed = Option.filter(
      Option.flatMap(Result.getSuccess(YamlText.parseYaml(value)), decodeSource),
      providesPages
    )
    if (Option.isNone(computed)) {
      this.#report(item, "It says nothing that pages can be computed from")
      return undefined
    }
    const source = computed.value
    const name = isIntegration(source) ? source.type.split(":")[1]! : specOf(source)
    return {
      type: "link",
      title: name,
      url: isIntegration(source) ? "" : `/openapi/${name}`,
      fields: { computed: source },
      ...this.#sourceOf(item, undefined, undefined)
    }
  }

  #sourceOf(
    node: Heading | ListItem | Link,
    link: Link | undefined,
    titled: Link | Heading | Paragraph | undefined
  ): EntrySource {
    const lineIndex = this.#lineIn(node)
    const start = lineIndex === 0 ? 0 : this.#starts[lineIndex - 1]!
    const isItem = node.type === "listItem"
    const last = isItem ? takeUntil(node.children, isList).at(-1) : node
    const end = this.#lineAt(Math.max(node.from, (last?.to ?? node.to) - 1))
    const line = this.#piece.numbers[lineIndex] ?? 0
    const columns = (from: number, to: number) =>
      this.#lineAt(from) === lineIndex && this.#lineAt(to - 1) === lineIndex
        ? { from: from - start, to: to - start }
        : undefined
    const inlines = takeUntil<Inline>(titled?.children ?? [], isHtml)
    const [first] = inlines
    const title = first && columns(first.from, inlines.at(-1)!.to)
    const all = link && columns(link.from, link.to)
    return {
      line,
      range: {
        from: line - 1,
        to: line + end - lineIndex,
        indent: node.type === "heading" ? undefined : node.from - start,
        ...(node.type === "link" && { isBare: true as const }),
        ...(title && { title }),
        ...(all && { link: all })
      }
    }
  }

  /** Returns the line of the piece on which a node starts, counted from 0. */
  #lineIn({ from }: Node): number {
    return this.#lineAt(from)
  }

  #lineAt(from: number): number {
    let low = 0
    for (let high = this.#starts.length; low < high;) {
      const middle = (low + high) >> 1
      if (this.#starts[middle]! <= from) low = middle + 1
      else high = middle
    }
    return low
  }

  #lineOf(node: Node): number {
    return this.#piece.numbers[this.#lineIn(node)] ?? 0
  }

  #report(node: Node, message: string): void {
    this.problems.push({ line: this.#lineOf(node), message })
  }
}

const decodeSource = Schema.decodeUnknownOption(ComputedSource)

const isList = ({ type }: Block): boolean => type === "list"
const isHtml = ({ type }: Inline): boolean => type === "html"

const takeUntil = <A>(all: ReadonlyArray<A>, test: (one: A) => boolean): ReadonlyArray<A> => {
  const at = all.findIndex(test)
  return at === -1 ? all : all.slice(0, at)
}

const excerpt = (text: string): string => (text.length <= 80 ? text : `${Array.from(text).slice(0, 80).join("")}…`)

/** Returns the text of a node and its descendants, in order. HTML does not count as text. */
const textOf = (node: Node): string => {
  let text = ""
  const pendingNodes: Array<Node> = [node]
  for (let next = pendingNodes.pop(); next !== undefined; next = pendingNodes.pop()) {
    if (next.type === "text" || next.type === "inlineCode") text += next.value
    else if (next.type === "image") text += next.alt
    else if (next.type === "break") text += " "
    else if ("children" in next)
      for (let i = next.children.length - 1; i >= 0; i--) pendingNodes.push(next.children[i]!)
  }
  return text.replace(/\s+/g, " ")
}

const linksIn = (node: Node): Array<Link> => {
  const links: Array<Link> = []
  const pendingNodes: Array<Node> = [node]
  for (let next = pendingNodes.pop(); next !== undefined; next = pendingNodes.pop()) {
    if (next.type === "link") links.push(next)
    else if ("children" in next)
      for (let i = next.children.length - 1; i >= 0; i--) pendingNodes.push(next.children[i]!)
  }
  return links
}

/** Returns the slug in a heading's anchor, `<a id="slug">` or `<a href="#slug" id="slug">`. */
const anchorOf = (entry: Heading | Paragraph): string | undefined => {
  for (const node of entry.children) {
    const match = node.type === "html" ? /^<a\s(?:[^>]*\s)?(?:id|name)="([^"\s/?#\\%]{1,100})"/i.exec(node.value) : null
    if (match !== null) return match[1]
  }
  return undefined
}
