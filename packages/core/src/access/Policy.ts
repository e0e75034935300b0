/**
 * Policies are tables: the least role that an action takes. What an actor may not see does not
 * exist for it; what it may see but not do is forbidden.
 */
import { Effect } from "effect"
import { Forbidden } from "./Forbidden.ts"
import { atLeast, type Role } from "./Role.ts"

/** Succeeds where `level` suffices for `least`; `absent` makes the failure of who may not even see it (only when it is needed: errors cost). */
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
      : Effect.fail(new Forbidden({ message: `To ${action} takes the role ${least}; yours here is ${level}` }))
