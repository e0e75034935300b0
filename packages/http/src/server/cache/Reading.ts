/** A request whose answer may be kept, with what tells how long that answer will hold. */
import type { WatchedClock } from "@lectern/core/moment/Moment"
import { CurrentReads, type Reads } from "@lectern/core/storage/Reads"
import type { Storage } from "@lectern/core/storage/Storage"
import { Clock, Context, Effect, Exit } from "effect"
import type { Mark } from "./Admission.ts"

export interface Reading {
  readonly clock: WatchedClock
  readonly reads: Reads
  readonly token: string
  readonly question: string
  readonly mark: Mark
  /** Asked in the request, before anything is read: a fiber for the question alone costs more than the answer. */
  readonly asOf: Storage["Service"]["generation"]
  /** Undefined until it was asked for, and where it could not be. */
  generation: number | undefined
}

/** Makes an answer while it is noted how long that will hold. */
export const watched = <A, E, R>(
  reading: Reading | undefined,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  reading === undefined
    ? effect
    : Effect.flatMap(Effect.exit(reading.asOf), (generation) => {
        if (Exit.isSuccess(generation)) reading.generation = generation.value
        return Effect.updateContext(effect, (context: Context.Context<R>) =>
          Context.add(Context.add(context, Clock.Clock, reading.clock), CurrentReads, reading.reads)
        )
      })
