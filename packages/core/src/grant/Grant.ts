/** A role granted to a user or a team on one content. It applies to everything in the content. */
import { Schema } from "effect"
import { Issues } from "../schema/Input.ts"
import * as Table from "../storage/Table.ts"
import { Team } from "../team/Team.ts"
import { User } from "../user/User.ts"
import { Role } from "../access/Role.ts"

export const ContentKind = Schema.Literals(["space", "collection", "site"])
export type ContentKind = typeof ContentKind.Type

export const GrantRow = Schema.Struct({
  organization: Schema.String,
  kind: ContentKind,
  content: Schema.String,
  /** Kind of `holder`, which is the id of a user or a team. */
  holderKind: Schema.Literals(["user", "team"]),
  holder: Schema.String,
  role: Role
})
export type GrantRow = typeof GrantRow.Type

export const GrantTable = Table.make("grant", GrantRow, {
  key: ["content", "holderKind", "holder"],
  indexes: [["organization"], ["holder"]]
})

/** `null` revokes the grant. */
export const GrantRole = Schema.Struct({ role: Schema.NullOr(Role) })

const Ids = Schema.Array(Schema.String).check(Schema.isMinLength(1), Schema.isMaxLength(1000))

/** Users or teams that get a role. */
export const GrantTo = Schema.Struct({
  /** Ids of users. Either `users` or `teams` is required. */
  users: Schema.optionalKey(Ids),
  /** Ids of teams. */
  teams: Schema.optionalKey(Ids),
  /** New role. `null` revokes the grants. */
  role: Schema.NullOr(Role)
}).check(
  Schema.makeFilter(({ users, teams }) =>
    (users === undefined) === (teams === undefined) ? "Expected either users or teams" : undefined
  )
)
export type GrantTo = typeof GrantTo.Type

/** Resources of the API. */
export const UserPermission = Schema.Struct({ permission: Role, user: User })
export interface UserPermission extends Schema.Schema.Type<typeof UserPermission> {}
/**
 * Effective role of a user. On a site, `origin` states if it comes from a grant on the site or from the organization.
 */
export const AggregatePermission = Schema.Struct({
  ...UserPermission.fields,
  disabled: Schema.Literal(false),
  origin: Schema.optionalKey(
    Schema.Union([
      Schema.Struct({ type: Schema.Literal("organization"), organization: Schema.String }),
      Schema.Struct({ type: Schema.Literal("site"), site: Schema.String, reason: Schema.Literals(["member", "team"]) })
    ])
  )
})
export interface AggregatePermission extends Schema.Schema.Type<typeof AggregatePermission> {}
export const TeamPermission = Schema.Struct({ permission: Role, team: Team })
export interface TeamPermission extends Schema.Schema.Type<typeof TeamPermission> {}

/** A named user or team does not belong to the organization. */
export class InvalidGrant extends Schema.TaggedError<InvalidGrant>()(
  "InvalidGrant",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    return "The grant names someone who does not belong to the organization"
  }
}

/** Raised if the user or team has no grant directly on the content. */
export class GrantNotFound extends Schema.TaggedError<GrantNotFound>()(
  "GrantNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
