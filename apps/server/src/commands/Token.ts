/** `lectern token create`, `list` and `revoke`: manages API tokens. */
import { Tokens } from "@lectern/core/token/Tokens"
import { TokenName } from "@lectern/core/token/Token"
import { TokenScope } from "@lectern/core/token/TokenScope"
import { UserId, UserNotFound, UserTable } from "@lectern/core/user/User"
import { Storage } from "@lectern/core/storage/Storage"
import { Duration, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "@lectern/cli/CommandFailed"
import { dataFlags } from "../settings/Settings.ts"
import { operate } from "./Operator.ts"

const user = Flag.String("user").pipe(Flag.withDescription("Id of the user"))

const create = Command.make(
  "create",
  {
    ...dataFlags,
    user,
    expires: Flag.String("expires").pipe(
      Flag.withDescription('Lifetime of the token: 90m, 12h, 30d, "2 weeks" … Default: unlimited'),
      Flag.optional
    ),
    name: Flag.String("name").pipe(Flag.withDescription("Name of the token, 1 to 100 characters"), Flag.optional),
    scopes: Flag.Literals("scope", TokenScope.literals).pipe(
      Flag.withDescription("Scope of the token. Repeat the flag for several scopes. Default: all scopes"),
      Flag.atLeast(0)
    )
  },
  (flags) =>
    operate(
      flags,
      Effect.gen(function* () {
        const expires = Option.isSome(flags.expires) ? yield* durationOf(flags.expires.value) : undefined
        const name = Option.getOrUndefined(flags.name)
        if (name !== undefined && !Schema.is(TokenName)(name)) {
          return yield* new CommandFailed({
            message: "The name must be one line of 1 to 100 characters, without surrounding whitespace"
          })
        }
        const created = yield* (yield* Tokens).create(UserId.make(flags.user), {
          ...(expires !== undefined && { expires: { milliseconds: Duration.toMillis(expires) } }),
          ...(name !== undefined && { name }),
          ...(flags.scopes.length > 0 && { scopes: [...new Set(flags.scopes)] })
        })
        const token = Redacted.value(created.token)
        return { json: { token }, text: token }
      })
    )
).pipe(Command.withDescription("Create a token for a user"))

const list = Command.make("list", { ...dataFlags, user }, (flags) =>
  operate(
    flags,
    Effect.gen(function* () {
      const id = UserId.make(flags.user)
      if ((yield* (yield* Storage).repository(UserTable).get({ id })) === undefined) {
        return yield* new UserNotFound({ message: `There is no user ${id}` })
      }
      const tokens = yield* (yield* Tokens).list(id)
      return { json: { tokens }, text: tokens.length === 0 ? "No tokens" : tokens.map(formatToken).join("\n") }
    })
  )
).pipe(Command.withDescription("List the tokens of a user, without their secrets"))

const revoke = Command.make(
  "revoke",
  {
    ...dataFlags,
    id: Argument.String("id").pipe(Argument.withDescription("Id of the token, see: lectern token list"))
  },
  (flags) =>
    operate(
      flags,
      Effect.gen(function* () {
        const revoked = yield* (yield* Tokens).revoke(flags.id)
        return { json: { revoked }, text: formatToken(revoked) }
      })
    )
).pipe(Command.withDescription("Revoke a token. The next request with the token is rejected"))

const formatToken = (token: {
  readonly id: string
  readonly createdAt: string
  readonly expiresAt?: string
  readonly revokedAt?: string
  readonly name?: string
  readonly scopes?: ReadonlyArray<string>
}) =>
  [
    token.id,
    token.name,
    token.scopes?.join(" "),
    `created ${token.createdAt}`,
    token.expiresAt && `expires ${token.expiresAt}`,
    token.revokedAt && `revoked ${token.revokedAt}`
  ]
    .filter(Boolean)
    .join("  ")

const units: { readonly [letter: string]: Duration.Duration } = {
  s: Duration.seconds(1),
  m: Duration.minutes(1),
  h: Duration.hours(1),
  d: Duration.days(1),
  w: Duration.weeks(1)
}

/** Maximum lifetime. Later dates could exceed the range of `Date`. */
const maxLifetime = Duration.days(36_500)

const durationOf = (text: string): Effect.Effect<Duration.Duration, CommandFailed> => {
  const short = /^(\d{1,9})([smhdw])$/.exec(text.trim())
  const duration = short
    ? Duration.times(units[short[2]!]!, Number(short[1]))
    : Option.getOrUndefined(Duration.fromInput(text.trim() as Duration.Input))
  return duration !== undefined &&
    Duration.isGreaterThan(duration, Duration.zero) &&
    Duration.isLessThanOrEqualTo(duration, maxLifetime)
    ? Effect.succeed(duration)
    : Effect.fail(
        new CommandFailed({
          message: `"${text}" is not a valid lifetime: use 90m, 12h, 30d or "2 weeks", at most 100 years`
        })
      )
}

export const Token = Command.make("token").pipe(
  Command.withDescription("Tokens"),
  Command.withSubcommands([create, list, revoke])
)
