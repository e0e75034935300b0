/** The pages that a content source answers, in the order and places in which they are built. */
import * as Slug from "../content/pages/Slug.ts"
import type { AnsweredPage } from "./AnsweredPages.ts"
import type { BuiltPage } from "./BuiltPages.ts"
import { FreeSlugs } from "./FreeSlugs.ts"

/** A page is known by the id that it was given, or by its path: then it is another one once that changes. */
export const outline = (pages: ReadonlyArray<AnsweredPage>): ReadonlyArray<BuiltPage> => {
  const built: Array<BuiltPage> = []
  const names = new Set<string>()
  // Answers nest 10 deep at most, so recursion is bounded.
  const add = (siblings: ReadonlyArray<AnsweredPage>, parent: string | null) => {
    const slugs = new FreeSlugs()
    for (const [i, { id, title, slug: wanted, pages = [], ...fields }] of siblings.entries()) {
      const isLink = fields.type === "link"
      const slug = isLink ? Slug.fromTitle(title) : slugs.free(title, wanted)
      const isNamed = id !== undefined && !names.has(id)
      if (isNamed) names.add(id)
      const key = isNamed ? keyOf("id", id) : isLink ? keyOf("link", parent, i) : keyOf("page", parent, slug)
      built.push({ ...fields, key, ...(isNamed && { name: id }), title, slug, parent })
      add(pages, key)
    }
  }
  add(pages, null)
  return built
}

const keyOf = (...parts: ReadonlyArray<string | number | null>): string => JSON.stringify(parts)
