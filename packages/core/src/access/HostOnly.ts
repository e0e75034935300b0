/** Restricts operations to the host application: those that affect all organizations or the host's own users. */
import { Effect } from "effect"
import { CurrentActor } from "./Actor.ts"
import { Forbidden } from "./Forbidden.ts"

/** Rejects every other actor. `what` completes "Only the host application may". */
export const requireHost = (what: string): Effect.Effect<void, Forbidden, CurrentActor> =>
  Effect.flatMap(CurrentActor, (actor) =>
    actor.type === "host"
      ? Effect.void
      : Effect.fail(new Forbidden({ message: `Only the host application may ${what}` }))
  )
