/**
 * Items of the palette: content to open, and actions. Items that the browser has are matched here; pages are found by the
 * search of the server.
 *
 * Limits: 6 items of a group, and 12 pages.
 */
import type { IconName } from "../frame/Icon.tsx"

export const paletteGroups = ["recent", "pages", "actions", "spaces", "changes", "sites"] as const
type PaletteGroup = (typeof paletteGroups)[number]

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

/** Returns the items that have all words of the query, the best of each group first. An empty query matches all. */
export const matchingItems = (items: ReadonlyArray<IndexedItem>, query: string): ReadonlyArray<PaletteItem> => {
  const folded = foldText(query.trim())
  const words = folded.split(/\s+/).filter((word) => word !== "")
  const ranked = items.flatMap((item) => {
    const rank = rankOf(item, folded, words)
    return rank === undefined ? [] : [{ item, rank }]
  })
  const byGroup = Map.groupBy(ranked, ({ item }) => item.group)
  return paletteGroups.flatMap((group) =>
    (byGroup.get(group) ?? [])
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, maxOfGroup)
      .map(({ item }) => item)
  )
}
