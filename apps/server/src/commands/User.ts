/** `lectern user create` and `list`: creates and lists users. */
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
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

export const User = Command.make("user").pipe(
  Command.withDescription("Users"),
  Command.withSubcommands([create, listUsers])
)
