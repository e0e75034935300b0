/**
 * Prints blocks that were edited since they were read, with as much of the text that they were read from
 * as still holds: a block that is the same is given as it was written, with the space before it; in a
 * list, a quote or a tag of which a part changed, the other parts; of a table or code the other lines.
 *
 * Lists and code that come together get other markers, where they would flow into one another. It may be wrong
 * where Markdown is read in another context (a definition that is gone), so whoever takes the result reads it back and
 * compares.
 */
import type { Block, Document } from "../Document.ts"
import { align } from "../alignment/DocumentAlignment.ts"
import { contentOf } from "./AnnotationFootnotes.ts"
import * as Markers from "./BlockMarkers.ts"
import { paired } from "./EqualParts.ts"
import * as ReprintHeading from "./ReprintHeading.ts"
import * as ReprintTable from "./ReprintTable.ts"
import type { TextRange } from "./syntax/SyntaxTree.ts"

export interface Written {
  /** As `Syntax.normalise` gives it. */
  readonly text: string
  /** The beginning of their text, behind the front matter. */
  readonly from: number
  /** The blocks that it was read as. */
  readonly nodes: ReadonlyArray<Block>
  /** Their ranges in the text (see `Markdown.ParseOptions`). */
  readonly ranges: ReadonlyMap<Block, TextRange>
}

/** How blocks are printed that are not as they were; `inHtml`: tables that HTML can say are HTML. */
export type Print = (blocks: ReadonlyArray<Block>, inHtml?: boolean) => string

/** Blocks below each other. */
interface Flow {
  /** Without blank lines. */
  readonly isTight: boolean
  readonly print: (block: Block, index: number) => string
}

export interface ReprintOptions {
  /** The text of a block that somebody wrote since, which wins. */
  readonly styled?: ((block: Block) => string | undefined) | undefined
  /**
   * Leaves blocks of text whole: their lines hang together where a mark is printed around several that had one each.
   * Rows of tables and lines of code are kept all the same. Default: false.
   */
  readonly hasWholeText?: boolean
  /** Leaves each block of the page whole: its form can't hold what it says by now. Default: false. */
  readonly hasWholeBlocks?: boolean
}

/** The text of the blocks; undefined where there are none, or none was written. */
export const reprint = (
  written: Written,
  after: ReadonlyArray<Block>,
  print: Print,
  options: ReprintOptions = {}
): string | undefined => {
  const document = (nodes: ReadonlyArray<Block>): Document => ({ object: "document", data: {}, nodes })
  const before = align(document(after), document(written.nodes)).nodes
  const reprinter = new Reprinter(written, print, options)
  reprinter.pair(written.nodes, before)
  const range = { from: written.from, to: written.text.length }
  return reprinter.inRange(range, before, after, { isTight: false, print: (block) => print([block]) })
}

class Reprinter {
  readonly #text: string
  readonly #given: ReadonlyMap<Block, TextRange>
  readonly #print: Print
  readonly #options: ReprintOptions
  /** The same for the blocks with the keys of those that they became. */
  readonly #ranges = new Map<Block, TextRange>()

  constructor({ text, ranges }: Written, print: Print, options: ReprintOptions) {
    this.#options = options
    this.#text = text
    this.#given = ranges
    this.#print = print
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

  /** The text of a range, with these children in place of those: all that is before, between and behind them stays. */
  inRange(
    { from, to }: TextRange,
    before: ReadonlyArray<Block>,
    after: ReadonlyArray<Block>,
    { isTight, print }: Flow
  ): string | undefined {
    const ranges = before.map((block) => this.#ranges.get(block))
    const [first] = ranges
    const end = ranges.at(-1)?.to
    if (first === undefined || end === undefined || after.length === 0) return undefined
    if (!ranges.every((range, i) => range !== undefined && range.from >= (ranges[i - 1]?.to ?? from))) return undefined
    const indexOf = new Map(
      before.flatMap((block, i) => [[block as Block | string, i] as const, [block.key, i] as const])
    )
    const prefix = this.#prefixAt(first.from)
    const between = (i: number) => this.#text.slice(ranges[i - 1]!.to, ranges[i]!.from)
    const gaps = ranges.slice(1).map((_, i) => between(i + 1))
    const usual = usualGap(gaps, prefix, isTight)
    // White space on its last line stays with a block.
    const restOf = (i: number | undefined) => (i === undefined ? "" : blanksAt(this.#text, ranges[i]!.to))
    const gapBefore = (i: number, at: number | undefined): string => {
      if (i === 0) return ""
      if (at === undefined || last === undefined || last >= at) return restOf(previous) + usual
      if (previous === at - 1) return between(at)
      // Blocks in between are gone, or there are others.
      const [one, other] = [between(last + 1), between(at)]
      const longer = one.length > other.length ? one : other
      const isEnough = isTight || isBlank(longer) || (previous === last && isHeading(after[i - 1]!))
      return restOf(previous) + (isEnough ? withoutBlanks(longer) : withMargin(usual, between(at)))
    }
    const equals = equalsOf(before, after)
    let text = this.#text.slice(from, first.from)
    /** The text of the block above. */
    let above = ""
    let previous: number | undefined
    let last: number | undefined
    for (const [i, block] of after.entries()) {
      const at = indexOf.get(block) ?? indexOf.get(block.key)
      const gap = gapBefore(i, at)
      text += gap
      const same = indexOf.get(block) ?? equals.get(contentOf([block]))?.shift()
      const styled = this.#options.styled?.(block)
      const margin = gap.includes("\n") ? marginOf(gap.slice(gap.lastIndexOf("\n") + 1)) : prefix
      const ownText = () => {
        if (styled !== undefined) return indented(styled, margin)
        if (same !== undefined) return this.#text.slice(ranges[same]!.from, ranges[same]!.to)
        return at === undefined ? undefined : this.#edited(before[at]!, block, ranges[at]!, print(before[at]!, i))
      }
      const printed = () => indented(print(block, i), margin)
      const own = ownText() ?? printed()
      const isNew = i > 0 && block.type !== "list-item" && (at === undefined || previous !== at - 1)
      above = isNew && Markers.flows(above, own) ? (Markers.exchanged(own, margin) ?? printed()) : own
      text += above
      previous = at
      last = at ?? last
    }
    const tail = this.#text.slice(end, to)
    return text + (previous === before.length - 1 ? tail : withoutBlanks(tail))
  }

  /** An edited block with what of it is as it was; undefined where nothing is. */
  #edited(before: Block, after: Block, range: TextRange, printed: string): string | undefined {
    if (before.type !== after.type || this.#options.hasWholeBlocks === true) return undefined
    const [children, others] = [blocksIn(before), blocksIn(after)]
    if (children === undefined || others === undefined || !isEqual(besides(before), besides(after))) {
      return this.#lines(before, after, range, printed)
    }
    if (!isEqual(before.data, after.data) || this.#losesTitle(children[0]!, others[0]!, range)) return undefined
    const print = (block: Block, i: number) =>
      block.type === "list-item" ? this.#item(block, i, after, range) : this.#print([block])
    const flow = { isTight: isTight(after), print }
    return this.inRange(range, children, others, flow) ?? this.#lines(before, after, range, printed)
  }

  /** Text on the line that begins `:::note` is the title of the hint, and as such in bold. */
  #losesTitle(before: Block, after: Block, { from }: TextRange): boolean {
    const at = this.#ranges.get(before)?.from ?? from
    const isTitle = this.#text.startsWith(":::", from) && !this.#text.slice(from, at).includes("\n")
    return isTitle && !isBold(after)
  }

  /** An item printed as a list of its own, with the marker of the list that it stands in. */
  #item(item: Block, index: number, list: Block, { from }: TextRange): string {
    const start = typeof list.data?.start === "number" ? list.data.start : 1
    const printed = this.#print([{ ...list, data: { ...list.data, start: start + index }, nodes: [item] }])
    const [, own = ""] = /^(?:[*+-]|\d+([.)]))/.exec(this.#text.slice(from, from + 12)) ?? []
    return printed.replace(/^(?:[*+-]|(\d+)[.)])/, (_, number: string | undefined) =>
      number === undefined ? this.#text.charAt(from) : number + own
    )
  }

  /** The lines of a block, those that would be printed as before as they were written. */
  #lines(before: Block, after: Block, { from, to }: TextRange, printedBefore: string): string | undefined {
    const written = this.#text.slice(from, to)
    if (before.type === "table" && written.startsWith("<table")) {
      const prefix = this.#prefixAt(from)
      const bare = withoutPrefix(written, prefix)
      const print = (block: Block) => this.#print([block], true).trimEnd()
      const reprinted = bare && ReprintTable.reprint(bare, print(before), print(after))
      return reprinted && indented(reprinted, prefix)
    }
    if (this.#options.hasWholeText === true && before.type !== "table" && before.type !== "code") return undefined
    if (isHeading(before)) return ReprintHeading.reprint(written, this.#print([after]), this.#prefixAt(from))
    const isIndented = before.type === "code" && /^(?: {4}| {0,3}\t)/.test(written)
    const linesOf = isIndented ? indentedCode : printedLines
    return this.#sameLines({ from, to }, linesOf(printedBefore), linesOf(this.#print([after])))
  }

  #sameLines({ from, to }: TextRange, before: ReadonlyArray<string>, after: ReadonlyArray<string>): string | undefined {
    const written = this.#text.slice(from, to).split("\n")
    if (before.length !== written.length || before.length === 1) return undefined
    const pairs = paired(before, after)
    const prefix = this.#prefixAt(from)
    /** A line that was written, for another place: the first has what stands before the block before it. */
    const writtenAt = (at: number, i: number): string | undefined => {
      const line = written[at]!
      if ((at === 0) === (i === 0)) return line
      if (at === 0) return prefix + line
      return line.startsWith(prefix) ? line.slice(prefix.length) : undefined
    }
    let kept = false
    const lines = after.map((line, i) => {
      const at = pairs[i]
      const own = at === undefined ? undefined : writtenAt(at, i)
      kept ||= own !== undefined
      return own ?? (i === 0 ? line : prefix + line)
    })
    return kept ? lines.join("\n") : undefined
  }

  /** The beginning of each line of a block that begins there: markers of items are indentation to them. */
  #prefixAt(at: number): string {
    return marginOf(this.#text.slice(this.#text.lastIndexOf("\n", at - 1) + 1, at))
  }
}

/** The blocks that stand in a block, in the text as well. Those of an expandable block are a part of it. */
const blocksIn = (block: Block): ReadonlyArray<Block> | undefined => {
  const nodes = block.fragments?.find(isBody)?.nodes ?? block.nodes
  return nodes !== undefined && nodes.length > 0 && nodes.every((node) => node.object === "block")
    ? (nodes as ReadonlyArray<Block>)
    : undefined
}

const isBody = ({ type }: NonNullable<Block["fragments"]>[number]): boolean => type === "expandable-body"

/** The other parts of a block, without keys. */
const besides = ({ fragments = [] }: Block): unknown =>
  JSON.stringify(
    fragments.filter((fragment) => !isBody(fragment)),
    (name, value: unknown) => (name === "key" ? undefined : value)
  )

const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || JSON.stringify(one ?? {}) === JSON.stringify(other ?? {})

/** The gap before a block that is new, as there is one already. */
const usualGap = (gaps: ReadonlyArray<string>, prefix: string, isTight: boolean): string =>
  withoutBlanks(gaps.find((gap) => isBlank(gap) !== isTight) ?? "") ||
  (isTight ? `\n${prefix}` : `\n${prefix.trimEnd()}\n${prefix}`)

/** The gap with what stands before a block on its first line in another one. */
const withMargin = (gap: string, other: string): string => {
  const at = other.lastIndexOf("\n") + 1
  return at === 0 ? gap : gap.slice(0, gap.lastIndexOf("\n") + 1) + other.slice(at)
}

const blanksAt = (text: string, at: number): string => {
  let end = at
  while (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9) end++
  return text.slice(at, end)
}

const withoutBlanks = (gap: string): string => gap.slice(blanksAt(gap, 0).length)

/** By what they say, the blocks that none stayed: of several that are the same any may stand elsewhere by now. */
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

/** Tells whether a line without text stands in a gap. */
const isBlank = (gap: string): boolean => /\n[>\s]*\n/.test(gap)

const isBold = ({ nodes = [] }: Block): boolean =>
  nodes.every(
    (node) => node.object === "text" && node.leaves.every(({ marks }) => marks.some(({ type }) => type === "bold"))
  )

const isHeading = ({ type }: Block): boolean => type.startsWith("heading-")

/** Tells whether what a block holds stands without blank lines, which would say something. */
const isTight = ({ data, type }: Block): boolean => type.startsWith("list-") && data?.loose !== true

/** The beginning of the lines behind one that begins so. */
const marginOf = (line: string): string => line.replace(/\[\^[^\][]*\]:[ \t]*/, "    ").replace(/[^>\s]/g, " ")

const printedLines = (printed: string): ReadonlyArray<string> => printed.trimEnd().split("\n")

/** The lines of a fence as code that is indented. */
const indentedCode = (printed: string): ReadonlyArray<string> =>
  printedLines(printed)
    .slice(1, -1)
    .map((line) => (line === "" ? "" : `    ${line}`))

/** Printed text with a prefix before each of its lines but the first. */
const indented = (text: string, prefix: string): string =>
  text
    .trimEnd()
    .split("\n")
    .map((line, i) => (i === 0 ? line : line === "" ? prefix.trimEnd() : prefix + line))
    .join("\n")

/** The reverse; undefined where a line begins otherwise. */
const withoutPrefix = (text: string, prefix: string): string | undefined => {
  const lines = text.split("\n")
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!
    if (!line.startsWith(prefix) && line !== prefix.trimEnd()) return undefined
    lines[i] = line.slice(prefix.length)
  }
  return lines.join("\n")
}
