/**
 * Work of the holder of a lease: renews the lease three times in its duration, with the fence of the claim, and is
 * interrupted when another holder has claimed it.
 */
import { Effect, type Exit } from "effect"
import { CurrentFence } from "../storage/Fence.ts"
import type { StorageError } from "../storage/Storage.ts"

export interface LeaseAccess {
  /** Duration of the lease (ms). */
  readonly duration: number
  /** Undefined if no other process can claim the lease. */
  readonly fence: Effect.Effect<void, StorageError> | undefined
  /** Renews the lease. Returns false if the claim no longer holds it. */
  readonly renew: Effect.Effect<boolean, StorageError>
}

/** Returns the result of the work, or undefined if the lease was lost. */
export const runLeased = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  { duration, fence, renew }: LeaseAccess
): Effect.Effect<Exit.Exit<A, E> | undefined, never, R> =>
  Effect.raceFirst(
    Effect.exit(Effect.provideService(work, CurrentFence, fence)),
    Effect.sleep(duration / 3).pipe(
      Effect.andThen(renew),
      // A failed renewal is retried, since a store may be unavailable only briefly.
      Effect.catch((failure) => Effect.as(Effect.logWarning("A lease could not be renewed", failure), true)),
      Effect.repeat({ while: (isHeld) => isHeld }),
      Effect.andThen(Effect.logWarning("Work was lost to another process: its lease had ended")),
      Effect.as(undefined)
    )
  )
