/** Users by their e-mail address, with a token to begin with. */
import type { Role } from "@lectern/core/access/Role"
import { Tokens } from "@lectern/core/token/Tokens"
import { MemberTable } from "@lectern/core/organization/Member"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { Email, type UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Effect, Redacted, Schema } from "effect"
import { CommandFailed } from "./CommandFailed.ts"

const isEmail = Schema.is(Email)

/** The user with this address: the one there is (it may belong to several organizations), or a new one. */
export const userOf = Effect.fnUntraced(function* (email: string) {
  if (!isEmail(email)) return yield* new CommandFailed({ message: `"${email}" is no e-mail address` })
  const users = yield* Users
  return (yield* users.byEmail(email)) ?? (yield* users.create({ email }))
})

/** Takes a user into an organization it does not belong to yet. */
export const join = Effect.fnUntraced(function* (organization: OrganizationId, user: UserId, role: Role | null) {
  const known = yield* (yield* Storage).repository(MemberTable).get({ organization, user })
  if (known !== undefined)
    return yield* new CommandFailed({ message: `${user} is a member of ${organization} already` })
  yield* (yield* Organizations).join(organization, user, role)
})

export const tokenFor = Effect.fnUntraced(function* (user: UserId) {
  return Redacted.value((yield* (yield* Tokens).create(user)).token)
})
