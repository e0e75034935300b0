/**
 * The table of contents of an export: as it was imported where it still says the tree, else with the lines
 * changed that don't, else all of it anew.
 */
import { Effect } from "effect"
import * as Written from "@lectern/document/markdown/WrittenText"
import * as Summary from "../import/Summary.ts"
import type { PageNode } from "../pages/PageTree.ts"
import type { ExportUrls } from "./ExportUrls.ts"
import type { ExportPaths } from "./ExportPaths.ts"
import * as KeptSummary from "./KeptSummary.ts"
import { type Listing, listings, planned } from "./ListedPages.ts"
import * as SummaryText from "./SummaryText.ts"
import type { WrittenFolder } from "./WrittenFolder.ts"

export interface SummaryExport extends SummaryText.SummaryText {
  /** By id; all are listed where it is empty. */
  readonly listings: ReadonlyMap<string, Listing>
}

export const write = Effect.fnUntraced(function* (
  tree: ReadonlyArray<PageNode>,
  paths: ExportPaths,
  urls: ExportUrls,
  { leftOut, texts }: WrittenFolder
) {
  const own = texts.get(paths.summary)
  if (own !== undefined && own.length <= Summary.maxLength) {
    const kept = yield* keep(tree, paths, urls, own, leftOut).pipe(
      Effect.catchTags({ FolderTooLarge: () => Effect.undefined, FolderUnreadable: () => Effect.undefined })
    )
    if (kept !== undefined) return kept
  }
  return { ...(yield* SummaryText.write(tree, paths, urls)), listings: new Map() } satisfies SummaryExport
})

const keep = Effect.fnUntraced(function* (
  tree: ReadonlyArray<PageNode>,
  paths: ExportPaths,
  urls: ExportUrls,
  own: string,
  leftOut: ReadonlySet<number>
) {
  const { leftOut: gone, pages: plan } = yield* planned(own, paths)
  const asItIs = yield* listings(plan, tree, { paths, urls })
  // The entry of a page that is gone is as one whose file never was.
  if (asItIs !== undefined && gone.every((line) => leftOut.has(line)))
    return { text: own, shortened: [], listings: asItIs } satisfies SummaryExport
  const { written } = Written.of(own)
  for (const listsAll of [false, true]) {
    const text = yield* KeptSummary.write({ tree, paths, urls, text: Summary.normalise(own), plan, leftOut }, listsAll)
    if (text === undefined) return undefined
    const read = yield* listings((yield* planned(text, paths)).pages, tree, { paths, urls })
    if (read !== undefined) return { text: written(text), shortened: [], listings: read } satisfies SummaryExport
  }
  return undefined
})
