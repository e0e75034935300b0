/**
 * Spaces that are as open as another one, when the two part: the other is removed for good, or only
 * one of them goes to another organization. The follower stays no wider open than it was then, and
 * what was granted on the other counts for it no longer.
 */
import { Context, Effect } from "effect"
import { keptAt } from "../../access/Access.ts"
import { AccessFacts } from "../../access/AccessFacts.ts"
import type { OrganizationId } from "../../organization/Organization.ts"
import { Storage, type StorageError } from "../../storage/Storage.ts"
import { type SpaceId, SpaceTable } from "../Space.ts"
import { wired } from "../../wiring/Wired.ts"

export class SpaceFollowers extends Context.Service<
  SpaceFollowers,
  {
    /** These spaces are about to leave the organization; part of the transaction around it. */
    readonly part: (leaving: ReadonlyArray<SpaceId>, organization: OrganizationId) => Effect.Effect<void, StorageError>
  }
>()("@lectern/core/space/leaving/SpaceFollowers") {
  static readonly layer = wired(
    SpaceFollowers,
    Effect.gen(function* () {
      const spaces = (yield* Storage).repository(SpaceTable)
      const facts = yield* AccessFacts

      return SpaceFollowers.of({
        part: Effect.fnUntraced(function* (leaving, organization) {
          const known = yield* facts.organization(organization)
          if (known === undefined) return
          const gone = new Set<string>(leaving)
          const parting = [...known.bounded.values()].filter(
            ({ id, follows }) => follows !== undefined && gone.has(follows) !== gone.has(id)
          )
          if (parting.length === 0) return
          for (const space of parting) {
            const kept = { follows: undefined, ceiling: keptAt(known, space, space.parent ?? null) }
            yield* spaces.update({ id: space.id }, kept)
          }
          yield* facts.changed(organization)
        })
      })
    }),
    [AccessFacts.layer]
  )
}
