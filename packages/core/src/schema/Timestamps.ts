/** The current time as the branded ISO 8601 text that rows and resources carry. */
import { Effect } from "effect"
import type { Timestamp } from "./Text.ts"

let last = { epochMillis: 0, timestamp: new Date(0).toISOString() as Timestamp }

/** All that happens in one millisecond has one text: a write asks for it some five times. */
export const at = (epochMillis: number): Timestamp => {
  if (last.epochMillis !== epochMillis) {
    last = { epochMillis, timestamp: new Date(epochMillis).toISOString() as Timestamp }
  }
  return last.timestamp
}

export const now: Effect.Effect<Timestamp> = Effect.clockWith((clock) =>
  Effect.succeed(at(clock.currentTimeMillisUnsafe()))
)
