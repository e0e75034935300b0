/**
 * Updates the imported table of contents: only lines of changed or moved pages change. Entries keep their own lines and
 * the lines before them that belong to no entry: blank lines, dividers, remarks, and ignored entries. The result may be
 * wrong, so the caller verifies it by parsing.
 */
import { longestIncreasingSubsequence } from "@lectern/document/alignment/SequenceMatch"
import { Effect } from "effect"
import { Slice } from "@lectern/core/storage/Slice"
import * as FolderPath from "../import/FolderPath.ts"
import * as Summary from "../import/Summary.ts"
import type { PageEntry } from "@lectern/core/content/pages/Page"
import type { PageNode } from "@lectern/core/content/pages/PageTree"
import { encode, type ExportUrls } from "./ExportUrls.ts"
import { preorder } from "./ExportPaths.ts"
import * as SummarySourceEntries from "./SummarySourceEntries.ts"
import { bulletOf, indentOf, type SummarySourceEntry } from "./SummarySourceEntries.ts"
import { hasEntryNames } from "../import/ImportedPages.ts"
import { matchesEntry } from "./ListedPages.ts"
import { divider, escapeLinkText, isHeading, listedTitle, SummaryEntries, linkEnd, escapeText } from "./SummaryText.ts"

export interface SummaryUpdateInput extends SummarySourceEntries.PlannedSummary {
  readonly urls: ExportUrls
  /** Text as normalized by `Summary.normalize`. */
  readonly text: string
}

/**
 * Returns the updated text. Undefined if two entries share a line. `listsAllPages`: true to add entries for unlisted
 * pages.
 */
export const updateSummary = Effect.fnUntraced(function* (input: SummaryUpdateInput, listsAllPages: boolean) {
  const { entries } = yield* Summary.parse(input.text)
  const lines = input.text.split("\n")
  const source = SummarySourceEntries.sourceEntriesOf(entries, lines, input)
  if (source === undefined) return undefined
  const slice = yield* Slice.start
  const writer = new SummaryWriter(input, source.byPage, lines.slice(source.end))
  const placements: Array<EntryPlacement> = []
  const isDiscoverable = listsAllPages
    ? () => false
    : discoverableTest(
        input.tree,
        ({ page }) => !source.byPage.has(page.id) && source.isDiscoverable(page),
        // An import finds the unlisted children of a page with a new entry only if the page is the folder's README.
        ({ page }) => source.byPage.has(page.id) || FolderPath.isReadme(input.paths.pages.get(page.id) ?? "")
      )
  const pending: Array<{ readonly node: PageNode; readonly parent: EntryPlacement | undefined }> = []
  const push = (nodes: ReadonlyArray<PageNode>, parent: EntryPlacement | undefined) => {
    for (let i = nodes.length - 1; i >= 0; i--) pending.push({ node: nodes[i]!, parent })
  }
  push(input.tree, undefined)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, parent } = next
    if (slice.isOver()) yield* slice.pause
    const entry = source.byPage.get(node.page.id)
    if (isDiscoverable(node.page)) continue
    const placement = writer.placementOf(node, entry, parent)
    placements.push(placement)
    push(node.pages, placement)
  }
  const reusedEntries = placements.flatMap(({ source }, i) =>
    source === undefined ? [] : [{ i, index: source.index }]
  )
  const stable = new Set(
    longestIncreasingSubsequence(reusedEntries.map(({ index }) => index)).map((n) => reusedEntries[n]!.i)
  )
  for (const [i, placement] of placements.entries()) {
    if (slice.isOver()) yield* slice.pause
    writer.add(placement, stable.has(i), source.all)
  }
  return writer.end(source.all)
})

/**
 * Returns a predicate: true for a page that needs no entry, because an import finds the page and all its descendants by
 * their files. `findsChildren`: true for a listed page if an import finds its unlisted children.
 */
const discoverableTest = (
  tree: ReadonlyArray<PageNode>,
  isCandidate: (node: PageNode) => boolean,
  findsChildren: (node: PageNode) => boolean
) => {
  const discoverableIds = new Set<string>()
  const all = Array.from(preorder(tree))
  for (const node of all.toReversed()) {
    if (isCandidate(node) && node.pages.every(({ page }) => discoverableIds.has(page.id)))
      discoverableIds.add(node.page.id)
  }
  for (const node of all) {
    if (discoverableIds.has(node.page.id) || findsChildren(node)) continue
    for (const { page } of node.pages) discoverableIds.delete(page.id)
  }
  return ({ id }: PageEntry): boolean => discoverableIds.has(id)
}

/** A page and the form of its entry. */
interface EntryPlacement {
  readonly node: PageNode
  readonly source: SummarySourceEntry | undefined
  readonly parent: EntryPlacement | undefined
  readonly isHeading: boolean
  /** True if child pages may be headings too. Only headings can follow such a heading. */
  readonly allowsHeadings: boolean
  /** Text before the bullet or the link. */
  readonly indent: string
  /** True if the entry has no bullet. Such an entry has no children, and is at the top or below a heading. */
  readonly isBare: boolean
}

class SummaryWriter {
  readonly #lines: Array<string> = []
  readonly #input: SummaryUpdateInput
  readonly #entries: SummaryEntries
  readonly #byPage: ReadonlyMap<string, SummarySourceEntry>
  readonly #trailingLines: ReadonlyArray<string>
  /** Indent of a nested entry in addition to the indent of its parent. */
  readonly #indentStep: string
  readonly #bullet: string
  readonly #headingMarks: string
  /** Number of existing entries that were processed, in the order of the text. */
  #doneCount = 0
  #isInGroup = false
  #lastPlacement: EntryPlacement | undefined

  constructor(
    input: SummaryUpdateInput,
    byPage: ReadonlyMap<string, SummarySourceEntry>,
    trailingLines: ReadonlyArray<string>
  ) {
    this.#input = input
    this.#byPage = byPage
    this.#entries = new SummaryEntries(input.paths, input.urls)
    this.#trailingLines = trailingLines
    let indentStep: string | undefined
    let bullet: string | undefined
    let headingMarks: string | undefined
    for (const source of byPage.values()) {
      if (source.entry.range.indent === undefined) headingMarks ??= /^#+/.exec(source.lines[0]!)?.[0]
      else if (source.entry.range.isBare !== true) bullet ??= bulletOf(source)
      if (source.parent !== undefined && source.parent.entry.range.indent !== undefined) {
        indentStep ??= indentOf(source).slice(indentOf(source.parent).length) || undefined
      }
    }
    this.#indentStep = indentStep ?? "  "
    this.#bullet = bullet ?? "* "
    this.#headingMarks = headingMarks ?? "##"
  }

  placementOf(
    node: PageNode,
    source: SummarySourceEntry | undefined,
    parent: EntryPlacement | undefined
  ): EntryPlacement {
    const wasHeading = this.#isHeadingEntry(node.page)
    const allowsHeading = parent === undefined || (wasHeading && parent.allowsHeadings)
    const isPlacedAsHeading =
      allowsHeading && (source === undefined ? isHeading(node) : wasHeading && node.pages.length > 0)
    const parentIndent = parent === undefined || parent.isHeading ? "" : parent.indent
    const isSameParent = source !== undefined && !wasHeading && source.parent === parent?.source
    const ownIndent = isSameParent ? indentOf(source) : undefined
    const oldParentIndent = parent?.source === undefined || parent.isHeading ? "" : indentOf(parent.source)
    const indent =
      ownIndent !== undefined && ownIndent.startsWith(oldParentIndent)
        ? parentIndent + ownIndent.slice(oldParentIndent.length)
        : parent === undefined || parent.isHeading
          ? ""
          : parentIndent + this.#indentStep
    const areHeadings = node.pages.map(({ page, pages }) => this.#isHeadingEntry(page) && pages.length > 0)
    const firstHeading = areHeadings.indexOf(true)
    const allowsHeadings = isPlacedAsHeading && (firstHeading === -1 || !areHeadings.includes(false, firstHeading))
    const isTopLevel = parent === undefined || parent.isHeading
    const isBare = source?.entry.range.isBare === true && isTopLevel && node.pages.length === 0
    return { node, source, parent, isHeading: isPlacedAsHeading, allowsHeadings, indent, isBare }
  }

  #isHeadingEntry({ id }: PageEntry): boolean {
    const source = this.#byPage.get(id)
    return source !== undefined && source.entry.range.indent === undefined
  }

  add(placement: EntryPlacement, isStable: boolean, all: ReadonlyArray<SummarySourceEntry>): void {
    const { source, parent } = placement
    if (this.#lastPlacement === undefined && !isStable && all.length > 0) this.#writeStart(all[0]!)
    const followsPrevious =
      this.#doneCount === 0
        ? this.#lastPlacement === undefined
        : this.#lastPlacement?.source?.index === this.#doneCount - 1
    if (isStable && source!.index === this.#doneCount && followsPrevious) this.#push(source!.before)
    else {
      if (isStable) this.#writeGaps(all.slice(this.#doneCount, source!.index + 1))
      const isInList =
        this.#lastPlacement !== undefined &&
        !this.#lastPlacement.isHeading &&
        !placement.isHeading &&
        this.#lastPlacement.isBare === placement.isBare
      const isLoose =
        isStable &&
        source!.index > 0 &&
        all[source!.index - 1]!.entry.range.indent !== undefined &&
        source!.before.length > 0
      if (!isInList || isLoose) this.#writeBlank()
    }
    if (parent === undefined && !placement.isHeading && this.#isInGroup) {
      const nextEntry = all[this.#doneCount]
      this.#writeBlank()
      if (!isStable && nextEntry?.before.some(isDivider) === true) {
        this.#push(withoutBlankEnds(nextEntry.before))
        this.#flushedIndex = nextEntry.index
      } else this.#push([divider])
      this.#writeBlank()
      this.#isInGroup = false
    }
    if (isStable) this.#doneCount = source!.index + 1
    this.#push(this.#linesOf(placement))
    if (placement.isHeading && parent === undefined) this.#isInGroup = true
    this.#lastPlacement = placement
  }

  end(all: ReadonlyArray<SummarySourceEntry>): string {
    const isComplete =
      this.#doneCount === all.length && (all.length === 0 || this.#lastPlacement?.source?.index === all.length - 1)
    if (!isComplete) this.#writeGaps(all.slice(this.#doneCount))
    this.#push(this.#trailingLines)
    return this.#lines.join("\n")
  }

  /** Index of the source entry whose preceding lines are already written. -1 without such an entry. */
  #flushedIndex = -1

  /** Writes the lines that precede the first entry of the source. Called if the first entry was moved or removed. */
  #writeStart(first: SummarySourceEntry): void {
    this.#push(first.before)
    this.#flushedIndex = first.index
  }

  /**
   * Writes the lines before entries that were removed or moved, and before the last of the entries. Groups of only
   * blank lines are omitted.
   */
  #writeGaps(entries: ReadonlyArray<SummarySourceEntry>): void {
    for (const { before, index } of entries) {
      if (index !== this.#flushedIndex && before.some((line) => line.trim() !== "")) this.#push(before)
    }
  }

  #push(lines: ReadonlyArray<string>): void {
    for (const line of lines) {
      this.#lines.push(line)
      if (isDivider(line)) this.#isInGroup = false
    }
  }

  #writeBlank(): void {
    if (this.#lines.length > 0 && this.#lines.at(-1)!.trim() !== "") this.#lines.push("")
  }

  #linesOf({ isBare, isHeading, indent, source, node: { page } }: EntryPlacement): ReadonlyArray<string> {
    const reusesSource =
      source !== undefined &&
      (source.entry.range.indent === undefined) === isHeading &&
      (source.entry.range.isBare === true) === isBare
    const changed = reusesSource ? this.#updatedLines(source, page) : undefined
    if (changed !== undefined) {
      if (isHeading) return changed
      const oldIndent = indentOf(source!)
      return changed.map((line) => (line.startsWith(oldIndent) ? indent + line.slice(oldIndent.length) : line))
    }
    const entry = this.#entries.entryOf(page)
    if (isHeading)
      return [
        `${reusesSource ? (/^#+/.exec(source.lines[0]!)?.[0] ?? this.#headingMarks) : this.#headingMarks} ${entry}`
      ]
    return [indent + (isBare ? "" : reusesSource ? bulletOf(source) : this.#bullet) + entry]
  }

  /**
   * Returns the updated lines of an entry. Undefined if the lines cannot be updated, so that the entry must be written
   * without its source.
   */
  #updatedLines({ entry, lines, plan }: SummarySourceEntry, page: PageEntry): ReadonlyArray<string> | undefined {
    if (plan === undefined) return undefined
    const title = listedTitle(page.title)
    const hasTitle = plan.title === title
    const { link, title: columns } = entry.range
    const [first = "", ...others] = lines
    if (plan.type !== "document") {
      // The slugs of siblings are unknown here, so they are not checked. They are checked when the result is parsed.
      if (!matchesEntry({ ...plan, title }, page, () => true, this.#input)) return undefined
      if (hasTitle) return lines
      if (columns === undefined) return undefined
      return [replaceColumns(first, columns, link === undefined ? escapeText(title) : escapeLinkText(title)), ...others]
    }
    if (hasEntryNames(plan, page)) return lines
    if (link === undefined || columns === undefined || entry.type !== "page") return undefined
    const hasLabel = plan.linkTitle === page.linkTitle
    // The heading in the file states the title, so the entry states the name in navigation.
    if (!hasTitle && plan.linkTitle === undefined && page.linkTitle !== undefined) {
      return [replaceColumns(first, columns, escapeLinkText(listedTitle(page.linkTitle))), ...others]
    }
    const withLabel = hasLabel
      ? first
      : replaceColumns(first, { from: columns.to, to: link.to }, linkEnd(encode(entry.path), page.linkTitle))
    return [hasTitle ? withLabel : replaceColumns(withLabel, columns, escapeLinkText(title)), ...others]
  }
}

const replaceColumns = (line: string, { from, to }: Summary.Columns, text: string): string => {
  const end = from + line.slice(from, to).trimEnd().length
  return line.slice(0, from) + text + line.slice(end)
}

const isDivider = (line: string): boolean => /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line)

const withoutBlankEnds = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isText = (line: string) => line.trim() !== ""
  return lines.slice(Math.max(0, lines.findIndex(isText)), lines.findLastIndex(isText) + 1)
}
