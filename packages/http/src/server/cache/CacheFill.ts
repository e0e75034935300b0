/** A computation of a response that may be cached. Records the dependencies of the response. */
import type { WatchedClock } from "@lectern/core/time/TimeDependency"
import { CurrentReads, type Reads } from "@lectern/core/storage/Reads"
import type { Storage } from "@lectern/core/storage/Storage"
import { Clock, Context, Effect, Exit } from "effect"
import type { RequestHash } from "./Admission.ts"

export interface CacheFill {
  readonly clock: WatchedClock
  readonly reads: Reads
  readonly token: string
  readonly request: string
  readonly hash: RequestHash
  /**
   * Effect that returns `Storage.lastCommit`. Runs in the fiber of the request, before its first read; a separate fiber
   * would cost more than the response.
   */
  readonly lastCommit: Storage["Service"]["lastCommit"]
  /** Last commit at the start of the computation. Undefined before the computation starts, or if the store fails. */
  commit: number | undefined
}

/** Runs the computation of a response and records its reads and its time dependencies. */
export const trackFill = <A, E, R>(
  fill: CacheFill | undefined,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  fill === undefined
    ? effect
    : Effect.flatMap(Effect.exit(fill.lastCommit), (commit) => {
        if (Exit.isSuccess(commit)) fill.commit = commit.value
        return Effect.updateContext(effect, (context: Context.Context<R>) =>
          Context.add(Context.add(context, Clock.Clock, fill.clock), CurrentReads, fill.reads)
        )
      })
