/**
 * Check that runs inside each transaction of a fiber and of its children, before the body. If it fails, the transaction
 * fails and writes nothing. The holder of a lease gets one, so that it can't write after another holder took over (see
 * `job/Lease.ts`).
 */
import { Context, Effect } from "effect"
import type { StorageError } from "./Storage.ts"

export const CurrentFence = Context.Reference<Effect.Effect<void, StorageError> | undefined>(
  "@lectern/core/storage/Fence",
  { defaultValue: () => undefined }
)

/** Runs work that outlives its caller, or that other callers wait for, without the fence of its caller. */
export const unfenced: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  CurrentFence,
  undefined
)

/** Returns a context without its fence, so that an effect with this context can get its own fence later. */
export const withoutFence: <R>(context: Context.Context<R>) => Context.Context<R> = Context.omit(CurrentFence)

/** Returns a body that starts with the fence of a context, if there is one. */
export const withFence = <A, E, R>(
  context: Context.Context<never>,
  body: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StorageError, R> => {
  const fence = Context.get(context, CurrentFence)
  return fence === undefined ? body : Effect.andThen(fence, body)
}
