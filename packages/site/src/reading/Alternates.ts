/** Other URLs of a page's content: formats for machines, and other languages. */
import * as ServedNames from "@lectern/core/site/ServedNames"
import type { Contents } from "@lectern/core/content/Contents"
import type * as Resources from "@lectern/core/content/ContentResources"
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import type { SiteSpace } from "@lectern/core/site/SiteResources"
import type { Document } from "@lectern/document/Document"
import { Effect } from "effect"
import * as AlternateUrls from "../machine-readable/AlternateUrls.ts"
import * as AtomFeed from "../machine-readable/AtomFeed.ts"
import * as VisibleSite from "../machine-readable/VisibleSite.ts"
import type { Alternates } from "../page/SitePage.ts"
import * as LinkTargets from "./LinkTargets.ts"
import * as Tree from "./Tree.ts"

/** A page in a variant of its section. */
export interface VariantPage {
  readonly siteSpace: SiteSpace
  readonly url: string
}

/**
 * Returns the page in each variant of its section, including its own variant. In another variant, it is the page with
 * the same id or otherwise the same path.
 */
export const pageInVariants = Effect.fnUntraced(function* (
  contents: Contents["Service"],
  site: PublishedSite,
  { siteSection }: PublishedContent,
  page: Resources.Page
) {
  const variants = LinkTargets.siteSpacesOf(site).filter(({ section }) => section === siteSection)
  if (page.type !== "document" || variants.length < 2) return []
  const variantPages: Array<VariantPage> = []
  for (const siteSpace of variants) {
    const space = yield* VisibleSite.readSpace({ contents }, siteSpace)
    const variantPage = space && (Tree.find(space.tree, page.id) ?? Tree.byPath(space.tree, page.path))
    if (space !== undefined && variantPage?.type === "document")
      variantPages.push({ siteSpace, url: Tree.urlOf(variantPage, space) })
  }
  return variantPages
})

export const alternatesOf = (
  { siteBasePath, siteSpace }: PublishedContent,
  {
    page,
    document,
    url,
    variants,
    hasPublicUrl
  }: {
    readonly page: Resources.Page
    readonly document: Document
    readonly url: string
    readonly variants: ReadonlyArray<VariantPage>
    /** False if no feeds and languages can be listed, since they need absolute URLs. */
    readonly hasPublicUrl: boolean
  }
): Alternates => ({
  index: siteBasePath + ServedNames.index,
  ...(page.type === "document" && { markdown: AlternateUrls.markdownUrl(url) }),
  ...(hasPublicUrl && AtomFeed.updatesOf(document).length > 0 && { feed: AlternateUrls.feedUrl(url) }),
  languages: hasPublicUrl ? languagesOf(variants, siteSpace) : []
})

/**
 * Returns the page in each language of the variants. A language with several variants uses the displayed variant,
 * otherwise the default one.
 */
const languagesOf = (variants: ReadonlyArray<VariantPage>, ownSpace: string): Alternates["languages"] => {
  const currentVariant = variants.find(({ siteSpace }) => siteSpace.id === ownSpace)
  if (currentVariant?.siteSpace.space.language === undefined) return []
  const byLanguage = new Map([[currentVariant.siteSpace.space.language, currentVariant]])
  for (const variant of [...variants.filter(({ siteSpace }) => siteSpace.default), ...variants]) {
    const { language } = variant.siteSpace.space
    if (language !== undefined && !byLanguage.has(language)) byLanguage.set(language, variant)
  }
  if (byLanguage.size < 2) return []
  return [...byLanguage].flatMap(([language, { siteSpace, url }]) => [
    { language, url },
    ...(siteSpace.default ? [{ language: "x-default", url }] : [])
  ])
}
