/**
 * Outcomes of events that were delivered. They are written in groups: for all receivers in one transaction.
 *
 * Limits: of the site views that went well, the records of 30 a minute are kept for each receiver; of all events, as
 * many as an integration may leave (see `RecordAllowance`).
 */
import { Clock, Effect } from "effect"
import * as CountedMinute from "../moment/CountedMinute.ts"
import type { Timestamp } from "../schema/Text.ts"
import { LruCache } from "../storage/LruCache.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import type { IntegrationKey } from "./Integration.ts"
import {
  type IntegrationEventId,
  type IntegrationEventRow,
  IntegrationEventTable,
  type IntegrationPayload,
  IntegrationQueueTable
} from "./IntegrationEvent.ts"
import { IntegrationRuns, type QueuedEvent } from "./IntegrationRuns.ts"
import { type HeardAnswer, logsAt, untold } from "./IntegrationRuntime.ts"
import { RecordAllowance, type RecordSize } from "./RecordAllowance.ts"
import type { RunLog } from "./RunLog.ts"

const keptViews = 30
const countedReceivers = 10_000

export interface Outcome {
  readonly id: IntegrationEventId
  readonly type: IntegrationPayload["type"] | undefined
  readonly state: "success" | "failed"
  readonly logs: ReadonlyArray<RunLog>
}

/** Outcome of an answer that came at a time; the log of one that is an error ends with one. */
export const outcomeOf = (
  { id, payload }: QueuedEvent,
  { status, logs, overstepped }: HeardAnswer,
  timestamp: Timestamp
): Outcome => {
  const isError = status >= 400 && status !== 406
  const cause = isError ? untold(status, logs) : undefined
  return {
    id,
    type: payload.type,
    state: overstepped || isError ? "failed" : "success",
    logs: cause === undefined ? logs : [...logs, ...logsAt(cause, timestamp)]
  }
}

/** An event whose outcome is to be written. */
interface Settling {
  readonly id: IntegrationEventId
  /** Undefined: it is forgotten. */
  readonly record: Pick<IntegrationEventRow, "state" | "logs"> | undefined
}

/** How far a receiver was served, and what of that is not written down yet. */
export interface Served {
  readonly integration: IntegrationKey
  last: IntegrationEventId
  readonly outcomes: Array<Outcome & RecordSize>
}

/** Writes down what became of events; `forget` is called for each receiver that has no more to come. */
export const settlement = Effect.gen(function* () {
  const storage = yield* Storage
  const runs = yield* IntegrationRuns
  const allowance = yield* RecordAllowance
  const events = storage.repository(IntegrationEventTable)
  const queues = storage.repository(IntegrationQueueTable)
  const views = new LruCache<string, { readonly endsAt: number; count: number }>(countedReceivers)

  /** Tells whether there are records enough of views that went well. */
  const isOneOfMany = Effect.fnUntraced(function* (receiver: string) {
    const now = yield* Clock.currentTimeMillis
    let minute = views.get(receiver)
    if (minute === undefined || !CountedMinute.isOn(minute.endsAt, now)) {
      minute = { endsAt: now + CountedMinute.length, count: 0 }
      views.set(receiver, minute, 1)
    }
    return ++minute.count > keptViews
  })

  const recordOf = Effect.fnUntraced(function* (
    receiver: string,
    integration: IntegrationKey,
    outcome: Outcome & RecordSize
  ) {
    const { id, type, state, logs } = outcome
    const isForgotten =
      (type === "site_view" && state === "success" && (yield* isOneOfMany(receiver))) ||
      !(yield* allowance.take(integration, state, outcome))
    const settling: Settling = { id, record: isForgotten ? undefined : yield* runs.outcome(id, state, logs) }
    return settling
  })

  /** Writes records of events of a receiver; tells how many of them still waited. */
  const write = Effect.fnUntraced(function* (receiver: string, records: ReadonlyArray<Settling>) {
    const alike = { success: new Array<IntegrationEventId>(), failed: new Array<IntegrationEventId>() }
    let count = 0
    for (const { id, record } of records) {
      // Most have logged nothing, and are written together.
      if (record !== undefined && record.logs === undefined && record.state !== "queued") alike[record.state].push(id)
      else {
        const where = { id, queue: receiver }
        count += yield* cannotConflict(record === undefined ? events.remove(where) : events.update(where, record))
      }
    }
    for (const state of ["success", "failed"] as const) {
      if (alike[state].length === 0) continue
      count += yield* cannotConflict(events.update({ id: { in: alike[state] }, queue: receiver }, { state }))
    }
    return count
  })

  const settled = Effect.fnUntraced(function* (
    served: ReadonlyMap<string, Served>,
    forget: (receiver: string) => void
  ) {
    const settling: Array<readonly [receiver: string, last: IntegrationEventId, records: ReadonlyArray<Settling>]> = []
    for (const [receiver, { integration, last, outcomes }] of served) {
      // Sealed ahead of the transaction: nobody else writes as long as that lasts.
      const records = yield* Effect.forEach(outcomes.splice(0), (outcome) => recordOf(receiver, integration, outcome))
      settling.push([receiver, last, records])
    }
    yield* storage.transaction(
      Effect.gen(function* () {
        for (const [receiver, last, records] of settling) {
          // One that failed meanwhile, since too many waited, counts no more.
          const count = yield* write(receiver, records)
          const queue = yield* queues.get({ receiver })
          const isDone = queue === undefined || queue.last === last
          if (isDone) yield* storage.afterCommit(Effect.sync(() => forget(receiver)))
          if (isDone && (yield* events.count({ queue: receiver })) === 0) yield* queues.remove({ receiver })
          else if (queue !== undefined && count > 0) {
            yield* queues.update({ receiver }, { waiting: queue.waiting - count }).pipe(cannotConflict)
          }
        }
      })
    )
  })

  return settled
})
