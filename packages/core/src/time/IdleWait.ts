/**
 * Waits between polls. No work is lost if such a wait never ends.
 *
 * With `unreferencedTimers` an idle wait does not keep the process alive, so a script or a test can end without closing
 * Lectern. By default the waits are plain sleeps, since an Effect program interrupts them when it ends.
 */
import { Context, Duration, Effect } from "effect"

const IdleTimer = Context.Reference<(millis: number) => Effect.Effect<void>>("@lectern/core/time/IdleTimer", {
  defaultValue: () => (millis) => Effect.sleep(millis)
})

export const idleWait = (duration: Duration.Input): Effect.Effect<void> =>
  Effect.flatMap(IdleTimer, (wait) => wait(Duration.toMillis(duration)))

/** Context whose idle waits use timers that do not keep the process alive, if the runtime has such timers. */
export const unreferencedTimers: Context.Context<never> = Context.make(IdleTimer, (millis: number) =>
  Effect.callback<void>((resume) => {
    // oxlint-disable-next-line no-restricted-globals -- No timer of Effect lets go of a process.
    const timer = setTimeout(() => resume(Effect.void), millis)
    if (isNodeTimer(timer)) timer.unref()
    return Effect.sync(() => clearTimeout(timer))
  })
) as Context.Context<never>

/** True for a timer of Node (an object). A timer of a browser is a number. */
const isNodeTimer = (timer: unknown): timer is { readonly unref: () => void } =>
  typeof timer === "object" && timer !== null && "unref" in timer
