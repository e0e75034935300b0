/**
 * Delivers queued events to programs: many receivers in parallel, the events of one receiver in order.
 *
 * Any response of a program is final. If a program is unreachable, delivery is retried with growing pauses for a day;
 * later events of the receiver wait. Slow receivers do not delay others (see `DeliverySlots`). If the runtime has no
 * capacity for a program, delivery is retried after the same pause as before, at least 5 seconds, and the attempt is
 * not counted. After a crash the event is delivered again at once, to a new process. Events still queued for a paused
 * installation fail, except events about the installation itself: a paused installation has no tokens to act with.
 *
 * A receiver is leased work (see `WorkLoop`), so several processes can deliver to different receivers. Outcomes that are
 * not written when the process is killed lead to a second delivery (see `DeliveryOutcomes`).
 *
 * Limits: 3 processes for an event that crashes them; pauses of 5 seconds, doubled each time, at most an hour; 20
 * events or one second until a receiver releases its slot to others that wait.
 */
import { Clock, Duration, Effect, Result } from "effect"
import { backoff } from "../job/Backoff.ts"
import { DeliverySlots } from "../job/DeliverySlots.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import { makeReceiverClaims } from "../job/ReceiverClaims.ts"
import type { WorkSource } from "../job/WorkLoop.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Storage, StorageError } from "../storage/Storage.ts"
import { claimOf, makeOutcomeWriter, type Outcome, outcomeOf, type Serving } from "./DeliveryOutcomes.ts"
import { InstallationTable, type PlacementKind } from "./Installation.ts"
import { IntegrationTable } from "./Integration.ts"
import {
  type IntegrationEventId,
  type IntegrationEventRow,
  IntegrationEventTable,
  type IntegrationPayload,
  IntegrationQueueTable
} from "./IntegrationEvent.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"
import type { RunTarget } from "./IntegrationEnvironments.ts"
import { IntegrationRuns, logsOf, type QueuedEvent } from "./IntegrationRuns.ts"
import { type CapacityCallbacks, RunFailed } from "./IntegrationRuntime.ts"
import type { RunLog } from "./RunLog.ts"
import { SharedEvents } from "./SharedEvents.ts"

const sliceSize = 60
/** Number of events, and time in ms, after which a receiver releases its slot if others wait. */
const [maxTurn, maxTurnMillis] = [20, 1_000]
/** Number of times an event is delivered again after its process crashed. Another event may have caused the crash. */
const crashRetries = 2
const maxUnreachableMillis = Duration.toMillis(Duration.days(1))

/** Returns the space or site of a payload; undefined if the payload is about neither. */
const contentOf = (payload: IntegrationPayload): { readonly kind: PlacementKind; readonly id: string } | undefined => {
  if ("siteId" in payload && payload.siteId !== undefined) return { kind: "site", id: payload.siteId }
  if ("spaceId" in payload && payload.spaceId !== undefined) return { kind: "space", id: payload.spaceId }
  return undefined
}

/** Returns true for events about the installation itself, which are delivered even if it is paused. */
const isAboutInstallation = ({ type }: IntegrationPayload): boolean => /installation_(setup|deleted)$/.test(type)

const pausedMessage = "The installation was paused before the event was delivered"

const failedOutcome = ({ id }: IntegrationEventRow, type: Outcome["type"], logs: ReadonlyArray<RunLog>): Outcome => ({
  id,
  type,
  state: "failed",
  logs
})

/** Undefined if this process has no runtime: other processes deliver the events. */
export const deliverIntegrationEvents = Effect.gen(function* () {
  const runs = yield* IntegrationRuns
  if (!runs.isAvailable) return undefined
  const storage = yield* Storage
  const clock = yield* Clock.Clock
  const { signal } = yield* IntegrationQueue
  const { distribute } = yield* SharedEvents
  const events = storage.repository(IntegrationEventTable)
  const integrations = storage.repository(IntegrationTable)
  const installations = storage.repository(InstallationTable)
  const slots = new DeliverySlots()
  const outcomes = yield* makeOutcomeWriter(signal, () => slots.heldSlots.size === 0)

  /** Delivers a queued event to a program. Returns its outcome. */
  const deliver = Effect.fnUntraced(function* (row: IntegrationEventRow, queued: CapacityCallbacks) {
    const integration = yield* integrations.get({ key: row.integration })
    // The row of an unpublished integration is removed. The row of a removed installation is not needed for its last
    // event.
    if (integration === undefined) return failedOutcome(row, undefined, [])
    const installation = row.installation && (yield* installations.get({ id: row.installation }))
    const payload = yield* runs.payload(row)
    if (installation?.paused === true && !isAboutInstallation(payload)) {
      return failedOutcome(row, payload.type, [
        { level: "error", message: pausedMessage, timestamp: yield* Timestamps.now }
      ])
    }
    const content = contentOf(payload)
    const setting: RunTarget = {
      integration,
      ...(installation && { installation }),
      ...(row.about && { about: row.about }),
      ...(content && { content })
    }
    const event: QueuedEvent = { id: row.id, payload, setting }
    return outcomeOf(event, yield* runs.deliver(event, queued), yield* Timestamps.now)
  })

  /** Delivers the events of a receiver until its queue is empty, it fails, or another receiver needs its slot. */
  const serve = Effect.fnUntraced(function* (serving: Serving, isStopping: () => boolean) {
    const { receiver } = serving.queue
    /** Number of processes that crashed while they processed the first queued event. */
    let crashes = 0
    let lastServed: IntegrationEventId | undefined
    const addOutcome = (row: IntegrationEventRow, outcome: Outcome) => {
      crashes = 0
      lastServed = row.id
      serving.since = undefined
      slots.noteProcessed(receiver, clock.currentTimeMillisUnsafe())
      return outcomes.add(serving, { ...outcome, payload: row.payload?.length ?? 0 })
    }
    const queued: CapacityCallbacks = {
      onWait: () => slots.stopTime(receiver),
      onStart: () => slots.startTime(receiver, clock.currentTimeMillisUnsafe())
    }
    const startedAt = yield* Clock.currentTimeMillis
    for (;;) {
      const after = lastServed === undefined ? {} : { after: [lastServed] }
      const rows = yield* events.list({ where: { queue: receiver }, order: ["id"], limit: sliceSize, ...after })
      for (let index = 0; index < rows.length;) {
        const row = rows[index]!
        const now = yield* Clock.currentTimeMillis
        const isLast = serving.since !== undefined && now - Date.parse(serving.since) > maxUnreachableMillis
        const deliveryResult = yield* Effect.result(deliver(row, queued))
        if (Result.isSuccess(deliveryResult)) yield* addOutcome(row, deliveryResult.success)
        else {
          const { failure } = deliveryResult
          // Storage errors are no failures of the event.
          if (failure._tag === "StorageError" || (failure.reason === "unreachable" && !isLast)) return yield* failure
          if (failure.reason !== "crashed" || ++crashes > crashRetries)
            yield* addOutcome(row, failedOutcome(row, undefined, yield* logsOf(failure)))
        }
        if (lastServed === row.id) index++
        const isTurnOver = index % maxTurn === 0 || (yield* Clock.currentTimeMillis) - startedAt > maxTurnMillis
        if (isStopping() || (index < rows.length && isTurnOver && !slots.mayKeep(receiver))) return
      }
      if (rows.length < sliceSize || !slots.mayKeep(receiver)) return
    }
  })

  const claim = makeReceiverClaims(storage, {
    table: IntegrationQueueTable,
    group: "integration",
    slots,
    before: distribute
  })

  const source: WorkSource<Serving> = {
    name: "delivery",
    table: IntegrationQueueTable,
    signal,
    // `DeliverySlots` limits the runs.
    concurrency: () => Infinity,

    claim: (claimant) =>
      Effect.map(claim(claimant), ({ items, nextAt }) => ({
        items: items.map((queue): Serving => ({ queue, since: queue.since })),
        nextAt
      })),

    lease: ({ queue }) =>
      LeasedWork.leaseAccess(storage, IntegrationQueueTable, { receiver: queue.receiver }, claimOf(queue)),

    run: (serving, isStopping) =>
      Effect.ensuring(
        serve(serving, isStopping),
        Effect.sync(() => slots.release(serving.queue.receiver))
      ),

    // The queue is due again now, after all other due receivers, if it has more events.
    complete: (serving) => outcomes.end(serving, LeasedWork.succeed),
    release: (serving) => outcomes.end(serving, LeasedWork.release),

    fail: (serving, { error, reason }) =>
      outcomes.end(serving, (row, now) => {
        // Without capacity the program was not tried: the attempt does not count.
        if (error instanceof StorageError && error.reason === "busy")
          return LeasedWork.release(row, Timestamps.after(now, backoff(row.attempts - 1)))
        const failed = LeasedWork.fail(row, now, reason)
        return error instanceof RunFailed ? { ...failed, since: serving.since ?? now } : failed
      }),

    logFields: ({ queue: { receiver, integration } }) => ({ receiver, integration })
  }
  return source
})
