/**
 * Separates spaces from the space whose access they follow. This happens if the followed space is permanently removed,
 * or if only one of the two moves to another organization. The follower's access does not widen, and grants on the
 * followed space no longer apply to it.
 */
import { Effect } from "effect"
import { Access, ceilingAfterMove } from "../../access/Access.ts"
import type { OrganizationId } from "../../organization/Organization.ts"
import { Storage } from "../../storage/Storage.ts"
import { type SpaceId, SpaceTable } from "../Space.ts"

export const makeSpaceFollowers = Effect.gen(function* () {
  const spaces = (yield* Storage).repository(SpaceTable)
  const access = yield* Access

  return {
    /** Separates followers before spaces leave the organization. Runs in the caller's transaction. */
    detach: Effect.fnUntraced(function* (leaving: ReadonlyArray<SpaceId>, organization: OrganizationId) {
      const organizationFacts = yield* access.facts(organization)
      if (organizationFacts === undefined) return
      const leavingIds = new Set<string>(leaving)
      const detachedSpaces = [...organizationFacts.bounded.values()].filter(
        ({ id, follows }) => follows !== undefined && leavingIds.has(follows) !== leavingIds.has(id)
      )
      if (detachedSpaces.length === 0) return
      for (const space of detachedSpaces) {
        const patch = {
          follows: undefined,
          ceiling: ceilingAfterMove(organizationFacts, space, space.parent ?? null)
        }
        yield* spaces.update({ id: space.id }, patch)
      }
    })
  }
})
