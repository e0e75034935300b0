/** The rows of the tree of pages on the screen, as a flat list: which pages are visible, and where a row can be dropped. */
import type { Page } from "../api/Resources.ts"
import { canHaveChildren, childrenOf, matchingPages, titleOf, type TreeItem } from "./PageTree.ts"

export interface TreeRow<Item = Page> {
  readonly page: Item
  /** Level in the tree. 1 at the top. */
  readonly level: number
  /** Index of the row of the parent. -1 at the top. */
  readonly parentRow: number
  /** Position among the visible siblings, and their number. */
  readonly index: number
  readonly siblings: number
  /** True if the rows of its children follow. */
  readonly isOpen: boolean
}

const collectRows = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  isOpen: (page: Item) => boolean,
  visible: (siblings: ReadonlyArray<Item>) => ReadonlyArray<Item>
): ReadonlyArray<TreeRow<Item>> => {
  const rows: Array<TreeRow<Item>> = []
  const visit = (all: ReadonlyArray<Item>, level: number, parentRow: number): void => {
    const siblings = visible(all)
    for (const [index, page] of siblings.entries()) {
      const children = childrenOf(page)
      const open = children.length > 0 && isOpen(page)
      const row = rows.push({ page, level, parentRow, index, siblings: siblings.length, isOpen: open }) - 1
      if (open) visit(children, level + 1, row)
    }
  }
  visit(pages, 1, -1)
  return rows
}

/** Returns the rows of a tree. `expanded`: ids of pages whose children are visible. */
export const visibleRows = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  expanded: ReadonlySet<string>
): ReadonlyArray<TreeRow<Item>> =>
  collectRows(
    pages,
    ({ id }) => expanded.has(id),
    (siblings) => siblings
  )

export interface FilteredRows {
  readonly rows: ReadonlyArray<TreeRow>
  /** Ids of the pages that match. Other rows are their parents. */
  readonly matches: ReadonlySet<string>
}

/** Returns rows of the pages that match a filter, with their parents. */
export const filteredRows = (pages: ReadonlyArray<Page>, filter: string): FilteredRows => {
  const placed = matchingPages(pages, filter)
  const matches = new Set<string>()
  const parentsOfMatches = new Set<string>()
  for (const { page, parents } of placed) {
    matches.add(page.id)
    for (const { id } of parents) parentsOfMatches.add(id)
  }
  const rows = collectRows(
    pages,
    ({ id }) => parentsOfMatches.has(id),
    (siblings) => siblings.filter(({ id }) => matches.has(id) || parentsOfMatches.has(id))
  )
  return { rows, matches }
}

/** Returns the row after a row whose title starts with a text, from the start again after the end. -1 without one. */
export const typedRow = (rows: ReadonlyArray<TreeRow>, after: number, typed: string): number => {
  const wanted = typed.toLocaleLowerCase()
  for (let i = 0; i < rows.length; i++) {
    const row = (Math.max(after, 0) + i) % rows.length
    if (titleOf(rows[row]!.page).toLocaleLowerCase().startsWith(wanted)) return row
  }
  return -1
}

/** Position among the children of a page, or at the top. `at` counts all children, also those that move. */
export interface TreePosition {
  readonly into: string | null
  readonly at: number
}

/** A place where rows can be dropped. `gap`: index of the row below. */
export type Drop =
  | { readonly type: "into"; readonly row: number }
  | { readonly type: "gap"; readonly gap: number; readonly level: number }

/** Returns the levels of positions between two rows. */
const levelsOf = (rows: ReadonlyArray<TreeRow<unknown>>, gap: number): readonly [min: number, max: number] => {
  const above = rows[gap - 1]
  const min = rows[gap]?.level ?? 1
  return [min, above === undefined ? 1 : above.isOpen ? above.level + 1 : above.level]
}

/** Returns the row at a level that a row is, or is below. */
const ancestorAt = <Item>(rows: ReadonlyArray<TreeRow<Item>>, start: number, level: number): TreeRow<Item> => {
  let row = rows[start]!
  while (row.level > level) row = rows[row.parentRow]!
  return row
}

/** Returns the position in the tree where a drop puts a page. */
export const positionOf = <Item extends TreeItem<Item>>(
  rows: ReadonlyArray<TreeRow<Item>>,
  drop: Drop
): TreePosition => {
  if (drop.type === "into") {
    const { page } = rows[drop.row]!
    return { into: page.id, at: childrenOf(page).length }
  }
  const above = rows[drop.gap - 1]
  if (above === undefined) return { into: null, at: 0 }
  if (drop.level > above.level) return { into: above.page.id, at: 0 }
  const sibling = ancestorAt(rows, drop.gap - 1, drop.level)
  return { into: rows[sibling.parentRow]?.page.id ?? null, at: sibling.index + 1 }
}

/** Part of the height of a row, at its top and its bottom, that stands for the gap there. */
const gapPart = 0.28

export interface RowSize {
  /** Height of a row, and space before a level (CSS pixels). */
  readonly height: number
  readonly indent: number
}

/**
 * Returns the drop at a point of the rows. At the end of a level, the distance from the inline start selects the level.
 *
 * @param x Distance from the inline start (CSS pixels).
 * @param y Distance from the top of the first row (CSS pixels).
 */
export const dropAt = <Item extends TreeItem<Item>>(
  rows: ReadonlyArray<TreeRow<Item>>,
  x: number,
  y: number,
  { height, indent }: RowSize
): Drop => {
  const index = Math.max(0, Math.min(rows.length - 1, Math.floor(y / height)))
  const row = rows[index]
  const part = y / height - index
  if (row !== undefined && canHaveChildren(row.page) && part > gapPart && part < 1 - gapPart)
    return { type: "into", row: index }
  const gap = row === undefined ? 0 : part < 0.5 ? index : index + 1
  const [min, max] = levelsOf(rows, gap)
  return { type: "gap", gap, level: Math.max(min, Math.min(max, Math.floor(x / indent))) }
}

/** Returns the next drop below or above a drop, as the arrow keys go through them. Undefined at the end. */
export const nextDrop = (rows: ReadonlyArray<TreeRow>, drop: Drop, direction: "up" | "down"): Drop | undefined => {
  const isDown = direction === "down"
  if (drop.type === "into") {
    const gap = isDown ? drop.row + 1 : drop.row
    return { type: "gap", gap, level: levelsOf(rows, gap)[isDown ? 1 : 0] }
  }
  const [min, max] = levelsOf(rows, drop.gap)
  const level = drop.level + (isDown ? -1 : 1)
  if (level >= min && level <= max) return { ...drop, level }
  const row = isDown ? drop.gap : drop.gap - 1
  const passed = rows[row]
  if (passed === undefined) return undefined
  if (canHaveChildren(passed.page)) return { type: "into", row }
  const gap = isDown ? drop.gap + 1 : drop.gap - 1
  return { type: "gap", gap, level: levelsOf(rows, gap)[isDown ? 1 : 0] }
}

/** Returns the pages above and around a drop, for its description. */
export const neighborsOf = <Item>(
  rows: ReadonlyArray<TreeRow<Item>>,
  drop: Drop
): { readonly parent: Item | undefined; readonly before: Item | undefined } => {
  if (drop.type === "into") return { parent: rows[drop.row]!.page, before: undefined }
  const above = rows[drop.gap - 1]
  if (above === undefined) return { parent: undefined, before: undefined }
  if (drop.level > above.level) return { parent: above.page, before: undefined }
  const sibling = ancestorAt(rows, drop.gap - 1, drop.level)
  return { parent: rows[sibling.parentRow]?.page, before: sibling.page }
}
