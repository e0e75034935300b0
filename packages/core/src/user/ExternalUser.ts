/**
 * User of the host application: links the host's id of a person to the person's user.
 *
 * Limits: an external id has 1 to 255 characters without control characters. A user has at most one external id.
 */
import { Schema } from "effect"
import { Role } from "../access/Role.ts"
import { between, inOneLine, Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { Email, maxDisplayName, UserId, type UserRow } from "./User.ts"

export const ExternalId = between(1, 255).check(
  Schema.isPattern(/^\P{Cc}+$/u, { message: "Expected text without control characters" })
)

const ExternalUserRow = Schema.Struct({
  externalId: Schema.String,
  user: UserId,
  createdAt: Timestamp
})

export const ExternalUserTable = Table.make("externalUser", ExternalUserRow, {
  key: ["externalId"],
  unique: [["user"]]
})

/** Profile of a host's user. */
export const ExternalProfile = Schema.Struct({
  /** E-mail address, verified by the host. Invitations and sign-on identify people by it. */
  email: Email,
  /**
   * Name of 1 to 100 characters, stored as one line. Default: the existing name, or the part of the address before the
   * @.
   */
  displayName: Schema.optionalKey(between(1, maxDisplayName)),
  /** True to link an existing user with this address to the host. Default: false, which fails with `EmailInUse`. */
  adopt: Schema.optionalKey(Schema.Boolean)
})
export type ExternalProfile = typeof ExternalProfile.Type

/** Returns a check that no two items of a list have the same value of a field. */
export const distinct = <Name extends string>(name: Name) =>
  Schema.makeFilter((items: ReadonlyArray<Readonly<Record<Name, unknown>>>) =>
    new Set(items.map((item) => item[name])).size === items.length ? undefined : `Expected each ${name} once`
  )

/** Profile and memberships of a host's user. */
export const HostUser = Schema.Struct({
  ...ExternalProfile.fields,
  /**
   * All organizations of the user, each once, with the role (null for a guest). At most 1,000. Default: memberships stay
   * unchanged.
   */
  memberships: Schema.optionalKey(
    Schema.Array(Schema.Struct({ organization: Schema.String, role: Schema.NullOr(Role) })).check(
      Schema.isMaxLength(1_000),
      distinct("organization")
    )
  )
})
export type HostUser = typeof HostUser.Type

/** True if a user has the address and the name of a profile. */
export const hasProfile = (row: UserRow, profile: ExternalProfile): boolean => {
  const { email, displayName = row.displayName } = withLine(profile)
  return row.email === email && row.displayName === displayName
}

/** Returns the profile with its name as one line. An empty name is removed. */
export const withLine = ({ displayName = "", ...profile }: ExternalProfile): ExternalProfile => {
  const name = inOneLine(displayName)
  return name === "" ? profile : { ...profile, displayName: name }
}
