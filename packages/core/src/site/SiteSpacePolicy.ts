/**
 * Permissions to put spaces on a site, because publishing shows them to others, and to change site spaces. Site spaces
 * are hidden from actors who may not see their space.
 */
import { Context, Effect, Layer } from "effect"
import { Access, levelOn } from "../access/Access.ts"
import type { CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { authorize } from "../access/Policy.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { type SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { InvalidSpace, type SiteRow } from "./Site.ts"
import type { AuthorizedSite } from "./SitePolicy.ts"
import { findSiteSpace, type SiteSpaceId, SiteSpaceNotFound, spaces as spacesOn } from "./SiteStructure.ts"

/** Minimum role on a space for putting it on an unpublished site, and on a published one. */
const minimumRole = { closed: "create", published: "admin" } as const

export class SiteSpacePolicy extends Context.Service<
  SiteSpacePolicy,
  {
    /** Returns the spaces if the actor may put all of them on the site; `path` is their path in the input. */
    readonly require: (
      site: Pick<SiteRow, "organization" | "published">,
      spaces: ReadonlyArray<SpaceId>,
      path: string
    ) => Effect.Effect<ReadonlyArray<SpaceRow>, InvalidSpace | Forbidden | StorageError, CurrentActor>
    /** Returns the active space of the organization if the actor sees it. */
    readonly find: (
      organization: OrganizationId,
      space: SpaceId
    ) => Effect.Effect<SpaceRow | undefined, StorageError, CurrentActor>
    /** Fails if the actor lacks the role `admin` on a space of the site, which is required to publish it. */
    readonly requirePublisher: (authorizedSite: AuthorizedSite) => Effect.Effect<void, Forbidden | StorageError>
    /** Fails if the site space does not exist, or the actor may not see its space. */
    readonly requireVisible: (
      authorizedSite: AuthorizedSite,
      id: SiteSpaceId
    ) => Effect.Effect<void, SiteSpaceNotFound | StorageError>
  }
>()("@lectern/core/site/SiteSpacePolicy") {
  static readonly layer = Layer.effect(
    SiteSpacePolicy,
    Effect.gen(function* () {
      const spaces = (yield* Storage).repository(SpaceTable)
      const access = yield* Access

      return SiteSpacePolicy.of({
        requireVisible: Effect.fnUntraced(function* ({ site, member }, id) {
          const location = findSiteSpace(site.structure, id)
          const space = location && (yield* spaces.get({ id: location.siteSpace.space }))
          if (space === undefined || levelOn(member, space) === undefined) {
            return yield* new SiteSpaceNotFound({
              message: `There is no site space ${id.slice(0, 100)} on this site`
            })
          }
        }),

        find: Effect.fnUntraced(function* (organization, id) {
          const space = yield* spaces.get({ id })
          if (space?.organization !== organization || space.deletedAt !== undefined) return undefined
          return (yield* access.on(space)) === undefined ? undefined : space
        }),

        requirePublisher: Effect.fnUntraced(function* ({ site, member }) {
          if (member.admin) return
          const rows = yield* spaces.getMany(spacesOn(site.structure).map((id) => ({ id })))
          if (rows.some((space) => space !== undefined && levelOn(member, space) !== "admin")) {
            return yield* new Forbidden({
              message: "To publish this site takes the role admin on every space that stands on it"
            })
          }
        }),

        require: Effect.fnUntraced(function* ({ organization, published }, ids, path) {
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
      })
    })
  )
}
