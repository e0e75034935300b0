/**
 * Counts the spaces that are accessible by the grants of a team or a member: spaces with a grant, and spaces in
 * collections with a grant, at any depth, within access ceilings (see `AccessCeiling`). Each space counts once. Spaces
 * in the trash, and spaces that the caller may not view, don't count.
 *
 * Collections, and spaces with access of their own, are evaluated in memory. All other spaces are counted in the store,
 * with one query for each holder that has a grant on anything but a site.
 */
import { Effect } from "effect"
import { readableAmong } from "../space/ReadableSpaces.ts"
import { isBounded, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { levelOn, type Membership, grantSources } from "./Access.ts"
import type { OrganizationFacts } from "./AccessFacts.ts"
import type { GrantRow } from "../grant/Grant.ts"

export const makeGrantedSpaces = Effect.gen(function* () {
  const spaces = (yield* Storage).repository(SpaceTable)

  const countInheriting = (viewer: Membership, granted: ReadonlyArray<GrantRow>, collections: ReadonlySet<string>) => {
    const grantedSpaceIds = granted.flatMap(({ kind, content }) => (kind === "space" ? [content] : []))
    const where = readableAmong(viewer, { ids: new Set(grantedSpaceIds), parents: collections })
    return where.length === 0 ? Effect.succeed(0) : spaces.count(where)
  }

  return {
    /**
     * Returns the number of spaces for each holder, counting only spaces that `viewer` may see. The result omits
     * holders without spaces.
     */
    count: Effect.fnUntraced(function* (
      viewer: Membership,
      holderKind: GrantRow["holderKind"],
      holders: ReadonlyArray<string>
    ) {
      const { facts } = viewer
      const grantsByHolder = grantsOfHolders(facts, holderKind, new Set(holders))
      if (grantsByHolder.size === 0) return new Map()
      const contents = new Set([...grantsByHolder.values()].flatMap((rows) => rows.map(({ content }) => content)))
      const inheritingCollections = inheritingContents(facts, contents, facts.collections.values())
      const inheritingSpaces = inheritingContents(
        facts,
        contents,
        [...facts.bounded.values()].filter(
          (space) => isBounded(space) && space.deletedAt === undefined && levelOn(viewer, space) !== undefined
        )
      )
      const counts = yield* Effect.forEach(grantsByHolder, ([holder, rows]) =>
        Effect.map(
          countInheriting(viewer, rows, idsInheritingFrom(inheritingCollections, rows)),
          (inheritingCount) => [holder, inheritingCount + idsInheritingFrom(inheritingSpaces, rows).size] as const
        )
      )
      return new Map(counts)
    })
  }
})

/** Returns the grants of holders, except grants on sites. */
const grantsOfHolders = (
  facts: OrganizationFacts,
  holderKind: GrantRow["holderKind"],
  holders: ReadonlySet<string>
) => {
  const grantsByHolder = new Map<string, Array<GrantRow>>()
  for (const rows of facts.grants.values()) {
    for (const row of rows) {
      if (row.kind === "site" || row.holderKind !== holderKind || !holders.has(row.holder)) continue
      const holderGrants = grantsByHolder.get(row.holder)
      if (holderGrants === undefined) grantsByHolder.set(row.holder, [row])
      else holderGrants.push(row)
    }
  }
  return grantsByHolder
}

/** Returns the ids of the candidates that inherit access from each content, by the id of the content. */
const inheritingContents = (
  facts: OrganizationFacts,
  contents: ReadonlySet<string>,
  candidates: Iterable<Parameters<typeof grantSources>[1]>
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const idsByContent = new Map<string, Array<string>>()
  for (const candidate of candidates) {
    for (const content of grantSources(facts, candidate)) {
      if (!contents.has(content)) continue
      const existingIds = idsByContent.get(content)
      if (existingIds === undefined) idsByContent.set(content, [candidate.id])
      else existingIds.push(candidate.id)
    }
  }
  return idsByContent
}

const idsInheritingFrom = (idsByContent: ReadonlyMap<string, ReadonlyArray<string>>, grants: ReadonlyArray<GrantRow>) =>
  new Set(grants.flatMap(({ content }) => idsByContent.get(content) ?? []))
