/**
 * A team: members of an organization that receive grants together. The team's owners and the organization's
 * administrators manage it.
 *
 * Limits: title 1 to 64 characters; 1,000 members per request.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { foldText } from "../search/Words.ts"
import * as Table from "../storage/Table.ts"
import { TeamRole } from "./TeamMember.ts"

export const TeamTitle = Text.line(1, 64)

export const TeamRow = Schema.Struct({
  id: Schema.String,
  organization: OrganizationId,
  title: TeamTitle,
  createdAt: Timestamp
})
export type TeamRow = typeof TeamRow.Type

export const TeamTable = Table.make("team", TeamRow, {
  key: ["id"],
  derived: { folded: ({ title }: TeamRow) => foldText(title) },
  indexes: [["organization", "folded"]]
})

const MemberIds = Schema.Array(Schema.String).check(Schema.isMaxLength(1000))

export const TeamCreate = Schema.Struct({
  /** Title in one line. */
  title: TeamTitle,
  /** Ids of members of the organization. Default: none. */
  members: Schema.optionalKey(MemberIds)
})
export type TeamCreate = typeof TeamCreate.Type

export const TeamPatch = Schema.Struct({
  /** Title in one line. */
  title: TeamTitle
})
export type TeamPatch = typeof TeamPatch.Type

/** Members to add to a team and to remove from it. */
export const TeamMembersPut = Schema.Struct({
  /** Ids of members to add, with the role `member`. */
  add: Schema.optionalKey(MemberIds),
  /** Roles by the id of the member. Members that are not in the team yet are added. */
  memberships: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Struct({ role: TeamRole })).check(
      Schema.makeFilter((memberships) =>
        Object.keys(memberships).length > 1000 ? "Expected at most 1,000 members" : undefined
      )
    )
  ),
  /** Ids of members to remove. */
  remove: Schema.optionalKey(MemberIds)
})
export type TeamMembersPut = typeof TeamMembersPut.Type

/** A team as an API resource. */
export const Team = Schema.Struct({
  object: Schema.Literal("team"),
  id: Schema.String,
  /** Title. */
  title: Schema.String,
  /** Number of members. */
  members: Schema.Int,
  /** Number of spaces that grants to the team reach, on a space or on a collection that contains it. */
  spaces: Schema.Int,
  createdAt: Timestamp,
  permissions: Schema.Struct({ admin: Schema.Boolean, view: Schema.Boolean })
})
export interface Team extends Schema.Schema.Type<typeof Team> {}

/** A team of a member, and the member's role in the team. */
export const MembershipOfTeam = Schema.Struct({ team: Team, member: Schema.Struct({ role: TeamRole }) })
export interface MembershipOfTeam extends Schema.Schema.Type<typeof MembershipOfTeam> {}

/** Raised if the organization has no team with the id. */
export class TeamNotFound extends Schema.TaggedError<TeamNotFound>()(
  "TeamNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the input names a user who is not a member of the organization. */
export class InvalidTeamMember extends Schema.TaggedError<InvalidTeamMember>()(
  "InvalidTeamMember",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "The team names someone who does not belong to the organization"
  }
}
