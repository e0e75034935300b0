/** Content of a site that one reader can see, with absolute URLs. */
import { CurrentActor } from "@lectern/core/access/Actor"
import type { Contents } from "@lectern/core/content/Contents"
import type * as Resources from "@lectern/core/content/ContentResources"
import type { PublishedSite } from "@lectern/core/publishing/PublishedSite"
import type { PublishedSites } from "@lectern/core/publishing/PublishedSites"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import type { SiteSpace } from "@lectern/core/site/SiteResources"
import type { Tokens } from "@lectern/core/token/Tokens"
import { Effect } from "effect"
import * as LinkTargets from "../reading/LinkTargets.ts"
import * as Tree from "../reading/Tree.ts"

/** A space of the site, and the base URL of its pages. */
export interface ShownSpace extends LinkTargets.SpaceAt {
  readonly siteSpace: SiteSpace
}

export interface ShownSite {
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
  return { published, site, base } satisfies ShownSite
})

/** Returns a space of the site with its tree; undefined if the reader cannot see the space. */
export const spaceOf = Effect.fnUntraced(function* (
  { contents }: Pick<Services, "contents">,
  siteSpace: SiteSpace | undefined
) {
  const base = siteSpace?.urls.published
  if (siteSpace === undefined || base === undefined) return undefined
  const at = yield* contents.locate({ space: siteSpace.space.id }).pipe(Effect.catch(() => Effect.undefined))
  if (at === undefined) return undefined
  return { siteSpace, at, base, tree: yield* Tree.read(contents, at) } satisfies ShownSpace
})

/** Returns the space of the requested URL. */
export const ownSpace = (services: Pick<Services, "contents">, { site, published }: ShownSite) =>
  spaceOf(
    services,
    LinkTargets.siteSpacesOf(site).find(({ id }) => id === published.siteSpace)
  )

/** Returns the spaces of the site that the reader can see, in the site's order. */
export const spaces = Effect.fnUntraced(function* (services: Pick<Services, "contents">, { site }: ShownSite) {
  const all = yield* Effect.forEach(LinkTargets.siteSpacesOf(site), (one) => spaceOf(services, one))
  return all.filter((one) => one !== undefined)
})

export interface ListedPage {
  readonly page: Resources.DocumentPage
  readonly url: string
}

/** Returns the pages listed for machines, in reading order, without hidden pages and pages excluded from search. */
export const pagesOf = (space: ShownSpace) =>
  Tree.orderOf(space.tree)
    .filter(({ noIndex }) => noIndex !== true)
    .map((page): ListedPage => ({ page, url: Tree.urlOf(page, space) }))
