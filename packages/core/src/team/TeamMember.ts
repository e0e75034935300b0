/** Members of a team. Owners may manage the team. */
import { Schema } from "effect"
import { Member } from "../organization/Member.ts"
import { OrganizationId } from "../organization/Organization.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const TeamRole = Schema.Literals(["owner", "member"])
export type TeamRole = typeof TeamRole.Type

export const TeamMemberRow = Schema.Struct({
  organization: OrganizationId,
  team: Schema.String,
  user: UserId,
  role: TeamRole
})
export type TeamMemberRow = typeof TeamMemberRow.Type

export const TeamMemberTable = Table.make("teamMember", TeamMemberRow, {
  key: ["team", "user"],
  indexes: [["organization"], ["user"]]
})

/** Default of `role`: `member` for a new member of the team, unchanged for an existing one. */
export const TeamMemberPut = Schema.Struct({
  /** Role in the team. An `owner` may manage its members. Default: `member`. */
  role: Schema.optionalKey(TeamRole)
})
export type TeamMemberPut = typeof TeamMemberPut.Type

/** A member of a team as an API resource: the member of the organization, and the role in the team. */
export const TeamMember = Schema.Struct({
  organization: Member,
  team: Schema.Struct({ role: TeamRole }),
  permissions: Schema.Struct({ view: Schema.Boolean })
})
export interface TeamMember extends Schema.Schema.Type<typeof TeamMember> {}
