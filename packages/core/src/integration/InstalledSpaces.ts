/**
 * Number of spaces that an installation covers. Every event for a program reports the number, so it is cached until a
 * space or placement is written. Members without administration rights get the number of spaces that they may
 * read.
 *
 * Limits: the 10,000 most recently used counts are cached.
 */
import { Context, Effect, Layer } from "effect"
import { levelOn, type Membership } from "../access/Access.ts"
import { readable } from "../space/ReadableSpaces.ts"
import { SpaceId, SpaceTable } from "../space/Space.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { type InstallationRow, PlacementTable } from "./Installation.ts"

const maxCachedCounts = 10_000

export class InstalledSpaces extends Context.Service<
  InstalledSpaces,
  {
    readonly count: (installation: InstallationRow) => Effect.Effect<number, StorageError>
    /** Counts only spaces that a member of the organization may read. */
    readonly countFor: (installation: InstallationRow, member: Membership) => Effect.Effect<number, StorageError>
  }
>()("@lectern/core/integration/InstalledSpaces") {
  static readonly layer = Layer.effect(
    InstalledSpaces,
    Effect.gen(function* () {
      const storage = yield* Storage
      const placements = storage.repository(PlacementTable)
      const spaces = storage.repository(SpaceTable)
      const cachedCounts = yield* ReadCache.make<number>(maxCachedCounts)

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
          spaceSelection === "all"
            ? cachedCounts(organization, spaces.count({ organization, deleted: false }))
            : cachedCounts(id, placements.count({ installation: id, kind: "space" }))
      })
    })
  )
}
