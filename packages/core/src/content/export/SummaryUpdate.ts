/**
 * Updates the imported table of contents: only lines of changed or moved pages change. Entries keep their own lines and
 * the lines before them that belong to no entry: blank lines, dividers, remarks, and ignored entries. The result may be
 * wrong, so the caller verifies it by parsing.
 */
import { longestIncreasingSubsequence } from "@lectern/document/alignment/SequenceMatch"
import { Effect } from "effect"
import { Slice } from "../../storage/Slice.ts"
import * as FolderPath from "../import/FolderPath.ts"
import * as Summary from "../import/Summary.ts"
import type { PageEntry } from "../pages/Page.ts"
import type { PageNode } from "../pages/PageTree.ts"
import { encode, type ExportUrls } from "./ExportUrls.ts"
import { inOrder } from "./ExportPaths.ts"
import * as SummarySourceEntries from "./SummarySourceEntries.ts"
import { bulletOf, indentOf, type KeptEntry } from "./SummarySourceEntries.ts"
import { saysNames } from "../import/ImportedPages.ts"
import { isSame } from "./ListedPages.ts"
import { divider, inBrackets, isHeading, listedTitle, SummaryEntries, target, text } from "./SummaryText.ts"

export interface Input extends SummarySourceEntries.Planned {
  readonly urls: ExportUrls
  /** Text as normalized by `Summary.normalise`. */
  readonly text: string
}

/**
 * Returns the updated text. Undefined if entries cannot be separated by lines. `listsAll`: also adds entries for
 * unlisted pages.
 */
export const write = Effect.fnUntraced(function* (input: Input, listsAll: boolean) {
  const { entries } = yield* Summary.parse(input.text)
  const lines = input.text.split("\n")
  const kept = SummarySourceEntries.of(entries, lines, input)
  if (kept === undefined) return undefined
  const slice = yield* Slice.start
  const writer = new Writer(input, kept.byPage, lines.slice(kept.end))
  const chosen: Array<Placed> = []
  const isLeftOut = listsAll
    ? () => false
    : leftOutIn(
        input.tree,
        ({ page }) => !kept.byPage.has(page.id) && kept.leftOut(page),
        // An import finds the unlisted children of a page with a new entry only if the page is the folder's README.
        ({ page }) => kept.byPage.has(page.id) || FolderPath.isReadme(input.paths.pages.get(page.id) ?? "")
      )
  const open: Array<{ readonly node: PageNode; readonly parent: Placed | undefined }> = []
  const push = (nodes: ReadonlyArray<PageNode>, parent: Placed | undefined) => {
    for (let i = nodes.length - 1; i >= 0; i--) open.push({ node: nodes[i]!, parent })
  }
  push(input.tree, undefined)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next
    if (slice.isOver()) yield* slice.pause
    const entry = kept.byPage.get(node.page.id)
    if (isLeftOut(node.page)) continue
    const placed = writer.placed(node, entry, parent)
    chosen.push(placed)
    push(node.pages, placed)
  }
  const known = chosen.flatMap(({ kept }, i) => (kept === undefined ? [] : [{ i, index: kept.index }]))
  const stable = new Set(longestIncreasingSubsequence(known.map(({ index }) => index)).map((n) => known[n]!.i))
  for (const [i, placed] of chosen.entries()) {
    if (slice.isOver()) yield* slice.pause
    writer.add(placed, stable.has(i), kept.all)
  }
  return writer.end(kept.all)
})

/**
 * Returns the test for pages without an entry. Such a page needs no entry if an import discovers the page and all its
 * descendants by their files. `holds`: true for a listed page if an import finds its unlisted children.
 */
const leftOutIn = (
  tree: ReadonlyArray<PageNode>,
  mayBe: (node: PageNode) => boolean,
  holds: (node: PageNode) => boolean
) => {
  const found = new Set<string>()
  const all = Array.from(inOrder(tree))
  for (const node of all.toReversed()) {
    if (mayBe(node) && node.pages.every(({ page }) => found.has(page.id))) found.add(node.page.id)
  }
  for (const node of all) {
    if (found.has(node.page.id) || holds(node)) continue
    for (const { page } of node.pages) found.delete(page.id)
  }
  return ({ id }: PageEntry): boolean => found.has(id)
}

/** A page and the form of its entry. */
interface Placed {
  readonly node: PageNode
  readonly kept: KeptEntry | undefined
  readonly parent: Placed | undefined
  readonly isHeading: boolean
  /** True if child pages may be headings too. Only headings can follow such a heading. */
  readonly holdsHeadings: boolean
  /** Text before the bullet or the link. */
  readonly indent: string
  /** True if the entry has no bullet. Such an entry has no children, and is at the top or below a heading. */
  readonly isBare: boolean
}

class Writer {
  readonly #out: Array<string> = []
  readonly #input: Input
  readonly #entries: SummaryEntries
  readonly #byPage: ReadonlyMap<string, KeptEntry>
  readonly #tail: ReadonlyArray<string>
  /** Additional indent of a nested entry. */
  readonly #step: string
  readonly #bullet: string
  readonly #hashes: string
  /** Number of existing entries that were processed, in the order of the text. */
  #done = 0
  #isInGroup = false
  #last: Placed | undefined

  constructor(input: Input, byPage: ReadonlyMap<string, KeptEntry>, tail: ReadonlyArray<string>) {
    this.#input = input
    this.#byPage = byPage
    this.#entries = new SummaryEntries(input.paths, input.urls)
    this.#tail = tail
    let step: string | undefined
    let bullet: string | undefined
    let hashes: string | undefined
    for (const kept of byPage.values()) {
      if (kept.entry.range.indent === undefined) hashes ??= /^#+/.exec(kept.lines[0]!)?.[0]
      else if (kept.entry.range.isBare !== true) bullet ??= bulletOf(kept)
      if (kept.parent !== undefined && kept.parent.entry.range.indent !== undefined) {
        step ??= indentOf(kept).slice(indentOf(kept.parent).length) || undefined
      }
    }
    this.#step = step ?? "  "
    this.#bullet = bullet ?? "* "
    this.#hashes = hashes ?? "##"
  }

  placed(node: PageNode, kept: KeptEntry | undefined, parent: Placed | undefined): Placed {
    const isKeptHeading = this.#isKeptHeading(node.page)
    const isIn = parent === undefined || (isKeptHeading && parent.holdsHeadings)
    const heading = isIn && (kept === undefined ? isHeading(node) : isKeptHeading && node.pages.length > 0)
    const before = parent === undefined || parent.isHeading ? "" : parent.indent
    const isSameParent = kept !== undefined && !isKeptHeading && kept.parent === parent?.kept
    const own = isSameParent ? indentOf(kept) : undefined
    const old = parent?.kept === undefined || parent.isHeading ? "" : indentOf(parent.kept)
    const indent =
      own !== undefined && own.startsWith(old)
        ? before + own.slice(old.length)
        : parent === undefined || parent.isHeading
          ? ""
          : before + this.#step
    const below = node.pages.map(({ page, pages }) => this.#isKeptHeading(page) && pages.length > 0)
    const first = below.indexOf(true)
    const holdsHeadings = heading && (first === -1 || !below.includes(false, first))
    const isOutside = parent === undefined || parent.isHeading
    const isBare = kept?.entry.range.isBare === true && isOutside && node.pages.length === 0
    return { node, kept, parent, isHeading: heading, holdsHeadings, indent, isBare }
  }

  #isKeptHeading({ id }: PageEntry): boolean {
    const kept = this.#byPage.get(id)
    return kept !== undefined && kept.entry.range.indent === undefined
  }

  add(placed: Placed, isStable: boolean, all: ReadonlyArray<KeptEntry>): void {
    const { kept, parent } = placed
    if (this.#last === undefined && !isStable && all.length > 0) this.#head(all[0]!)
    const follows = this.#done === 0 ? this.#last === undefined : this.#last?.kept?.index === this.#done - 1
    if (isStable && kept!.index === this.#done && follows) this.#push(kept!.before)
    else {
      if (isStable) this.#leftOver(all.slice(this.#done, kept!.index + 1))
      const isInList =
        this.#last !== undefined && !this.#last.isHeading && !placed.isHeading && this.#last.isBare === placed.isBare
      const isLoose =
        isStable && kept!.index > 0 && all[kept!.index - 1]!.entry.range.indent !== undefined && kept!.before.length > 0
      if (!isInList || isLoose) this.#blank()
    }
    if (parent === undefined && !placed.isHeading && this.#isInGroup) {
      const waiting = all[this.#done]
      this.#blank()
      if (!isStable && waiting?.before.some(isDivider) === true) {
        this.#push(trimmed(waiting.before))
        this.#flushed = waiting.index
      } else this.#push([divider])
      this.#blank()
      this.#isInGroup = false
    }
    if (isStable) this.#done = kept!.index + 1
    this.#push(this.#linesOf(placed))
    if (placed.isHeading && parent === undefined) this.#isInGroup = true
    this.#last = placed
  }

  end(all: ReadonlyArray<KeptEntry>): string {
    const isAll = this.#done === all.length && (all.length === 0 || this.#last?.kept?.index === all.length - 1)
    if (!isAll) this.#leftOver(all.slice(this.#done))
    this.#push(this.#tail)
    return this.#out.join("\n")
  }

  /** Index of an entry whose preceding lines are already written. */
  #flushed = -1

  /** Writes the start of the text before an entry that was not the first. */
  #head(first: KeptEntry): void {
    this.#push(first.before)
    this.#flushed = first.index
  }

  /**
   * Writes the lines before entries that were removed or moved, and before the last of the entries. Groups of only
   * blank lines are omitted.
   */
  #leftOver(entries: ReadonlyArray<KeptEntry>): void {
    for (const { before, index } of entries) {
      if (index !== this.#flushed && before.some((line) => line.trim() !== "")) this.#push(before)
    }
  }

  #push(lines: ReadonlyArray<string>): void {
    for (const line of lines) {
      this.#out.push(line)
      if (isDivider(line)) this.#isInGroup = false
    }
  }

  #blank(): void {
    if (this.#out.length > 0 && this.#out.at(-1)!.trim() !== "") this.#out.push("")
  }

  #linesOf({ isBare, isHeading, indent, kept, node: { page } }: Placed): ReadonlyArray<string> {
    const isKept =
      kept !== undefined &&
      (kept.entry.range.indent === undefined) === isHeading &&
      (kept.entry.range.isBare === true) === isBare
    const changed = isKept ? this.#changed(kept, page) : undefined
    if (changed !== undefined) {
      if (isHeading) return changed
      const old = indentOf(kept!)
      return changed.map((line) => (line.startsWith(old) ? indent + line.slice(old.length) : line))
    }
    const entry = this.#entries.of(page)
    if (isHeading) return [`${isKept ? (/^#+/.exec(kept.lines[0]!)?.[0] ?? this.#hashes) : this.#hashes} ${entry}`]
    return [indent + (isBare ? "" : isKept ? bulletOf(kept) : this.#bullet) + entry]
  }

  /**
   * Returns the updated lines of an entry. Undefined if the lines cannot be updated, so that the entry must be written
   * without its source.
   */
  #changed({ entry, lines, plan }: KeptEntry, page: PageEntry): ReadonlyArray<string> | undefined {
    if (plan === undefined) return undefined
    const title = listedTitle(page.title)
    const isNamed = plan.title === title
    const { link, title: columns } = entry.range
    const [first = "", ...others] = lines
    if (plan.type !== "document") {
      // The slugs of siblings are unknown here, so they are not checked. They are checked when the result is parsed.
      if (!isSame({ ...plan, title }, page, () => true, this.#input)) return undefined
      if (isNamed) return lines
      if (columns === undefined) return undefined
      return [replaced(first, columns, link === undefined ? text(title) : inBrackets(title)), ...others]
    }
    if (saysNames(plan, page)) return lines
    if (link === undefined || columns === undefined || entry.type !== "page") return undefined
    const isLabelled = plan.linkTitle === page.linkTitle
    // The heading in the file states the title, so the entry states the name in navigation.
    if (!isNamed && plan.linkTitle === undefined && page.linkTitle !== undefined) {
      return [replaced(first, columns, inBrackets(listedTitle(page.linkTitle))), ...others]
    }
    const labelled = isLabelled
      ? first
      : replaced(first, { from: columns.to, to: link.to }, target(encode(entry.path), page.linkTitle))
    return [isNamed ? labelled : replaced(labelled, columns, inBrackets(title)), ...others]
  }
}

const replaced = (line: string, { from, to }: Summary.Columns, text: string): string => {
  const end = from + line.slice(from, to).trimEnd().length
  return line.slice(0, from) + text + line.slice(end)
}

const isDivider = (line: string): boolean => /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line)

const trimmed = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isText = (line: string) => line.trim() !== ""
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1)
}
