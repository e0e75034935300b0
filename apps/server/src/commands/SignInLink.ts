/** `lectern sign-in-link`: creates a link that signs a user in once, for a user who is locked out. */
import { Users } from "@lectern/core/user/Users"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { columns } from "@lectern/cli/Output"
import { SignInLinks } from "@lectern/sign-in/link/SignInLinks"
import { Effect, Redacted } from "effect"
import { Argument, Command } from "effect/cli"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

export const SignInLink = Command.make(
  "sign-in-link",
  { ...dataFlags, email: Argument.String("email").pipe(Argument.withDescription("E-mail address of the user")) },
  (flags) =>
    operate(
      flags,
      Effect.gen(function* () {
        const user = yield* (yield* Users).byEmail(flags.email)
        if (user === undefined)
          return yield* new CommandFailed({ message: `There is no user with the address ${flags.email}` })
        const { url, expiresAt } = yield* (yield* SignInLinks).create(user.id, "sign-in")
        return {
          json: { user: user.id, url: Redacted.value(url), expiresAt },
          text: columns([
            ["Link", Redacted.value(url)],
            ["Valid", `once, until ${expiresAt}. Whoever opens it is signed in as ${flags.email}`]
          ])
        }
      })
    )
).pipe(Command.withDescription("Create a link that signs a user in once, within 30 minutes"))
