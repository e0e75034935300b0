/** The tree of pages of a space, as data: where pages are, which ones match a filter, and where a move puts them. */
import type { Page } from "../api/Resources.ts"

export const childrenOf = (page: Page): ReadonlyArray<Page> => ("pages" in page ? page.pages : [])

export const titleOf = (page: Page): string => page.linkTitle ?? page.title

/** A page with its parents, outermost first. */
export interface PlacedPage {
  readonly page: Page
  readonly parents: ReadonlyArray<Page>
  /** Position among its siblings. */
  readonly index: number
}

const pagesByTree = new WeakMap<ReadonlyArray<Page>, ReadonlyMap<string, PlacedPage>>()

/** Returns all pages by their ids, in the order of the tree. Computed once for each tree. */
const pagesById = (pages: ReadonlyArray<Page>): ReadonlyMap<string, PlacedPage> => {
  const existing = pagesByTree.get(pages)
  if (existing !== undefined) return existing
  const byId = new Map<string, PlacedPage>()
  const visit = (siblings: ReadonlyArray<Page>, parents: ReadonlyArray<Page>): void => {
    for (const [index, page] of siblings.entries()) {
      byId.set(page.id, { page, parents, index })
      visit(childrenOf(page), [...parents, page])
    }
  }
  visit(pages, [])
  pagesByTree.set(pages, byId)
  return byId
}

/** Returns all pages in the order of the tree. */
export const placedPages = (pages: ReadonlyArray<Page>): ReadonlyArray<PlacedPage> => [...pagesById(pages).values()]

export const findPage = (pages: ReadonlyArray<Page>, id: string | undefined): PlacedPage | undefined =>
  id === undefined ? undefined : pagesById(pages).get(id)

/** Returns the first page with a text, in the order of the tree. */
export const firstDocument = (pages: ReadonlyArray<Page>): Page | undefined =>
  placedPages(pages).find(({ page }) => page.type === "document")?.page

const normalized = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()

const searchedTitles = new WeakMap<Page, string>()

const searchedTitle = (page: Page): string => {
  const title = searchedTitles.get(page) ?? normalized(`${page.title} ${page.linkTitle ?? ""}`)
  searchedTitles.set(page, title)
  return title
}

/** Returns pages whose titles contain all words of a filter, in any case and with or without accents. */
export const matchingPages = (pages: ReadonlyArray<Page>, filter: string): ReadonlyArray<PlacedPage> => {
  const words = normalized(filter).split(/\s+/).filter(Boolean)
  return placedPages(pages).filter(({ page }) => {
    const title = searchedTitle(page)
    return words.every((word) => title.includes(word))
  })
}

/** Position to which a page moves: its parent, and its index there without the page itself. Without `at`: at the end. */
export interface Move {
  readonly page: string
  readonly into: string | null
  readonly at?: number
}

export type Direction = "up" | "down" | "in" | "out"

const canHaveChildren = ({ type }: Page): boolean => type === "document" || type === "group"

/** Returns the move of a page by one step. Undefined if there is no such step. */
export const step = (pages: ReadonlyArray<Page>, id: string, direction: Direction): Move | undefined => {
  const found = findPage(pages, id)
  if (found === undefined) return undefined
  const { parents, index } = found
  const parent = parents.at(-1)
  const siblings = parent === undefined ? pages : childrenOf(parent)
  const into = parent?.id ?? null
  switch (direction) {
    case "up":
      return index > 0 ? { page: id, into, at: index - 1 } : undefined
    case "down":
      return index < siblings.length - 1 ? { page: id, into, at: index + 1 } : undefined
    case "in": {
      const before = siblings[index - 1]
      return before !== undefined && canHaveChildren(before) ? { page: id, into: before.id } : undefined
    }
    case "out": {
      if (parent === undefined) return undefined
      const around = findPage(pages, parent.id)!
      return { page: id, into: around.parents.at(-1)?.id ?? null, at: around.index + 1 }
    }
  }
}

/** Returns the move of a page to a place before, after or in another one. Undefined if it can't be there. */
export const moveTo = (
  pages: ReadonlyArray<Page>,
  id: string,
  target: string,
  place: "before" | "after" | "on"
): Move | undefined => {
  const moved = findPage(pages, id)
  const goal = findPage(pages, target)
  if (moved === undefined || goal === undefined || id === target) return undefined
  if (goal.parents.some((parent) => parent.id === id)) return undefined
  if (place === "on") return canHaveChildren(goal.page) ? { page: id, into: target } : undefined
  const into = goal.parents.at(-1)?.id ?? null
  const isSibling = (moved.parents.at(-1)?.id ?? null) === into
  const index = goal.index + (place === "after" ? 1 : 0)
  return { page: id, into, at: isSibling && moved.index < index ? index - 1 : index }
}

/** Number of pages below a page. */
export const countBelow = (page: Page): number => placedPages(childrenOf(page)).length
