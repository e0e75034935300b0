/**
 * Cached data for access checks: for each organization its members, teams, grants, collections and sign-on providers. A
 * request on a warm cache reads no row to find the actor's level. The data is valid until one of these rows is written
 * (see `ReadCache`).
 *
 * Limit: the 1,000 most recently used organizations are cached.
 */
import { Effect } from "effect"
import { type CollectionRow, CollectionTable } from "../collection/Collection.ts"
import { type MemberRow, MemberTable } from "../organization/Member.ts"
import { type OrganizationId, type OrganizationRow, OrganizationTable } from "../organization/Organization.ts"
import { OidcProviderTable } from "../sso/OidcProvider.ts"
import { SamlProviderTable } from "../sso/SamlProvider.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { Storage } from "../storage/Storage.ts"
import { type TeamMemberRow, TeamMemberTable } from "../team/TeamMember.ts"
import { type GrantRow, GrantTable } from "../grant/Grant.ts"

const maxOrganizations = 1_000

export interface OrganizationFacts {
  readonly organization: OrganizationRow
  readonly members: ReadonlyMap<string, MemberRow>
  /** Teams of each user. */
  readonly teams: ReadonlyMap<string, ReadonlySet<string>>
  /** Teams that each user may manage. */
  readonly ownedTeams: ReadonlyMap<string, ReadonlySet<string>>
  /** Number of members of each team. Empty teams are missing. */
  readonly teamSizes: ReadonlyMap<string, number>
  /** Grants on each content. */
  readonly grants: ReadonlyMap<string, ReadonlyArray<GrantRow>>
  readonly collections: ReadonlyMap<string, CollectionFacts>
  /**
   * Spaces whose access does not follow only from their collection, by id: spaces with a ceiling, spaces that follow
   * another space, and followed spaces.
   */
  readonly bounded: ReadonlyMap<string, SpaceFacts>
  /** `trust` of each active sign-on provider. A session is valid as long as this value is unchanged. */
  readonly signOn: ReadonlyMap<string, string>
}

export type CollectionFacts = Pick<CollectionRow, "id" | "parent" | "position" | "defaultLevel" | "ceiling">
export type SpaceFacts = Pick<SpaceRow, "id" | "parent" | "defaultLevel" | "ceiling" | "follows" | "deletedAt">

/** Builds the cache. The result returns the facts of an organization. */
export const makeAccessFacts = Effect.gen(function* () {
  const storage = yield* Storage
  const organizations = storage.repository(OrganizationTable)
  const members = storage.repository(MemberTable)
  const teamMembers = storage.repository(TeamMemberTable)
  const grants = storage.repository(GrantTable)
  const collections = storage.repository(CollectionTable)
  const spaces = storage.repository(SpaceTable)
  const samlProviders = storage.repository(SamlProviderTable)
  const oidcProviders = storage.repository(OidcProviderTable)

  const loadBounded = Effect.fnUntraced(function* (organization: OrganizationId) {
    const rows = yield* spaces.list({ where: { boundedIn: { any: [organization] } } })
    const spacesById = new Map(rows.map((row) => [row.id as string, row]))
    const followed = rows.flatMap(({ follows }) => (follows === undefined || spacesById.has(follows) ? [] : [follows]))
    for (const row of yield* spaces.getMany([...new Set(followed)].map((id) => ({ id: SpaceId.make(id) })))) {
      if (row?.organization === organization) spacesById.set(row.id, row)
    }
    return spacesById
  })

  const loadOrganization = Effect.fnUntraced(function* (id: OrganizationId) {
    const where = { organization: id }
    const active = { where: { organization: id, status: "active" } } as const
    const [organization, memberRows, inTeams, granted, collectionRows, bounded, samlRows, oidcRows] =
      yield* storage.all([
        organizations.get({ id }),
        members.list({ where }),
        teamMembers.list({ where }),
        grants.list({ where }),
        collections.list({ where }),
        loadBounded(id),
        samlProviders.list(active),
        oidcProviders.list(active)
      ])
    if (organization === undefined) return undefined
    const facts: OrganizationFacts = {
      organization,
      members: new Map(memberRows.map((row) => [row.user, row])),
      teams: teamsByUser(inTeams),
      ownedTeams: teamsByUser(inTeams.filter(({ role }) => role === "owner")),
      teamSizes: sizesOf(inTeams),
      grants: Map.groupBy(granted, (row) => row.content),
      collections: new Map(collectionRows.map((row) => [row.id, row])),
      bounded,
      signOn: new Map([...samlRows, ...oidcRows].map(({ id, trust }) => [id, trust]))
    }
    return facts
  })

  const cached = yield* ReadCache.make<OrganizationFacts | undefined>(maxOrganizations)

  return (id: OrganizationId) => cached(id, loadOrganization(id))
})

const teamsByUser = (rows: ReadonlyArray<TeamMemberRow>) => {
  const teams = new Map<string, Set<string>>()
  for (const { user, team } of rows) {
    const teamsOfUser = teams.get(user) ?? new Set()
    teams.set(user, teamsOfUser.add(team))
  }
  return teams
}

const sizesOf = (rows: ReadonlyArray<TeamMemberRow>) => {
  const sizes = new Map<string, number>()
  for (const { team } of rows) sizes.set(team, (sizes.get(team) ?? 0) + 1)
  return sizes
}
