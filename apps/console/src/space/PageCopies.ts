/**
 * Copies pages with the pages below them to another position, change request or space. The browser remembers the copied
 * pages, for all of its tabs.
 *
 * A copy has the text and the settings of its page, and a new address. In another space, its links, pictures and
 * reusable contents are still those of the first space, and it has no tags, since each space has its own.
 *
 * Limits: 200 pages. Computed pages are not copied.
 */
import type { ContentRef } from "@lectern/document/ContentRef"
import { request } from "../api/Api.ts"
import { type ContentPlace, contentPath } from "../api/Queries.ts"
import type { Page } from "../api/Resources.ts"
import { type ContentChange, createdPages, maxChanges, writeContent } from "../api/Writes.ts"
import { childrenOf, topmostPages } from "./PageTree.ts"
import type { TreePosition } from "./TreeRows.ts"

export const maxCopied = 200

/** Maximum number of concurrent requests for documents. */
const concurrentReads = 6

const storageKey = "lectern-copied-pages"

export interface CopiedPages {
  readonly source: ContentPlace
  readonly ids: ReadonlyArray<string>
  /** True if the pages move when they are pasted where they were cut. */
  readonly isCut: boolean
}

export const copyPages = (copied: CopiedPages): void => localStorage.setItem(storageKey, JSON.stringify(copied))

export const copiedPages = (): CopiedPages | undefined => {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? "null") as Partial<CopiedPages> | null
    return stored?.source?.space === undefined || !Array.isArray(stored.ids)
      ? undefined
      : { source: stored.source, ids: stored.ids.map(String), isCut: stored.isCut === true }
  } catch {
    return undefined
  }
}

export const isSamePlace = (a: ContentPlace, b: ContentPlace): boolean =>
  a.space === b.space && a.changeRequest === b.changeRequest

/** A page that is copied, after its parent. */
export interface PageCopy {
  readonly page: Page
  /** Index of the copy of its parent. -1 for the pages that were selected. */
  readonly parent: number
}

/** Returns pages with the pages below them, in the order of the tree. */
export const pagesToCopy = (pages: ReadonlyArray<Page>, ids: ReadonlySet<string>): ReadonlyArray<PageCopy> => {
  const copies: Array<PageCopy> = []
  const visit = (siblings: ReadonlyArray<Page>, parent: number): void => {
    for (const page of siblings) {
      if (page.type === "computed") continue
      visit(childrenOf(page), copies.push({ page, parent }) - 1)
    }
  }
  visit(
    topmostPages(pages, ids).map(({ page }) => page),
    -1
  )
  return copies
}

const localKinds: ReadonlySet<unknown> = new Set(["page", "file", "anchor", "reusable-content"])

/** Returns content whose references name the space that they lead to. */
export const withSpace = (value: unknown, space: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => withSpace(one, space))
  if (typeof value !== "object" || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withSpace(one, space)]))
  const { kind } = copy
  // An anchor without a page leads to a heading of its own text.
  const isReference =
    localKinds.has(kind) && typeof copy[kind === "reusable-content" ? "reusableContent" : String(kind)] === "string"
  return isReference && copy["space"] === undefined && (kind !== "anchor" || copy["page"] !== undefined)
    ? { ...copy, space }
    : copy
}

/** Returns the change that inserts a copy. `document`: content of its page. */
const insertionOf = (page: Page, document: unknown, isSameSpace: boolean, space: string): ContentChange => {
  const refer = <A>(value: A): A => (isSameSpace ? value : (withSpace(value, space) as A))
  const { condition, emoji, hidden, icon, linkTitle, title } = page
  const common = {
    operation: "insert_page" as const,
    title,
    ...(linkTitle !== undefined && { linkTitle }),
    ...(emoji !== undefined && { emoji }),
    ...(icon !== undefined && { icon }),
    ...(hidden !== undefined && { hidden }),
    ...(condition !== undefined && { condition })
  }
  if (page.type === "link") return { ...common, type: "link", target: refer<ContentRef>(page.target) }
  if (page.type !== "document") return { ...common, type: "group" }
  const { cover, description, layout, noIndex, noRobotsIndex, tags, variables } = page
  return {
    ...common,
    type: "document",
    layout,
    ...(description !== undefined && { description }),
    ...(noIndex !== undefined && { noIndex }),
    ...(noRobotsIndex !== undefined && { noRobotsIndex }),
    ...(cover !== undefined && { cover: refer(cover) }),
    ...(variables !== undefined && { variables }),
    ...(isSameSpace &&
      tags.length > 0 && {
        tags: tags.map(({ primary, tag }) => ({ tag: tag.tag, ...(primary !== undefined && { primary }) }))
      }),
    ...(document !== undefined && { document: { document: refer(document) } })
  }
}

const readDocument = async (place: ContentPlace, page: Page): Promise<unknown> => {
  if (page.type !== "document") return undefined
  const { document } = await request<{ readonly document?: unknown }>(`${contentPath(place)}/page/${page.id}`, {
    query: { format: "document" }
  })
  return document
}

/** Inserts copies of pages into a change request. Returns the ids of the copies at the position. */
export const pastePages = async (
  copies: ReadonlyArray<PageCopy>,
  from: ContentPlace,
  to: ContentPlace & { readonly changeRequest: number },
  position: TreePosition
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  let at = position.at
  for (let start = 0; start < copies.length; start += maxChanges) {
    const batch = copies.slice(start, start + maxChanges)
    const documents: Array<unknown> = []
    for (let read = 0; read < batch.length; read += concurrentReads)
      documents.push(
        ...(await Promise.all(batch.slice(read, read + concurrentReads).map(({ page }) => readDocument(from, page))))
      )
    const nameOf = (index: number): string => (index >= start ? `copy${index}` : ids[index]!)
    const changes = batch.map(
      ({ page, parent }, i): ContentChange =>
        ({
          ...insertionOf(page, documents[i], from.space === to.space, from.space),
          ref: nameOf(start + i),
          ...(parent < 0 ? { into: position.into, at: at++ } : { into: nameOf(parent) })
        }) as ContentChange
    )
    ids.push(...createdPages(await writeContent(to.space, to.changeRequest, changes)))
  }
  return ids.filter((_, i) => copies[i]!.parent < 0)
}
