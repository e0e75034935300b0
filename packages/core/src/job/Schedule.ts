/**
 * Recurring work of the core as a job: one job of the kind always exists, and runs once per interval.
 *
 * ```ts
 * export const removeOldPdfs = scheduled(
 *   "remove-old-pdfs",
 *   { days: 1 },
 *   removeOlder(PdfTable, Duration.days(7), (isOlder) => ({ askedAt: isOlder }))
 * )
 * ```
 */
import { Clock, Duration, Effect } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Condition } from "../storage/Condition.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { Storage } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import type { DurationLike } from "../time/DurationLike.ts"
import * as Job from "./Job.ts"

/** Returns the handler of a recurring job. */
export const scheduled = (name: string, every: DurationLike, work: Effect.Effect<unknown, unknown, Storage>) =>
  Effect.map(Storage, (storage) =>
    Job.handler(Job.recurring(name, every), () => Effect.asVoid(Effect.provideService(work, Storage, storage)))
  )

/** Returns the time `age` ago. */
export const ago = (age: Duration.Duration): Effect.Effect<Timestamp> =>
  Effect.map(Clock.currentTimeMillis, (now) => Timestamps.at(now - Duration.toMillis(age)))

/** Removes the rows of a table that are older than `age`. `where` returns their condition from a range of times. */
export const removeOlder = <T extends Table>(
  table: T,
  age: Duration.Duration,
  where: (isOlder: { readonly lt: Timestamp }) => Condition<T>
) => Effect.flatMap(ago(age), (until) => removeAll(table, where({ lt: until })))
