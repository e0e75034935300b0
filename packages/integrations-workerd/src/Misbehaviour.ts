/**
 * Tells the operator which integration does what no process can be left to do: its own log tells those alone who
 * administer it.
 *
 * Limit: once a minute for each integration, of the 1,000 that were told of last.
 */
import { Seldom } from "@lectern/core/moment/Seldom"
import { LruCache } from "@lectern/core/storage/LruCache"
import { Clock, Context, Effect } from "effect"
import type { Misbehaved } from "./ProcessPool.ts"

const maxIntegrations = 1_000

export const telling: Effect.Effect<Misbehaved> = Effect.map(Effect.context<never>(), (context) => {
  const clock = Context.get(context, Clock.Clock)
  const told = new LruCache<string, Seldom>(maxIntegrations)
  return ({ integration, organization }, { message }) => {
    const seldom = told.get(integration) ?? new Seldom("1 minute")
    if (!seldom.isDue(clock.currentTimeMillisUnsafe())) return
    told.set(integration, seldom, 1)
    const warning = Effect.logWarning(`The process of an integration was ended: ${message}`)
    Effect.runForkWith(context)(Effect.annotateLogs(warning, { integration, organization }))
  }
})
