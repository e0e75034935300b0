/** Current time as the branded ISO 8601 text of rows and resources. */
import { Effect } from "effect"
import type { Timestamp } from "./Text.ts"

let last = { epochMillis: 0, timestamp: new Date(0).toISOString() as Timestamp }

/** Caches the text of the last millisecond, since a write needs it about five times. */
export const at = (epochMillis: number): Timestamp => {
  if (last.epochMillis !== epochMillis) {
    last = { epochMillis, timestamp: new Date(epochMillis).toISOString() as Timestamp }
  }
  return last.timestamp
}

/** Returns the time `millis` milliseconds after another. */
export const after = (timestamp: Timestamp, millis: number): Timestamp => at(Date.parse(timestamp) + millis)

export const now: Effect.Effect<Timestamp> = Effect.clockWith((clock) =>
  Effect.succeed(at(clock.currentTimeMillisUnsafe()))
)
