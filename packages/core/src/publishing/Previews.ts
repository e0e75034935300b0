/**
 * Previews of a site for actors who may see the unpublished site: the URL that opens one, and information about the
 * preview on its pages. The URL contains a token, so everyone who has it sees as much as its creator, until the preview
 * ends.
 */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { RISON } from "rison2"
import { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { fromToken, unsignedFrom } from "../adaptive/Claims.ts"
import type { ChangeRequestNotFound, ChangeRequestRow } from "../change-request/ChangeRequest.ts"
import { makeChangeRequestLookup } from "../change-request/store/ChangeRequestLookup.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import type { SiteId, SiteNotFound } from "../site/Site.ts"
import { publishedUrl, sitesUrl } from "../site/SiteAddress.ts"
import { type AuthorizedSite, SitePolicy } from "../site/SitePolicy.ts"
import { presentStructureSpaces, previewUrl, siteUrlOf } from "../site/SitePresenter.ts"
import { findSiteSpace, SiteSpaceNotFound, spaces as spacesOf } from "../site/SiteStructure.ts"
import { SiteViews } from "../site/SiteViews.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { StorageError } from "../storage/Storage.ts"
import { makeAdmittedVisitors } from "../visitor/AdmittedVisitors.ts"
import { previewPathIn, previewDuration, type Preview } from "../visitor/Preview.ts"
import { VisitorTokens } from "../visitor/VisitorTokens.ts"
import { Visitors } from "../visitor/Visitors.ts"
import { PreviewParams, type PreviewUrl } from "./PreviewUrl.ts"
import { makeSiteUrls } from "./urls/SiteUrls.ts"

/** Information about a preview on its pages. */
export interface CurrentPreview {
  readonly changeRequest?: Pick<ChangeRequestRow, "number" | "subject" | "status">
  /** End in milliseconds since the epoch. */
  readonly endsAt: number
  /** URL of the published site. Undefined if no published site is open to everyone. */
  readonly published?: string
}

const accept = accepting(PreviewParams)

const invalidInput = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })

export class Previews extends Context.Service<
  Previews,
  {
    /**
     * Returns a URL that opens a preview of a site with the permissions of the actor.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     * @throws {SiteSpaceNotFound}
     * @throws {SpaceNotFound}
     */
    readonly url: (
      organization: OrganizationId,
      site: SiteId,
      params: PreviewParams
    ) => Effect.Effect<
      PreviewUrl,
      | ChangeRequestNotFound
      | Forbidden
      | InvalidInput
      | SiteNotFound
      | SiteSpaceNotFound
      | SpaceNotFound
      | StorageError,
      CurrentActor
    >
    /** Returns the preview that a visitor sees; undefined for all other actors, and after its end. */
    readonly current: () => Effect.Effect<CurrentPreview | undefined, StorageError, CurrentActor>
  }
>()("@lectern/core/publishing/Previews") {
  static readonly layer = Layer.effect(
    Previews,
    Effect.gen(function* () {
      const policy = yield* SitePolicy
      const spacePolicy = yield* SpacePolicy
      const store = yield* SiteStore
      const views = yield* SiteViews
      const urls = yield* makeSiteUrls
      const changeRequests = yield* makeChangeRequestLookup
      const visitors = yield* Visitors
      const admittedVisitors = yield* makeAdmittedVisitors
      const tokens = yield* VisitorTokens
      const sites = yield* sitesUrl

      /** Returns the path segments below the site and the query of a target. */
      const pathBelowSite = Effect.fnUntraced(function* (authorizedSite: AuthorizedSite, target: string) {
        const invalidTarget = invalidInput(
          "query.target",
          "Expected a URL of this site, or a path below it: /~/changes/3/guide"
        )
        const isPath = target.startsWith("/")
        const base = publishedUrl(authorizedSite.site, sites)
        const url = URL.parse(isPath ? base + target.slice(1) : target)
        const siteUrl = url === null ? undefined : yield* urls.find(url)
        if (url === null || siteUrl?.cachedSite.site.id !== authorizedSite.site.id) return yield* invalidTarget
        url.searchParams.delete("token")
        const [prefixSegment, ...otherSegments] = siteUrl.segments
        const isLink = authorizedSite.site.visibility === "share-link" && prefixSegment !== undefined
        return {
          segments: isLink && authorizedSite.shareLinkOf(prefixSegment) ? otherSegments : siteUrl.segments,
          query: url.searchParams
        }
      })

      const selectSiteSpace = Effect.fnUntraced(function* (authorizedSite: AuthorizedSite, id: string | undefined) {
        if (id !== undefined) {
          const location = findSiteSpace(authorizedSite.site.structure, id)
          return location?.siteSpace ?? (yield* new SiteSpaceNotFound({ message: `There is no site space ${id}` }))
        }
        const firstSiteSpace = presentStructureSpaces(authorizedSite, yield* views.presentation(authorizedSite)).find(
          ({ isFirst }) => isFirst
        )
        return firstSiteSpace && findSiteSpace(authorizedSite.site.structure, firstSiteSpace.siteSpace.id)?.siteSpace
      })

      return Previews.of({
        url: Effect.fn("Previews.url")(function* (organization, id, rawInput) {
          const { siteSpace, claims, target = "/" } = yield* accept(rawInput)
          const authorizedSite = yield* policy.require(organization, id, "preview this site")
          const previewClaims = claims === undefined ? {} : yield* claimsOf(claims)
          const { segments, query } = yield* pathBelowSite(authorizedSite, target)
          const selectedSiteSpace = yield* selectSiteSpace(authorizedSite, siteSpace)
          const previewPath = previewPathIn(segments)
          let changeRequest: Preview["changeRequest"]
          if (previewPath?.changeRequest !== undefined) {
            const space = selectedSiteSpace?.space ?? ("" as SpaceId)
            yield* spacePolicy.require(space, "see the work on this space")
            const row = yield* changeRequests.find(space, previewPath.changeRequest)
            const isOnlySpace = spacesOf(authorizedSite.site.structure).length === 1
            changeRequest = { id: row.id, space, name: isOnlySpace ? String(row.number) : row.id }
          }
          const actor = yield* CurrentActor
          const preview: Preview = {
            ...(actor.type === "user" && { user: actor.user }),
            ...(changeRequest && { changeRequest }),
            expiresAt: Math.floor((yield* Clock.currentTimeMillis) / 1000) + Duration.toSeconds(previewDuration)
          }
          const visitor = visitors.previewVisitor(authorizedSite, preview, previewClaims)
          const pageSegments = previewPath?.rest ?? segments
          let url = previewUrl(authorizedSite.site, sites, preview) + pageSegments.map(encodeURIComponent).join("/")
          if (pageSegments.length === 0 && selectedSiteSpace !== undefined) {
            const reader = yield* admittedVisitors.refresh(authorizedSite, visitor)
            const previewedSite: AuthorizedSite | undefined = reader && { ...authorizedSite, ...reader, level: "read" }
            const parts =
              previewedSite === undefined
                ? []
                : presentStructureSpaces(previewedSite, yield* views.presentation(previewedSite))
            url = parts.find((part) => part.siteSpace.id === selectedSiteSpace.id)?.siteSpace.urls.published ?? url
          }
          query.set("token", yield* tokens.readToken(visitor))
          return { url: `${url}?${query}` }
        }),

        current: Effect.fnUntraced(function* () {
          const actor = yield* CurrentActor
          const preview = actor.type === "visitor" ? actor.preview : undefined
          if (actor.type !== "visitor" || preview === undefined) return undefined
          const cachedSite = yield* store.get(actor.site as SiteId)
          if (cachedSite === undefined) return undefined
          const changeRequestRef = preview.changeRequest
          const row =
            changeRequestRef &&
            (yield* changeRequests
              .find(changeRequestRef.space as SpaceId, changeRequestRef.id)
              .pipe(Effect.catchTag("ChangeRequestNotFound", () => Effect.undefined)))
          const urlOfSite = siteUrlOf(cachedSite, sites)
          return {
            ...(row !== undefined && { changeRequest: row }),
            ...(urlOfSite !== undefined && { published: urlOfSite }),
            endsAt: preview.expiresAt * 1000
          }
        })
      })
    })
  )
}

/** Parses claims in Rison: signed ones as in a token, and under `unsigned` those of the visitor. */
const claimsOf = (text: string) =>
  Effect.try({
    try: (): unknown => RISON.parse(text),
    catch: () => invalidInput("query.claims", "Expected an object in Rison: (plan:pro,beta:!t)")
  }).pipe(
    Effect.filterOrFail(
      (value): value is { readonly [name: string]: unknown } =>
        typeof value === "object" && value !== null && !Array.isArray(value),
      () => invalidInput("query.claims", "Expected an object in Rison: (plan:pro,beta:!t)")
    ),
    Effect.map((value) => ({ ...fromToken(value), unsigned: unsignedFrom(value["unsigned"]) }))
  )
