/** Who belongs to a team, and who of them may manage it. */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const TeamMemberRow = Schema.Struct({
  organization: OrganizationId,
  team: Schema.String,
  user: UserId,
  role: Schema.Literals(["owner", "member"])
})
export type TeamMemberRow = typeof TeamMemberRow.Type

export const TeamMemberTable = Table.make("teamMember", TeamMemberRow, {
  key: ["team", "user"],
  indexes: [["organization"], ["user"]]
})
