/** Members of an organization, with their roles. A member without a role is a guest. */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import * as Table from "../storage/Table.ts"
import { Timestamp } from "../schema/Text.ts"
import { User, UserId } from "../user/User.ts"
import * as Text from "../schema/Text.ts"

export const MemberRow = Schema.Struct({
  organization: Schema.String,
  user: UserId,
  role: Schema.NullOr(Role),
  disabled: Schema.Boolean,
  joinedAt: Timestamp,
  /** True if the member has signed in with the organization's identity provider. */
  sso: Schema.optionalKey(Schema.Literal(true))
})
export type MemberRow = typeof MemberRow.Type

export const MemberTable = Table.make("member", MemberRow, {
  key: ["organization", "user"],
  indexes: [
    ["user", "disabled", "organization"],
    ["organization", "role"]
  ]
})

/** Returns true if the member exists, has the role and is not disabled. */
export const hasRole = (member: MemberRow | undefined, role: Role | null): boolean =>
  member?.role === role && !member.disabled

/** A member as an API resource. Its id is the id of the user. */
export const Member = Schema.Struct({
  object: Schema.Literal("member"),
  id: UserId,
  /** Role in the organization. `null` for a guest. */
  role: Schema.NullOr(Role),
  /** The user. */
  user: User,
  /** True if the member has no access. */
  disabled: Schema.Boolean,
  /** Time at which the user joined. */
  joinedAt: Timestamp,
  /**
   * Hour of the member's last request with a token, to any organization. Absent if there was none since the member
   * joined.
   */
  lastSeenAt: Schema.optionalKey(Timestamp),
  /** True if the member has signed in with the organization's identity provider. */
  sso: Schema.Boolean,
  /**
   * Number of spaces that grants to the member reach, on a space or on a collection that contains it. Grants to teams
   * do not count.
   */
  spaces: Schema.Int,
  /** Number of sites with a grant to the member. Grants to teams do not count. */
  sites: Schema.Int,
  /** Number of the member's teams. */
  teams: Schema.Int
})
export interface Member extends Schema.Schema.Type<typeof Member> {}

export const MemberFilter = Schema.Struct({
  role: Schema.optionalKey(Schema.Union([Role, Schema.Literal("guest")])).annotateKey({
    description: "Returns members with this role."
  }),
  search: Schema.optionalKey(Text.atMost(100)).annotateKey({
    description: "Words in the name. Returns members whose name contains them."
  }),
  sort: Schema.optionalKey(Schema.Literals(["joinedAt", "lastSeenAt", "name"])).annotateKey({
    description: "The field that sorts the items."
  }),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"])).annotateKey({
    description: "The sort direction."
  })
})
export type MemberFilter = typeof MemberFilter.Type

/** An empty object, because the hosted service's client expects an object. */
export const Pong = Schema.Struct({})
export interface Pong extends Schema.Schema.Type<typeof Pong> {}

/** Raised if the user is not a member of the organization. */
export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()(
  "MemberNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export const memberMissing = (user: string) =>
  new MemberNotFound({ message: `There is no member ${user.slice(0, 50)}` })

/** Raised if the change would leave the organization without an administrator. */
export class LastAdministrator extends Schema.TaggedError<LastAdministrator>()(
  "LastAdministrator",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
