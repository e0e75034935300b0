/**
 * Permissions to put spaces on a site, because publishing shows them to others, and to change site spaces. Site spaces
 * are hidden from actors who may not see their space.
 */
import { Effect } from "effect"
import { Access, levelOn } from "../access/Access.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { authorize } from "../access/Policy.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { type SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { InvalidSpace, type SiteRow } from "./Site.ts"
import type { AuthorizedSite } from "./SitePolicy.ts"
import { findSiteSpace, type SiteSpaceId, SiteSpaceNotFound, spaces as spacesOn } from "./SiteStructure.ts"

/** Minimum role on a space for putting it on an unpublished site, and on a published one. */
const minimumRole = { closed: "create", published: "admin" } as const

export const makeSiteSpacePolicy = Effect.gen(function* () {
  const spaces = (yield* Storage).repository(SpaceTable)
  const access = yield* Access

  return {
    /** Fails if the site space does not exist, or the actor may not see its space. */
    requireVisible: Effect.fnUntraced(function* ({ site, member }: AuthorizedSite, id: SiteSpaceId) {
      const location = findSiteSpace(site.structure, id)
      const space = location && (yield* spaces.get({ id: location.siteSpace.space }))
      if (space === undefined || levelOn(member, space) === undefined) {
        return yield* new SiteSpaceNotFound({
          message: `There is no site space ${id.slice(0, 100)} on this site`
        })
      }
    }),

    /** Returns the active space of the organization if the actor sees it. */
    find: Effect.fnUntraced(function* (organization: OrganizationId, id: SpaceId) {
      const space = yield* spaces.get({ id })
      if (space?.organization !== organization || space.deletedAt !== undefined) return undefined
      return (yield* access.on(space)) === undefined ? undefined : space
    }),

    /** Fails if the actor lacks the role `admin` on a space of the site, which is required to publish it. */
    requirePublisher: Effect.fnUntraced(function* ({ site, member }: AuthorizedSite) {
      if (member.admin) return
      const rows = yield* spaces.getMany(spacesOn(site.structure).map((id) => ({ id })))
      if (rows.some((space) => space !== undefined && levelOn(member, space) !== "admin")) {
        return yield* new Forbidden({
          message: "To publish this site, you need the role admin on every space of the site"
        })
      }
    }),

    /** Returns the spaces if the actor may put all of them on the site; `path` is their path in the input. */
    require: Effect.fnUntraced(function* (
      { organization, published }: Pick<SiteRow, "organization" | "published">,
      ids: ReadonlyArray<SpaceId>,
      path: string
    ) {
      const rows = yield* spaces.getMany(ids.map((id) => ({ id })))
      const authorizedSpaces: Array<SpaceRow> = []
      for (const [i, row] of rows.entries()) {
        const candidate = row?.organization === organization && row.deletedAt === undefined ? row : undefined
        const authorization = candidate && (yield* access.on(candidate))
        const notFoundError = () =>
          new InvalidSpace({
            issues: [
              {
                path: path.endsWith("s") ? `${path}[${i}]` : path,
                message: "There is no such space in this organization"
              }
            ]
          })
        yield* authorize(
          authorization?.level,
          published ? minimumRole.published : minimumRole.closed,
          notFoundError,
          published ? "put this space on a site that is published" : "put this space on a site"
        )
        authorizedSpaces.push(candidate!)
      }
      return authorizedSpaces
    })
  }
})
