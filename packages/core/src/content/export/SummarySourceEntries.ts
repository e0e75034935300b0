/**
 * Entries of an imported table of contents, each with its current page and its source lines. Lines before an entry that
 * belong to no entry are included: blank lines, dividers, remarks, and entries that an import ignores.
 */
import { keyed, type KeyedPage } from "../import/KeyedPages.ts"
import type { PlannedPage } from "../import/PlannedPage.ts"
import type * as Summary from "../import/Summary.ts"
import type { PageEntry } from "../pages/Page.ts"
import type { PageNode } from "../pages/PageTree.ts"
import { type ExportPaths, inOrder } from "./ExportPaths.ts"

export interface KeptEntry {
  readonly entry: Summary.SummaryEntry
  /** Planned page of the entry. Undefined if an import creates no page for it. */
  readonly plan: PlannedPage | undefined
  /** Parent entry. */
  readonly parent: KeptEntry | undefined
  /** Lines before the entry that belong to no entry, and lines of the entry. */
  readonly before: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
  readonly index: number
}

export interface Planned {
  readonly tree: ReadonlyArray<PageNode>
  readonly paths: ExportPaths
  /** Pages that an import creates from the text. */
  readonly plan: ReadonlyArray<PlannedPage>
  /** Line numbers of entries that became no page at the import. */
  readonly leftOut: ReadonlySet<number>
}

/** Returns the entries in order, and the entries of pages by page id. Undefined if two entries share a line. */
export const of = (
  entries: ReadonlyArray<Summary.SummaryEntry>,
  lines: ReadonlyArray<string>,
  { leftOut: left, paths, plan, tree }: Planned
) => {
  const plans = new Map<number, KeyedPage>()
  const leftOut = new Map<string, KeyedPage>()
  for (const one of keyed(plan, paths.root)) {
    if (one.page.line === undefined) leftOut.set(one.key, one)
    else plans.set(one.page.line, one)
  }
  const keyOf = ({ git, id }: PageEntry) => paths.pages.get(id) ?? git?.path ?? ""
  const pages = new Map(Array.from(inOrder(tree), ({ page }) => [keyOf(page), page]))
  const keys = new Map(Array.from(pages, ([key, { id }]) => [id as string, key]))
  const all: Array<KeptEntry> = []
  const byPage = new Map<string, KeptEntry>()
  let end = 0
  const open: Array<{ readonly entry: Summary.SummaryEntry; readonly parent: KeptEntry | undefined }> = []
  const push = (some: ReadonlyArray<Summary.SummaryEntry>, parent: KeptEntry | undefined) => {
    for (let i = some.length - 1; i >= 0; i--) open.push({ entry: some[i]!, parent })
  }
  push(entries, undefined)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { entry, parent } = next
    const one = plans.get(entry.line)
    let below = parent
    // The lines of an entry that an import ignored stay before the next entry.
    if (one !== undefined || !left.has(entry.line)) {
      const { from, to } = entry.range
      if (from < end) return undefined
      const kept: KeptEntry = {
        entry,
        plan: one?.page,
        parent,
        before: lines.slice(end, from),
        lines: lines.slice(from, to),
        index: all.length
      }
      end = to
      all.push(kept)
      below = kept
      const page = one && pages.get(one.key)
      if (one !== undefined && page !== undefined && (one.page.type === "document") === paths.pages.has(page.id))
        byPage.set(page.id, kept)
    }
    if (entry.type !== "link") push(entry.children, below)
  }
  return {
    all,
    byPage,
    end,
    /** True if an import adds the page below the same parent even if the table of contents does not list it. */
    leftOut: (page: PageEntry): boolean => {
      const found = leftOut.get(keyOf(page))
      if (found === undefined || found.page.type === "link") return false
      const parent = page.parent === null ? undefined : keys.get(page.parent)
      return found.parent?.key === parent && (found.page.hidden !== true || page.hidden === true)
    }
  }
}

/** Returns the text of the first line before the bullet, or before the link. */
export const indentOf = ({ entry, lines }: KeptEntry): string => lines[0]!.slice(0, entry.range.indent ?? 0)

/** Returns the bullet of the entry, or the default bullet if the entry is not in a list. */
export const bulletOf = ({ entry, lines }: KeptEntry): string =>
  /^(?:[*+-]|\d{1,9}[.)])[ \t]+/.exec(lines[0]!.slice(entry.range.indent ?? 0))?.[0] ?? "* "
