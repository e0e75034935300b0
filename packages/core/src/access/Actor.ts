/**
 * Who asks. Services take the actor from the context, so a host without HTTP gets the same rules:
 *
 * ```ts
 * spaces.get(id).pipe(Effect.provideService(CurrentActor, { type: "user", user }))
 * ```
 *
 * - `user`: a person, with what its memberships allow
 * - `host`: the application that embeds Lectern, or its operator on the command line; may do
 *   everything, in every organization
 */
import { Context, Schema } from "effect"
import { UserId } from "../user/User.ts"

export const Actor = Schema.Union([
  Schema.Struct({ type: Schema.Literal("user"), user: UserId }),
  Schema.Struct({ type: Schema.Literal("host") })
])
export type Actor = typeof Actor.Type

export class CurrentActor extends Context.Service<CurrentActor, Actor>()("@lectern/core/access/CurrentActor") {}

export const host: Actor = { type: "host" }

/** The user behind an actor, null for the host. */
export const userOf = (actor: Actor): UserId | null => (actor.type === "user" ? actor.user : null)
