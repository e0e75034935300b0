/**
 * Items of the palette: content to open, and actions. Items that the browser has are matched here; pages and people are found by
 * searches of the server. A group with a title that starts with the query is before the pages, and the others are after
 * them, so a result of the search is never chosen in place of an action whose name was typed.
 *
 * Limits: 6 items of a group, and 12 pages.
 */
import type { IconName } from "../frame/Icon.tsx"

type PaletteGroup = "recent" | "pages" | "actions" | "spaces" | "changes" | "sites" | "people"
const groupsWithoutQuery: ReadonlyArray<PaletteGroup> = ["recent", "actions", "spaces"]
const groupsOfQuery: ReadonlyArray<PaletteGroup> = ["actions", "spaces", "changes", "sites"]

export interface PaletteItem {
  /** Unique among all items. */
  readonly id: string
  readonly group: PaletteGroup
  readonly title: string
  /** Second line or further words, which are matched too. */
  readonly detail?: string | undefined
  readonly icon: IconName
  readonly emoji?: string | undefined
  /** Opens the item. */
  readonly open: () => void
}

/** An item with its words in a form that ignores case and accents. */
interface IndexedItem extends PaletteItem {
  readonly foldedTitle: string
  readonly foldedText: string
}

const maxOfGroup = 6

/** Largest number of pages from the search. */
export const maxPages = 12

const foldText = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()

export const indexItem = (item: PaletteItem): IndexedItem => ({
  ...item,
  foldedTitle: foldText(item.title),
  foldedText: foldText(`${item.title} ${item.detail ?? ""}`)
})

/** Rank of an item for a query: the lower, the better. Undefined if a word of the query is not in the item. */
const rankOf = ({ foldedText, foldedTitle }: IndexedItem, query: string, words: ReadonlyArray<string>) => {
  if (!words.every((word) => foldedText.includes(word))) return undefined
  if (foldedTitle.startsWith(query)) return 0
  if (words.every((word) => foldedTitle.startsWith(word) || foldedTitle.includes(` ${word}`))) return 1
  return words.every((word) => foldedTitle.includes(word)) ? 2 : 3
}

/**
 * Returns the items that have all words of the query, the best of each group first, with the results of the
 * searches. An empty query
 * matches the items that are useful without one.
 */
export const matchingItems = (
  items: ReadonlyArray<IndexedItem>,
  query: string,
  found: ReadonlyArray<PaletteItem>
): ReadonlyArray<PaletteItem> => {
  const folded = foldText(query.trim())
  const words = folded.split(/\s+/).filter((word) => word !== "")
  const ranked = items.flatMap((item) => {
    const rank = rankOf(item, folded, words)
    return rank === undefined ? [] : [{ item, rank }]
  })
  const byGroup = Map.groupBy(ranked, ({ item }) => item.group)
  const groups = (folded === "" ? groupsWithoutQuery : groupsOfQuery).map((group) => {
    const best = (byGroup.get(group) ?? []).toSorted((a, b) => a.rank - b.rank).slice(0, maxOfGroup)
    return { isFirst: best[0]?.rank === 0, items: best.map(({ item }) => item) }
  })
  return [
    ...groups.filter(({ isFirst }) => isFirst).flatMap(({ items }) => items),
    ...(folded === "" ? [] : found),
    ...groups.filter(({ isFirst }) => !isFirst).flatMap(({ items }) => items)
  ]
}
