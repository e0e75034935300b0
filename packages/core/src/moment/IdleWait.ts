/**
 * Waits of whoever looks from time to time for what may have come. No work is left undone when one of them never ends.
 *
 * So a process may end in the middle, where its host asks for that by `unheld`: a script or a test that has done its own
 * is not kept from ending by a Lectern that it did not close. A program that uses Effect says itself when it is over, and
 * waits as ever.
 */
import { Context, Duration, Effect } from "effect"

const IdleTimer = Context.Reference<(millis: number) => Effect.Effect<void>>("@lectern/core/moment/IdleTimer", {
  defaultValue: () => (millis) => Effect.sleep(millis)
})

export const idleWait = (duration: Duration.Input): Effect.Effect<void> =>
  Effect.flatMap(IdleTimer, (wait) => wait(Duration.toMillis(duration)))

/** Waits by timers that keep no process, where there are such. */
export const unheld: Context.Context<never> = Context.make(IdleTimer, (millis: number) =>
  Effect.callback<void>((resume) => {
    // oxlint-disable-next-line no-restricted-globals -- No timer of Effect lets go of a process.
    const timer = setTimeout(() => resume(Effect.void), millis)
    if (isHolding(timer)) timer.unref()
    return Effect.sync(() => clearTimeout(timer))
  })
) as Context.Context<never>

/** A timer of Node is an object, one of a browser a number. */
const isHolding = (timer: unknown): timer is { readonly unref: () => void } =>
  typeof timer === "object" && timer !== null && "unref" in timer
