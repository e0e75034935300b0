/**
 * The actor of a call. Services take it from the context, so a host without HTTP gets the same rules:
 *
 * ```ts
 * spaces.get(id).pipe(Effect.provideService(CurrentActor, { type: "user", user }))
 * ```
 *
 * - `user`: a person, with what its memberships allow; with `organization`, what the one there allows
 *   and nothing else (see `sso/SignOn`); with `token`, by that token
 * - `token`: a token with scopes. It may do nothing: whoever knows what is asked for makes it the user, with
 *   `within`
 * - `visitor`: a reader of one published site, who sees what is published for it there and nothing
 *   else (see `publishing/VisitorTokens`)
 * - `integration`: a published integration, which manages its own installations and nothing else
 * - `installation`: what is installed of one in an organization, with what its scopes allow on what it
 *   is installed on (see `integration/IntegrationScopes`)
 * - `host`: the application that embeds Lectern, or its operator on the command line; may do
 *   everything, in every organization
 */
import { Context, Effect, Schema } from "effect"
import { covers, TokenScope } from "../token/TokenScope.ts"
import { UserId } from "../user/User.ts"
import { Preview } from "../visitor/Preview.ts"
import { Forbidden } from "./Forbidden.ts"

export const Visitor = Schema.Struct({
  type: Schema.Literal("visitor"),
  organization: Schema.String,
  site: Schema.String,
  /** The visitor's way in: `open`, `link:<id>` of a share link, `key:<id>` of a signing key, `preview`. */
  via: Schema.String,
  /** Claims of the visitor, as conditions read them. */
  claims: Schema.Record(Schema.String, Schema.Json),
  /** The same for visitors of the same claims. */
  kind: Schema.String,
  /** Issue time of the visitor's token, in epoch seconds; absent for a visitor without a token. */
  since: Schema.optionalKey(Schema.Int),
  /** Set where it sees a preview, and no more than who it was made for. */
  preview: Schema.optionalKey(Preview)
})
export type Visitor = typeof Visitor.Type

/** `integration`: its name in lower case. `about`: the installation that its program was told of; it may do no more or less for it. */
export const IntegrationActor = Schema.Struct({
  type: Schema.Literal("integration"),
  integration: Schema.String,
  about: Schema.optionalKey(Schema.String)
})
export type IntegrationActor = typeof IntegrationActor.Type

export const InstallationActor = Schema.Struct({
  type: Schema.Literal("installation"),
  integration: Schema.String,
  installation: Schema.String,
  organization: Schema.String
})
export type InstallationActor = typeof InstallationActor.Type

/** `token`: the id of the token that it asks with. `scopes`: those of the token; without them it may be used for everything. */
export const UserActor = Schema.Struct({
  type: Schema.Literal("user"),
  user: UserId,
  organization: Schema.optionalKey(Schema.String),
  token: Schema.optionalKey(Schema.String),
  scopes: Schema.optionalKey(Schema.Array(TokenScope))
})
export type UserActor = typeof UserActor.Type

/** A token that is good for what its scopes allow. */
export const TokenActor = Schema.Struct({
  type: Schema.Literal("token"),
  user: UserId,
  organization: Schema.optionalKey(Schema.String),
  token: Schema.String,
  scopes: Schema.Array(TokenScope)
})
export type TokenActor = typeof TokenActor.Type

export const Actor = Schema.Union([
  UserActor,
  TokenActor,
  Visitor,
  IntegrationActor,
  InstallationActor,
  Schema.Struct({ type: Schema.Literal("host") })
])
export type Actor = typeof Actor.Type

export class CurrentActor extends Context.Service<CurrentActor, Actor>()("@lectern/core/access/CurrentActor") {}

export const host: Actor = { type: "host" }

/** The user behind an actor, null where there is none. */
export const userOf = (actor: Actor): UserId | null => (actor.type === "user" ? actor.user : null)

/** The actor of something that any of these scopes allows: a token with one of them is its user. Undefined where it has none. */
export const within = (actor: Actor, scopes: ReadonlyArray<TokenScope>): Exclude<Actor, TokenActor> | undefined => {
  if (actor.type !== "token") return actor
  return scopes.some((scope) => covers(actor.scopes, scope)) ? { ...actor, type: "user" } : undefined
}

/** Refuses a token whose scopes leave out what a part of a request takes beside the request itself. */
export const requireScope = (scope: TokenScope, action: string): Effect.Effect<void, Forbidden, CurrentActor> =>
  Effect.flatMap(CurrentActor, (actor) =>
    actor.type === "user" && !covers(actor.scopes, scope)
      ? Effect.fail(new Forbidden({ message: `To ${action}, a token needs the scope ${scope}` }))
      : Effect.void
  )
