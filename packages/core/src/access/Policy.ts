/**
 * Policies are tables of the least role for each action. A content that the actor may not view is reported as missing;
 * a content that the actor may view but not change in this way is reported as forbidden.
 */
import { Effect } from "effect"
import { Forbidden } from "./Forbidden.ts"
import { atLeast, type Role } from "./Role.ts"

/**
 * Succeeds if `level` is at least `least`. `absent` creates the error for an actor without access; it is called only on
 * failure, since creating errors is expensive.
 */
export const authorize = <E>(
  level: Role | undefined,
  least: Role,
  absent: () => E,
  action: string
): Effect.Effect<void, E | Forbidden> =>
  level === undefined
    ? Effect.fail(absent())
    : atLeast(level, least)
      ? Effect.void
      : Effect.fail(new Forbidden({ message: `To ${action}, you need the role ${least}; your role here is ${level}` }))
