/**
 * The page tree of a content: ancestors, descendants and paths of pages. A group is a segment of the paths below it. A
 * link is not part of any path.
 *
 * Limits: 10 levels below a page at the top, 50,000 pages.
 */
import { Effect } from "effect"
import { Slice, type Steps, sortInSteps } from "../../storage/Slice.ts"
import type { StorageError } from "../../storage/Storage.ts"
import { byPosition, type ContentReader } from "../ContentReader.ts"
import { type PageEntry, type PageId, shownType } from "./Page.ts"

export const maxDepth = 10
export const maxPages = 50_000

export interface PageNode {
  readonly page: PageEntry
  readonly path: string
  readonly pages: ReadonlyArray<PageNode>
}

type Tree = Pick<ContentReader, "page">

/** Returns the ancestors of a page, topmost first. */
export const ancestors = Effect.fnUntraced(function* (
  content: Tree,
  page: PageEntry
): Effect.fn.Return<ReadonlyArray<PageEntry>, StorageError> {
  const ancestorPages: Array<PageEntry> = []
  let parent = page.parent
  while (parent !== null) {
    const entry: PageEntry | undefined = yield* content.page(parent)
    if (entry === undefined) break
    ancestorPages.push(entry)
    parent = entry.parent
  }
  return ancestorPages.reverse()
})

/**
 * Returns the ancestors of each page, topmost first, with one read for each level of the tree. An undefined page has no
 * ancestors.
 */
export const ancestorsOfEach = Effect.fnUntraced(function* (
  content: Pick<ContentReader, "pages">,
  pages: ReadonlyArray<PageEntry | undefined>
): Effect.fn.Return<ReadonlyArray<ReadonlyArray<PageEntry>>, StorageError> {
  const entries = new Map<string, PageEntry | undefined>()
  let level = pages
  while (level.length > 0) {
    const parents = new Set(level.flatMap((page) => page?.parent ?? []))
    const missingIds = [...parents].filter((id) => !entries.has(id))
    level = yield* content.pages(missingIds)
    for (const [i, id] of missingIds.entries()) entries.set(id, level[i])
  }
  return pages.map((page) => {
    const ancestorPages: Array<PageEntry> = []
    for (let entry = page; entry !== undefined && entry.parent !== null;) {
      entry = entries.get(entry.parent)
      if (entry !== undefined) ancestorPages.push(entry)
    }
    return ancestorPages.reverse()
  })
})

/** Returns the path of a page: the slugs from the top down to the page. */
export const path = (content: Tree, page: PageEntry): Effect.Effect<string, StorageError> =>
  Effect.map(ancestors(content, page), (ancestorPages) => [...ancestorPages, page].map(({ slug }) => slug).join("/"))

/** Returns true if the page is `other` or one of its descendants. */
export const isWithin = Effect.fnUntraced(function* (
  content: Tree,
  page: string,
  other: string
): Effect.fn.Return<boolean, StorageError> {
  let id: string | null = page
  while (id !== null) {
    if (id === other) return true
    const entry: PageEntry | undefined = yield* content.page(id)
    id = entry?.parent ?? null
  }
  return false
})

/** Returns the page at a path, without regard to case. */
export const byPath = Effect.fnUntraced(function* (
  content: ContentReader,
  requestedPath: string
): Effect.fn.Return<PageEntry | undefined, StorageError> {
  const segments = requestedPath.split("/").filter((segment) => segment !== "")
  let id: PageId | null = null
  for (const segment of segments) {
    const child: PageId | undefined = yield* content.child(id, segment)
    if (child === undefined) return undefined
    id = child
  }
  return id === null ? undefined : yield* content.page(id)
})

/**
 * Returns the first document at the top or in a top-level group, in reading order; earlier groups without a document
 * are skipped. Hidden pages count as absent, with all their descendants.
 */
export const firstDocument = Effect.fnUntraced(function* (
  content: ContentReader,
  isShown: (page: PageEntry) => boolean
): Effect.fn.Return<PageEntry | undefined, StorageError> {
  for (const page of yield* children(content, null)) {
    if (!isShown(page)) continue
    if (page.type === "document") return page
    if (page.type !== "group") continue
    const nested = yield* firstInGroup(content, page, isShown)
    if (nested !== undefined) return nested
  }
  return undefined
})

/** Returns the first document in a top-level group. */
export const firstInGroup = Effect.fnUntraced(function* (
  content: ContentReader,
  group: PageEntry,
  isShown: (page: PageEntry) => boolean
): Effect.fn.Return<PageEntry | undefined, StorageError> {
  // A nested group is displayed as a document without a text (see `shownType`).
  return (yield* children(content, group.id)).find((child) => isShown(child) && shownType(child, false) === "document")
})

/** Returns the direct children of a page in order. Null: the pages at the top. */
export const children = Effect.fnUntraced(function* (
  content: ContentReader,
  parent: string | null
): Effect.fn.Return<ReadonlyArray<PageEntry>, StorageError> {
  const pages = yield* content.pages((yield* content.children(parent)).map(({ id }) => id))
  return pages.filter((page) => page !== undefined)
})

/** Returns the descendants of a page, level by level. */
export const descendantLevels = Effect.fnUntraced(function* (
  content: Pick<ContentReader, "childrenOf">,
  page: string
): Effect.fn.Return<ReadonlyArray<ReadonlyArray<PageId>>, StorageError> {
  const levels: Array<ReadonlyArray<PageId>> = []
  let level: ReadonlyArray<string> = [page]
  while (level.length > 0) {
    const next = (yield* content.childrenOf(level)).flatMap((children) => children.map(({ id }) => id))
    if (next.length > 0) levels.push(next)
    level = next
  }
  return levels
})

/** Returns all descendants of a page, parents before their children. */
export const descendants = (
  content: Pick<ContentReader, "childrenOf">,
  page: string
): Effect.Effect<ReadonlyArray<PageId>, StorageError> =>
  Effect.map(descendantLevels(content, page), (levels) => levels.flat())

/** Returns the pages of a content as an ordered tree. Runs in time slices (see `Slice`). */
export const nest = (pages: ReadonlyArray<PageEntry>): Effect.Effect<ReadonlyArray<PageNode>> =>
  Slice.run(nestSteps(pages))

export function* nestSteps(pages: ReadonlyArray<PageEntry>): Steps<ReadonlyArray<PageNode>> {
  interface Building {
    readonly page: PageEntry
    path: string
    pages: Array<Building>
  }
  const nodes = new Map<string, Building>()
  for (const page of pages) {
    nodes.set(page.id, { page, path: page.slug, pages: [] })
    yield
  }
  const top: Building = { page: undefined as never, path: "", pages: [] }
  for (const node of nodes.values()) {
    ;(nodes.get(node.page.parent ?? "") ?? top).pages.push(node)
    yield
  }
  const pending = [top]
  for (let above = pending.pop(); above !== undefined; above = pending.pop()) {
    if (above.pages.length > 1) above.pages = yield* sortInSteps(above.pages, (a, b) => byPosition(a.page, b.page))
    for (const node of above.pages) {
      if (above !== top) node.path = `${above.path}/${node.page.slug}`
      if (node.pages.length > 0) pending.push(node)
      yield
    }
  }
  return top.pages
}

/** Returns the complete page tree of a content, in order. */
export const tree = (content: Pick<ContentReader, "allPages">): Effect.Effect<ReadonlyArray<PageNode>, StorageError> =>
  Effect.flatMap(content.allPages, nest)

/** Returns the nodes of a tree, each after its parent. */
export function* preorder(nodes: ReadonlyArray<PageNode>): Steps<ReadonlyArray<PageNode>> {
  const order: Array<PageNode> = []
  const pendingNodes = nodes.toReversed()
  for (let node = pendingNodes.pop(); node !== undefined; node = pendingNodes.pop()) {
    order.push(node)
    for (let i = node.pages.length - 1; i >= 0; i--) pendingNodes.push(node.pages[i]!)
    yield
  }
  return order
}
