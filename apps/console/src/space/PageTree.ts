/**
 * The tree of pages of a space, as data: where pages are, and which ones match a filter. Functions that only need the
 * order of items also work on the spaces and collections of the home screen.
 */
import type { Page } from "../api/Resources.ts"

/** An item of a tree. `Item`: type of the items below it. */
export interface TreeItem<Item> {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly linkTitle?: string
  readonly pages?: ReadonlyArray<Item>
}

export const childrenOf = <Item>(page: TreeItem<Item>): ReadonlyArray<Item> => page.pages ?? []

export const titleOf = (page: TreeItem<unknown>): string => page.linkTitle ?? page.title

/** A page with its parents, outermost first. */
export interface PlacedPage<Item = Page> {
  readonly page: Item
  readonly parents: ReadonlyArray<Item>
  /** Position among its siblings. */
  readonly index: number
}

const pagesByTree = new WeakMap<ReadonlyArray<unknown>, ReadonlyMap<string, unknown>>()

/** Returns all pages by their ids, in the order of the tree. Computed once for each tree. */
const pagesById = <Item extends TreeItem<Item>>(pages: ReadonlyArray<Item>): ReadonlyMap<string, PlacedPage<Item>> => {
  const existing = pagesByTree.get(pages) as ReadonlyMap<string, PlacedPage<Item>> | undefined
  if (existing !== undefined) return existing
  const byId = new Map<string, PlacedPage<Item>>()
  const visit = (siblings: ReadonlyArray<Item>, parents: ReadonlyArray<Item>): void => {
    for (const [index, page] of siblings.entries()) {
      byId.set(page.id, { page, parents, index })
      const children = childrenOf(page)
      if (children.length > 0) visit(children, [...parents, page])
    }
  }
  visit(pages, [])
  pagesByTree.set(pages, byId)
  return byId
}

/** Returns all pages in the order of the tree. */
export const placedPages = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>
): ReadonlyArray<PlacedPage<Item>> => [...pagesById(pages).values()]

export const findPage = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  id: string | undefined
): PlacedPage<Item> | undefined => (id === undefined ? undefined : pagesById(pages).get(id))

/** Returns the first page with a text, in the order of the tree. */
export const firstDocument = (pages: ReadonlyArray<Page>): Page | undefined =>
  placedPages(pages).find(({ page }) => page.type === "document")?.page

// Most titles are ASCII, and their normalization would be the largest part of a first filter.
const normalized = (text: string): string =>
  (/^[\0-\x7f]*$/.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase()

const searchedTitles = new WeakMap<Page, string>()

const searchedTitle = (page: Page): string => {
  const title = searchedTitles.get(page) ?? normalized(`${page.title} ${page.linkTitle ?? ""}`)
  searchedTitles.set(page, title)
  return title
}

/** Prepares titles for filters, so that the first letter of a filter takes no longer than the others. */
export const prepareFilter = (pages: ReadonlyArray<Page>): void => {
  for (const { page } of placedPages(pages)) searchedTitle(page)
}

/** Returns pages whose titles contain all words of a filter, in any case and with or without accents. */
export const matchingPages = (pages: ReadonlyArray<Page>, filter: string): ReadonlyArray<PlacedPage> => {
  const words = normalized(filter).split(/\s+/).filter(Boolean)
  return placedPages(pages).filter(({ page }) => {
    const title = searchedTitle(page)
    return words.every((word) => title.includes(word))
  })
}

export const canHaveChildren = ({ type }: TreeItem<unknown>): boolean =>
  type === "document" || type === "group" || type === "collection"

/** Returns the children of a page, or the pages at the top for null. Empty if the page does not exist. */
export const siblingsIn = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  parent: string | null
): ReadonlyArray<Item> => {
  if (parent === null) return pages
  const placed = findPage(pages, parent)
  return placed === undefined ? [] : childrenOf(placed.page)
}

/** Returns the pages of a set in the order of the tree, without pages below another page of the set. */
export const topmostPages = <Item extends TreeItem<Item>>(
  pages: ReadonlyArray<Item>,
  ids: ReadonlySet<string>
): ReadonlyArray<PlacedPage<Item>> => {
  const topmost: Array<PlacedPage<Item>> = []
  const visit = (siblings: ReadonlyArray<Item>): void => {
    for (const page of siblings) {
      if (ids.has(page.id)) topmost.push(findPage(pages, page.id)!)
      else visit(childrenOf(page))
    }
  }
  // A single page needs no walk through the tree.
  if (ids.size === 1) return [...ids].flatMap((id) => findPage(pages, id) ?? [])
  visit(pages)
  return topmost
}

/** Number of pages below a page. */
export const countBelow = (page: Page): number =>
  childrenOf(page).reduce((count, child) => count + 1 + countBelow(child), 0)
