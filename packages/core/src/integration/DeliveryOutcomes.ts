/**
 * Writes the outcomes of delivered events in groups: one transaction for all receivers, because a commit for each event
 * would cost more than its delivery. A receiver that another process has claimed is skipped.
 *
 * Limits: see `WriteBatches`; outcomes are written at once if no receiver is being served. Records of 30 successful site views a minute for each receiver; for all events, the record budget of the
 * integration (see `RecordAllowance`).
 */
import { Clock, Deferred, Effect } from "effect"
import * as Lease from "../job/Lease.ts"
import type { WorkSignal } from "../job/WorkSignal.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { LruCache } from "../storage/LruCache.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, type Patch, Storage } from "../storage/Storage.ts"
import * as WriteBatches from "../storage/WriteBatches.ts"
import * as MinuteWindow from "../time/MinuteWindow.ts"
import type { IntegrationKey } from "./Integration.ts"
import {
  type IntegrationEventId,
  type IntegrationEventRow,
  IntegrationEventTable,
  type IntegrationPayload,
  type IntegrationQueueRow,
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

/** A claimed receiver while it is served. */
export interface Serving {
  /** Row of the receiver at the claim. */
  readonly queue: IntegrationQueueRow
  /** Time of the first failed attempt since the last success. */
  since: Timestamp | undefined
}

/** Returns the fields that end a serving, from the row of the receiver. */
type ServingEnd = (row: IntegrationQueueRow, now: Timestamp) => Patch<IntegrationQueueRow>

/** An outcome to write, or the end of a serving. */
type ServingWrite = { readonly serving: Serving } & (
  | { readonly outcome: Outcome & RecordSize }
  | { readonly end: ServingEnd; readonly isWritten: Deferred.Deferred<void> }
)

export const claimOf = ({ lease: { holder = "", number } }: IntegrationQueueRow): Lease.Claim => ({ holder, number })

/**
 * Creates the writer of outcomes. It writes buffered outcomes when the scope closes. `isIdle`: returns true if no
 * receiver is being served. `signal`: opens if a receiver has more events.
 */
export const makeOutcomeWriter = Effect.fnUntraced(function* (signal: WorkSignal, isIdle: () => boolean) {
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

  const writeAll = Effect.fnUntraced(function* (writes: ReadonlyArray<ServingWrite>) {
    const recordsByServing = new Map<Serving, { readonly records: Array<PendingRecord>; end?: ServingEnd }>()
    for (const pendingWrite of writes) {
      const { serving } = pendingWrite
      const written = recordsByServing.get(serving) ?? { records: [] }
      recordsByServing.set(serving, written)
      const { receiver, integration } = serving.queue
      // Records are sealed before the transaction, since a transaction blocks all other writers.
      if ("end" in pendingWrite) written.end = pendingWrite.end
      else written.records.push(yield* recordOf(receiver, integration, pendingWrite.outcome))
    }
    yield* storage.transaction(
      Effect.gen(function* () {
        const now = yield* Timestamps.now
        for (const [{ queue: claimed }, { records, end }] of recordsByServing) {
          const { receiver } = claimed
          const queue = yield* queues.get({ receiver })
          if (queue === undefined || !Lease.isHeld(queue.lease, claimOf(claimed))) continue
          // An event that failed in the meantime, because the queue was full, is not counted again.
          const waiting = queue.waiting - (yield* write(receiver, records))
          const success = records.length > 0 && { attempts: 1, failure: undefined, since: undefined }
          const ended = end?.(applyPatch(IntegrationQueueTable, queue, success || {}), now)
          if (ended?.attempts === 0 && (yield* events.count({ queue: receiver })) === 0)
            yield* queues.remove({ receiver })
          else {
            yield* queues.update({ receiver }, { waiting, ...success, ...ended }).pipe(cannotConflict)
            if (ended !== undefined) yield* signal.announce(storage)
          }
        }
      })
    )
  })

  const batches = yield* WriteBatches.makeOf<ServingWrite>("Outcomes of deliveries could not be written", (writes) =>
    Effect.ensuring(
      writeAll(writes),
      Effect.forEach(writes, (done) => ("end" in done ? Deferred.succeed(done.isWritten, undefined) : Effect.void))
    )
  )

  return {
    /** Adds the outcome of an event. Waits for a write if too many outcomes are buffered. */
    add: (serving: Serving, outcome: Outcome & RecordSize) => batches.add({ serving, outcome }),

    /** Ends a serving, after all its outcomes. Completes when the end is written. */
    end: (serving: Serving, end: ServingEnd) =>
      Effect.gen(function* () {
        const isWritten = yield* Deferred.make<void>()
        yield* batches.add({ serving, end, isWritten })
        yield* isIdle() ? batches.flush : Deferred.await(isWritten)
      })
  }
})
