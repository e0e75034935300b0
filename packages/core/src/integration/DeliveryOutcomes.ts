/**
 * Writes the outcomes of delivered events in groups: one transaction for all receivers.
 *
 * Limits: records of 30 successful site views a minute for each receiver; for all events, the record budget of the
 * integration (see `RecordAllowance`).
 */
import { Clock, Effect } from "effect"
import * as MinuteWindow from "../time/MinuteWindow.ts"
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
import { type EventResult, logsAt, unloggedFailure } from "./IntegrationRuntime.ts"
import { RecordAllowance, type RecordSize } from "./RecordAllowance.ts"
import type { RunLog } from "./RunLog.ts"

const recordedViews = 30
const countedReceivers = 10_000

export interface Outcome {
  readonly id: IntegrationEventId
  readonly type: IntegrationPayload["type"] | undefined
  readonly state: "success" | "failed"
  readonly logs: ReadonlyArray<RunLog>
}

/**
 * Returns the outcome of a response received at `timestamp`. The log of an error response ends with a line at level
 * `error`.
 */
export const outcomeOf = (
  { id, payload }: QueuedEvent,
  { status, logs, exceededLimit }: EventResult,
  timestamp: Timestamp
): Outcome => {
  const isError = status >= 400 && status !== 406
  const cause = isError ? unloggedFailure(status, logs) : undefined
  return {
    id,
    type: payload.type,
    state: exceededLimit || isError ? "failed" : "success",
    logs: cause === undefined ? logs : [...logs, ...logsAt(cause, timestamp)]
  }
}

/** An event with the record to write for it. */
interface PendingRecord {
  readonly id: IntegrationEventId
  /** Undefined if the event is deleted without a record. */
  readonly record: Pick<IntegrationEventRow, "state" | "logs"> | undefined
}

/** Delivery progress of a receiver, with the outcomes that are not written yet. */
export interface DeliveryProgress {
  readonly integration: IntegrationKey
  last: IntegrationEventId
  readonly outcomes: Array<Outcome & RecordSize>
}

/** Writes the outcomes of delivered events. `forget` is called for each receiver that has no more events to deliver. */
export const makeOutcomeWriter = Effect.gen(function* () {
  const storage = yield* Storage
  const runs = yield* IntegrationRuns
  const allowance = yield* RecordAllowance
  const events = storage.repository(IntegrationEventTable)
  const queues = storage.repository(IntegrationQueueTable)
  const views = new LruCache<string, { readonly endsAt: number; count: number }>(countedReceivers)

  /** Returns true if the records of successful views for this minute are used up. */
  const isOverViewLimit = Effect.fnUntraced(function* (receiver: string) {
    const now = yield* Clock.currentTimeMillis
    let minute = views.get(receiver)
    if (minute === undefined || !MinuteWindow.isCurrent(minute.endsAt, now)) {
      minute = { endsAt: now + MinuteWindow.length, count: 0 }
      views.set(receiver, minute, 1)
    }
    return ++minute.count > recordedViews
  })

  const recordOf = Effect.fnUntraced(function* (
    receiver: string,
    integration: IntegrationKey,
    outcome: Outcome & RecordSize
  ) {
    const { id, type, state, logs } = outcome
    const isUnrecorded =
      (type === "site_view" && state === "success" && (yield* isOverViewLimit(receiver))) ||
      !(yield* allowance.charge(integration, state, outcome))
    const pendingRecord: PendingRecord = { id, record: isUnrecorded ? undefined : yield* runs.outcome(id, state, logs) }
    return pendingRecord
  })

  /** Writes records of events of a receiver. Returns how many of the events were still queued. */
  const write = Effect.fnUntraced(function* (receiver: string, records: ReadonlyArray<PendingRecord>) {
    const idsByState = { success: new Array<IntegrationEventId>(), failed: new Array<IntegrationEventId>() }
    let count = 0
    for (const { id, record } of records) {
      // Records of events without logs, which are most, are written together.
      if (record !== undefined && record.logs === undefined && record.state !== "queued")
        idsByState[record.state].push(id)
      else {
        const where = { id, queue: receiver }
        count += yield* cannotConflict(record === undefined ? events.remove(where) : events.update(where, record))
      }
    }
    for (const state of ["success", "failed"] as const) {
      if (idsByState[state].length === 0) continue
      count += yield* cannotConflict(events.update({ id: { in: idsByState[state] }, queue: receiver }, { state }))
    }
    return count
  })

  const writeOutcomes = Effect.fnUntraced(function* (
    progressByReceiver: ReadonlyMap<string, DeliveryProgress>,
    forget: (receiver: string) => void
  ) {
    const pendingRecords: Array<
      readonly [receiver: string, last: IntegrationEventId, records: ReadonlyArray<PendingRecord>]
    > = []
    for (const [receiver, { integration, last, outcomes }] of progressByReceiver) {
      // Records are sealed before the transaction, since a transaction blocks all other writers.
      const records = yield* Effect.forEach(outcomes.splice(0), (outcome) => recordOf(receiver, integration, outcome))
      pendingRecords.push([receiver, last, records])
    }
    yield* storage.transaction(
      Effect.gen(function* () {
        for (const [receiver, last, records] of pendingRecords) {
          // An event that failed in the meantime, because the queue was full, is not counted again.
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

  return writeOutcomes
})
