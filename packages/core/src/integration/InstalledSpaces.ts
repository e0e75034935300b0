/**
 * Number of spaces that an installation covers. Every event for a program reports the number, so it is cached until a
 * change invalidates it (see `Versions`). Members without administration rights get the number of spaces that they may
 * read.
 *
 * Limits: the 10,000 most recently used counts are cached.
 */
import { Context, Effect } from "effect"
import { levelOn, type Membership } from "../access/Access.ts"
import { Events } from "../event/Events.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { readable } from "../space/ReadableSpaces.ts"
import { SpaceId, SpaceTable } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { Versions } from "../version/Versions.ts"
import { type InstallationRow, PlacementTable } from "./Installation.ts"
import { wired } from "../wiring/Wired.ts"

const maxCachedCounts = 10_000

export class InstalledSpaces extends Context.Service<
  InstalledSpaces,
  {
    readonly count: (installation: InstallationRow) => Effect.Effect<number, StorageError>
    /** Counts only spaces that a member of the organization may read. */
    readonly countFor: (installation: InstallationRow, member: Membership) => Effect.Effect<number, StorageError>
  }
>()("@lectern/core/integration/InstalledSpaces") {
  static readonly layer = wired(
    InstalledSpaces,
    Effect.gen(function* () {
      const storage = yield* Storage
      const events = yield* Events
      const versions = yield* Versions
      const placements = storage.repository(PlacementTable)
      const spaces = storage.repository(SpaceTable)
      const cachedCounts = versions.makeCache<number>(maxCachedCounts)

      const scopeOf = (organization: OrganizationId) => `spaces in ${organization}`
      const placedScope = (installation: string) => `spaces of ${installation}`

      yield* events.listen(
        ["space_created", "space_duplicated", "space_deleted", "space_restored", "space_removed"],
        ({ organization }) => versions.invalidate(scopeOf(organization))
      )
      yield* events.listen(["space_transferred"], ({ organization, from }) =>
        Effect.andThen(versions.invalidate(scopeOf(organization)), versions.invalidate(scopeOf(from)))
      )
      yield* events.listen(["placement_created", "placement_removed"], ({ installation }) =>
        versions.invalidate(placedScope(installation))
      )

      const placedOn = Effect.fnUntraced(function* (installation: InstallationRow["id"], member: Membership) {
        const placementRows = yield* placements.list({ where: { installation, kind: "space" } })
        const rows = yield* spaces.getMany(placementRows.map(({ content }) => ({ id: SpaceId.make(content) })))
        return rows.filter(
          (space) => space !== undefined && space.deletedAt === undefined && levelOn(member, space) !== undefined
        ).length
      })

      return InstalledSpaces.of({
        countFor: ({ id, organization, spaceSelection }, member) =>
          spaceSelection === "all" ? spaces.count(readable(organization, member)) : placedOn(id, member),

        count: ({ id, organization, spaceSelection }) =>
          Effect.map(
            spaceSelection === "all"
              ? cachedCounts(organization, scopeOf(organization), () => spaces.count({ organization, deleted: false }))
              : cachedCounts(id, placedScope(id), () => placements.count({ installation: id, kind: "space" })),
            (count = 0) => count
          )
      })
    }),
    [Events.layer, Versions.layer]
  )
}
