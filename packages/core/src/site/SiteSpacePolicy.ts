/**
 * Who may put which spaces on a site: what is published is seen by others. And who may handle those
 * that stand there: to whom a space is hidden, its site spaces are too.
 */
import { Context, Effect, Layer } from "effect"
import { Access, levelOn } from "../access/Access.ts"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { authorize } from "../access/Policy.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { type SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { InvalidSpace } from "./Site.ts"
import type { SeenSite } from "./SitePolicy.ts"
import { findSiteSpace, type SiteSpaceId, SiteSpaceNotFound } from "./SiteStructure.ts"

/** The least role on a space of who puts it on a site. */
const least = "create"

export class SiteSpacePolicy extends Context.Service<
  SiteSpacePolicy,
  {
    /** The spaces, where the actor may put all of them on a site of the organization; `path` names the input. */
    readonly require: (
      organization: OrganizationId,
      spaces: ReadonlyArray<SpaceId>,
      path: string
    ) => Effect.Effect<ReadonlyArray<SpaceRow>, InvalidSpace | Forbidden | StorageError, CurrentActor>
    /** Fails where the site space is not there, or its space is not for who asks. */
    readonly requireSeen: (seen: SeenSite, id: SiteSpaceId) => Effect.Effect<void, SiteSpaceNotFound | StorageError>
  }
>()("@lectern/core/site/SiteSpacePolicy") {
  static readonly layer = Layer.effect(
    SiteSpacePolicy,
    Effect.gen(function* () {
      const spaces = (yield* Storage).repository(SpaceTable)
      const access = yield* Access

      return SiteSpacePolicy.of({
        requireSeen: Effect.fnUntraced(function* ({ site, member }, id) {
          const found = findSiteSpace(site.structure, id)
          const space = found && (yield* spaces.get({ id: found.siteSpace.space }))
          if (space === undefined || levelOn(member, space) === undefined) {
            return yield* new SiteSpaceNotFound({
              message: `There is no site space ${id.slice(0, 100)} on this site`
            })
          }
        }),

        require: Effect.fnUntraced(function* (organization, wanted, path) {
          const rows = yield* spaces.getMany(wanted.map((id) => ({ id })))
          const found: Array<SpaceRow> = []
          for (const [i, row] of rows.entries()) {
            const there = row?.organization === organization && row.deletedAt === undefined ? row : undefined
            const seen = there && (yield* access.on(there))
            const absent = () =>
              new InvalidSpace({
                issues: [
                  {
                    path: path.endsWith("s") ? `${path}[${i}]` : path,
                    message: "There is no such space in this organization"
                  }
                ]
              })
            yield* authorize(seen?.level, least, absent, "put this space on a site")
            found.push(there!)
          }
          return found
        })
      })
    })
  )
}
