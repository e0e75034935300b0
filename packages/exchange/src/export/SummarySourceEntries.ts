/**
 * Entries of an imported table of contents, each with its current page and its source lines. Lines before an entry that
 * belong to no entry are included: blank lines, dividers, remarks, and entries that an import ignores.
 */
import { keyedPages, type KeyedPage } from "../import/KeyedPages.ts"
import type { PlannedPage } from "../import/PlannedPage.ts"
import type * as Summary from "../import/Summary.ts"
import type { PageEntry } from "@lectern/core/content/pages/Page"
import type { PageNode } from "@lectern/core/content/pages/PageTree"
import { type ExportPaths, preorder } from "./ExportPaths.ts"

export interface SummarySourceEntry {
  readonly entry: Summary.SummaryEntry
  /** Planned page of the entry. Undefined if an import creates no page for it. */
  readonly plan: PlannedPage | undefined
  /** Parent entry. */
  readonly parent: SummarySourceEntry | undefined
  /** Lines before the entry that belong to no entry, and lines of the entry. */
  readonly before: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
  readonly index: number
}

export interface PlannedSummary {
  readonly tree: ReadonlyArray<PageNode>
  readonly paths: ExportPaths
  /** Pages that an import creates from the text. */
  readonly plan: ReadonlyArray<PlannedPage>
  /** Line numbers of entries that became no page at the import. */
  readonly skippedLines: ReadonlySet<number>
}

/** Returns the entries in order, and the entries of pages by page id. Undefined if two entries share a line. */
export const sourceEntriesOf = (
  entries: ReadonlyArray<Summary.SummaryEntry>,
  lines: ReadonlyArray<string>,
  { skippedLines, paths, plan, tree }: PlannedSummary
) => {
  const plans = new Map<number, KeyedPage>()
  const unlisted = new Map<string, KeyedPage>()
  for (const keyedPage of keyedPages(plan, paths.root)) {
    if (keyedPage.page.line === undefined) unlisted.set(keyedPage.key, keyedPage)
    else plans.set(keyedPage.page.line, keyedPage)
  }
  const keyOf = ({ git, id }: PageEntry) => paths.pages.get(id) ?? git?.path ?? ""
  const pages = new Map(Array.from(preorder(tree), ({ page }) => [keyOf(page), page]))
  const keys = new Map(Array.from(pages, ([key, { id }]) => [id as string, key]))
  const all: Array<SummarySourceEntry> = []
  const byPage = new Map<string, SummarySourceEntry>()
  let end = 0
  const pending: Array<{ readonly entry: Summary.SummaryEntry; readonly parent: SummarySourceEntry | undefined }> = []
  const push = (levelEntries: ReadonlyArray<Summary.SummaryEntry>, parent: SummarySourceEntry | undefined) => {
    for (let i = levelEntries.length - 1; i >= 0; i--) pending.push({ entry: levelEntries[i]!, parent })
  }
  push(entries, undefined)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { entry, parent } = next
    const plannedPage = plans.get(entry.line)
    let childParent = parent
    // The lines of an entry that an import ignored stay before the next entry.
    if (plannedPage !== undefined || !skippedLines.has(entry.line)) {
      const { from, to } = entry.range
      if (from < end) return undefined
      const sourceEntry: SummarySourceEntry = {
        entry,
        plan: plannedPage?.page,
        parent,
        before: lines.slice(end, from),
        lines: lines.slice(from, to),
        index: all.length
      }
      end = to
      all.push(sourceEntry)
      childParent = sourceEntry
      const page = plannedPage && pages.get(plannedPage.key)
      if (
        plannedPage !== undefined &&
        page !== undefined &&
        (plannedPage.page.type === "document") === paths.pages.has(page.id)
      )
        byPage.set(page.id, sourceEntry)
    }
    if (entry.type !== "link") push(entry.children, childParent)
  }
  return {
    all,
    byPage,
    end,
    /** True if an import adds the page below the same parent even if the table of contents does not list it. */
    isDiscoverable: (page: PageEntry): boolean => {
      const keyedPage = unlisted.get(keyOf(page))
      if (keyedPage === undefined || keyedPage.page.type === "link") return false
      const parent = page.parent === null ? undefined : keys.get(page.parent)
      return keyedPage.parent?.key === parent && (keyedPage.page.hidden !== true || page.hidden === true)
    }
  }
}

/** Returns the text of the first line before the bullet, or before the link. */
export const indentOf = ({ entry, lines }: SummarySourceEntry): string => lines[0]!.slice(0, entry.range.indent ?? 0)

/** Returns the bullet of the entry, or the default bullet if the entry is not in a list. */
export const bulletOf = ({ entry, lines }: SummarySourceEntry): string =>
  /^(?:[*+-]|\d{1,9}[.)])[ \t]+/.exec(lines[0]!.slice(entry.range.indent ?? 0))?.[0] ?? "* "
