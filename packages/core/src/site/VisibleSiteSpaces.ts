/**
 * Finds the spaces of a site that a member sees. Administrators of the organization see all; for other members the
 * spaces of all sites are read at once. An integration sees all spaces of the sites that it is installed on.
 */
import { Effect } from "effect"
import { levelOn, type Membership } from "../access/Access.ts"
import { SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import type { SiteRow } from "./Site.ts"
import { siteSpaces } from "./SiteStructure.ts"

export const makeVisibleSiteSpaces = Effect.gen(function* () {
  const spaces = (yield* Storage).repository(SpaceTable)

  return {
    /** Returns the visible site spaces of each site. A site without an entry is completely visible. */
    listFor: Effect.fnUntraced(function* (
      member: Membership | undefined,
      sites: ReadonlyArray<Pick<SiteRow, "id" | "structure">>
    ) {
      if (member === undefined || member.admin) return new Map()
      const entries = sites.map(
        ({ id, structure }) => [id, siteSpaces(structure).map((location) => location.siteSpace)] as const
      )
      const ids = [...new Set(entries.flatMap(([, siteSpaceEntries]) => siteSpaceEntries.map(({ space }) => space)))]
      const rows = yield* spaces.getMany(ids.map((id) => ({ id })))
      const readableSpaces = new Set(rows.flatMap((row) => (row && levelOn(member, row) !== undefined ? [row.id] : [])))
      return new Map(
        entries.map(([id, siteSpaceEntries]) => [
          id,
          new Set(siteSpaceEntries.filter(({ space }) => readableSpaces.has(space)).map((siteSpace) => siteSpace.id))
        ])
      )
    })
  }
})
