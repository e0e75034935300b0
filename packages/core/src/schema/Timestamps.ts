/** The current time as the branded ISO 8601 text that rows and resources carry. */
import { Clock, Effect } from "effect"
import type { Timestamp } from "./Text.ts"

export const at = (epochMillis: number): Timestamp => new Date(epochMillis).toISOString() as Timestamp

export const now: Effect.Effect<Timestamp> = Effect.map(Clock.currentTimeMillis, at)
