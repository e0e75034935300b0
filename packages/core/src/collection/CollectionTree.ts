/** Reads the collections in a collection, at every depth, and the collection's own depth. */
import { Effect } from "effect"
import { holders } from "../access/Access.ts"
import { AccessFacts } from "../access/AccessFacts.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { type CollectionId, type CollectionRow, CollectionTable } from "./Collection.ts"

/** A collection and those in it, level by level; each level has some. */
export type Levels = ReadonlyArray<ReadonlyArray<CollectionRow>>

export const idsIn = (levels: Levels): ReadonlyArray<CollectionId> => levels.flat().map(({ id }) => id)

export const collectionTree = Effect.gen(function* () {
  const storage = yield* Storage
  const facts = yield* AccessFacts
  const collections = storage.repository(CollectionTable)
  const spaces = storage.repository(SpaceTable)

  return {
    below: Effect.fnUntraced(function* (top: CollectionRow) {
      const levels: Array<ReadonlyArray<CollectionRow>> = []
      for (let level: ReadonlyArray<CollectionRow> = [top]; level.length > 0;) {
        levels.push(level)
        level = yield* collections.list({
          where: { organization: top.organization, parent: { in: level.map(({ id }) => id) } }
        })
      }
      return levels as Levels
    }),

    /** How many collections lie above a place, itself included. */
    depthOf: Effect.fnUntraced(function* (organization: OrganizationId, parent: CollectionId | null) {
      const known = yield* facts.organization(organization)
      return known === undefined ? 0 : [...holders(known, parent ?? undefined)].length
    }),

    /** Those in the trash too. */
    spacesIn: (organization: OrganizationId, levels: Levels) =>
      spaces.list({ where: { organization, parent: { in: idsIn(levels) }, deleted: { in: [false, true] } } })
  }
})
