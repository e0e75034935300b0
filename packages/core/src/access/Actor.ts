/**
 * The actor of a call. Services read it from the context, so a host without HTTP gets the same access control:
 *
 * ```ts
 * spaces.get(id).pipe(Effect.provideService(CurrentActor, { type: "user", user }))
 * ```
 *
 * - `user`: a person, with the rights of its memberships. `organization` limits it to one of them (see `sso/SignOn`);
 *   `token` is the token that it used.
 * - `token`: a token with scopes. It has no rights itself: `actorWithScope` converts it to its user if a scope allows
 *   the operation.
 * - `visitor`: a reader of one published site, with access only to its published content (see
 *   `publishing/VisitorTokens`).
 * - `integration`: a published integration, which manages only its own installations.
 * - `installation`: an installation of an integration in an organization, with the rights of its scopes on the
 *   resources that it is placed on (see `integration/IntegrationScopes`).
 * - `host`: the embedding application, or its operator on the command line, with all rights in all organizations.
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
  /** Origin of the visitor's access: `open`, `link:<id>` of a share link, `key:<id>` of a signing key, `preview`. */
  via: Schema.String,
  /** Claims of the visitor, for conditions. */
  claims: Schema.Record(Schema.String, Schema.Json),
  /** Identifies a set of claims: equal for visitors with equal claims. */
  kind: Schema.String,
  /** Issue time of the visitor's token, in epoch seconds; absent for a visitor without a token. */
  since: Schema.optionalKey(Schema.Int),
  /** Set for a visitor of a preview, who sees no more than the creator of the preview. */
  preview: Schema.optionalKey(Preview)
})
export type Visitor = typeof Visitor.Type

/**
 * `integration`: name in lower case. `about`: id of the installation that the event of its program is about; this does
 * not change the rights.
 */
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

/** `token`: id of the token of the request. `scopes`: scopes of the token; without them it allows every operation. */
export const UserActor = Schema.Struct({
  type: Schema.Literal("user"),
  user: UserId,
  organization: Schema.optionalKey(Schema.String),
  token: Schema.optionalKey(Schema.String),
  scopes: Schema.optionalKey(Schema.Array(TokenScope))
})
export type UserActor = typeof UserActor.Type

/** Token that allows only the operations of its scopes. */
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

/** Returns the user of an actor, or null. */
export const userOf = (actor: Actor): UserId | null => (actor.type === "user" ? actor.user : null)

/**
 * Returns the actor for an operation that any one of the scopes allows. A token with one of them becomes its user; a
 * token without one yields undefined.
 */
export const actorWithScope = (
  actor: Actor,
  scopes: ReadonlyArray<TokenScope>
): Exclude<Actor, TokenActor> | undefined => {
  if (actor.type !== "token") return actor
  return scopes.some((scope) => covers(actor.scopes, scope)) ? { ...actor, type: "user" } : undefined
}

/** Rejects a token without a scope that a part of a request needs in addition. */
export const requireScope = (scope: TokenScope, action: string): Effect.Effect<void, Forbidden, CurrentActor> =>
  Effect.flatMap(CurrentActor, (actor) =>
    actor.type === "user" && !covers(actor.scopes, scope)
      ? Effect.fail(new Forbidden({ message: `To ${action}, a token needs the scope ${scope}` }))
      : Effect.void
  )
