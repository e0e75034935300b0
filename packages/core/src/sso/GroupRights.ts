/**
 * Rights of the groups of an identity provider in an organization. Pure.
 *
 * Only the table of a provider decides: at each sign-in, a person has exactly the teams and the role of the matching
 * groups. Teams that no group names stay unchanged. The role stays unchanged if no group has a role.
 */
import { type Role, strongest } from "../access/Role.ts"
import type { OidcGroup } from "./OidcProvider.ts"

export interface GroupRights {
  /** True for each team that the person belongs to, false for each other team of the table. */
  readonly teams: ReadonlyMap<string, boolean>
  /** Role of the person; null for guests. Absent if no group of the table has a role. */
  readonly role?: Role | null
}

export const noGroupRights: GroupRights = { teams: new Map() }

/** Returns the rights of a person with these groups. `defaultRole`: role if no matching group has a role. */
export const groupRights = (
  table: ReadonlyArray<OidcGroup>,
  groups: ReadonlyArray<string>,
  defaultRole: Role | null
): GroupRights => {
  const groupsOfPerson = new Set(groups)
  const matching = table.filter(({ group }) => groupsOfPerson.has(group))
  const given = new Set(matching.flatMap(({ teams = [] }) => teams))
  const teams = new Map(table.flatMap(({ teams = [] }) => teams.map((team) => [team, given.has(team)] as const)))
  if (table.every(({ role }) => role === undefined)) return { teams }
  const role = matching.reduce<Role | undefined>((role, row) => strongest(role, row.role), undefined)
  return { teams, role: role ?? defaultRole }
}
