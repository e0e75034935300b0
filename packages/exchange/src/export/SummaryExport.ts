/**
 * Writes the table of contents of an export. If the imported table of contents still matches the tree, its text stays.
 * Otherwise its outdated lines are updated, or, if this fails, the whole text is written again.
 */
import { Effect } from "effect"
import * as Written from "@lectern/document/markdown/SourceText"
import type { FolderPlan } from "../import/FolderPlan.ts"
import type { PlannedPage } from "../import/PlannedPage.ts"
import * as Summary from "../import/Summary.ts"
import type { PageNode } from "@lectern/core/content/pages/PageTree"
import type { ExportUrls } from "./ExportUrls.ts"
import { type ExportPaths, preorder } from "./ExportPaths.ts"
import * as SummaryUpdate from "./SummaryUpdate.ts"
import { type Listing, listings, planOf } from "./ListedPages.ts"
import * as SummaryText from "./SummaryText.ts"
import type { ImportedFolder } from "./ImportedFolder.ts"

export interface SummaryExport extends SummaryText.SummaryText {
  /** Listings by page id. Empty if all pages are listed with their titles. */
  readonly listings: ReadonlyMap<string, Listing>
  /** Titles of pages in the table of contents at the time of their import, by path. */
  readonly importedListedTitles: ReadonlyMap<string, string>
}

export const write = Effect.fnUntraced(function* (
  tree: ReadonlyArray<PageNode>,
  paths: ExportPaths,
  urls: ExportUrls,
  { skippedLines, texts }: ImportedFolder
) {
  const importedText = texts.get(paths.summary)
  if (importedText === undefined || importedText.length > Summary.maxLength) return yield* writeNew(tree, paths, urls)
  const importedPlan = yield* planOf(importedText, paths).pipe(Effect.orElseSucceed(() => undefined))
  if (importedPlan === undefined) return yield* writeNew(tree, paths, urls)
  const updated = yield* updateImported(tree, paths, urls, importedText, skippedLines, importedPlan).pipe(
    Effect.orElseSucceed(() => undefined)
  )
  const importedListedTitles = titlesIn(importedPlan.pages)
  return { ...(updated ?? (yield* writeNew(tree, paths, urls))), importedListedTitles } satisfies SummaryExport
})

const writeNew = Effect.fnUntraced(function* (tree: ReadonlyArray<PageNode>, paths: ExportPaths, urls: ExportUrls) {
  const listedTree = withoutHiddenPages(tree)
  if (listedTree !== tree) {
    // An import hides pages without an entry in the table of contents, so their files need not state `hidden: true`.
    const { shortened, text } = yield* SummaryText.write(listedTree, paths, urls)
    const plan = yield* planOf(text, paths).pipe(Effect.orElseSucceed(() => undefined))
    const foundListings = plan && (yield* listings(plan.pages, tree, { paths, urls }))
    if (foundListings !== undefined)
      return { text, shortened, listings: foundListings, importedListedTitles: new Map<string, string>() }
  }
  const text = yield* SummaryText.write(tree, paths, urls)
  return { ...text, listings: new Map<string, Listing>(), importedListedTitles: new Map<string, string>() }
})

/** Returns the tree without hidden pages that came from files, unless a descendant is listed. */
const withoutHiddenPages = (tree: ReadonlyArray<PageNode>): ReadonlyArray<PageNode> => {
  const retainedByNode = new Map<PageNode, PageNode | undefined>()
  const listedChildren = (nodes: ReadonlyArray<PageNode>): ReadonlyArray<PageNode> => {
    const retainedNodes = nodes.flatMap((node) => retainedByNode.get(node) ?? [])
    return retainedNodes.length === nodes.length && retainedNodes.every((node, i) => node === nodes[i])
      ? nodes
      : retainedNodes
  }
  for (const node of Array.from(preorder(tree)).reverse()) {
    const pages = listedChildren(node.pages)
    const isHidden = node.page.hidden === true && node.page.git !== undefined && pages.length === 0
    retainedByNode.set(node, isHidden ? undefined : pages === node.pages ? node : { ...node, pages })
  }
  return listedChildren(tree)
}

const titlesIn = (pages: ReadonlyArray<PlannedPage>): ReadonlyMap<string, string> => {
  const titles = new Map<string, string>()
  const pending = [pages]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const page of next) {
      if (page.type === "document" && page.title !== undefined) titles.set(page.file.path, page.title)
      if (page.type !== "link") pending.push(page.children)
    }
  }
  return titles
}

const updateImported = Effect.fnUntraced(function* (
  tree: ReadonlyArray<PageNode>,
  paths: ExportPaths,
  urls: ExportUrls,
  importedText: string,
  skippedLines: ReadonlySet<number>,
  { skippedLines: missingLines, pages: plan }: FolderPlan
) {
  const currentListings = yield* listings(plan, tree, { paths, urls })
  // An entry without a page may stay only if the import skipped it too. The entry of a deleted page must be removed.
  if (currentListings !== undefined && missingLines.every((line) => skippedLines.has(line)))
    return { text: importedText, shortened: [], listings: currentListings }
  const { withFileFormat: written } = Written.readSourceText(importedText)
  for (const listsAll of [false, true]) {
    const text = yield* SummaryUpdate.updateSummary(
      { tree, paths, urls, text: Summary.normalize(importedText), plan, skippedLines },
      listsAll
    )
    if (text === undefined) return undefined
    const updatedListings = yield* listings((yield* planOf(text, paths)).pages, tree, { paths, urls })
    if (updatedListings !== undefined) return { text: written(text), shortened: [], listings: updatedListings }
  }
  return undefined
})
