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
  /** Has signed on with the organization's identity provider. */
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

/** The resource. A member's id is its user's. */
export const Member = Schema.Struct({
  object: Schema.Literal("member"),
  id: UserId,
  role: Schema.NullOr(Role),
  user: User,
  disabled: Schema.Boolean,
  joinedAt: Timestamp,
  /** The hour when it last asked for anything with a token, here or elsewhere; absent where it has not since it joined. */
  lastSeenAt: Schema.optionalKey(Timestamp),
  sso: Schema.Boolean,
  /** How many spaces are reached by what was granted to it by name, on them or on collections that they lie in. */
  spaces: Schema.Int,
  /** How many sites something was granted on to it by name. */
  sites: Schema.Int,
  /** How many teams it is in. */
  teams: Schema.Int
})
export type Member = typeof Member.Type

export const MemberFilter = Schema.Struct({
  role: Schema.optionalKey(Schema.Union([Role, Schema.Literal("guest")])).annotateKey({
    description: "Those of this role."
  }),
  search: Schema.optionalKey(Text.atMost(100)).annotateKey({
    description: "Words: those that have them in their names."
  }),
  sort: Schema.optionalKey(Schema.Literals(["joinedAt", "lastSeenAt", "name"])).annotateKey({
    description: "The field to put the items in order by."
  }),
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"])).annotateKey({
    description: "The direction of the order."
  })
})
export type MemberFilter = typeof MemberFilter.Type

/** Says nothing: the hosted service's client wants an object. */
export const Pong = Schema.Struct({})
export type Pong = typeof Pong.Type

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()(
  "MemberNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export const memberMissing = (user: string) =>
  new MemberNotFound({ message: `There is no member ${user.slice(0, 50)}` })

/** An organization keeps at least one administrator. */
export class LastAdministrator extends Schema.TaggedError<LastAdministrator>()(
  "LastAdministrator",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
