/**
 * Delivers what is queued for programs: to many receivers at once, to each in order. Whatever a program
 * answers is final; one that could not be reached is tried again with growing pauses, for a day, and
 * what is behind waits for that. So a receiver that is slow delays no other. What a program that crashed was
 * told is told again to a new process of it, at once.
 *
 * What became of events is written in groups, for all receivers in one transaction: a commit for each
 * would take more than to deliver it. What was delivered and is not written yet when the process is
 * killed is delivered again.
 *
 * What is queued while it delivers is looked for every 50 ms, for all receivers together.
 *
 * Limits: 32 receivers at once, 8 of them of one integration; 3 processes for an event in which they crash;
 * pauses of 5 seconds, twice as long each time, at most an hour; written after 250 ms, or when it is 200 events.
 * Of the site views that went well, the records of 30 a minute are kept for each receiver.
 */
import { Clock, Deferred, Duration, Effect, FiberMap, Result, Semaphore } from "effect"
import { Lru } from "../storage/Lru.ts"
import * as Job from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
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
import { IntegrationRuns, logsOf } from "./IntegrationRuns.ts"
import type { RunFailed } from "./IntegrationRuntime.ts"

const atOnce = 32
/** Of one integration, however many of its receivers wait. */
const atOnceOfOne = 8
const pageSize = 2 * atOnce
const sliceSize = 50
const settleAfter = "250 millis"
const settleAt = 200
/** How long after one look for receivers the next one is, where none was left out: those that come meanwhile are served together. */
const looksEvery = 50
/** How long a job that has nothing more to do waits for what comes next, before it ends. */
const lingers = "200 millis"
const keptViews = 30
const viewWindow = 60_000
const countedReceivers = 10_000
/** How often an event is given to a new process whose process ended in the middle: it may not have been its doing. */
const retriesOfCrash = 2
const patience = Duration.toMillis(Duration.days(1))

/** How long after so many attempts in vain the next one is made. */
const pauseAfter = (attempts: number): number => Math.min(5_000 * 2 ** (attempts - 1), 60 * 60_000)

const isCrash = (error: RunFailed | StorageError) => error._tag === "RunFailed" && error.reason === "crashed"

interface Outcome {
  readonly id: IntegrationEventId
  /** Undefined: it is forgotten. */
  readonly record: Pick<IntegrationEventRow, "state" | "logs"> | undefined
}

/** How far a receiver was served, and what of that is not written down yet. */
interface Served {
  last: IntegrationEventId
  readonly outcomes: Array<Outcome>
}

/** Space or site that a payload is about, beside its installation. */
const contentOf = (payload: IntegrationPayload): { readonly kind: PlacementKind; readonly id: string } | undefined => {
  if ("siteId" in payload && payload.siteId !== undefined) return { kind: "site", id: payload.siteId }
  if ("spaceId" in payload && payload.spaceId !== undefined) return { kind: "space", id: payload.spaceId }
  return undefined
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
  const events = storage.repository(IntegrationEventTable)
  const queues = storage.repository(IntegrationQueueTable)
  const integrations = storage.repository(IntegrationTable)
  const installations = storage.repository(InstallationTable)

  const views = new Lru<string, { readonly endsAt: number; count: number }>(countedReceivers)

  /** Tells whether there are records enough of views that went well. */
  const isOneOfMany = Effect.fnUntraced(function* (receiver: string) {
    const now = yield* Clock.currentTimeMillis
    let minute = views.get(receiver)
    if (minute === undefined || minute.endsAt <= now) {
      minute = { endsAt: now + viewWindow, count: 0 }
      views.set(receiver, minute, 1)
    }
    return ++minute.count > keptViews
  })

  /** Delivers one event; what it logged, or undefined where its program could not be reached. */
  const deliver = Effect.fnUntraced(function* (row: IntegrationEventRow, isLast: boolean) {
    const integration = yield* integrations.get({ key: row.integration })
    // What was unpublished hears no more. An installation that is gone is still told that it is.
    if (integration === undefined) return { state: "failed", logs: [] } as const
    const installation = row.installation === undefined ? undefined : yield* installations.get({ id: row.installation })
    const payload = yield* runs.payload(row)
    const content = contentOf(payload)
    const setting = {
      integration,
      ...(installation && { installation }),
      ...(content && { content }),
      ...(row.about && { about: row.about })
    }
    const tell = Effect.result(runs.deliver(setting, row.id, payload))
    let answered = yield* tell
    for (let retries = 0; retries < retriesOfCrash; retries++) {
      if (Result.isSuccess(answered) || !isCrash(answered.failure)) break
      answered = yield* tell
    }
    if (Result.isSuccess(answered)) {
      const { status, logs, overstepped } = answered.success
      const state = !overstepped && (status < 400 || status === 406) ? "success" : "failed"
      const isView = payload.type === "site_view" && state === "success"
      return isView && (yield* isOneOfMany(row.receiver)) ? "forgotten" : ({ state, logs } as const)
    }
    const { failure } = answered
    if (failure._tag === "StorageError") return yield* failure
    if (failure.reason === "unreachable" && !isLast) return undefined
    return { state: "failed", logs: yield* logsOf(failure) } as const
  })

  /** Writes down what became of events that were delivered, and forgets who has no more to come. */
  const settled = (served: ReadonlyMap<string, Served>, forget: (receiver: string) => void) =>
    storage.transaction(
      Effect.gen(function* () {
        for (const [receiver, { last, outcomes }] of served) {
          let count = 0
          // One that failed meanwhile, since too many waited, counts no more.
          for (const { id, record } of outcomes.splice(0)) {
            const where = { id, queue: receiver }
            count += yield* (record === undefined ? events.remove(where) : events.update(where, record)).pipe(
              cannotConflict
            )
          }
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

  /** One run of the job. `isStanding`: it may wait for more. */
  const run = Effect.fnUntraced(function* (isStanding: boolean) {
    const served = new Map<string, Served>()
    const oneByOne = yield* Semaphore.make(1)
    let unsettled = 0

    const settle = oneByOne.withPermit(
      Effect.suspend(() => {
        unsettled = 0
        return served.size === 0 ? Effect.void : settled(served, (receiver) => served.delete(receiver))
      })
    )

    const reached = (receiver: string, last: IntegrationEventId): Served => {
      const known = served.get(receiver) ?? { last, outcomes: [] }
      known.last = last
      served.set(receiver, known)
      return known
    }

    /** Delivers what is queued for one receiver, until there is no more, or it can't be reached. */
    const serve = Effect.fnUntraced(function* ({ receiver, last, attempts, since }: IntegrationQueueRow) {
      let isAgain = attempts > 0
      for (;;) {
        const behind = served.get(receiver)?.last
        const rows = yield* events.list({
          where: { queue: receiver },
          order: ["id"],
          limit: sliceSize,
          ...(behind !== undefined && { after: [behind] })
        })
        if (rows.length === 0) {
          if (behind === undefined || behind < last) reached(receiver, last)
          return
        }
        const end = rows.at(-1)!.id
        for (const row of rows) {
          const now = yield* Clock.currentTimeMillis
          const isLast = since !== undefined && now - Date.parse(since) > patience
          const outcome = yield* deliver(row, isLast)
          if (outcome === undefined) {
            yield* settle
            served.delete(receiver)
            const tried = isAgain ? attempts + 1 : 1
            const dueAt = Timestamps.at(now + pauseAfter(tried))
            yield* queues
              .update(
                { receiver },
                { attempts: tried, dueAt, since: (isAgain ? since : undefined) ?? Timestamps.at(now) }
              )
              .pipe(cannotConflict)
            return
          }
          if (isAgain) {
            isAgain = false
            yield* queues.update({ receiver }, { attempts: 0, since: undefined }).pipe(cannotConflict)
          }
          const record = outcome === "forgotten" ? undefined : yield* runs.outcome(row.id, outcome.state, outcome.logs)
          reached(receiver, row.id).outcomes.push({ id: row.id, record })
          if (++unsettled >= settleAt) yield* settle
        }
        if (rows.length < sliceSize && (yield* queues.get({ receiver }))?.last === end) return
      }
    })

    const serving = yield* FiberMap.make<string>()
    const ofIntegration = new Map<IntegrationKey, number>()
    /** Somebody was due and could not be served yet. */
    let isLeft = false
    const failure = yield* Deferred.make<never, unknown>()
    const orFail = Effect.catchCause((cause) => Deferred.failCause(failure, cause))
    const count = (integration: IntegrationKey, by: number) =>
      Effect.sync(() => {
        const served = (ofIntegration.get(integration) ?? 0) + by
        if (served === 0) ofIntegration.delete(integration)
        else ofIntegration.set(integration, served)
      })

    const isSomeFull = () => [...ofIntegration.values()].some((served) => served >= atOnceOfOne)

    /** Whoever was left out may be served now. */
    const isServed = Effect.suspend(() => (isLeft || !isStanding ? Effect.asVoid(arrival.open) : Effect.void))

    /** Begins to serve those of a page that are due and may be served; tells whether there is more to look at. */
    const beginPage = Effect.gen(function* () {
      const now = yield* Timestamps.now
      const full = [...ofIntegration].flatMap(([integration, served]) => (served >= atOnceOfOne ? [integration] : []))
      const where = allBut(full).map((integration) => ({ ...integration, dueAt: { lte: now } }))
      const due = yield* queues.list({ where, order: ["dueAt"], limit: pageSize })
      let begun = 0
      let done = 0
      for (const queue of due) {
        const { receiver, integration, last } = queue
        const isFull = (yield* FiberMap.size(serving)) >= atOnce
        if (
          isFull ||
          (ofIntegration.get(integration) ?? 0) >= atOnceOfOne ||
          (yield* FiberMap.has(serving, receiver))
        ) {
          isLeft = true
          if (isFull) return false
          continue
        }
        if (served.get(receiver)?.last === last) {
          done++
          continue
        }
        begun++
        yield* count(integration, 1)
        yield* FiberMap.run(
          serving,
          receiver,
          serve(queue).pipe(orFail, Effect.ensuring(Effect.andThen(count(integration, -1), isServed)))
        )
      }
      if (due.length < pageSize) return false
      // Those who have heard all of theirs make room for others.
      if (done > 0) yield* settle
      return begun + done > 0
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
        // Those of integrations that have as many as they may are not among those that are looked at.
        isLeft = isSomeFull()
        while (yield* beginPage);
        isLeft ||= isSomeFull()
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
        if (isStanding && !isLeft && soon > 0) yield* Effect.sleep(soon)
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
