/** Other addresses of what a page shows: for machines, and in other languages. */
import type { Contents } from "@lectern/core/content/Contents"
import type * as Resources from "@lectern/core/content/ContentResources"
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import type { Document } from "@lectern/document/Document"
import { Effect } from "effect"
import * as Addresses from "../machine/Addresses.ts"
import * as Feed from "../machine/Feed.ts"
import * as ShownSite from "../machine/ShownSite.ts"
import type { Alternates } from "../page/SitePage.ts"
import * as SiteTargets from "./SiteTargets.ts"
import * as Tree from "./Tree.ts"

export const of = Effect.fnUntraced(function* (
  contents: Contents["Service"],
  site: PublishedSite,
  published: PublishedContent,
  { page, document, url }: { readonly page: Resources.Page; readonly document: Document; readonly url: string }
) {
  const hasDocument = page.type === "document"
  return {
    index: published.siteBasePath + Addresses.index,
    ...(hasDocument && { markdown: Addresses.markdownOf(url) }),
    ...(Feed.updatesOf(document).length > 0 && { feed: Addresses.feedOf(url) }),
    languages: hasDocument ? yield* languagesOf(contents, site, published, page) : []
  } satisfies Alternates
})

/** The same page in the variants of its section that are in different languages: that with its id, else its path. */
const languagesOf = Effect.fnUntraced(function* (
  contents: Contents["Service"],
  site: PublishedSite,
  { siteSection, siteSpace }: PublishedContent,
  page: Resources.DocumentPage
) {
  const variants = SiteTargets.siteSpacesOf(site).filter(({ section }) => section === siteSection)
  const own = variants.find(({ id }) => id === siteSpace)
  const byLanguage = new Map(own?.space.language === undefined ? [] : [[own.space.language, own]])
  for (const variant of [...variants.filter((one) => one.default), ...variants]) {
    const { language } = variant.space
    if (language !== undefined && !byLanguage.has(language)) byLanguage.set(language, variant)
  }
  if (own?.space.language === undefined || byLanguage.size < 2) return []
  const found: Array<{ readonly language: string; readonly url: string; readonly isDefault: boolean }> = []
  for (const [language, variant] of byLanguage) {
    const space = yield* ShownSite.spaceOf({ contents }, variant)
    const there = space && (Tree.find(space.tree, page.id) ?? Tree.byPath(space.tree, page.path))
    if (space === undefined || there?.type !== "document") continue
    const url = Tree.urlOf(there, space)
    found.push({ language, url, isDefault: variant.default })
  }
  if (found.length < 2) return []
  return found.flatMap(({ language, url, isDefault }) => [
    { language, url },
    ...(isDefault ? [{ language: "x-default", url }] : [])
  ])
})
