/**
 * Delivers queued events to programs: many receivers in parallel, the events of one receiver in order.
 *
 * Any response of a program is final. If a program is unreachable, delivery is retried with growing pauses for a day;
 * later events of the receiver wait. Slow receivers do not delay others (see `DeliverySlots`). If the runtime has no
 * capacity for a program, delivery is retried after the same pause as before, at least 5 seconds, and the attempt is
 * not counted. After a crash the event is delivered again at once, to a new process. Events still queued for a paused
 * installation fail, except events about the installation itself: a paused installation has no tokens to act with.
 *
 * Outcomes are written in groups, in one transaction for all receivers, because a commit for each would cost more than
 * its delivery. Outcomes that are not written when the process is killed lead to a second delivery. All writes check
 * the fence of the job's lease (see `JobWorker`).
 *
 * Newly queued events are queried every 250 ms, for all receivers together.
 *
 * Limits: 3 processes for an event that crashes them; pauses of 5 seconds, doubled each time, at most an hour; 20
 * events or one second until a receiver releases its slot to others that wait; outcomes written after 250 ms or 200
 * events.
 */
import { Clock, Deferred, Duration, Effect, FiberMap, Result, Semaphore } from "effect"
import { backoff } from "../job/Backoff.ts"
import * as Job from "../job/Job.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, orderValues, Storage } from "../storage/Storage.ts"
import { type Outcome, outcomeOf, type DeliveryProgress, makeOutcomeWriter } from "./DeliveryOutcomes.ts"
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
import { DeliverIntegrationEvents, IntegrationQueue } from "./IntegrationQueue.ts"
import type { RunTarget } from "./IntegrationEnvironments.ts"
import { IntegrationRuns, logsOf, type QueuedEvent } from "./IntegrationRuns.ts"
import type { CapacityCallbacks } from "./IntegrationRuntime.ts"
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
const writeInterval = "250 millis"
const maxUnwritten = 200
/**
 * Interval between polls for due receivers while slots are free, in ms. Receivers that become due between two polls are
 * served together.
 */
const pollInterval = 250
/** Time that an idle job waits for new events before it ends. */
const idleTimeout = "200 millis"
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

const pausedMessage = "The installation was paused before this could be delivered"

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

export const deliverIntegrationEvents = Effect.gen(function* () {
  const storage = yield* Storage
  const runs = yield* IntegrationRuns
  const { arrival } = yield* IntegrationQueue
  const { distribute } = yield* SharedEvents
  const events = storage.repository(IntegrationEventTable)
  const queues = storage.repository(IntegrationQueueTable)
  const integrations = storage.repository(IntegrationTable)
  const installations = storage.repository(InstallationTable)
  const writeOutcomes = yield* makeOutcomeWriter
  const slots = new DeliverySlots()

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

  /** One run of the job. `isStanding`: true if the run may wait for more events. */
  const run = Effect.fnUntraced(function* (isStanding: boolean) {
    const progressByReceiver = new Map<string, DeliveryProgress>()
    const writeLock = yield* Semaphore.make(1)
    const clock = yield* Clock.Clock
    let unwrittenCount = 0

    const writeAll = writeLock.withPermit(
      Effect.suspend(() => {
        unwrittenCount = 0
        return progressByReceiver.size === 0
          ? Effect.void
          : writeOutcomes(progressByReceiver, (receiver) => progressByReceiver.delete(receiver))
      })
    )

    const progressOf = ({ integration, receiver }: IntegrationQueueRow, last: IntegrationEventId): DeliveryProgress => {
      const progress = progressByReceiver.get(receiver) ?? { integration, last, outcomes: [] }
      progress.last = last
      progressByReceiver.set(receiver, progress)
      return progress
    }

    /**
     * Stores the number of failed attempts of a receiver, the time of the first one, and the time of the next attempt.
     */
    const pause = Effect.fnUntraced(function* (
      { receiver }: IntegrationQueueRow,
      failedAttempts: number,
      since: Timestamp | undefined
    ) {
      yield* writeAll
      progressByReceiver.delete(receiver)
      const dueAt = Timestamps.at((yield* Clock.currentTimeMillis) + backoff(failedAttempts))
      yield* queues.update({ receiver }, { attempts: failedAttempts, dueAt, since }).pipe(cannotConflict)
    })

    /** Puts a receiver after all other due receivers. */
    const yieldTurn = ({ receiver }: IntegrationQueueRow) =>
      Effect.flatMap(Timestamps.now, (dueAt) => queues.update({ receiver }, { dueAt })).pipe(
        cannotConflict,
        Effect.asVoid
      )

    /**
     * Delivers the events of one receiver until the queue is empty, the receiver is unreachable, or another receiver
     * needs its slot.
     */
    const serve = Effect.fnUntraced(function* (queue: IntegrationQueueRow) {
      const { receiver, last } = queue
      let { attempts, since } = queue
      /** Number of processes that crashed while they processed the first queued event. */
      let crashes = 0
      const addOutcome = ({ payload }: IntegrationEventRow, outcome: Outcome) => {
        crashes = 0
        unwrittenCount++
        slots.noteProcessed(receiver, clock.currentTimeMillisUnsafe())
        progressOf(queue, outcome.id).outcomes.push({ ...outcome, payload: payload?.length ?? 0 })
      }
      const queued: CapacityCallbacks = {
        onWait: () => slots.stopTime(receiver),
        onStart: () => slots.startTime(receiver, clock.currentTimeMillisUnsafe())
      }
      const resetAttempts = Effect.suspend(() => {
        if (attempts === 0) return Effect.void
        attempts = 0
        since = undefined
        return Effect.asVoid(cannotConflict(queues.update({ receiver }, { attempts, since })))
      })
      const turnStartedAt = yield* Clock.currentTimeMillis
      for (;;) {
        const lastServed = progressByReceiver.get(receiver)?.last
        const rows = yield* events.list({
          where: { queue: receiver },
          order: ["id"],
          limit: sliceSize,
          ...(lastServed !== undefined && { after: [lastServed] })
        })
        if (rows.length === 0) {
          if (lastServed === undefined || lastServed < last) progressOf(queue, last)
          return
        }
        for (let index = 0; index < rows.length;) {
          const row = rows[index]!
          const startedAt = yield* Clock.currentTimeMillis
          const isLast = since !== undefined && startedAt - Date.parse(since) > maxUnreachableMillis
          const deliveryResult = yield* Effect.result(deliver(row, queued))
          if (Result.isSuccess(deliveryResult)) {
            addOutcome(row, deliveryResult.success)
            index++
            yield* resetAttempts
          } else {
            const { failure } = deliveryResult
            if (failure._tag === "StorageError") {
              // Only a busy store pauses the queue. Other storage errors fail the run; they are no failures of the
              // receiver.
              return failure.reason === "busy" ? yield* pause(queue, attempts, since) : yield* failure
            }
            if (failure.reason === "unreachable" && !isLast) {
              return yield* pause(queue, attempts + 1, since ?? Timestamps.at(startedAt))
            }
            if (failure.reason !== "crashed" || ++crashes > crashRetries) {
              addOutcome(row, failedOutcome(row, undefined, yield* logsOf(failure)))
              index++
              yield* resetAttempts
            }
          }
          if (unwrittenCount >= maxUnwritten) yield* writeAll
          const isTurnOver = index % maxTurn === 0 || (yield* Clock.currentTimeMillis) - turnStartedAt > maxTurnMillis
          if (index < rows.length && isTurnOver && !slots.mayKeep(receiver)) return yield* yieldTurn(queue)
        }
        if (rows.length < sliceSize && (yield* queues.get({ receiver }))?.last === rows.at(-1)!.id) return
        if (!slots.mayKeep(receiver)) return yield* yieldTurn(queue)
      }
    })

    const servingFibers = yield* FiberMap.make<string>()
    const failure = yield* Deferred.make<never, unknown>()
    const failRun = Effect.catchCause((cause) => Deferred.failCause(failure, cause))

    /** Releases a slot, so that receivers without a slot are tried again. */
    const releaseSlot = (receiver: string) =>
      Effect.suspend(() => {
        slots.release(receiver)
        return slots.hasUnserved || !isStanding ? Effect.asVoid(arrival.open) : Effect.void
      })

    /**
     * Starts delivery to the due receivers of a page that get a slot. Returns the cursor of the next page, or undefined
     * if no further page is needed.
     */
    const startPage = Effect.fnUntraced(function* (after: PageCursor) {
      const now = yield* Clock.currentTimeMillis
      const dueAt = { lte: Timestamps.at(now) }
      const where = rangesExcept(slots.saturatedIntegrations()).map((integration) => ({ ...integration, dueAt }))
      const dueQueues = yield* queues.list({ where, order: ["dueAt"], limit: pageSize, ...(after && { after }) })
      let doneCount = 0
      for (const queue of dueQueues) {
        const { receiver, integration, last } = queue
        if (progressByReceiver.get(receiver)?.last === last && !(yield* FiberMap.has(servingFibers, receiver))) {
          doneCount++
          continue
        }
        if (!slots.acquire(receiver, integration, now)) continue
        yield* FiberMap.run(servingFibers, receiver, serve(queue).pipe(failRun, Effect.ensuring(releaseSlot(receiver))))
      }
      if (dueQueues.length < pageSize) return undefined
      // Removes receivers whose queue is empty from the query of the next page.
      if (doneCount > 0) yield* writeAll
      return slots.isFull
        ? undefined
        : orderValues(IntegrationQueueTable, { where, order: ["dueAt"] }, dueQueues.at(-1)!)
    })

    /**
     * Starts delivery for all due receivers. Receivers without a free slot may come before receivers with one, so
     * several pages are read.
     */
    const startAll = Effect.gen(function* () {
      let after: PageCursor
      for (let page = 0; page < maxPages; page++) {
        after = yield* startPage(after)
        if (after === undefined) return
      }
    })

    yield* Effect.sleep(writeInterval).pipe(
      Effect.andThen(Effect.suspend(() => (unwrittenCount > 0 ? writeAll : Effect.void))),
      Effect.forever,
      failRun,
      Effect.forkScoped
    )
    const loop = Effect.gen(function* () {
      for (;;) {
        yield* arrival.close
        const polledAt = yield* Clock.currentTimeMillis
        slots.update(polledAt)
        yield* distribute
        yield* startAll
        if (yield* Deferred.isDone(failure)) yield* Deferred.await(failure)
        const isIdle = (yield* FiberMap.size(servingFibers)) === 0
        if (isIdle && !isStanding) return
        // Waits until a delivery ends or an event is queued. Events queued by other processes are found after a second.
        const hasWork = yield* Effect.raceFirst(
          Effect.raceFirst(
            Effect.as(arrival.await, true),
            Effect.as(Effect.sleep(isIdle ? idleTimeout : "1 second"), false)
          ),
          Deferred.await(failure)
        )
        if (isIdle && !hasWork) return
        // If the clock was set back, the wait is at most `pollInterval`.
        const pollDelay = Math.min(pollInterval, polledAt + pollInterval - (yield* Clock.currentTimeMillis))
        if (isStanding && !slots.hasUnserved && pollDelay > 0) yield* Effect.sleep(pollDelay)
      }
    })
    // On shutdown the outcomes are written; otherwise the events would be delivered again.
    yield* Effect.onInterrupt(loop, () => Effect.ignore(writeAll))
    yield* writeAll
  }, Effect.scoped)

  return Job.handler(DeliverIntegrationEvents, ({ isStanding, continueWith }) =>
    Effect.andThen(
      run(isStanding),
      Effect.gen(function* () {
        const [nextQueue] = yield* queues.list({ where: {}, order: ["dueAt"], limit: 1 })
        if (nextQueue !== undefined) yield* storage.transaction(continueWith({}, nextQueue.dueAt))
      })
    )
  )
})
