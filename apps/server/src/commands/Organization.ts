/** `lectern organization create` and `list`: creates and lists organizations. */
import { OrganizationTitle } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { tokenFor, userOf } from "../NewUser.ts"
import { columns } from "@lectern/cli/Output"
import { dataFlags } from "../settings/Settings.ts"
import { listOrganizations } from "./Listing.ts"
import { operateOrCreate } from "./Operator.ts"

const isTitle = Schema.is(OrganizationTitle)

const create = Command.make(
  "create",
  {
    ...dataFlags,
    title: Flag.String("title").pipe(Flag.withDescription("Title of the organization")),
    email: Flag.String("email").pipe(Flag.withDescription("E-mail address of the first administrator"))
  },
  (flags) =>
    operateOrCreate(
      flags,
      Effect.gen(function* () {
        const { title, email } = flags
        if (!isTitle(title)) {
          return yield* new CommandFailed({
            message: "The title must be one line of 2 to 255 characters, without surrounding whitespace"
          })
        }
        const { organization, user, token } = yield* (yield* Storage).transaction(
          Effect.gen(function* () {
            const user = yield* userOf(email)
            const organization = yield* (yield* Organizations).create({ title }, user.id)
            return { organization, user, token: yield* tokenFor(user.id) }
          })
        )
        return {
          json: { organization, user, token },
          text: columns([
            ["Organization", `${organization.title} (${organization.id})`],
            ["Administrator", `${email} (${user.id})`],
            ["Token", `${token} (shown only once: store it)`]
          ])
        }
      })
    )
).pipe(Command.withDescription("Create an organization with its first administrator"))

export const Organization = Command.make("organization").pipe(
  Command.withDescription("Organizations"),
  Command.withSubcommands([create, listOrganizations])
)
