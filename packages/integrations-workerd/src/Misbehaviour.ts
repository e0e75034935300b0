/**
 * Tells the operator which integration does what no process can be left to do: its own log tells those alone who
 * administer it.
 *
 * Limit: once a minute for each integration, of the 1,000 that were told of last.
 */
import { Lru } from "@lectern/core/storage/Lru"
import { Clock, Effect } from "effect"
import type { Misbehaved } from "./ProcessPool.ts"

const pause = 60_000
const maxIntegrations = 1_000

export const telling: Effect.Effect<Misbehaved> = Effect.map(Effect.context<never>(), (context) => {
  const told = new Lru<string, number>(maxIntegrations)
  const tell = Effect.fnUntraced(function* (...[{ integration, organization }, { message }]: Parameters<Misbehaved>) {
    const now = yield* Clock.currentTimeMillis
    if (Math.abs(now - (told.get(integration) ?? -Infinity)) < pause) return
    told.set(integration, now, 1)
    yield* Effect.logWarning(`The process of an integration was ended: ${message}`).pipe(
      Effect.annotateLogs({ integration, organization })
    )
  })
  return (...misbehaviour) => void Effect.runForkWith(context)(tell(...misbehaviour))
})
