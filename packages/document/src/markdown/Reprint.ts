/**
 * Prints edited blocks with as much of their source as possible. An unchanged block keeps its source, with the space
 * before it. In a changed list, blockquote or tag the unchanged parts keep theirs, and in a table or code the unchanged
 * lines.
 *
 * Lists and indented code that become adjacent get other markers, if they would be parsed as one. In another context
 * the result may parse differently, such as after removal of a definition. So the caller parses it again and compares.
 */
import type { Block, Document } from "../Document.ts"
import { align } from "../alignment/DocumentAlignment.ts"
import { contentOf } from "./AnnotationFootnotes.ts"
import * as Markers from "./BlockMarkers.ts"
import { WorkBudget } from "../alignment/WorkBudget.ts"
import { besides, blocksIn } from "./InnerBlocks.ts"
import { blanksAt, indented, isBlank, marginOf, usualGap, withMargin, withoutBlanks, withoutPrefix } from "./Margins.ts"
import * as MergedText from "./MergedText.ts"
import * as ReprintHeading from "./ReprintHeading.ts"
import * as ReprintHint from "./ReprintHint.ts"
import * as ReprintTab from "./ReprintTab.ts"
import * as ReprintTable from "./ReprintTable.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface Written {
  /** Text, as `Syntax.normalise` returns it. */
  readonly text: string
  /** Offset of the body, after the front matter. */
  readonly from: number
  /** Blocks that were parsed from the text. */
  readonly nodes: ReadonlyArray<Block>
  /** Ranges of the blocks in the text (see `Markdown.ParseOptions`). */
  readonly ranges: ReadonlyMap<Block, TextRange>
}

/** Prints blocks without regard to their source. `inHtml`: true to write tables as HTML if HTML can express them. */
export type Print = (blocks: ReadonlyArray<Block>, inHtml?: boolean) => string

/** Layout of adjacent blocks. */
interface Flow {
  /** True if no blank lines separate the blocks. */
  readonly isTight: boolean
  /** Number of the first list item, which determines the numbers of the others. */
  readonly start?: unknown
  readonly print: (block: Block, index: number) => string
}

export interface ReprintOptions {
  /**
   * Returns the text that an author wrote for a block, if the block still has the same content. Takes precedence over
   * the source in the page. Default: none.
   */
  readonly styled?: ((block: Block) => string | undefined) | undefined
  /** Keys of blocks that are printed without regard to their source. Default: none. */
  readonly anew?: ReadonlySet<string>
  /** Keys of blocks that are reprinted by whole lines instead of words. Default: none. */
  readonly byLine?: ReadonlySet<string>
  /** Called for each block that is printed as its source with an edit applied. */
  readonly merged?: (block: Block) => void
  /**
   * True to print each changed block of the page as a whole, since its form in the source cannot express the new
   * content. Default: false.
   */
  readonly hasWholeBlocks?: boolean
}

/** Returns the text of the blocks; undefined if there are no blocks before or after the edit. */
export const reprint = (
  written: Written,
  after: ReadonlyArray<Block>,
  print: Print,
  options: ReprintOptions = {}
): string | undefined => {
  if (after.length === 0) return undefined
  const document = (nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })
  const before = align(document(after), document(written.nodes)).nodes
  const reprinter = new Reprinter(written, print, options)
  reprinter.pair(written.nodes, before)
  if (options.anew !== undefined) reprinter.find(after)
  const range = { from: written.from, to: written.text.length }
  return reprinter.inRange(range, before, after, { isTight: false, print: (block) => print([block]) })
}

class Reprinter {
  readonly #text: string
  readonly #given: ReadonlyMap<Block, TextRange>
  readonly #print: Print
  readonly #options: ReprintOptions
  readonly #effort = new WorkBudget()
  /**
   * Source ranges by aligned block. Aligned blocks are the parsed blocks, with the keys of the edited blocks that they
   * became.
   */
  readonly #ranges = new Map<Block, TextRange>()

  /** Ancestors of the blocks in `anew` of the options, whose source cannot be reused as a whole. */
  readonly #around = new Set<Block>()

  constructor({ text, ranges }: Written, print: Print, options: ReprintOptions) {
    this.#options = options
    this.#text = text
    this.#given = ranges
    this.#print = print
  }

  /** Returns true if one of the blocks, or a descendant, is listed in `anew` of the options. Records the ancestors. */
  find(blocks: ReadonlyArray<Block>): boolean {
    const around = blocks.filter((block) => this.find(blocksIn(block) ?? []))
    for (const block of around) this.#around.add(block)
    return around.length > 0 || blocks.some((block) => this.#isAnew(block))
  }

  pair(read: ReadonlyArray<Block>, aligned: ReadonlyArray<Block>): void {
    for (const [i, block] of read.entries()) {
      const twin = aligned[i]
      const range = this.#given.get(block)
      if (twin === undefined || range === undefined) continue
      this.#ranges.set(twin, range)
      const children = blocksIn(block)
      const others = blocksIn(twin)
      if (children !== undefined && others !== undefined) this.pair(children, others)
    }
  }

  /**
   * Returns the text of a range with other children. The text before, between and after the children is preserved.
   * Returns undefined if a child has no valid range.
   */
  inRange(
    { from, to }: TextRange,
    before: ReadonlyArray<Block>,
    after: ReadonlyArray<Block>,
    { isTight, print, start }: Flow
  ): string | undefined {
    const ranges = before.map((block) => this.#ranges.get(block))
    const [first] = ranges
    const end = ranges.at(-1)?.to
    if (first === undefined || end === undefined) return undefined
    if (!ranges.every((range, i) => range !== undefined && range.from >= (ranges[i - 1]?.to ?? from))) return undefined
    const indexOf = new Map(
      before.flatMap((block, i) => [[block as Block | string, i] as const, [block.key, i] as const])
    )
    if (after.length === 0) return this.#text.slice(from, first.from).trimEnd() + this.#text.slice(end, to)
    const prefix = this.#prefixIn(from, first.from)
    const between = (i: number) => this.#text.slice(ranges[i - 1]!.to, ranges[i]!.from)
    const gaps = ranges.slice(1).map((_, i) => between(i + 1))
    const usual = usualGap(gaps, prefix, isTight)
    // A block keeps the white space at the end of its last line.
    const restOf = (i: number | undefined) => (i === undefined ? "" : blanksAt(this.#text, ranges[i]!.to))
    const gapBefore = (block: Block, i: number, at: number | undefined): string => {
      if (i === 0) return ""
      if (at !== undefined && previous === at - 1) {
        const own = between(at)
        return isTight || isBlank(own) || !this.#isAnew(block) ? own : withMargin(usual, own)
      }
      if (at === undefined) return restOf(previous) + usual
      // After a definition, a paragraph may be indented like code.
      const isSetIn = at > 0 && /^ {4}/.test(between(at).slice(between(at).lastIndexOf("\n") + 1 + prefix.length))
      const margin = at === 0 || isSetIn ? `\n${prefix}` : between(at)
      if (last === undefined || last >= at) return restOf(previous) + withMargin(usual, margin)
      // Blocks in between were removed, or others were inserted.
      const [one, other] = [between(last + 1), between(at)]
      const longer = one.length > other.length ? one : other
      const isEnough = isTight || isBlank(longer) || (previous === last && isHeading(after[i - 1]!))
      return restOf(previous) + withMargin(isEnough ? withoutBlanks(longer) : usual, margin)
    }
    /** Returns the source of the block after index `i`; empty if that block is new. */
    const writtenBelow = (i: number): string => {
      const next = after[i + 1]
      const at = next && (indexOf.get(next) ?? indexOf.get(next.key))
      return at === undefined ? "" : this.#text.slice(ranges[at]!.from, ranges[at]!.to)
    }
    const equals = equalsOf(before, after)
    let text = this.#text.slice(from, first.from)
    const beginsLine = /(?:^|\n)[>\s]*$/.test(text)
    /** Text of the previous block. */
    let above = ""
    let previous: number | undefined
    let last: number | undefined
    for (const [i, block] of after.entries()) {
      const at = indexOf.get(block) ?? indexOf.get(block.key)
      const gap = gapBefore(block, i, at)
      text += gap
      const same = indexOf.get(block) ?? equals.get(contentOf([block]))?.shift()
      const styled = this.#options.styled?.(block)
      const margin = gap.includes("\n") ? marginOf(gap.slice(gap.lastIndexOf("\n") + 1)) : prefix
      const ownText = () => {
        if (styled !== undefined) return indented(styled, margin)
        if (this.#isAnew(block)) return undefined
        if (same !== undefined && !this.#around.has(block)) {
          const written = this.#text.slice(ranges[same]!.from, ranges[same]!.to)
          // In another position, a paragraph or marker above would absorb indented code.
          if (!Markers.isSetIn(written) || previous === same - 1 || isBlank(gap)) return written
          return i === 0 && (same === 0 || beginsLine) ? written : undefined
        }
        return at === undefined ? undefined : this.#edited(before[at]!, block, ranges[at]!, (one) => print(one, i))
      }
      const printed = () => indented(print(block, i), margin)
      const own = ownText() ?? printed()
      const isFirst = i === 0 && at !== 0 && typeof start === "number"
      const stays = i === 0 ? at === 0 : at !== undefined && previous === at - 1
      const isNew = block.type !== "list-item" && !stays
      const below = isNew ? writtenBelow(i) : ""
      const exchanged = () => Markers.exchanged(own, margin, above, below)
      if (isNew && i > 0 && Markers.flows(above, own)) above = exchanged() ?? printed()
      else above = (isNew && Markers.flows(own, below) ? exchanged() : undefined) ?? own
      if (isFirst) above = above.replace(/^\d+/, String(start))
      if (i === 0 && at !== 0 && text.includes("\n")) {
        const own = `\n${at === undefined ? prefix : this.#prefixAt(ranges[at]!.from)}`
        const isApart = ReprintHint.isApart(text, block, above)
        text = text.slice(0, text.lastIndexOf("\n")) + (isApart ? withMargin(usual, own) : own)
      }
      text += above
      previous = at
      last = at ?? last
    }
    const tail = this.#text.slice(end, to)
    return text + (previous === before.length - 1 ? tail : withoutBlanks(tail))
  }

  /** Returns an edited block with the source of its unchanged parts; undefined if no source can be kept. */
  #edited(before: Block, after: Block, range: TextRange, print: (block: Block) => string): string | undefined {
    if (before.type !== after.type || this.#options.hasWholeBlocks === true) return undefined
    const tab = before.type === "tabs-item" ? ReprintTab.at(this.#text, range) : undefined
    if (tab !== undefined) return this.#tab(tab, before, after)
    const [children, others] = [blocksIn(before), blocksIn(after)]
    if (children === undefined || others === undefined || !isEqual(besides(before), besides(after))) {
      return this.#merged(before, after, range, print)
    }
    if (!isEqual(spaced(before), spaced(after))) return undefined
    const isTab = before.type === "tabs" && ReprintTab.at(this.#text, range) !== undefined
    const printChild = (block: Block, i: number) => {
      if (block.type === "list-item") return this.#item(block, i, after, range)
      return (isTab ? this.#newTab(block) : undefined) ?? this.#print([block])
    }
    const flow = { isTight: isTight(after), start: after.data?.start, print: printChild }
    const hint = ReprintHint.titled(this.#text, range, children[0] && this.#ranges.get(children[0]))
    if (hint === undefined)
      return this.inRange(range, children, others, flow) ?? this.#merged(before, after, range, print)
    const title = this.#title(children[0]!, others[0])
    const first = title === undefined ? hint.head : hint.titled(title)
    const below = title === undefined ? others : others.slice(1)
    return (
      first +
      (this.inRange(hint.below, children.slice(1), below, flow) ??
        hint.holding(below.map((block) => this.#print([block]))))
    )
  }

  #tab({ line, signs, below, margin }: ReprintTab.Tab, before: Block, after: Block): string | undefined {
    const first = isEqual(before.data, after.data) ? line : ReprintTab.lineOf(after, signs, this.#print)
    const [children = [], others = []] = [blocksIn(before), blocksIn(after)]
    if (first === undefined) return undefined
    const flow = { isTight: false, print: (block: Block) => this.#print([block]) }
    return first + (this.inRange(below, children, others, flow) ?? ReprintTab.holding(others, margin, this.#print))
  }

  /** Returns a new tab in the form of its siblings; undefined if this form cannot express it. */
  #newTab(tab: Block): string | undefined {
    const line = ReprintTab.lineOf(tab, "===", this.#print)
    return line && line + ReprintTab.holding(blocksIn(tab) ?? [], "    ", this.#print)
  }

  /** Returns the new title of a hint; undefined if another block is now first. */
  #title(before: Block, after: Block | undefined): string | undefined {
    if (before.key !== after?.key || !ReprintHint.isTitle(after) || this.#isAnew(after)) return undefined
    const { from, to } = this.#ranges.get(before)!
    if (contentOf([before]) === contentOf([after])) return this.#text.slice(from, to)
    const print = (block: Block) => this.#print([ReprintHint.unmarked(block)]).trimEnd()
    const merged = this.#merged(before, after, { from, to }, print)
    return merged === undefined || merged.includes("\n") ? undefined : merged
  }

  #isAnew({ key }: Block): boolean {
    return this.#options.anew?.has(key) === true
  }

  /** Prints a list item as a list with one item, with the marker of the list that contains the item. */
  #item(item: Block, index: number, list: Block, { from }: TextRange): string {
    const start = typeof list.data?.start === "number" ? list.data.start : 1
    const printed = this.#print([{ ...list, data: { ...list.data, start: start + index }, nodes: [item] }])
    const [, own = ""] = /^(?:[*+-]|\d+([.)]))/.exec(this.#text.slice(from, from + 12)) ?? []
    return printed.replace(/^(?:[*+-]|(\d+)[.)])/, (_, number: string | undefined) =>
      number === undefined ? this.#text.charAt(from) : number + own
    )
  }

  /** Returns the source of an edited block with the edit applied (see `MergedText`). */
  #merged(before: Block, after: Block, { from, to }: TextRange, print: (block: Block) => string): string | undefined {
    const source = this.#text.slice(from, to)
    const prefix = this.#prefixAt(from)
    const unit = this.#options.byLine?.has(after.key) === true ? "line" : "word"
    this.#options.merged?.(after)
    const merge: ReprintTable.Merge = (own, before, after) =>
      MergedText.merge(own, { before, after }, unit, this.#effort)
    if (before.type === "table" && source.startsWith("<table")) {
      const bare = withoutPrefix(source, prefix)
      const printHtml = (block: Block) => this.#print([block], true).trimEnd()
      const reprinted = bare && ReprintTable.reprint(bare, printHtml(before), printHtml(after), merge)
      return reprinted && indented(reprinted, prefix)
    }
    if (isHeading(before)) return ReprintHeading.reprint(source, print(before), print(after), prefix, merge)
    const isIndented = before.type === "code" && /^(?: {4}| {0,3}\t)/.test(source)
    const printed = (block: Block) => indented(isIndented ? indentedCode(print(block)) : print(block), prefix)
    return merge(source, printed(before), printed(after))
  }

  /**
   * Returns the line prefix of the first child of a block. White space after the `>` of a blockquote counts as one
   * space, since the child may be indented further.
   */
  #prefixIn(from: number, first: number): string {
    const prefix = this.#prefixAt(first)
    return this.#text.startsWith(">", from) ? prefix.replace(/(?<=>)[ \t]+$/, " ") : prefix
  }

  /** Returns the line prefix of a block at an offset. Markers of items count as indentation. */
  #prefixAt(at: number): string {
    return marginOf(this.#text.slice(this.#text.lastIndexOf("\n", at - 1) + 1, at))
  }
}

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? {}) === JSON.stringify(other ?? {})

/** Returns the indexes of blocks that are not in `after`, by content. Each of several equal blocks may have moved. */
const equalsOf = (before: ReadonlyArray<Block>, after: ReadonlyArray<Block>): Map<string, Array<number>> => {
  const stayed = new Set(after)
  const equals = new Map<string, Array<number>>()
  for (const [i, block] of before.entries()) {
    if (stayed.has(block)) continue
    const content = contentOf([block])
    const known = equals.get(content)
    if (known === undefined) equals.set(content, [i])
    else known.push(i)
  }
  return equals
}

const isHeading = ({ type }: Block): boolean => type.startsWith("heading-")

/** Returns the data of a block without `loose`, which the blank lines in its text express. */
const spaced = ({ data, type }: Block): unknown =>
  type.startsWith("list-") && data !== undefined ? { ...data, loose: undefined } : data

/** True if the children are written without blank lines: in tight lists, which a blank line would make loose. */
const isTight = ({ data, type }: Block): boolean => type.startsWith("list-") && data?.loose !== true

/** Converts fenced code to indented code. */
const indentedCode = (printed: string): string =>
  printed
    .trimEnd()
    .split("\n")
    .slice(1, -1)
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n")
