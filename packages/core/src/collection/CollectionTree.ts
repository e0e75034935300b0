/** Reads the descendants of a collection, and the depth of a collection. */
import { Effect } from "effect"
import { Access, enclosingCollections } from "../access/Access.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { type CollectionId, type CollectionRow, CollectionTable } from "./Collection.ts"

/** A collection and its descendant collections, level by level. No level is empty. */
export type Levels = ReadonlyArray<ReadonlyArray<CollectionRow>>

export const idsIn = (levels: Levels): ReadonlyArray<CollectionId> => levels.flat().map(({ id }) => id)

export const collectionTree = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
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

    /** Returns the depth of `parent`, counted from 1. 0 for the top level. */
    depthOf: Effect.fnUntraced(function* (organization: OrganizationId, parent: CollectionId | null) {
      const organizationFacts = yield* access.facts(organization)
      return organizationFacts === undefined
        ? 0
        : [...enclosingCollections(organizationFacts, parent ?? undefined)].length
    }),

    /** Returns the spaces in the collections, including spaces in the trash. */
    spacesIn: (organization: OrganizationId, levels: Levels) =>
      spaces.list({ where: { organization, parent: { in: idsIn(levels) }, deleted: { in: [false, true] } } })
  }
})
