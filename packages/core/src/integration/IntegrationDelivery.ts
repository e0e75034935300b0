/**
 * Delivers what is queued for programs: to many receivers at once, to each in order. Whatever a program
 * answers is final; one that could not be reached is tried again with growing pauses, for a day, and
 * what is behind waits for that. A receiver that is slow delays no other (see `DeliveryPlaces`). Where there is no room
 * for its program, it is tried again after as long as the last time, or 5 seconds, and that is no attempt in vain. What a
 * program that crashed was told is told again to a new process of it, at once. What still waits for an installation that
 * was paused has failed, but for what is told of itself: it has no tokens to do anything with.
 *
 * A program is given several events of a receiver in one go, which it is told one after another: to ask it costs
 * more than what it does. Each is answered, bounded and given up by itself.
 *
 * What became of events is written in groups, for all receivers in one transaction: a commit for each
 * would take more than to deliver it. What was delivered and is not written yet when the process is
 * killed is delivered again.
 *
 * What is queued while it delivers is looked for every 250 ms, for all receivers together.
 *
 * Limits: 20 events of a receiver in one go, with 256 KiB of payloads as they are sealed (shared ones are short), unless
 * the first has more; 3 processes for an event in which they crash; pauses of 5 seconds, twice as long each time, at
 * most an hour; written after 250 ms, or when it is 200 events.
 */
import { Clock, Deferred, Duration, Effect, FiberMap, Result, Semaphore } from "effect"
import * as Job from "../job/Job.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, orderValues, Storage } from "../storage/Storage.ts"
import { type Outcome, outcomeOf, type Served, settlement } from "./DeliveryOutcomes.ts"
import { DeliveryPlaces, places } from "./DeliveryPlaces.ts"
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
import { IntegrationRuns, logsOf, type QueuedEvent } from "./IntegrationRuns.ts"
import type { HeardAnswer, Queued } from "./IntegrationRuntime.ts"
import type { RunLog } from "./RunLog.ts"
import { ToldEvents } from "./ToldEvents.ts"

const pageSize = 2 * places
/** Of receivers that are due, in one look: the first of them are slow ones, or many of one integration. */
const mostPages = 20
const sliceSize = 60
/** Of one receiver, in one go. */
const inOneGo = 20
const inOneGoCharacters = 256 * 1024
const settleAfter = "250 millis"
const settleAt = 200
/** How long after one look for receivers the next one is, where none was left out: those that come meanwhile are served together. */
const looksEvery = 250
/** How long a job that has nothing more to do waits for what comes next, before it ends. */
const lingers = "200 millis"
/** How often an event is given to a new process whose process ended in the middle: it may not have been its doing. */
const retriesOfCrash = 2
const patience = Duration.toMillis(Duration.days(1))

/** How long after so many attempts in vain the next one is made. */
const pauseAfter = (attempts: number): number => Math.min(5_000 * 2 ** (attempts - 1), 60 * 60_000)

/** Beginning of a page of a list. */
type Behind = ReturnType<typeof orderValues> | undefined

/** Space or site that a payload is about, beside its installation. */
const contentOf = (payload: IntegrationPayload): { readonly kind: PlacementKind; readonly id: string } | undefined => {
  if ("siteId" in payload && payload.siteId !== undefined) return { kind: "site", id: payload.siteId }
  if ("spaceId" in payload && payload.spaceId !== undefined) return { kind: "space", id: payload.spaceId }
  return undefined
}

/** Tells of the installation itself, paused or not: that it is, and that it is gone. */
const isOfItself = ({ type }: IntegrationPayload): boolean => /installation_(setup|deleted)$/.test(type)

const pausedMeanwhile = "The installation was paused before this could be delivered"

/** The first of those that wait, as many as are given in one go. */
const firstOf = (waiting: ReadonlyArray<IntegrationEventRow>): ReadonlyArray<IntegrationEventRow> => {
  let size = 0
  const end = waiting.findIndex(({ payload }, i) => (size += payload?.length ?? 0) > inOneGoCharacters && i > 0)
  return waiting.slice(0, end === -1 ? inOneGo : Math.min(end, inOneGo))
}

/** Ranges of keys before, between and behind some integrations. */
const allBut = (integrations: ReadonlyArray<IntegrationKey>) => {
  const sorted = integrations.toSorted()
  if (sorted.length === 0) return [{}]
  return [undefined, ...sorted].map((before, i) => ({
    integration: { ...(before !== undefined && { gt: before }), ...(i < sorted.length && { lt: sorted[i]! }) }
  }))
}

export const deliverIntegrationEvents = Effect.gen(function* () {
  const storage = yield* Storage
  const runs = yield* IntegrationRuns
  const { arrival } = yield* IntegrationQueue
  const { spread } = yield* ToldEvents
  const events = storage.repository(IntegrationEventTable)
  const queues = storage.repository(IntegrationQueueTable)
  const integrations = storage.repository(IntegrationTable)
  const installations = storage.repository(InstallationTable)
  const settled = yield* settlement
  const taken = new DeliveryPlaces()

  /** Gives a program the first events that wait; `heard` is called for each of which there is an outcome. */
  const deliver = Effect.fnUntraced(function* (
    rows: ReadonlyArray<IntegrationEventRow>,
    heard: (outcome: Outcome) => void,
    queued: Queued
  ) {
    const [{ integration: key, installation: id }] = rows as readonly [IntegrationEventRow]
    const integration = yield* integrations.get({ key })
    if (integration === undefined) {
      // What was unpublished hears no more. An installation that is gone is still told that it is.
      for (const { id } of rows) heard({ id, type: undefined, state: "failed", logs: [] })
      return
    }
    const installation = id === undefined ? undefined : yield* installations.get({ id })
    const given = yield* Effect.forEach(rows, (row) =>
      Effect.map(runs.payload(row), (payload): QueuedEvent => {
        const content = contentOf(payload)
        const about = { ...(installation && { installation }), ...(row.about && { about: row.about }) }
        return { id: row.id, payload, setting: { integration, ...about, ...(content && { content }) } }
      })
    )
    const isPaused = installation?.paused === true
    // Of one that was paused meanwhile, and of one that was not, as many as are treated alike.
    const isLeftOut = ({ payload }: QueuedEvent) => isPaused && !isOfItself(payload)
    const end = given.findIndex((event) => isLeftOut(event) !== isLeftOut(given[0]!))
    const alike = end === -1 ? given : given.slice(0, end)
    if (isLeftOut(given[0]!)) {
      const logs: ReadonlyArray<RunLog> = [
        { level: "error", message: pausedMeanwhile, timestamp: yield* Timestamps.now }
      ]
      for (const { id, payload } of alike) heard({ id, type: payload.type, state: "failed", logs })
      return
    }
    const clock = yield* Clock.Clock
    const answered = (answer: HeardAnswer, at: number) =>
      outcomeOf(alike[at]!, answer, Timestamps.at(clock.currentTimeMillisUnsafe()))
    let at = 0
    yield* runs.deliver(alike, (answer) => heard(answered(answer, at++)), queued)
  })

  /** One run of the job. `isStanding`: it may wait for more. */
  const run = Effect.fnUntraced(function* (isStanding: boolean) {
    const served = new Map<string, Served>()
    const oneByOne = yield* Semaphore.make(1)
    const clock = yield* Clock.Clock
    let unsettled = 0

    const settle = oneByOne.withPermit(
      Effect.suspend(() => {
        unsettled = 0
        return served.size === 0 ? Effect.void : settled(served, (receiver) => served.delete(receiver))
      })
    )

    const reached = ({ integration, receiver }: IntegrationQueueRow, last: IntegrationEventId): Served => {
      const known = served.get(receiver) ?? { integration, last, outcomes: [] }
      known.last = last
      served.set(receiver, known)
      return known
    }

    /** Notes how often a receiver could not be reached, and since when, and when it is tried again. */
    const pause = Effect.fnUntraced(function* (
      { receiver }: IntegrationQueueRow,
      tried: number,
      since: Timestamp | undefined
    ) {
      yield* settle
      served.delete(receiver)
      const dueAt = Timestamps.at((yield* Clock.currentTimeMillis) + pauseAfter(Math.max(tried, 1)))
      yield* queues.update({ receiver }, { attempts: tried, dueAt, since }).pipe(cannotConflict)
    })

    /** Lets all that are due have a turn before the next one of a receiver. */
    const makeWay = ({ receiver }: IntegrationQueueRow) =>
      Effect.flatMap(Timestamps.now, (dueAt) => queues.update({ receiver }, { dueAt })).pipe(
        cannotConflict,
        Effect.asVoid
      )

    /** Delivers what is queued for one receiver, until there is no more, it can't be reached, or its place is another's. */
    const serve = Effect.fnUntraced(function* (queue: IntegrationQueueRow) {
      const { receiver, last } = queue
      let { attempts, since } = queue
      /** How many processes have ended in the first event that waits. */
      let crashes = 0
      const heard = ({ payload }: IntegrationEventRow, outcome: Outcome) => {
        crashes = 0
        unsettled++
        taken.heard(receiver, clock.currentTimeMillisUnsafe())
        reached(queue, outcome.id).outcomes.push({ ...outcome, payload: payload?.length ?? 0 })
      }
      const queued: Queued = {
        waits: () => taken.waits(receiver),
        begun: () => taken.begun(receiver, clock.currentTimeMillisUnsafe())
      }
      const isReached = Effect.suspend(() => {
        if (attempts === 0) return Effect.void
        attempts = 0
        since = undefined
        return Effect.asVoid(cannotConflict(queues.update({ receiver }, { attempts, since })))
      })
      for (;;) {
        const behind = served.get(receiver)?.last
        const rows = yield* events.list({
          where: { queue: receiver },
          order: ["id"],
          limit: sliceSize,
          ...(behind !== undefined && { after: [behind] })
        })
        if (rows.length === 0) {
          if (behind === undefined || behind < last) reached(queue, last)
          return
        }
        for (let waiting = rows; waiting.length > 0;) {
          const begun = yield* Clock.currentTimeMillis
          const isLast = since !== undefined && begun - Date.parse(since) > patience
          const given = firstOf(waiting)
          let count = 0
          const delivered = yield* Effect.result(deliver(given, (outcome) => heard(given[count++]!, outcome), queued))
          if (count > 0) yield* isReached
          waiting = waiting.slice(count)
          if (Result.isFailure(delivered)) {
            const { failure } = delivered
            if (failure._tag === "StorageError") {
              // It was not the receiver that could not be reached.
              return failure.reason === "busy" ? yield* pause(queue, attempts, since) : yield* failure
            }
            if (failure.reason === "unreachable" && !isLast) {
              return yield* pause(queue, attempts + 1, since ?? Timestamps.at(begun))
            }
            if (failure.reason !== "crashed" || ++crashes > retriesOfCrash) {
              const [first] = waiting as readonly [IntegrationEventRow]
              heard(first, { id: first.id, type: undefined, state: "failed", logs: yield* logsOf(failure) })
              waiting = waiting.slice(1)
              yield* isReached
            }
          }
          if (unsettled >= settleAt) yield* settle
          if (waiting.length > 0 && !taken.keeps(receiver)) return yield* makeWay(queue)
        }
        if (rows.length < sliceSize && (yield* queues.get({ receiver }))?.last === rows.at(-1)!.id) return
        if (!taken.keeps(receiver)) return yield* makeWay(queue)
      }
    })

    const serving = yield* FiberMap.make<string>()
    const failure = yield* Deferred.make<never, unknown>()
    const orFail = Effect.catchCause((cause) => Deferred.failCause(failure, cause))

    /** Whoever was left out may be served now. */
    const isServed = (receiver: string) =>
      Effect.suspend(() => {
        taken.end(receiver)
        return taken.isLeft || !isStanding ? Effect.asVoid(arrival.open) : Effect.void
      })

    /** Begins to serve those of a page that are due and may be served; tells behind which to look further, if at all. */
    const beginPage = Effect.fnUntraced(function* (behind: Behind) {
      const now = yield* Clock.currentTimeMillis
      const dueAt = { lte: Timestamps.at(now) }
      const where = allBut(taken.full()).map((integration) => ({ ...integration, dueAt }))
      const due = yield* queues.list({ where, order: ["dueAt"], limit: pageSize, ...(behind && { after: behind }) })
      let done = 0
      for (const queue of due) {
        const { receiver, integration, last } = queue
        if (served.get(receiver)?.last === last && !(yield* FiberMap.has(serving, receiver))) {
          done++
          continue
        }
        if (!taken.begin(receiver, integration, now)) continue
        yield* FiberMap.run(serving, receiver, serve(queue).pipe(orFail, Effect.ensuring(isServed(receiver))))
      }
      if (due.length < pageSize) return undefined
      // Those who have heard all of theirs make room for others.
      if (done > 0) yield* settle
      return taken.isFull ? undefined : orderValues(IntegrationQueueTable, { where, order: ["dueAt"] }, due.at(-1)!)
    })

    /** Those for whom there is no place may stand before others for whom there is one. */
    const beginAll = Effect.gen(function* () {
      let behind: Behind
      for (let page = 0; page < mostPages; page++) {
        behind = yield* beginPage(behind)
        if (behind === undefined) return
      }
    })

    yield* Effect.sleep(settleAfter).pipe(
      Effect.andThen(Effect.suspend(() => (unsettled > 0 ? settle : Effect.void))),
      Effect.forever,
      orFail,
      Effect.forkScoped
    )
    const loop = Effect.gen(function* () {
      for (;;) {
        yield* arrival.close
        const lookedAt = yield* Clock.currentTimeMillis
        taken.look(lookedAt)
        yield* spread
        yield* beginAll
        if (yield* Deferred.isDone(failure)) yield* Deferred.await(failure)
        const isIdle = (yield* FiberMap.size(serving)) === 0
        if (isIdle && !isStanding) return
        // Somebody is done, or something new has come; what another process queues is looked for.
        const hasCome = yield* Effect.raceFirst(
          Effect.raceFirst(
            Effect.as(arrival.await, true),
            Effect.as(Effect.sleep(isIdle ? lingers : "1 second"), false)
          ),
          Deferred.await(failure)
        )
        if (isIdle && !hasCome) return
        // Where the clock was set back meanwhile, it waits no longer for that.
        const soon = Math.min(looksEvery, lookedAt + looksEvery - (yield* Clock.currentTimeMillis))
        if (isStanding && !taken.isLeft && soon > 0) yield* Effect.sleep(soon)
      }
    })
    // A shutdown loses nothing of what was done, or it would be done again.
    yield* Effect.onInterrupt(loop, () => Effect.ignore(settle))
    yield* settle
  }, Effect.scoped)

  return Job.handler(DeliverIntegrationEvents, ({ isStanding, continueWith }) =>
    Effect.andThen(
      run(isStanding),
      Effect.gen(function* () {
        const [next] = yield* queues.list({ where: {}, order: ["dueAt"], limit: 1 })
        if (next !== undefined) yield* storage.transaction(continueWith({}, next.dueAt))
      })
    )
  )
})
