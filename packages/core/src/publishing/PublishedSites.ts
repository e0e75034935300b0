/** Returns all data that a renderer needs of a published site. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Customizations } from "../customization/Customizations.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { IntegrationsUrl } from "../integration/IntegrationEndpoints.ts"
import { ActiveIntegrations } from "../integration/ActiveIntegrations.ts"
import { scriptsOf } from "../integration/SiteScripts.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { type Redirect, RedirectNotFound, type RedirectTarget } from "../redirect/Redirect.ts"
import { withRest, redirectOf } from "../redirect/RedirectMatch.ts"
import { presentRedirect } from "../redirect/Redirects.ts"
import { publishedUrl, sitesUrl } from "../site/SiteAddress.ts"
import type { SiteId, SiteNotFound, SiteRow } from "../site/Site.ts"
import { isReadable, type AuthorizedSite, siteNotFound, SitePolicy } from "../site/SitePolicy.ts"
import {
  adaptiveContentOf,
  presentSite,
  presentStructure,
  presentStructureSpaces,
  previewUrl,
  siteUrlOf
} from "../site/SitePresenter.ts"
import { SiteViews } from "../site/SiteViews.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { PublishedSite } from "./PublishedSite.ts"
import { type FormerPath, PublishedUrls } from "./urls/PublishedUrls.ts"
import { anonymousVisitor } from "./Admission.ts"
import { publishedSpaces } from "../visitor/AdmittedVisitors.ts"
import { VisitorKeys } from "../visitor/VisitorKeys.ts"

type Failure = SiteNotFound | Forbidden | StorageError

export class PublishedSites extends Context.Service<
  PublishedSites,
  {
    /**
     * Returns a site as its visitors read it. A member gets it as a visitor without claims.
     *
     * @param options.shareKey Key of a share link. Required for a site with the audience `share-link`.
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      site: SiteId,
      options: { readonly shareKey?: string }
    ) => Effect.Effect<PublishedSite, Failure, CurrentActor>
    /**
     * Returns the target of a path of the site that is redirected or was used before.
     *
     * @param options.source Path on the site, such as `/old/page`.
     * @param options.shareKey Key of a share link. Required for a site with the audience `share-link`.
     * @throws {Forbidden}
     * @throws {RedirectNotFound}
     * @throws {SiteNotFound}
     */
    readonly redirect: (
      organization: OrganizationId,
      site: SiteId,
      options: { readonly source: string; readonly shareKey?: string }
    ) => Effect.Effect<RedirectTarget, Failure | RedirectNotFound, CurrentActor>
  }
>()("@lectern/core/publishing/PublishedSites") {
  static readonly layer = Layer.effect(
    PublishedSites,
    Effect.gen(function* () {
      const policy = yield* SitePolicy
      const views = yield* SiteViews
      const customizations = yield* Customizations
      const urls = yield* PublishedUrls
      const activeIntegrations = yield* ActiveIntegrations
      const keys = yield* VisitorKeys
      const integrationsUrl = yield* IntegrationsUrl
      const publicUrl = yield* PublicUrl
      const sites = yield* sitesUrl

      /** Returns the site if it is published. */
      const require = Effect.fnUntraced(function* (organization: OrganizationId, id: SiteId) {
        const authorizedSite: AuthorizedSite = yield* policy.require(
          organization,
          id,
          "see what is published of this site"
        )
        return isReadable(authorizedSite) ? authorizedSite : yield* siteNotFound(id)
      })

      return PublishedSites.of({
        get: Effect.fn("PublishedSites.get")(function* (organization, id, { shareKey }) {
          const authorizedSite = yield* require(organization, id)
          const scripts = scriptsOf(yield* activeIntegrations.list(organization, "site", id), id, integrationsUrl)
          // Only sites that depend on the visitor have URLs to sign in.
          const hasSignOn =
            authorizedSite.site.visibility === "visitor-auth" || adaptiveContentOf(authorizedSite.site).enabled
          const signOn = hasSignOn ? yield* keys.urls(authorizedSite) : {}
          const view = {
            shareKey,
            visitor: authorizedSite.visitor ?? anonymousVisitor,
            extraKey: JSON.stringify([scripts, signOn])
          }
          return yield* views.cachedResponse("published", authorizedSite, view, (presentation) => {
            const siteSpaces = new Set(
              presentStructureSpaces(authorizedSite, presentation).map(({ siteSpace }) => siteSpace.id)
            )
            return Effect.map(
              customizations.of(authorizedSite.site, {
                siteSpaces,
                ...(presentation.isVisible && { isVisible: presentation.isVisible })
              }),
              (customization): PublishedSite => ({
                object: "published-content-site",
                site: presentSite(authorizedSite.site, authorizedSite.level, {
                  publicUrl,
                  sitesUrl: sites,
                  base: presentation.base,
                  siteSpaces: siteSpaces.size,
                  signOn
                }),
                structure: presentStructure(authorizedSite, presentation),
                customizations: customization,
                scripts
              })
            )
          })
        }),

        redirect: Effect.fn("PublishedSites.redirect")(function* (organization, id, { source, shareKey }) {
          const authorizedSite = yield* require(organization, id)
          const preview = authorizedSite.visitor?.preview
          const base =
            preview === undefined
              ? (siteUrlOf(authorizedSite, sites, shareKey) ?? publishedUrl(authorizedSite.site, sites))
              : previewUrl(authorizedSite.site, sites, preview)
          const { claims } = authorizedSite.visitor ?? anonymousVisitor
          const reader = { claims, spaces: authorizedSite.spaces ?? publishedSpaces(authorizedSite.site) }
          const formerPath = yield* urls.findFormerPath(authorizedSite, base, reader, source)
          if (formerPath !== undefined)
            return { redirect: redirectOfFormerPath(formerPath, authorizedSite.site, source), target: formerPath.url }
          const match = redirectOf(authorizedSite.redirects, source)
          const redirectNotFound = new RedirectNotFound({ message: "No redirect applies to this path" })
          if (match === undefined) return yield* redirectNotFound
          const target = yield* urls.destinationUrl(authorizedSite, base, reader, match.row.destination)
          if (target === undefined) return yield* redirectNotFound
          return { redirect: presentRedirect(match.row), target: withRest(target, match.rest) }
        })
      })
    })
  )
}

/** Returns an implied redirect from a former path of a page. */
const redirectOfFormerPath = ({ siteSpace, page }: FormerPath, { createdAt }: SiteRow, source: string): Redirect => ({
  object: "site-redirect",
  id: `former-${page?.id ?? siteSpace}`,
  source,
  destination:
    page === undefined
      ? { kind: "site-space", siteSpaceId: siteSpace }
      : { kind: "site-page", siteSpaceId: siteSpace, pageId: page.id },
  draft: false,
  permanent: false,
  captureWildcard: false,
  createdAt: page?.updatedAt ?? createdAt
})
