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
import type { Located } from "@lectern/core/content/reading/LocatedRevision"
import * as ServedNames from "@lectern/core/site/ServedNames"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import { runSync, Slice, type Steps } from "@lectern/core/storage/Slice"
import * as Emoji from "@lectern/document/markdown/Emoji"
import type { LinkTarget } from "../document/BlockRenderer.ts"
import { Effect } from "effect"
import * as SafeUrls from "../html/SafeUrls.ts"
import type { PageCard, NavEntry } from "../page/SitePage.ts"

type Page = Resources.Page

const maxWhole = 600
const maxLevel = 200
const maxBeside = 50

/** A space whose pages have URLs. */
interface Based {
  readonly base: string
  readonly tree: Resources.Pages
}

const belowOf = (page: Page): ReadonlyArray<Page> => ("pages" in page ? page.pages : [])

const isShown = ({ hidden }: Page): boolean => hidden !== true

/** Result of traversing a tree. */
interface Walked {
  readonly byId: ReadonlyMap<string, { readonly page: Page; readonly above: Page | undefined }>
  /** Visible pages in reading order, and the index of each page in `order` by its id. */
  readonly order: ReadonlyArray<Resources.DocumentPage>
  readonly places: ReadonlyMap<string, number>
  /** Number of visible entries. */
  readonly size: number
  /** Visible child entries by page id. Top-level entries have the key "". */
  readonly below: ReadonlyMap<string, ReadonlyArray<Page>>
  /** Id of the first document at the top level or in its groups, which is the front page of the space. */
  readonly front: string | undefined
}

/** Returns the first document among pages, including documents in groups. */
export const firstDocument = (pages: ReadonlyArray<Page>): Page | undefined => {
  for (const page of pages) {
    const found = page.type === "document" ? page : page.type === "group" ? firstDocument(page.pages) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** Results by tree. The core returns the same tree object until the tree changes. */
const walked = new WeakMap<Resources.Pages, Walked>()

const walk = (tree: Resources.Pages): Walked => {
  let known = walked.get(tree)
  if (known === undefined) walked.set(tree, (known = runSync(walking(tree))))
  return known
}

const walks = new SingleFlight<Resources.Pages, Walked>()

/**
 * Reads the tree of a space and indexes it in time slices (see `Slice`). Afterwards all functions of this module take
 * constant time.
 */
export const read = Effect.fnUntraced(function* (contents: Pick<Contents["Service"], "pages">, at: Located) {
  const tree = yield* contents.pages(at)
  if (!walked.has(tree)) {
    const walk = Effect.map(Slice.run(walking(tree)), (made) => {
      walked.set(tree, made)
      return made
    })
    yield* walks.run(tree, walk)
  }
  return tree
})

function* walking(tree: Resources.Pages): Steps<Walked> {
  const byId = new Map<string, { readonly page: Page; readonly above: Page | undefined }>()
  const order: Array<Resources.DocumentPage> = []
  const places = new Map<string, number>()
  let size = 0
  const open: Array<{ readonly page: Page; readonly above: Page | undefined; readonly isShown: boolean }> = []
  const below = new Map<string, ReadonlyArray<Page>>()
  const push = (pages: ReadonlyArray<Page>, above: Page | undefined, isAboveShown: boolean) => {
    if (pages.length > 0) below.set(above?.id ?? "", pages.every(isShown) ? pages : pages.filter(isShown))
    for (let i = pages.length - 1; i >= 0; i--) {
      const page = pages[i]!
      open.push({ page, above, isShown: isAboveShown && isShown(page) })
    }
  }
  push(tree.pages, undefined, true)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { page, above } = next
    byId.set(page.id, { page, above })
    if (next.isShown) {
      size++
      if (page.type === "document") places.set(page.id, order.push(page) - 1)
    }
    push(belowOf(page), page, next.isShown)
    yield
  }
  return { byId, order, places, size, below, front: firstDocument(tree.pages)?.id }
}

export const find = (tree: Resources.Pages, id: string): Page | undefined => walk(tree).byId.get(id)?.page

/** Returns the ancestors of a page from the top down, then the page itself; empty if the page does not exist. */
export const pathTo = (tree: Resources.Pages, id: string): ReadonlyArray<Page> => {
  const { byId } = walk(tree)
  const path: Array<Page> = []
  for (let at = byId.get(id); at !== undefined; at = at.above && byId.get(at.above.id)) path.unshift(at.page)
  return path
}

/** Returns the pages before and after a page in reading order. */
export const besides = (tree: Resources.Pages, id: string) => {
  const { order, places } = walk(tree)
  const place = places.get(id)
  return place === undefined ? {} : { previous: order[place - 1], next: order[place + 1] }
}

/** Returns the URL of the page with a path below the base of its space. */
export const urlAt = (base: string, path: string): string => {
  const segments = path.split("/")
  return base + segments.map(encodeURIComponent).join("/") + ServedNames.slashOf(segments)
}

/** True if the page is the front page of the space, at its base URL. */
export const isFront = (page: Page, tree: Resources.Pages): boolean => walk(tree).front === page.id

/**
 * Returns the URL of a page. The front page of a space has the base URL. The URL of a link page is empty if a browser
 * would run its target.
 */
export const urlOf = (page: Page, { base, tree }: Based): string => {
  if (page.type === "link") return SafeUrls.linkUrl(page.href ?? "") ?? ""
  if (isFront(page, tree)) return base
  return urlAt(base, page.path)
}

export const byPath = ({ pages }: Resources.Pages, path: string): Page | undefined => {
  for (const page of pages) {
    if (page.type === "link") continue
    if (page.path === path) return page
    if (!path.startsWith(`${page.path}/`)) continue
    const below = byPath({ pages: belowOf(page) }, path)
    if (below !== undefined) return below
  }
  return undefined
}

/** Returns the emoji of a page. Clients of the hosted service store an emoji as its code, such as `1f680`. */
export const emojiOf = ({ emoji }: Page): { readonly emoji?: string } =>
  emoji === undefined ? {} : { emoji: isCode.test(emoji) ? Emoji.charactersOf(emoji) : emoji }

const isCode = /^[0-9a-f]{4,6}(?:-[0-9a-f]{2,6}){0,9}$/i

export const targetOf = (page: Page, space: Based): LinkTarget => ({
  url: urlOf(page, space),
  title: page.title,
  ...emojiOf(page),
  ...(page.icon !== undefined && { icon: page.icon }),
  ...(page.type === "document" && page.description !== undefined && { description: page.description })
})

/** Returns cards of the direct children of a page, without pages hidden from navigation. */
export const cardsBelow = (id: string, space: Based): ReadonlyArray<PageCard> => {
  const page = find(space.tree, id)
  return (page === undefined ? [] : belowOf(page))
    .filter(isShown)
    .slice(0, maxLevel)
    .flatMap((below) => {
      const { url, title: _, ...more } = targetOf(below, space)
      return url === undefined || url === "" ? [] : [{ ...more, title: titleOf(below), url }]
    })
}

/**
 * Returns the entries of the navigation. `shown`: ids of the displayed page's ancestors and of the displayed page
 * itself.
 */
export const entries = (space: Based, shown: ReadonlyArray<string>): ReadonlyArray<NavEntry> => {
  const { below, size } = walk(space.tree)
  const isWhole = size <= maxWhole

  /**
   * Returns the entries of a page's direct children. `isOpen`: true if the page is displayed or an ancestor of the
   * displayed page.
   */
  const entriesBelow = (id: string, isOpen: boolean): ReadonlyArray<NavEntry> => {
    const all = below.get(id) ?? []
    const most = isWhole ? all.length : isOpen ? maxLevel : maxBeside
    const open = isOpen && !isWhole ? all.findIndex(({ id }) => shown.includes(id)) : 0
    const from = Math.max(0, Math.min(open - Math.floor(most / 2), all.length - most))
    const to = Math.min(all.length, from + most)
    return [...onward(all, from - 1, -1), ...all.slice(from, to).map(entryOf), ...onward(all, to, 1)]
  }

  const entryOf = (page: Page): NavEntry => {
    const isOpen = shown.includes(page.id)
    const url = page.type === "group" ? "" : urlOf(page, space)
    return {
      id: page.id,
      title: titleOf(page),
      ...(url !== "" && { url }),
      ...emojiOf(page),
      ...(page.icon !== undefined && { icon: page.icon }),
      isCurrent: page.id === shown.at(-1),
      isOpen,
      children: isWhole || isOpen || page.type === "group" ? entriesBelow(page.id, isOpen) : []
    }
  }

  /** Returns a link to the first omitted page, which displays its own neighbors in the navigation. */
  const onward = (all: ReadonlyArray<Page>, from: number, step: 1 | -1): ReadonlyArray<NavEntry> => {
    let at = from
    while (all[at] !== undefined && all[at]!.type !== "document") at += step
    const next = all[at]
    if (next === undefined) return []
    const url = urlOf(next, space)
    return [{ id: `${next.id}…`, title: `… ${titleOf(next)}`, url, isCurrent: false, isOpen: false, children: [] }]
  }

  return entriesBelow("", true)
}

const titleOf = (page: Page): string => page.linkTitle ?? page.title

/** Returns the visible pages of a list and their descendants, in reading order. */
export const inOrder = (pages: ReadonlyArray<Page>): ReadonlyArray<Resources.DocumentPage> =>
  pages.filter(isShown).flatMap((page) => [...(page.type === "document" ? [page] : []), ...inOrder(belowOf(page))])

/** Returns the pages of a complete tree in reading order. */
export const orderOf = (tree: Resources.Pages): ReadonlyArray<Resources.DocumentPage> => walk(tree).order
