/** Creates users by e-mail address, with their first token. */
import type { Role } from "@lectern/core/access/Role"
import { Tokens } from "@lectern/core/token/Tokens"
import { MemberTable } from "@lectern/core/organization/Member"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { Email, type UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Effect, Redacted, Schema } from "effect"
import { CommandFailed } from "@lectern/cli/CommandFailed"

const isEmail = Schema.is(Email)

/** Returns the user with an e-mail address. Creates the user if none exists. A user may belong to several organizations. */
export const userOf = Effect.fnUntraced(function* (email: string) {
  if (!isEmail(email)) return yield* new CommandFailed({ message: `"${email}" is not an e-mail address` })
  const users = yield* Users
  return (yield* users.byEmail(email)) ?? (yield* users.create({ email }))
})

/** Adds a user to an organization. Fails if the user is a member already. */
export const join = Effect.fnUntraced(function* (organization: OrganizationId, user: UserId, role: Role | null) {
  const member = yield* (yield* Storage).repository(MemberTable).get({ organization, user })
  if (member !== undefined)
    return yield* new CommandFailed({ message: `${user} is a member of ${organization} already` })
  yield* (yield* Organizations).join(organization, user, role)
})

export const tokenFor = Effect.fnUntraced(function* (user: UserId) {
  return Redacted.value((yield* (yield* Tokens).create(user)).token)
})
