/**
 * The entries of a table of contents that was imported, each with the page that it is by now, its own lines, and
 * the lines before it that belong to no entry: blank ones, dividers, remarks, and what an import leaves out.
 */
import { keyed, type KeyedPage } from "../import/KeyedPages.ts"
import type { PlannedPage } from "../import/PlannedPage.ts"
import type * as Summary from "../import/Summary.ts"
import type { PageEntry } from "../pages/Page.ts"
import type { PageNode } from "../pages/PageTree.ts"
import { type ExportPaths, inOrder } from "./ExportPaths.ts"

export interface KeptEntry {
  readonly entry: Summary.SummaryEntry
  /** Undefined where its page is gone. */
  readonly plan: PlannedPage | undefined
  /** The entry that it stands below. */
  readonly parent: KeptEntry | undefined
  /** The lines before it that belong to no entry, and its own. */
  readonly before: ReadonlyArray<string>
  readonly lines: ReadonlyArray<string>
  readonly index: number
}

export interface Planned {
  readonly tree: ReadonlyArray<PageNode>
  readonly paths: ExportPaths
  /** The pages that an import plans by the text. */
  readonly plan: ReadonlyArray<PlannedPage>
  /** Lines of entries that were no page from the beginning. */
  readonly leftOut: ReadonlySet<number>
}

/** The entries in order, those that are pages by the ids of these; undefined where two share a line. */
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
    // An entry that an import left out stays where it is, as lines before the next.
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

/** Text before its bullet, or its link. */
export const indentOf = ({ entry, lines }: KeptEntry): string => lines[0]!.slice(0, entry.range.indent ?? 0)

/** That of a list, where it stands in none. */
export const bulletOf = ({ entry, lines }: KeptEntry): string =>
  /^(?:[*+-]|\d{1,9}[.)])[ \t]+/.exec(lines[0]!.slice(entry.range.indent ?? 0))?.[0] ?? "* "
