/** Lists the pages of a content source's response in the order in which they are built, with their parents. */
import * as Slug from "../content/pages/Slug.ts"
import type { ResponsePage } from "./ResponsePages.ts"
import type { GeneratedPage } from "./GeneratedPages.ts"
import { UniqueSlugs } from "./UniqueSlugs.ts"

/**
 * Returns the pages in order of building. A page is identified by its id in the response, or by its path, so that a
 * page without an id becomes another page if its path changes.
 */
export const outline = (pages: ReadonlyArray<ResponsePage>): ReadonlyArray<GeneratedPage> => {
  const generatedPages: Array<GeneratedPage> = []
  const names = new Set<string>()
  // Responses have at most 10 levels, so the recursion ends.
  const add = (siblings: ReadonlyArray<ResponsePage>, parent: string | null) => {
    const slugs = new UniqueSlugs()
    for (const [i, { id, title, slug: requestedSlug, pages = [], ...fields }] of siblings.entries()) {
      const isLink = fields.type === "link"
      const slug = isLink ? Slug.fromTitle(title) : slugs.free(title, requestedSlug)
      const isNamed = id !== undefined && !names.has(id)
      if (isNamed) names.add(id)
      const key = isNamed ? keyOf("id", id) : isLink ? keyOf("link", parent, i) : keyOf("page", parent, slug)
      generatedPages.push({ ...fields, key, ...(isNamed && { name: id }), title, slug, parent })
      add(pages, key)
    }
  }
  add(pages, null)
  return generatedPages
}

const keyOf = (...parts: ReadonlyArray<string | number | null>): string => JSON.stringify(parts)
