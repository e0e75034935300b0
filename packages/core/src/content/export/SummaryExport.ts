/**
 * Writes the table of contents of an export. If the imported table of contents still matches the tree, its text stays.
 * Otherwise its outdated lines are updated, or, if this fails, the whole text is written again.
 */
import { Effect } from "effect"
import * as Written from "@lectern/document/markdown/WrittenText"
import type { FolderPlan } from "../import/FolderPlan.ts"
import type { PlannedPage } from "../import/PlannedPage.ts"
import * as Summary from "../import/Summary.ts"
import type { PageNode } from "../pages/PageTree.ts"
import type { ExportUrls } from "./ExportUrls.ts"
import { type ExportPaths, inOrder } from "./ExportPaths.ts"
import * as SummaryUpdate from "./SummaryUpdate.ts"
import { type Listing, listings, planned } from "./ListedPages.ts"
import * as SummaryText from "./SummaryText.ts"
import type { ImportedFolder } from "./ImportedFolder.ts"

export interface SummaryExport extends SummaryText.SummaryText {
  /** Listings by page id. Empty if all pages are listed with their titles. */
  readonly listings: ReadonlyMap<string, Listing>
  /** Titles of pages in the table of contents at the time of their import, by path. */
  readonly listedBefore: ReadonlyMap<string, string>
}

export const write = Effect.fnUntraced(function* (
  tree: ReadonlyArray<PageNode>,
  paths: ExportPaths,
  urls: ExportUrls,
  { leftOut, texts }: ImportedFolder
) {
  const own = texts.get(paths.summary)
  if (own === undefined || own.length > Summary.maxLength) return yield* anew(tree, paths, urls)
  const before = yield* planned(own, paths).pipe(Effect.orElseSucceed(() => undefined))
  if (before === undefined) return yield* anew(tree, paths, urls)
  const kept = yield* keep(tree, paths, urls, own, leftOut, before).pipe(Effect.orElseSucceed(() => undefined))
  const listedBefore = titlesIn(before.pages)
  return { ...(kept ?? (yield* anew(tree, paths, urls))), listedBefore } satisfies SummaryExport
})

const anew = Effect.fnUntraced(function* (tree: ReadonlyArray<PageNode>, paths: ExportPaths, urls: ExportUrls) {
  const listed = withEntries(tree)
  if (listed !== tree) {
    // An import hides pages without an entry in the table of contents, so their files need not state `hidden: true`.
    const { shortened, text } = yield* SummaryText.write(listed, paths, urls)
    const plan = yield* planned(text, paths).pipe(Effect.orElseSucceed(() => undefined))
    const found = plan && (yield* listings(plan.pages, tree, { paths, urls }))
    if (found !== undefined) return { text, shortened, listings: found, listedBefore: new Map<string, string>() }
  }
  const text = yield* SummaryText.write(tree, paths, urls)
  return { ...text, listings: new Map<string, Listing>(), listedBefore: new Map<string, string>() }
})

/** Returns the tree without hidden pages that came from files, unless a descendant is listed. */
const withEntries = (tree: ReadonlyArray<PageNode>): ReadonlyArray<PageNode> => {
  const kept = new Map<PageNode, PageNode | undefined>()
  const below = (nodes: ReadonlyArray<PageNode>): ReadonlyArray<PageNode> => {
    const some = nodes.flatMap((node) => kept.get(node) ?? [])
    return some.length === nodes.length && some.every((node, i) => node === nodes[i]) ? nodes : some
  }
  for (const node of Array.from(inOrder(tree)).reverse()) {
    const pages = below(node.pages)
    const isHidden = node.page.hidden === true && node.page.git !== undefined && pages.length === 0
    kept.set(node, isHidden ? undefined : pages === node.pages ? node : { ...node, pages })
  }
  return below(tree)
}

const titlesIn = (pages: ReadonlyArray<PlannedPage>): ReadonlyMap<string, string> => {
  const titles = new Map<string, string>()
  const open = [pages]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const page of next) {
      if (page.type === "document" && page.title !== undefined) titles.set(page.file.path, page.title)
      if (page.type !== "link") open.push(page.children)
    }
  }
  return titles
}

const keep = Effect.fnUntraced(function* (
  tree: ReadonlyArray<PageNode>,
  paths: ExportPaths,
  urls: ExportUrls,
  own: string,
  leftOut: ReadonlySet<number>,
  { leftOut: gone, pages: plan }: FolderPlan
) {
  const asItIs = yield* listings(plan, tree, { paths, urls })
  // The entry of a deleted page counts as an entry whose file never existed.
  if (asItIs !== undefined && gone.every((line) => leftOut.has(line)))
    return { text: own, shortened: [], listings: asItIs }
  const { written } = Written.of(own)
  for (const listsAll of [false, true]) {
    const text = yield* SummaryUpdate.write(
      { tree, paths, urls, text: Summary.normalise(own), plan, leftOut },
      listsAll
    )
    if (text === undefined) return undefined
    const read = yield* listings((yield* planned(text, paths)).pages, tree, { paths, urls })
    if (read !== undefined) return { text: written(text), shortened: [], listings: read }
  }
  return undefined
})
