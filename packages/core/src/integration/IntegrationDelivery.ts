/**
 * Delivers what is queued for programs: to many receivers at once, to each in order. Whatever a program
 * answers is final; one that could not be reached is tried again with growing pauses, for a day, and
 * what is behind waits for that. So a receiver that is slow delays no other. What a program that crashed was
 * told is told again to a new process of it, at once.
 *
 * Limits: 32 receivers at once, 8 of them of one integration; 3 processes for an event in which they crash; pauses of 5 seconds, twice as long each time, at most an hour. Of the site
 * views that went well, the records of 30 a minute are kept for each receiver.
 */
import { Clock, Deferred, Duration, Effect, FiberMap, Latch, Result, Schema } from "effect"
import { Lru } from "../storage/Lru.ts"
import { Secrets } from "../identity/Secrets.ts"
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
import { IntegrationRecords } from "./IntegrationRecords.ts"
import { IntegrationRuns, logsOf } from "./IntegrationRuns.ts"
import type { RunFailed } from "./IntegrationRuntime.ts"

export const DeliverIntegrationEvents = Job.kind("deliver-integration-events", Schema.Struct({}), { attempts: 100 })

const atOnce = 32
/** Of one integration, however many of its receivers wait. */
const atOnceOfOne = 8
const pageSize = 2 * atOnce
const sliceSize = 50
const keptViews = 30
const viewWindow = 60_000
const countedReceivers = 10_000
/** How often an event is given to a new process whose process ended in the middle: it may not have been its doing. */
const retriesOfCrash = 2
const patience = Duration.toMillis(Duration.days(1))

/** How long after so many attempts in vain the next one is made. */
const pauseAfter = (attempts: number): number => Math.min(5_000 * 2 ** (attempts - 1), 60 * 60_000)

const isCrash = (error: RunFailed | StorageError) => error._tag === "RunFailed" && error.reason === "crashed"

/** What a payload is about, beside its installation. */
const contentOf = (payload: IntegrationPayload): { readonly kind: PlacementKind; readonly id: string } | undefined => {
  if ("siteId" in payload && payload.siteId !== undefined) return { kind: "site", id: payload.siteId }
  if ("spaceId" in payload && payload.spaceId !== undefined) return { kind: "space", id: payload.spaceId }
  return undefined
}

/** What is before, between and behind some integrations. */
const allBut = (integrations: ReadonlyArray<IntegrationKey>) => {
  const sorted = integrations.toSorted()
  if (sorted.length === 0) return [{}]
  return [undefined, ...sorted].map((before, i) => ({
    integration: { ...(before !== undefined && { gt: before }), ...(i < sorted.length && { lt: sorted[i]! }) }
  }))
}

export const deliverIntegrationEvents = Effect.gen(function* () {
  const storage = yield* Storage
  const secrets = yield* Secrets
  const runs = yield* IntegrationRuns
  const records = yield* IntegrationRecords
  const events = storage.repository(IntegrationEventTable)
  const queues = storage.repository(IntegrationQueueTable)
  const integrations = storage.repository(IntegrationTable)
  const installations = storage.repository(InstallationTable)

  const views = new Lru<string, { readonly endsAt: number; count: number }>(countedReceivers)

  /** Whether there are records enough of views that went well. */
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
    const payload = yield* secrets.open(IntegrationEventTable, row, "payload")
    const content = contentOf(payload)
    const setting = {
      integration,
      ...(installation && { installation }),
      ...(content && { content }),
      ...(row.about && { about: row.about })
    }
    const answered = yield* runs
      .deliver(setting, row.id, payload)
      .pipe(Effect.retry({ times: retriesOfCrash, while: isCrash }), Effect.result)
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

  /** Records what became of an event, or forgets it; one that failed meanwhile, since too many waited, counts no more. */
  const settle = Effect.fnUntraced(function* (
    receiver: string,
    id: IntegrationEventId,
    record: Pick<IntegrationEventRow, "state" | "logs"> | undefined
  ) {
    const settled = yield* (
      record === undefined ? events.remove({ id, queue: receiver }) : events.update({ id, queue: receiver }, record)
    ).pipe(cannotConflict)
    const queue = yield* queues.get({ receiver })
    if (queue === undefined) return
    yield* queues.update({ receiver }, { waiting: queue.waiting - settled }).pipe(cannotConflict)
  })

  /** Delivers what is queued for one receiver, until there is no more, or it can't be reached. */
  const serve = Effect.fnUntraced(function* ({ receiver, attempts, since }: IntegrationQueueRow) {
    let isAgain = attempts > 0
    for (;;) {
      const rows = yield* events.list({ where: { queue: receiver }, order: ["id"], limit: sliceSize })
      if (rows.length === 0) {
        const isDone = yield* storage.transaction(
          Effect.gen(function* () {
            if ((yield* events.count({ queue: receiver })) > 0) return false
            yield* queues.remove({ receiver })
            return true
          })
        )
        if (isDone) return
        continue
      }
      for (const row of rows) {
        const now = yield* Clock.currentTimeMillis
        const isLast = since !== undefined && now - Date.parse(since) > patience
        const outcome = yield* deliver(row, isLast)
        if (outcome === undefined) {
          yield* records.flush
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
        yield* records.later(settle(receiver, row.id, record))
      }
      // What is settled must not be found again.
      yield* records.flush
    }
  })

  return Job.handler(DeliverIntegrationEvents, ({ continueWith }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const serving = yield* FiberMap.make<string>()
        const ofIntegration = new Map<IntegrationKey, number>()
        const changed = yield* Latch.make(false)
        const failure = yield* Deferred.make<never, unknown>()
        const count = (integration: IntegrationKey, by: number) =>
          Effect.sync(() => {
            const served = (ofIntegration.get(integration) ?? 0) + by
            if (served === 0) ofIntegration.delete(integration)
            else ofIntegration.set(integration, served)
          })

        /** Begins to serve those of a page that are due and may be served; tells whether there is more to look at. */
        const beginPage = Effect.gen(function* () {
          const now = yield* Timestamps.now
          const full = [...ofIntegration].flatMap(([integration, served]) =>
            served >= atOnceOfOne ? [integration] : []
          )
          const where = allBut(full).map((integration) => ({ ...integration, dueAt: { lte: now } }))
          const due = yield* queues.list({ where, order: ["dueAt"], limit: pageSize })
          let begun = 0
          for (const queue of due) {
            const { receiver, integration } = queue
            if ((yield* FiberMap.size(serving)) >= atOnce) return false
            if ((ofIntegration.get(integration) ?? 0) >= atOnceOfOne) continue
            if (yield* FiberMap.has(serving, receiver)) continue
            begun++
            yield* count(integration, 1)
            yield* FiberMap.run(
              serving,
              receiver,
              serve(queue).pipe(
                Effect.catchCause((cause) => Deferred.failCause(failure, cause)),
                Effect.ensuring(Effect.andThen(count(integration, -1), changed.open))
              )
            )
          }
          return begun > 0 && due.length === pageSize
        })

        for (;;) {
          yield* changed.close
          while (yield* beginPage);
          if ((yield* FiberMap.size(serving)) === 0) break
          // Somebody is done, or something new has come for somebody who is not served yet.
          yield* Effect.raceFirst(Effect.raceFirst(changed.await, Effect.sleep("1 second")), Deferred.await(failure))
        }
        const [next] = yield* queues.list({ where: {}, order: ["dueAt"], limit: 1 })
        if (next !== undefined) yield* storage.transaction(continueWith({}, next.dueAt))
      })
    )
  )
})
