/** Applies changes to a tree of pages as the server does, so that a write needs no read of the whole tree. */
import type { Page } from "./Resources.ts"
import type { ContentChange } from "./Writes.ts"

type Pages = ReadonlyArray<Page>

const childrenOf = (page: Page): Pages => ("pages" in page ? page.pages : [])

/** Replaces a page by the result of a function, or removes it. Returns the pages unchanged if they lack the page. */
const replaced = (pages: Pages, id: string, replace: (page: Page) => Page | undefined): Pages => {
  for (const [i, page] of pages.entries()) {
    if (page.id === id) {
      const next = replace(page)
      return pages.toSpliced(i, 1, ...(next === undefined ? [] : [next]))
    }
    const children = childrenOf(page)
    if (children.length === 0) continue
    const next = replaced(children, id, replace)
    if (next !== children) return pages.with(i, { ...page, pages: next } as Page)
  }
  return pages
}

const inserted = (pages: Pages, { at, into }: { into: string | null; at: number | undefined }, page: Page): Pages => {
  if (into === null) return pages.toSpliced(at ?? pages.length, 0, page)
  return replaced(
    pages,
    into,
    (parent) =>
      ({
        ...parent,
        pages: childrenOf(parent).toSpliced(at ?? childrenOf(parent).length, 0, page)
      }) as Page
  )
}

/** Fields that the tree has as the change sets them. */
const plainFields: ReadonlySet<string> = new Set(["operation", "page", "title", "hidden", "into", "at"])

/** Returns the pages after changes. Undefined if a change has results that only the server knows. */
export const changedTree = (pages: Pages, changes: ReadonlyArray<ContentChange>): Pages | undefined => {
  let result = pages
  for (const change of changes) {
    if (change.operation === "delete_page") {
      result = replaced(result, change.page, () => undefined)
      continue
    }
    if (change.operation !== "update_page" || Object.keys(change).some((field) => !plainFields.has(field)))
      return undefined
    const { at, hidden, into, page: id, title } = change
    let changed: Page | undefined
    const next = replaced(result, id, (page) => {
      const { hidden: _, ...shown } = page
      const isHidden = hidden ?? page.hidden ?? false
      changed = { ...(isHidden ? { ...page, hidden: true } : shown), ...(title !== undefined && { title }) } as Page
      return into === undefined ? changed : undefined
    })
    if (changed === undefined) return undefined
    result = into === undefined ? next : inserted(next, { into, at }, changed)
  }
  return result
}
