/**
 * Computes positions among siblings. Collections and spaces with one parent share one order. A client names visible
 * siblings, so siblings that the member can't see do not count as neighbors.
 */
import { Effect } from "effect"
import { generateKeyBetween } from "fractional-indexing"
import { levelOn, type Membership } from "../access/Access.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { CollectionTable, InvalidPosition } from "./Collection.ts"
import type { Position, Reference } from "./Position.ts"

interface Level {
  readonly organization: OrganizationId
  /** Null for the top level. */
  readonly parent: string | null
}

interface Sibling {
  readonly id: string
  readonly position: string
}

export const makeSiblingPositions = Effect.gen(function* () {
  const storage = yield* Storage
  const spaces = storage.repository(SpaceTable)
  const collections = storage.repository(CollectionTable)

  /** Returns the next sibling before or after an index. Without an index, returns the last or first sibling. */
  const next = Effect.fnUntraced(function* (
    { organization, parent }: Level,
    direction: "before" | "after",
    position: string | undefined,
    self: string | undefined
  ) {
    const descending = direction === "before"
    const query = {
      order: ["position"] as const,
      descending,
      ...(position !== undefined && { after: [position] }),
      limit: 2
    }
    const siblings: ReadonlyArray<ReadonlyArray<Sibling>> = yield* storage.all([
      spaces.list({ where: { organization, parent, deleted: false }, ...query }),
      collections.list({ where: { organization, parent }, ...query })
    ])
    return siblings
      .flat()
      .filter(({ id, position: at }) => id !== self && at !== position)
      .toSorted((a, b) => (a.position < b.position ? -1 : 1))
      .at(descending ? -1 : 0)
  })

  const sibling = Effect.fnUntraced(function* (
    { organization, parent }: Level,
    reference: Reference,
    path: string,
    viewer: Membership
  ) {
    const row =
      reference.type === "space"
        ? yield* spaces.get({ id: reference.space })
        : yield* collections.get({ id: reference.collection })
    const isSibling =
      row !== undefined &&
      row.organization === organization &&
      levelOn(viewer, row) !== undefined &&
      (row.parent ?? null) === parent &&
      !("deletedAt" in row && row.deletedAt !== undefined)
    return isSibling
      ? row
      : yield* new InvalidPosition({ issues: [{ path: `body.position.${path}`, message: "Expected a sibling" }] })
  })

  /** Returns true if no sibling that the member can see is between two siblings. The moved item does not count. */
  const areAdjacent = Effect.fnUntraced(function* (
    { organization, parent }: Level,
    leading: Sibling,
    following: Sibling,
    self: string | undefined,
    viewer: Membership
  ) {
    if (following.position <= leading.position) return false
    const position = { gt: leading.position, lt: following.position }
    const between = yield* storage.all([
      spaces.list({ where: { organization, parent, deleted: false, position } }),
      collections.list({ where: { organization, parent, position } })
    ])
    return between.flat().every((row) => row.id === self || levelOn(viewer, row) === undefined)
  })

  const last = (level: Level, self?: string) => next(level, "before", undefined, self)

  return {
    /** Returns a position after all siblings. */
    last: (level: Level) => Effect.map(last(level), (found) => generateKeyBetween(found?.position ?? null, null)),

    /** Returns the index for a position. `self` may already be among the siblings. */
    at: Effect.fnUntraced(function* (
      level: Level,
      position: Position | undefined,
      self: Sibling & { readonly onLevel: boolean },
      viewer: Membership
    ) {
      const { before, after } = position ?? {}
      if (before === undefined && after === undefined) {
        const end = yield* last(level, self.id)
        const isInPlace = self.onLevel && (end === undefined || end.position < self.position)
        return isInPlace ? self.position : generateKeyBetween(end?.position ?? null, null)
      }
      const following = before && (yield* sibling(level, before, "before", viewer))
      const leading = after && (yield* sibling(level, after, "after", viewer))
      // If the moved item is named as its own neighbor, it stays. Otherwise it does not count as a sibling.
      const isOwnNeighbor = following?.id === self.id || leading?.id === self.id
      const uncounted = isOwnNeighbor ? undefined : self.id
      const left = leading ?? (yield* next(level, "before", following!.position, uncounted))
      const right = yield* next(level, "after", left?.position, uncounted)
      const areNotAdjacent =
        following !== undefined &&
        right?.id !== following.id &&
        !(leading !== undefined && (yield* areAdjacent(level, leading, following, uncounted, viewer)))
      if (areNotAdjacent) {
        return yield* new InvalidPosition({
          issues: [{ path: "body.position", message: "Expected neighbours: `after` right in front of `before`" }]
        })
      }
      if (isOwnNeighbor) return self.position
      const isInPlace =
        self.onLevel &&
        (left === undefined || left.position < self.position) &&
        (right === undefined || self.position < right.position)
      return isInPlace ? self.position : generateKeyBetween(left?.position ?? null, right?.position ?? null)
    })
  }
})
