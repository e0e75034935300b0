/**
 * `lectern user create`, `password`, `reset-factors` and `list`: creates users, sets their passwords, removes lost second
 * factors, and lists users.
 */
import { text as readText } from "node:stream/consumers"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { SecondFactors } from "@lectern/sign-in/factor/SecondFactors"
import { Passwords } from "@lectern/sign-in/password/Passwords"
import { Effect, Redacted } from "effect"
import { Argument, Command, Flag, Prompt } from "effect/cli"
import { join, tokenFor, userOf } from "../NewUser.ts"
import { columns } from "@lectern/cli/Output"
import { dataFlags } from "../settings/Settings.ts"
import { listUsers } from "./Listing.ts"
import { operate } from "./Operator.ts"

const roles = ["guest", "read", "comment", "edit", "review", "create", "admin"] as const

const create = Command.make(
  "create",
  {
    ...dataFlags,
    organization: Flag.String("organization").pipe(Flag.withDescription("Id of the organization to join")),
    email: Flag.String("email").pipe(Flag.withDescription("E-mail address of the user")),
    role: Flag.Literals("role", roles).pipe(Flag.withDescription("Role of the user in the organization"))
  },
  (flags) =>
    operate(
      flags,
      Effect.gen(function* () {
        const { email, role } = flags
        const { organization, user, token } = yield* (yield* Storage).transaction(
          Effect.gen(function* () {
            const organization = yield* (yield* Organizations).get(OrganizationId.make(flags.organization))
            const user = yield* userOf(email)
            yield* join(organization.id, user.id, role === "guest" ? null : role)
            return { organization, user, token: yield* tokenFor(user.id) }
          })
        )
        return {
          json: { user, token },
          text: columns([
            ["User", `${email} (${user.id}), ${role} in ${organization.title}`],
            ["Token", `${token} (shown only once: store it)`]
          ])
        }
      })
    )
).pipe(Command.withDescription("Create a user, or add an existing user to an organization"))

const password = Command.make(
  "password",
  {
    ...dataFlags,
    email: Argument.String("email").pipe(Argument.withDescription("E-mail address of the user")),
    remove: Flag.Boolean("remove").pipe(Flag.withDescription("Remove the password"), Flag.withDefault(false))
  },
  (flags) =>
    Effect.gen(function* () {
      const chosen = flags.remove ? undefined : yield* readPassword
      yield* operate(flags, setPassword(flags.email, chosen))
    })
).pipe(Command.withDescription("Set the password of a user. Reads it from standard input, or asks for it"))

/** Sets the password of a user, or removes it without a new one. */
const setPassword = Effect.fnUntraced(function* (email: string, password: Redacted.Redacted | undefined) {
  const user = yield* existingUser(email)
  const passwords = yield* Passwords
  yield* password === undefined ? passwords.remove(user.id) : passwords.set(user.id, password)
  const change = password === undefined ? `${email} has no password` : `The password of ${email} is set`
  return { json: { user: user.id }, text: `${change}, and the user is signed out everywhere` }
})

/** Reads a password from the terminal without displaying it, or the first line of standard input. */
const readPassword = Effect.gen(function* () {
  if (process.stdin.isTTY) return yield* Prompt.run(Prompt.Password({ message: "New password" }))
  const text = yield* Effect.promise(() => readText(process.stdin))
  return Redacted.make(text.split(/\r?\n/, 1)[0]!)
})

const resetFactors = Command.make(
  "reset-factors",
  { ...dataFlags, email: Argument.String("email").pipe(Argument.withDescription("E-mail address of the user")) },
  (flags) => operate(flags, removeFactors(flags.email))
).pipe(Command.withDescription("Remove the second factors and passkeys of a user who lost them"))

const removeFactors = Effect.fnUntraced(function* (email: string) {
  const user = yield* existingUser(email)
  const removed = yield* (yield* SecondFactors).reset(user.id)
  return {
    json: { user: user.id, removed },
    text: removed
      ? `The second factors and passkeys of ${email} are removed, and the user is signed out everywhere`
      : `${email} has no second factors and no passkeys`
  }
})

const existingUser = Effect.fnUntraced(function* (email: string) {
  const user = yield* (yield* Users).byEmail(email)
  return user ?? (yield* new CommandFailed({ message: `There is no user with the address ${email}` }))
})

export const User = Command.make("user").pipe(
  Command.withDescription("Users"),
  Command.withSubcommands([create, password, resetFactors, listUsers])
)
