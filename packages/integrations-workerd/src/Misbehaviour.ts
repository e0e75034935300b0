/**
 * Logs a warning for the operator if the process of an integration was killed because of its behaviour. The log of the
 * integration itself is visible only to its administrators.
 *
 * Limit: one warning a minute for each integration, for the last 1,000 integrations with warnings.
 */
import { Throttle } from "@lectern/core/time/Throttle"
import { LruCache } from "@lectern/core/storage/LruCache"
import { Clock, Context, Effect } from "effect"
import type { OnMisbehaviour } from "./ProcessPool.ts"

const maxIntegrations = 1_000

export const makeReport: Effect.Effect<OnMisbehaviour> = Effect.map(Effect.context<never>(), (context) => {
  const clock = Context.get(context, Clock.Clock)
  const throttles = new LruCache<string, Throttle>(maxIntegrations)
  return ({ integration, organization }, { message }) => {
    const throttle = throttles.get(integration) ?? new Throttle("1 minute")
    if (!throttle.isDue(clock.currentTimeMillisUnsafe())) return
    throttles.set(integration, throttle, 1)
    const warning = Effect.logWarning(`The process of an integration was killed: ${message}`)
    Effect.runForkWith(context)(Effect.annotateLogs(warning, { integration, organization }))
  }
})
