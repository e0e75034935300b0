/**
 * The table of contents as it was imported, with the lines changed of what is another page, or elsewhere, by
 * now. Entries keep their own lines, and those before them that are no entries: blank ones, dividers, remarks,
 * and what an import leaves out. What comes of it is read back by whoever takes it, so it may be wrong.
 */
import { increasing } from "@lectern/document/alignment/SequenceMatch"
import { Effect } from "effect"
import { Slice } from "../../storage/Slice.ts"
import * as FolderPath from "../import/FolderPath.ts"
import * as Summary from "../import/Summary.ts"
import type { PageEntry } from "../pages/Page.ts"
import type { PageNode } from "../pages/PageTree.ts"
import { encode, type ExportUrls } from "./ExportUrls.ts"
import { inOrder } from "./ExportPaths.ts"
import * as KeptEntries from "./KeptEntries.ts"
import { bulletOf, indentOf, type KeptEntry } from "./KeptEntries.ts"
import { saysNames } from "../import/ImportedPages.ts"
import { isSame } from "./ListedPages.ts"
import { divider, inBrackets, isHeading, listedTitle, SummaryEntries, target, text } from "./SummaryText.ts"

export interface Input extends KeptEntries.Planned {
  readonly urls: ExportUrls
  /** The text, as `Summary.normalise` gives it. */
  readonly text: string
}

/** Undefined where the text can't be told apart by lines. `listsAll`: also pages that it left out. */
export const write = Effect.fnUntraced(function* (input: Input, listsAll: boolean) {
  const { entries } = yield* Summary.parse(input.text)
  const lines = input.text.split("\n")
  const kept = KeptEntries.of(entries, lines, input)
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
  const stable = new Set(increasing(known.map(({ index }) => index)).map((n) => known[n]!.i))
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

/** A page and the way that it is written. */
interface Placed {
  readonly node: PageNode
  readonly kept: KeptEntry | undefined
  readonly parent: Placed | undefined
  readonly isHeading: boolean
  /** The pages below it may be headings, too: nothing but headings can follow one of them. */
  readonly holdsHeadings: boolean
  /** Text before its bullet, or its link. */
  readonly indent: string
  /** It has no bullet: nothing can lie below it, and it lies below a heading at most. */
  readonly isBare: boolean
}

class Writer {
  readonly #out: Array<string> = []
  readonly #input: Input
  readonly #entries: SummaryEntries
  readonly #byPage: ReadonlyMap<string, KeptEntry>
  readonly #tail: ReadonlyArray<string>
  /** Text before a bullet below another, beyond the text before that. */
  readonly #step: string
  readonly #bullet: string
  readonly #hashes: string
  /** How many entries were come to in the order of the text. */
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

  /** The index of an entry whose lines before it were written already. */
  #flushed = -1

  /** The head of the text, before an entry that was not the first. */
  #head(first: KeptEntry): void {
    this.#push(first.before)
    this.#flushed = first.index
  }

  /** Takes along what stood before entries that are gone from there, and before the last of them, but blank lines. */
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

  /** The lines of an entry with what is said otherwise now; undefined where all of it is to be written. */
  #changed({ entry, lines, plan }: KeptEntry, page: PageEntry): ReadonlyArray<string> | undefined {
    if (plan === undefined) return undefined
    const title = listedTitle(page.title)
    const isNamed = plan.title === title
    const { link, title: columns } = entry.range
    const [first = "", ...others] = lines
    if (plan.type !== "document") {
      // Slugs of siblings are not known here; who reads it back knows them.
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
