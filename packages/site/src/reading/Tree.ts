/**
 * The tree of pages as readers navigate it.
 *
 * Limits: if a tree has more than 600 visible entries, the navigation is cut, since otherwise each page would be as
 * large as its tree. It then shows the top level, groups, ancestors of the displayed page and its children. Children of
 * other pages are omitted. A level shows at most 200 entries around the displayed page, and other groups show their
 * first 50 entries. A link to the next omitted page follows.
 */
import type * as Resources from "@lectern/core/content/ContentResources"
import type { Contents } from "@lectern/core/content/Contents"
import type { LocatedRevision } from "@lectern/core/content/reading/LocatedRevision"
import * as ServedNames from "@lectern/core/site/ServedNames"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import { runSync, Slice, type Steps } from "@lectern/core/storage/Slice"
import { emojiCharacters } from "@lectern/document/EmojiCode"
import type { LinkTarget } from "../document/BlockRenderer.ts"
import { Effect } from "effect"
import * as SafeUrls from "../html/SafeUrls.ts"
import type { PageCard, NavEntry } from "../page/SitePage.ts"

type Page = Resources.Page

const maxEntries = 600
const maxLevelEntries = 200
const maxGroupEntries = 50

/** A space whose pages have URLs. */
interface BasedTree {
  readonly base: string
  readonly tree: Resources.Pages
  /** True if the site is written to files (see `SiteMount`). Default: false. */
  readonly isStatic?: boolean
}

const childrenOf = (page: Page): ReadonlyArray<Page> => ("pages" in page ? page.pages : [])

const isVisible = ({ hidden }: Page): boolean => hidden !== true

/** Result of traversing a tree. */
interface TreeIndex {
  readonly byId: ReadonlyMap<string, { readonly page: Page; readonly parent: Page | undefined }>
  /** Visible pages in reading order, and the index of each page in `order` by its id. */
  readonly order: ReadonlyArray<Resources.DocumentPage>
  readonly positions: ReadonlyMap<string, number>
  /** Number of visible entries. */
  readonly size: number
  /** Visible child entries by page id. Top-level entries have the key "". */
  readonly visibleChildren: ReadonlyMap<string, ReadonlyArray<Page>>
  /** Id of the first document at the top level or in its groups, which is the front page of the space. */
  readonly front: string | undefined
}

/** Returns the first document among pages, including documents in groups. */
export const firstDocument = (pages: ReadonlyArray<Page>): Page | undefined => {
  for (const page of pages) {
    const firstPage = page.type === "document" ? page : page.type === "group" ? firstDocument(page.pages) : undefined
    if (firstPage !== undefined) return firstPage
  }
  return undefined
}

/** Results by tree. The core returns the same tree object until the tree changes. */
const indexes = new WeakMap<Resources.Pages, TreeIndex>()

const indexOf = (tree: Resources.Pages): TreeIndex => {
  let index = indexes.get(tree)
  if (index === undefined) indexes.set(tree, (index = runSync(buildIndex(tree))))
  return index
}

const indexingFlights = new SingleFlight<Resources.Pages, TreeIndex>()

/**
 * Reads the tree of a space and indexes it in time slices (see `Slice`). Afterwards all functions of this module take
 * constant time.
 */
export const read = Effect.fnUntraced(function* (
  contents: Pick<Contents["Service"], "pages">,
  location: LocatedRevision
) {
  const tree = yield* contents.pages(location)
  if (!indexes.has(tree)) {
    const walk = Effect.map(Slice.run(buildIndex(tree)), (index) => {
      indexes.set(tree, index)
      return index
    })
    yield* indexingFlights.run(tree, walk)
  }
  return tree
})

function* buildIndex(tree: Resources.Pages): Steps<TreeIndex> {
  const byId = new Map<string, { readonly page: Page; readonly parent: Page | undefined }>()
  const order: Array<Resources.DocumentPage> = []
  const positions = new Map<string, number>()
  let size = 0
  const stack: Array<{ readonly page: Page; readonly parent: Page | undefined; readonly isVisible: boolean }> = []
  const visibleChildren = new Map<string, ReadonlyArray<Page>>()
  const pushPages = (pages: ReadonlyArray<Page>, parent: Page | undefined, isParentVisible: boolean) => {
    if (pages.length > 0)
      visibleChildren.set(parent?.id ?? "", pages.every(isVisible) ? pages : pages.filter(isVisible))
    for (let i = pages.length - 1; i >= 0; i--) {
      const page = pages[i]!
      stack.push({ page, parent, isVisible: isParentVisible && isVisible(page) })
    }
  }
  pushPages(tree.pages, undefined, true)
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { page, parent } = entry
    byId.set(page.id, { page, parent })
    if (entry.isVisible) {
      size++
      if (page.type === "document") positions.set(page.id, order.push(page) - 1)
    }
    pushPages(childrenOf(page), page, entry.isVisible)
    yield
  }
  return { byId, order, positions, size, visibleChildren, front: firstDocument(tree.pages)?.id }
}

export const find = (tree: Resources.Pages, id: string): Page | undefined => indexOf(tree).byId.get(id)?.page

/** Returns the ancestors of a page from the top down, then the page itself; empty if the page does not exist. */
export const pathTo = (tree: Resources.Pages, id: string): ReadonlyArray<Page> => {
  const { byId } = indexOf(tree)
  const path: Array<Page> = []
  for (let entry = byId.get(id); entry !== undefined; entry = entry.parent && byId.get(entry.parent.id))
    path.unshift(entry.page)
  return path
}

/** Returns the pages before and after a page in reading order. */
export const neighborsOf = (tree: Resources.Pages, id: string) => {
  const { order, positions } = indexOf(tree)
  const position = positions.get(id)
  return position === undefined ? {} : { previous: order[position - 1], next: order[position + 1] }
}

/** Returns the URL of the page with a path below the base of its space. */
export const urlAt = (base: string, path: string, isStatic = false): string => {
  const segments = path.split("/")
  return base + segments.map(encodeURIComponent).join("/") + ServedNames.slashOf(segments, isStatic)
}

/** True if the page is the front page of the space, at its base URL. */
export const isFront = (page: Page, tree: Resources.Pages): boolean => indexOf(tree).front === page.id

/**
 * Returns the URL of a page. The front page of a space has the base URL. The URL of a link page is empty if a browser
 * would run its target.
 */
export const urlOf = (page: Page, { base, tree, isStatic }: BasedTree): string => {
  if (page.type === "link") return SafeUrls.linkUrl(page.href ?? "") ?? ""
  if (isFront(page, tree)) return base
  return urlAt(base, page.path, isStatic)
}

export const byPath = ({ pages }: Resources.Pages, path: string): Page | undefined => {
  for (const page of pages) {
    if (page.type === "link") continue
    if (page.path === path) return page
    if (!path.startsWith(`${page.path}/`)) continue
    const descendant = byPath({ pages: childrenOf(page) }, path)
    if (descendant !== undefined) return descendant
  }
  return undefined
}

/** Returns the emoji of a page. Clients of the hosted service store an emoji as its code, such as `1f680`. */
export const emojiOf = ({ emoji }: Page): { readonly emoji?: string } =>
  emoji === undefined ? {} : { emoji: isCode.test(emoji) ? emojiCharacters(emoji) : emoji }

const isCode = /^[0-9a-f]{4,6}(?:-[0-9a-f]{2,6}){0,9}$/i

export const targetOf = (page: Page, space: BasedTree): LinkTarget => ({
  url: urlOf(page, space),
  title: page.title,
  ...emojiOf(page),
  ...(page.icon !== undefined && { icon: page.icon }),
  ...(page.type === "document" && page.description !== undefined && { description: page.description })
})

/** Returns cards of the direct children of a page, without pages hidden from navigation. */
export const childCards = (id: string, space: BasedTree): ReadonlyArray<PageCard> => {
  const page = find(space.tree, id)
  return (page === undefined ? [] : childrenOf(page))
    .filter(isVisible)
    .slice(0, maxLevelEntries)
    .flatMap((child) => {
      const { url, title: _, ...more } = targetOf(child, space)
      return url === undefined || url === "" ? [] : [{ ...more, title: titleOf(child), url }]
    })
}

type FixedPart = Omit<NavEntry, "isCurrent" | "isOpen" | "children">

/** Parts of the navigation that are equal on all pages of a space. */
interface FixedParts {
  readonly key: string
  readonly parts: Map<Page, FixedPart>
  /** Entries whose subtree does not contain the displayed page. The renderer caches their HTML by identity. */
  readonly closedEntries: Map<Page, NavEntry>
}

const fixedPartOf = (page: Page, space: BasedTree): FixedPart => {
  const url = page.type === "group" ? "" : urlOf(page, space)
  return {
    id: "path" in page ? page.path : page.id,
    title: titleOf(page),
    ...(url !== "" && { url }),
    ...emojiOf(page),
    ...(page.icon !== undefined && { icon: page.icon }),
    ...methodOf(page)
  }
}

/** Fixed parts by tree, for the last base. */
const fixedPartCache = new WeakMap<Resources.Pages, FixedParts>()

const fixedPartsOf = ({ base, tree, isStatic = false }: BasedTree): FixedParts => {
  const key = `${isStatic} ${base}`
  const cached = fixedPartCache.get(tree)
  if (cached?.key === key) return cached
  const fixed: FixedParts = { key, parts: new Map(), closedEntries: new Map() }
  fixedPartCache.set(tree, fixed)
  return fixed
}

/**
 * Returns the entries of the navigation. `currentPath`: ids of the displayed page's ancestors and of the displayed page
 * itself.
 */
export const entries = (space: BasedTree, currentPath: ReadonlyArray<string>): ReadonlyArray<NavEntry> => {
  const { visibleChildren, size } = indexOf(space.tree)
  const isComplete = size <= maxEntries

  /**
   * Returns the entries of a page's direct children. `isOpen`: true if the page is displayed or an ancestor of the
   * displayed page.
   */
  const childEntries = (id: string, isOpen: boolean): ReadonlyArray<NavEntry> => {
    const all = visibleChildren.get(id) ?? []
    const limit = isComplete ? all.length : isOpen ? maxLevelEntries : maxGroupEntries
    const openIndex = isOpen && !isComplete ? all.findIndex(({ id }) => currentPath.includes(id)) : 0
    const start = Math.max(0, Math.min(openIndex - Math.floor(limit / 2), all.length - limit))
    const end = Math.min(all.length, start + limit)
    return [...omittedLink(all, start - 1, -1), ...all.slice(start, end).map(entryOf), ...omittedLink(all, end, 1)]
  }

  const openPages = new Set(currentPath)
  const { parts, closedEntries } = fixedPartsOf(space)
  const entryOf = (page: Page): NavEntry => {
    const isOpen = openPages.has(page.id)
    const cached = isOpen ? undefined : closedEntries.get(page)
    if (cached !== undefined) return cached
    let fixedPart = parts.get(page)
    if (fixedPart === undefined) parts.set(page, (fixedPart = fixedPartOf(page, space)))
    const entry = {
      ...fixedPart,
      isCurrent: page.id === currentPath.at(-1),
      isOpen,
      children: isComplete || isOpen || page.type === "group" ? childEntries(page.id, isOpen) : []
    }
    if (!isOpen) closedEntries.set(page, entry)
    return entry
  }

  /** Returns a link to the first omitted page, which displays its own neighbors in the navigation. */
  const omittedLink = (all: ReadonlyArray<Page>, from: number, step: 1 | -1): ReadonlyArray<NavEntry> => {
    let index = from
    while (all[index] !== undefined && all[index]!.type !== "document") index += step
    const omittedPage = all[index]
    if (omittedPage === undefined) return []
    const url = urlOf(omittedPage, space)
    return [
      {
        id: `${omittedPage.id}…`,
        title: `… ${titleOf(omittedPage)}`,
        url,
        isCurrent: false,
        isOpen: false,
        children: []
      }
    ]
  }

  return childEntries("", true)
}

const methodOf = (page: Page): Pick<NavEntry, "method"> => {
  const computed = page.type === "document" ? page.computed : undefined
  return computed?.type === "builtin:openapi" && "method" in computed.props ? { method: computed.props.method } : {}
}

const titleOf = (page: Page): string => page.linkTitle ?? page.title

/** Returns the visible pages of a list and their descendants, in reading order. */
export const documentsIn = (pages: ReadonlyArray<Page>): ReadonlyArray<Resources.DocumentPage> =>
  pages
    .filter(isVisible)
    .flatMap((page) => [...(page.type === "document" ? [page] : []), ...documentsIn(childrenOf(page))])

/** Returns all entries of a tree, including hidden ones, each before its children. */
export const allEntries = (tree: Resources.Pages): ReadonlyArray<Page> =>
  Array.from(indexOf(tree).byId.values(), ({ page }) => page)

/** Returns the pages of a complete tree in reading order. */
export const allDocuments = (tree: Resources.Pages): ReadonlyArray<Resources.DocumentPage> => indexOf(tree).order
