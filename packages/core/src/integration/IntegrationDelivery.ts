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
 * Newly queued events are claimed every 250 ms, for all receivers together.
 *
 * Limits: 3 processes for an event that crashes them; pauses of 5 seconds, doubled each time, at most an hour; 20
 * events or one second until a receiver releases its slot to others that wait.
 */
import { Clock, Duration, Effect, Result } from "effect"
import { backoff } from "../job/Backoff.ts"
import * as Lease from "../job/Lease.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import type { Claimant, WorkSource } from "../job/WorkLoop.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { orderValues, Storage, StorageError } from "../storage/Storage.ts"
import { claimOf, makeOutcomeWriter, type Outcome, outcomeOf, type Serving } from "./DeliveryOutcomes.ts"
import { DeliverySlots, quickSlots } from "./DeliverySlots.ts"
import { InstallationTable, type PlacementKind } from "./Installation.ts"
import { type IntegrationKey, IntegrationTable } from "./Integration.ts"
import {
  type IntegrationEventId,
  type IntegrationEventRow,
  IntegrationEventTable,
  type IntegrationPayload,
  type IntegrationQueueRow,
  IntegrationQueueTable
} from "./IntegrationEvent.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"
import type { RunTarget } from "./IntegrationEnvironments.ts"
import { IntegrationRuns, logsOf, type QueuedEvent } from "./IntegrationRuns.ts"
import { type CapacityCallbacks, RunFailed } from "./IntegrationRuntime.ts"
import type { RunLog } from "./RunLog.ts"
import { SharedEvents } from "./SharedEvents.ts"

const pageSize = 2 * quickSlots
/**
 * Number of pages of due receivers that one poll reads. The first pages may hold only receivers without a free slot.
 */
const maxPages = 20
const sliceSize = 60
/** Number of events, and time in ms, after which a receiver releases its slot if others wait. */
const [maxTurn, maxTurnMillis] = [20, 1_000]
/** Interval between claims in ms. Receivers that become due in between are claimed in one transaction. */
const claimInterval = 250
/** Interval between claims in ms while a due receiver waits for a slot. */
const shortClaimInterval = 20
/** Number of times an event is delivered again after its process crashed. Another event may have caused the crash. */
const crashRetries = 2
const maxUnreachableMillis = Duration.toMillis(Duration.days(1))

/** Cursor of a page of due receivers. Undefined for the first page. */
type PageCursor = ReturnType<typeof orderValues> | undefined

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

/** Returns ranges of keys that cover all integrations except the given ones. */
const rangesExcept = (integrations: ReadonlyArray<IntegrationKey>) => {
  const sortedIntegrations = integrations.toSorted()
  if (sortedIntegrations.length === 0) return [{}]
  return [undefined, ...sortedIntegrations].map((previousKey, i) => ({
    integration: {
      ...(previousKey !== undefined && { gt: previousKey }),
      ...(i < sortedIntegrations.length && { lt: sortedIntegrations[i]! })
    }
  }))
}

/** Undefined if this process has no runtime: other processes deliver the events. */
export const deliverIntegrationEvents = Effect.gen(function* () {
  const runs = yield* IntegrationRuns
  if (!runs.isAvailable) return undefined
  const storage = yield* Storage
  const clock = yield* Clock.Clock
  const { signal } = yield* IntegrationQueue
  const { distribute } = yield* SharedEvents
  const events = storage.repository(IntegrationEventTable)
  const queues = storage.repository(IntegrationQueueTable)
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

  /**
   * Acquires slots for due receivers of a page. Returns the cursor of the next page, or undefined if no further page is
   * needed.
   */
  const acquirePage = Effect.fnUntraced(function* (now: number, after: PageCursor, acquired: Array<string>) {
    const due = { lte: Timestamps.at(now) }
    const where = rangesExcept(slots.saturatedIntegrations()).map((integration) => ({ ...integration, due }))
    const dueQueues = yield* queues.list({ where, order: ["due"], limit: pageSize, ...(after && { after }) })
    for (const { receiver, integration } of dueQueues)
      if (slots.acquire(receiver, integration, now)) acquired.push(receiver)
    return dueQueues.length < pageSize || slots.isFull
      ? undefined
      : orderValues(IntegrationQueueTable, { where, order: ["due"] }, dueQueues.at(-1)!)
  })

  /**
   * Claims the due receivers that get a slot. Receivers without a free slot may come before receivers with one, so
   * several pages are read.
   */
  const claimDue = Effect.fnUntraced(function* (millis: number, { holder, duration }: Claimant) {
    const acquired: Array<string> = []
    const claimedReceivers = new Set<string>()
    const claimAll = Effect.gen(function* () {
      const now = Timestamps.at(millis)
      const claimed: Array<IntegrationQueueRow> = []
      for (const queue of yield* queues.getMany(acquired.map((receiver) => ({ receiver })))) {
        if (queue === undefined || !Lease.isExpired(queue.lease, now)) continue
        const patch = LeasedWork.claim(queue, holder, now, duration)
        yield* queues.update({ receiver: queue.receiver }, patch)
        claimed.push({ ...queue, ...patch })
      }
      return claimed
    })
    return yield* Effect.gen(function* () {
      let after: PageCursor
      for (let page = 0; page < maxPages; page++) {
        after = yield* acquirePage(millis, after, acquired)
        if (after === undefined) break
      }
      const claimed = acquired.length === 0 ? [] : yield* storage.transaction(claimAll)
      for (const { receiver } of claimed) claimedReceivers.add(receiver)
      return claimed.map((queue): Serving => ({ queue, since: queue.since }))
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          for (const receiver of acquired) if (!claimedReceivers.has(receiver)) slots.release(receiver)
        })
      )
    )
  })

  let claimedAt = -Infinity
  const source: WorkSource<Serving> = {
    name: "delivery",
    table: IntegrationQueueTable,
    signal,
    // `DeliverySlots` limits the runs.
    concurrency: () => Infinity,

    claim: Effect.fnUntraced(function* (claimant) {
      const now = yield* Clock.currentTimeMillis
      const interval = slots.hasUnserved ? shortClaimInterval : claimInterval
      if (claimant.mode === "standing" && Math.abs(now - claimedAt) < interval)
        return { items: [], nextAt: claimedAt + interval }
      claimedAt = now
      slots.update(now)
      yield* distribute
      const items = yield* claimDue(now, claimant)
      if (items.length > 0) return { items }
      const later = { due: { gt: Timestamps.at(now) } }
      const [next] = yield* queues.list({ where: later, order: ["due"], limit: 1 })
      // A slot becomes free for another receiver when its receiver turns out to be slow.
      const slotAt = slots.hasUnserved ? now + claimInterval : Infinity
      return { items, nextAt: Math.min(slotAt, next === undefined ? Infinity : Date.parse(next.lease.until)) }
    }),

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
