/** Content of a site that one reader can see, with absolute URLs. */
import { CurrentActor } from "@lectern/core/access/Actor"
import type { Contents } from "@lectern/core/content/Contents"
import type * as Resources from "@lectern/core/content/ContentResources"
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import type { PublishedSites } from "@lectern/core/publishing/PublishedSites"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { SiteMount } from "@lectern/core/site/SiteAddress"
import type { SiteSpace } from "@lectern/core/site/SiteResources"
import type { Tokens } from "@lectern/core/token/Tokens"
import { Effect } from "effect"
import * as LinkTargets from "../reading/LinkTargets.ts"
import * as Tree from "../reading/Tree.ts"

/** A space of the site, and the base URL of its pages. */
export interface VisibleSpace extends LinkTargets.LocatedSpace {
  readonly siteSpace: SiteSpace
}

export interface VisibleSite {
  readonly published: PublishedContent
  readonly site: PublishedSite
  /** URL of the front page, with a trailing slash. */
  readonly base: string
}

export interface Services {
  readonly contents: Contents["Service"]
  readonly sites: PublishedSites["Service"]
  readonly tokens: Tokens["Service"]
}

/** Runs an effect as the reader of a response. */
export const asReader =
  ({ tokens }: Pick<Services, "tokens">, { apiToken }: Pick<PublishedContent, "apiToken">) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.flatMap(tokens.authenticate(apiToken), (reader) => Effect.provideService(effect, CurrentActor, reader))

export const read = Effect.fnUntraced(function* ({ sites }: Pick<Services, "sites">, published: PublishedContent) {
  const { organization, site: id, shareKey } = published
  const site = yield* sites.get(organization, id, shareKey === undefined ? {} : { shareKey })
  const base = site.site.urls.published ?? URL.parse(published.siteBasePath, published.canonicalUrl)?.href ?? "/"
  return { published, site, base } satisfies VisibleSite
})

/** Returns a space of the site with its tree; undefined if the reader cannot see the space. */
export const readSpace = Effect.fnUntraced(function* (
  { contents }: Pick<Services, "contents">,
  siteSpace: SiteSpace | undefined
) {
  const base = siteSpace?.urls.published
  if (siteSpace === undefined || base === undefined) return undefined
  const location = yield* contents.locate({ space: siteSpace.space.id }).pipe(Effect.catch(() => Effect.undefined))
  if (location === undefined) return undefined
  const tree = yield* Tree.read(contents, location)
  const isStatic = (yield* SiteMount)?.staticSite !== undefined
  return { siteSpace, location, base, tree, isStatic } satisfies VisibleSpace
})

/** Returns the space of the requested URL. */
export const readOwnSpace = (services: Pick<Services, "contents">, { site, published }: VisibleSite) =>
  readSpace(
    services,
    LinkTargets.siteSpacesOf(site).find(({ id }) => id === published.siteSpace)
  )

/** Returns the spaces of the site that the reader can see, in the site's order. */
export const readSpaces = Effect.fnUntraced(function* (services: Pick<Services, "contents">, { site }: VisibleSite) {
  const all = yield* Effect.forEach(LinkTargets.siteSpacesOf(site), (siteSpace) => readSpace(services, siteSpace))
  return all.filter((space) => space !== undefined)
})

export interface ListedPage {
  readonly page: Resources.DocumentPage
  readonly url: string
}

/** Returns the pages listed for machines, in reading order, without hidden pages and pages excluded from search. */
export const pagesOf = (space: VisibleSpace) =>
  Tree.allDocuments(space.tree)
    .filter(({ noIndex }) => noIndex !== true)
    .map((page): ListedPage => ({ page, url: Tree.urlOf(page, space) }))
