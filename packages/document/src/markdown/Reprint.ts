/**
 * Prints edited blocks with as much of their source as possible. An unchanged block keeps its source, with the space
 * before it. In a changed list, blockquote or tag the unchanged parts keep their source. In a changed table or code
 * block the unchanged lines do.
 *
 * Two lists that become adjacent get different markers if they would be parsed as one list. This also applies to
 * indented code. The printed text may parse differently from the edited blocks, for example after removal of a link
 * definition. So the caller parses the text again and compares the blocks.
 */
import type { Block, Document } from "../Document.ts"
import { align } from "../alignment/DocumentAlignment.ts"
import { serializeContent } from "./AnnotationFootnotes.ts"
import * as Markers from "./BlockMarkers.ts"
import { WorkBudget } from "../alignment/WorkBudget.ts"
import { serializeOtherFragments, childBlocks } from "./ChildBlocks.ts"
import type { ContainerSyntax } from "./dialect/Dialect.ts"
import {
  blanksAfter,
  indentLines,
  hasBlankLine,
  lineMargin,
  defaultGap,
  withMarginOf,
  withoutBlanks,
  withoutPrefix
} from "./Margins.ts"
import * as MergedText from "./MergedText.ts"
import * as ReprintHeading from "./ReprintHeading.ts"
import * as ReprintHint from "./ReprintHint.ts"
import * as ReprintTab from "./ReprintTab.ts"
import * as ReprintTable from "./ReprintTable.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface ParsedSource {
  /** Text, as `Syntax.normalizeText` returns it. */
  readonly text: string
  /** Offset of the body, after the front matter. */
  readonly from: number
  /** Blocks that were parsed from the text. */
  readonly nodes: ReadonlyArray<Block>
  /** Ranges of the blocks in the text (see `Markdown.ParseOptions`). */
  readonly ranges: ReadonlyMap<Block, TextRange>
}

/** Prints blocks without regard to their source. `asHtml`: true to write tables as HTML if HTML can express them. */
export type PrintBlocks = (blocks: ReadonlyArray<Block>, asHtml?: boolean) => string

/** Layout of adjacent blocks. */
interface BlockLayout {
  /** True if no blank lines separate the blocks. */
  readonly isTight: boolean
  /** Number of the first list item, which determines the numbers of the others. */
  readonly start?: unknown
  readonly print: (block: Block, index: number) => string
}

export interface ReprintOptions {
  /**
   * Returns the text that an author wrote for a block, if the block still has the same content. This text takes
   * precedence over the source in the page. Default: no authored texts.
   */
  readonly authoredText?: ((block: Block) => string | undefined) | undefined
  /** Keys of blocks that are printed without regard to their source. Default: none. */
  readonly reprinted?: ReadonlySet<string>
  /** Keys of blocks that are reprinted by whole lines instead of words. Default: none. */
  readonly byLine?: ReadonlySet<string>
  /** Called for each block that is printed as its source with an edit applied. */
  readonly onMerge?: (block: Block) => void
  /**
   * True to print each changed block of the page as a whole, since its form in the source cannot express the new
   * content. Default: false.
   */
  readonly hasWholeBlocks?: boolean
}

/** Returns the text of the blocks; undefined if there are no blocks before or after the edit. */
export const reprintBlocks = (
  source: ParsedSource,
  edited: ReadonlyArray<Block>,
  print: PrintBlocks,
  options: ReprintOptions = {}
): string | undefined => {
  if (edited.length === 0) return undefined
  const document = (nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })
  const before = align(document(edited), document(source.nodes)).nodes
  const reprinter = new Reprinter(source, print, options)
  reprinter.recordRanges(source.nodes, before)
  if (options.reprinted !== undefined) reprinter.recordReprinted(edited)
  const range = { from: source.from, to: source.text.length }
  return reprinter.reprintRange(range, before, edited, { isTight: false, print: (block) => print([block]) })
}

class Reprinter {
  readonly #text: string
  readonly #parsedRanges: ReadonlyMap<Block, TextRange>
  readonly #print: PrintBlocks
  readonly #options: ReprintOptions
  readonly #budget = new WorkBudget()
  /**
   * Source ranges by aligned block. Aligned blocks are the parsed blocks, with the keys of the edited blocks that they
   * became.
   */
  readonly #ranges = new Map<Block, TextRange>()

  /** Ancestors of the blocks in the option `reprinted`. The source of an ancestor cannot be reused as a whole. */
  readonly #ancestorsOfReprinted = new Set<Block>()

  constructor({ text, ranges }: ParsedSource, print: PrintBlocks, options: ReprintOptions) {
    this.#options = options
    this.#text = text
    this.#parsedRanges = ranges
    this.#print = print
  }

  /**
   * Returns true if one of the blocks, or a descendant, is listed in the option `reprinted`. Records the ancestors of
   * these blocks.
   */
  recordReprinted(blocks: ReadonlyArray<Block>): boolean {
    const ancestors = blocks.filter((block) => this.recordReprinted(childBlocks(block) ?? []))
    for (const block of ancestors) this.#ancestorsOfReprinted.add(block)
    return ancestors.length > 0 || blocks.some((block) => this.#isReprinted(block))
  }

  recordRanges(read: ReadonlyArray<Block>, aligned: ReadonlyArray<Block>): void {
    for (const [i, block] of read.entries()) {
      const alignedBlock = aligned[i]
      const range = this.#parsedRanges.get(block)
      if (alignedBlock === undefined || range === undefined) continue
      this.#ranges.set(alignedBlock, range)
      const children = childBlocks(block)
      const others = childBlocks(alignedBlock)
      if (children !== undefined && others !== undefined) this.recordRanges(children, others)
    }
  }

  /**
   * Returns the text of a range with other children. The text before, between and after the children is preserved.
   * Returns undefined if a child has no valid range.
   */
  reprintRange(
    { from, to }: TextRange,
    before: ReadonlyArray<Block>,
    after: ReadonlyArray<Block>,
    { isTight, print, start }: BlockLayout
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
    const gapAt = (i: number) => this.#text.slice(ranges[i - 1]!.to, ranges[i]!.from)
    const gaps = ranges.slice(1).map((_, i) => gapAt(i + 1))
    const standardGap = defaultGap(gaps, prefix, isTight)
    // A block keeps the white space at the end of its last line.
    const trailingBlanks = (i: number | undefined) => (i === undefined ? "" : blanksAfter(this.#text, ranges[i]!.to))
    const gapBefore = (block: Block, i: number, at: number | undefined): string => {
      if (i === 0) return ""
      if (at !== undefined && previous === at - 1) {
        const ownGap = gapAt(at)
        return isTight || hasBlankLine(ownGap) || !this.#isReprinted(block) ? ownGap : withMarginOf(standardGap, ownGap)
      }
      if (at === undefined) return trailingBlanks(previous) + standardGap
      // After a definition, a paragraph may be indented like code.
      const isIndented = at > 0 && /^ {4}/.test(gapAt(at).slice(gapAt(at).lastIndexOf("\n") + 1 + prefix.length))
      const margin = at === 0 || isIndented ? `\n${prefix}` : gapAt(at)
      if (lastIndex === undefined || lastIndex >= at)
        return trailingBlanks(previous) + withMarginOf(standardGap, margin)
      // Blocks in between were removed, or others were inserted.
      const [gapAfterPrevious, gapBeforeBlock] = [gapAt(lastIndex + 1), gapAt(at)]
      const longerGap = gapAfterPrevious.length > gapBeforeBlock.length ? gapAfterPrevious : gapBeforeBlock
      const keepsGap = isTight || hasBlankLine(longerGap) || (previous === lastIndex && isHeading(after[i - 1]!))
      return trailingBlanks(previous) + withMarginOf(keepsGap ? withoutBlanks(longerGap) : standardGap, margin)
    }
    /** Returns the source of the block after index `i`; empty if that block is new. */
    const sourceBelow = (i: number): string => {
      const next = after[i + 1]
      const at = next && (indexOf.get(next) ?? indexOf.get(next.key))
      return at === undefined ? "" : this.#text.slice(ranges[at]!.from, ranges[at]!.to)
    }
    const equalIndexes = indexMovedBlocks(before, after)
    let text = this.#text.slice(from, first.from)
    const startsLine = /(?:^|\n)[>\s]*$/.test(text)
    /** Text of the previous block. */
    let previousText = ""
    let previous: number | undefined
    let lastIndex: number | undefined
    for (const [i, block] of after.entries()) {
      const at = indexOf.get(block) ?? indexOf.get(block.key)
      const gap = gapBefore(block, i, at)
      text += gap
      const unchangedIndex = indexOf.get(block) ?? equalIndexes.get(serializeContent([block]))?.shift()
      const authoredText = this.#options.authoredText?.(block)
      const margin = gap.includes("\n") ? lineMargin(gap.slice(gap.lastIndexOf("\n") + 1)) : prefix
      const existingText = () => {
        if (authoredText !== undefined) return indentLines(authoredText, margin)
        if (this.#isReprinted(block)) return undefined
        if (unchangedIndex !== undefined && !this.#ancestorsOfReprinted.has(block)) {
          const sourceText = this.#text.slice(ranges[unchangedIndex]!.from, ranges[unchangedIndex]!.to)
          // In another position, a paragraph or marker above would absorb indented code.
          if (!Markers.isIndentedCode(sourceText) || previous === unchangedIndex - 1 || hasBlankLine(gap))
            return sourceText
          return i === 0 && (unchangedIndex === 0 || startsLine) ? sourceText : undefined
        }
        return at === undefined
          ? undefined
          : this.#reprintEdited(before[at]!, block, ranges[at]!, (one) => print(one, i))
      }
      const printBlock = () => indentLines(print(block, i), margin)
      const blockText = existingText() ?? printBlock()
      const isFirst = i === 0 && at !== 0 && typeof start === "number"
      const keepsPosition = i === 0 ? at === 0 : at !== undefined && previous === at - 1
      const isNew = block.type !== "list-item" && !keepsPosition
      const textBelow = isNew ? sourceBelow(i) : ""
      const withOtherMarkers = () => Markers.withOtherMarkers(blockText, margin, previousText, textBelow)
      if (isNew && i > 0 && Markers.wouldMerge(previousText, blockText))
        previousText = withOtherMarkers() ?? printBlock()
      else
        previousText = (isNew && Markers.wouldMerge(blockText, textBelow) ? withOtherMarkers() : undefined) ?? blockText
      if (isFirst) previousText = previousText.replace(/^\d+/, String(start))
      if (i === 0 && at !== 0 && text.includes("\n")) {
        const lineStart = `\n${at === undefined ? prefix : this.#prefixAt(ranges[at]!.from)}`
        const needsBlankLine = ReprintHint.needsBlankLine(text, block, previousText)
        text =
          text.slice(0, text.lastIndexOf("\n")) + (needsBlankLine ? withMarginOf(standardGap, lineStart) : lineStart)
      }
      text += previousText
      previous = at
      lastIndex = at ?? lastIndex
    }
    const textAfter = this.#text.slice(end, to)
    return text + (previous === before.length - 1 ? textAfter : withoutBlanks(textAfter))
  }

  /** Returns an edited block with the source of its unchanged parts; undefined if no source can be kept. */
  #reprintEdited(before: Block, after: Block, range: TextRange, print: (block: Block) => string): string | undefined {
    if (before.type !== after.type || this.#options.hasWholeBlocks === true) return undefined
    const tab = before.type === "tabs-item" ? ReprintTab.tabAt(this.#text, range) : undefined
    if (tab !== undefined) return this.#reprintTab(tab, before, after)
    const [children, childrenAfter] = [childBlocks(before), childBlocks(after)]
    if (
      children === undefined ||
      childrenAfter === undefined ||
      !isEqual(serializeOtherFragments(before), serializeOtherFragments(after))
    ) {
      return this.#mergeEdit(before, after, range, print)
    }
    if (!isEqual(dataWithoutLoose(before), dataWithoutLoose(after))) return undefined
    const firstTab = before.type === "tabs" ? ReprintTab.tabAt(this.#text, range) : undefined
    const printChild = (block: Block, i: number) => {
      if (block.type === "list-item") return this.#printItem(block, i, after, range)
      return (firstTab && this.#printNewTab(block, firstTab.syntax)) ?? this.#print([block])
    }
    const flow = { isTight: isTightList(after), start: after.data?.start, print: printChild }
    const hint = ReprintHint.parseTitledHint(this.#text, range, children[0] && this.#ranges.get(children[0]))
    if (hint === undefined)
      return this.reprintRange(range, children, childrenAfter, flow) ?? this.#mergeEdit(before, after, range, print)
    const title = this.#reprintTitle(children[0]!, childrenAfter[0])
    const first = title === undefined ? hint.head : hint.withTitle(title)
    const below = title === undefined ? childrenAfter : childrenAfter.slice(1)
    return (
      first +
      (this.reprintRange(hint.contentRange, children.slice(1), below, flow) ??
        hint.printContent(below.map((block) => this.#print([block]))))
    )
  }

  #reprintTab(tab: ReprintTab.Tab, before: Block, after: Block): string | undefined {
    const { line, marker, contentRange, margin, syntax } = tab
    const first = isEqual(before.data, after.data) ? line : ReprintTab.titleLine(after, syntax, this.#print, marker)
    const [children = [], others = []] = [childBlocks(before), childBlocks(after)]
    if (first === undefined) return undefined
    const flow = { isTight: false, print: (block: Block) => this.#print([block]) }
    return (
      first +
      (this.reprintRange(contentRange, children, others, flow) ?? ReprintTab.printContent(others, margin, this.#print))
    )
  }

  /** Returns a new tab in the form of its siblings; undefined if this form cannot express it. */
  #printNewTab(tab: Block, syntax: ContainerSyntax): string | undefined {
    const line = ReprintTab.titleLine(tab, syntax, this.#print)
    return line && line + ReprintTab.printContent(childBlocks(tab) ?? [], " ".repeat(syntax.indent), this.#print)
  }

  /** Returns the new title of a hint; undefined if another block is now first. */
  #reprintTitle(before: Block, after: Block | undefined): string | undefined {
    if (before.key !== after?.key || !ReprintHint.isTitle(after) || this.#isReprinted(after)) return undefined
    const { from, to } = this.#ranges.get(before)!
    if (serializeContent([before]) === serializeContent([after])) return this.#text.slice(from, to)
    const print = (block: Block) => this.#print([ReprintHint.withoutBold(block)]).trimEnd()
    const mergedText = this.#mergeEdit(before, after, { from, to }, print)
    return mergedText === undefined || mergedText.includes("\n") ? undefined : mergedText
  }

  #isReprinted({ key }: Block): boolean {
    return this.#options.reprinted?.has(key) === true
  }

  /** Prints a list item as a list with one item, with the marker of the list that contains the item. */
  #printItem(item: Block, index: number, list: Block, { from }: TextRange): string {
    const start = typeof list.data?.start === "number" ? list.data.start : 1
    const printed = this.#print([{ ...list, data: { ...list.data, start: start + index }, nodes: [item] }])
    const [, own = ""] = /^(?:[*+-]|\d+([.)]))/.exec(this.#text.slice(from, from + 12)) ?? []
    return printed.replace(/^(?:[*+-]|(\d+)[.)])/, (_, number: string | undefined) =>
      number === undefined ? this.#text.charAt(from) : number + own
    )
  }

  /** Returns the source of an edited block with the edit merged into it (see `MergedText`). */
  #mergeEdit(
    before: Block,
    after: Block,
    { from, to }: TextRange,
    print: (block: Block) => string
  ): string | undefined {
    const source = this.#text.slice(from, to)
    const prefix = this.#prefixAt(from)
    const unit = this.#options.byLine?.has(after.key) === true ? "line" : "word"
    this.#options.onMerge?.(after)
    const merge: ReprintTable.MergeEdit = (own, before, after) =>
      MergedText.mergeText(own, { before, after }, unit, this.#budget)
    if (before.type === "table" && source.startsWith("<table")) {
      const withoutMargin = withoutPrefix(source, prefix)
      const printHtml = (block: Block) => this.#print([block], true).trimEnd()
      const reprinted =
        withoutMargin && ReprintTable.reprintTable(withoutMargin, printHtml(before), printHtml(after), merge)
      return reprinted && indentLines(reprinted, prefix)
    }
    if (isHeading(before)) return ReprintHeading.reprintHeading(source, print(before), print(after), prefix, merge)
    const isIndented = before.type === "code" && /^(?: {4}| {0,3}\t)/.test(source)
    const printed = (block: Block) => indentLines(isIndented ? indentedCode(print(block)) : print(block), prefix)
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
    return lineMargin(this.#text.slice(this.#text.lastIndexOf("\n", at - 1) + 1, at))
  }
}

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? {}) === JSON.stringify(other ?? {})

/** Returns the indexes of blocks that are not in `after`, by content. Each of several equal blocks may have moved. */
const indexMovedBlocks = (before: ReadonlyArray<Block>, after: ReadonlyArray<Block>): Map<string, Array<number>> => {
  const remainingBlocks = new Set(after)
  const indexesByContent = new Map<string, Array<number>>()
  for (const [i, block] of before.entries()) {
    if (remainingBlocks.has(block)) continue
    const content = serializeContent([block])
    const existing = indexesByContent.get(content)
    if (existing === undefined) indexesByContent.set(content, [i])
    else existing.push(i)
  }
  return indexesByContent
}

const isHeading = ({ type }: Block): boolean => type.startsWith("heading-")

/** Returns the data of a block without `loose`, which the blank lines in its text express. */
const dataWithoutLoose = ({ data, type }: Block): unknown =>
  type.startsWith("list-") && data !== undefined ? { ...data, loose: undefined } : data

/** True if the children are written without blank lines: in tight lists, which a blank line would make loose. */
const isTightList = ({ data, type }: Block): boolean => type.startsWith("list-") && data?.loose !== true

/** Converts fenced code to indented code. */
const indentedCode = (printed: string): string =>
  printed
    .trimEnd()
    .split("\n")
    .slice(1, -1)
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n")
