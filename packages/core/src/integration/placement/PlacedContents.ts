/** Spaces and sites on which integrations are placed: permissions, and their resources. */
import { Effect } from "effect"
import { levelOn, type Membership } from "../../access/Access.ts"
import { appUrls } from "../../identity/AppUrls.ts"
import type { OrganizationId } from "../../organization/Organization.ts"
import { accessTargetOf, type Site, SiteId } from "../../site/Site.ts"
import { sitesUrl } from "../../site/SiteAddress.ts"
import { makeVisibleSiteSpaces } from "../../site/VisibleSiteSpaces.ts"
import { SitePolicy } from "../../site/SitePolicy.ts"
import { presentSite, siteUrlOf } from "../../site/SitePresenter.ts"
import { SiteStore } from "../../site/store/SiteStore.ts"
import { type Space, SpaceId, SpaceTable } from "../../space/Space.ts"
import { spaceNotFound, SpacePolicy } from "../../space/SpacePolicy.ts"
import { presentSpace } from "../../space/SpacePresenter.ts"
import { Storage } from "../../storage/Storage.ts"
import type { PlacementKind } from "../Installation.ts"

export type ContentAction = "see" | "place integrations"

/** Contents that a member may see, by id. */
export type VisibleContents = ReadonlyMap<string, Space | Site>

export const makePlacedContents = Effect.gen(function* () {
  const spacePolicy = yield* SpacePolicy
  const sitePolicy = yield* SitePolicy
  const store = yield* SiteStore
  const urls = yield* appUrls
  const { publicUrl } = urls
  const sites = yield* sitesUrl
  const siteSpaces = yield* makeVisibleSiteSpaces
  const spaces = (yield* Storage).repository(SpaceTable)

  const visibleSpaces = Effect.fnUntraced(function* (member: Membership, ids: ReadonlyArray<string>) {
    const rows = yield* spaces.getMany(ids.map((id) => ({ id: SpaceId.make(id) })))
    const { organization } = member.facts
    return new Map(
      rows.flatMap((space): ReadonlyArray<[string, Space]> => {
        if (space?.organization !== organization.id || space.deletedAt !== undefined) return []
        const level = levelOn(member, space)
        return level === undefined ? [] : [[space.id, presentSpace({ space, member, level }, urls)]]
      })
    )
  })

  const visibleSites = Effect.fnUntraced(function* (member: Membership, ids: ReadonlyArray<string>) {
    const visibleRows = []
    for (const id of ids) {
      const cachedSite = yield* store.get(SiteId.make(id))
      if (cachedSite?.site.organization !== member.facts.organization.id) continue
      const level = levelOn(member, accessTargetOf(cachedSite.site))
      if (level !== undefined) visibleRows.push({ kept: cachedSite, level })
    }
    const visibleSiteSpaces = yield* siteSpaces.listFor(
      member,
      visibleRows.map(({ kept }) => kept.site)
    )
    return new Map(
      visibleRows.map(({ kept, level }) => {
        const { id } = kept.site
        const context = {
          publicUrl,
          sitesUrl: sites,
          base: siteUrlOf(kept, sites),
          siteSpaces: visibleSiteSpaces.get(id)?.size
        }
        return [id, presentSite(kept.site, level, context)]
      })
    )
  })

  return {
    /** Succeeds if the actor may perform the action on a content of the organization. */
    require: Effect.fnUntraced(function* (
      kind: PlacementKind,
      organization: OrganizationId,
      id: string,
      action: ContentAction
    ) {
      if (kind === "site") {
        const site = action === "see" ? "see this site" : "place integrations on this site"
        return yield* Effect.asVoid(sitePolicy.require(organization, SiteId.make(id), site))
      }
      const space = action === "see" ? "see the work on this space" : "place integrations on this space"
      const authorizedSpace = yield* spacePolicy.require(SpaceId.make(id), space)
      if (authorizedSpace.space.organization !== organization) return yield* spaceNotFound(id)
    }),

    visible: (kind: PlacementKind, member: Membership, ids: ReadonlyArray<string>) =>
      kind === "space" ? visibleSpaces(member, ids) : visibleSites(member, ids)
  }
})
