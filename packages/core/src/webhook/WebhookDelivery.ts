/**
 * Delivers events to webhooks: many webhooks in parallel, the events of one in the order of commits. A webhook reads the
 * events after its position, so a change writes nothing for it.
 *
 * A webhook is leased work (see `WorkLoop`). Slow webhooks do not delay others (see `DeliverySlots`); those of one
 * organization share its slots. If the process is killed after a request and before its result is written, the event is
 * delivered again.
 *
 * Limits: see `ReceiverClaims`; 20 events or one second until a webhook releases its slot to others that wait.
 */
import { Clock, Duration, Effect, Schema } from "effect"
import { type Event, EventTable } from "../event/Event.ts"
import type { EventId } from "../event/EventKind.ts"
import { Events } from "../event/Events.ts"
import { publicEvent } from "../feed/PublicEvent.ts"
import { DeliverySlots } from "../job/DeliverySlots.ts"
import * as Lease from "../job/Lease.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import { makeReceiverClaims } from "../job/ReceiverClaims.ts"
import type { WorkSource } from "../job/WorkLoop.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, type Patch, Storage } from "../storage/Storage.ts"
import {
  idleUntil,
  maxFailing,
  type WebhookDeliveryRow,
  WebhookId,
  type WebhookReceiverRow,
  WebhookReceiverTable,
  type WebhookRow,
  WebhookTable
} from "./Webhook.ts"
import { makeWebhookRequests } from "./WebhookRequests.ts"

/** Name of the reader of events that makes webhooks due. */
export const webhookReader = "webhooks"

const sliceSize = 60
/** Number of events, and time in ms, after which a webhook releases its slot if others wait. */
const [maxTurn, maxTurnMillis] = [20, 1_000]

/** Raised if a request was not successful. `isGone`: the URL no longer exists. */
class DeliveryFailed extends Schema.TaggedError<DeliveryFailed>()("DeliveryFailed", {
  message: Schema.String,
  isGone: Schema.Boolean
}) {}

/** A claimed webhook while its events are delivered. */
export interface Serving {
  readonly claimed: WebhookReceiverRow
  /** Position after the last event that was delivered or skipped. */
  after: EventId
}

/** Returns true if a webhook receives the event. */
const receives = ({ types, spaces }: WebhookRow, event: Event): boolean =>
  (types === undefined || types.includes(event.type)) &&
  (spaces === undefined || ("space" in event && event.space !== undefined && spaces.includes(event.space)))

const claimOf = ({ lease: { holder = "", number } }: WebhookReceiverRow): Lease.Claim => ({ holder, number })

export const deliverWebhooks = Effect.gen(function* () {
  const storage = yield* Storage
  const clock = yield* Clock.Clock
  const events = yield* Events
  const requests = yield* makeWebhookRequests
  const webhooks = storage.repository(WebhookTable)
  const receivers = storage.repository(WebhookReceiverTable)
  const eventRows = storage.repository(EventTable)
  const slots = new DeliverySlots()

  /** Makes idle webhooks due that receive one of the next events. Returns true if more events may follow. */
  const distributeSlice = storage.transaction(
    Effect.gen(function* () {
      const after = yield* events.cursor(webhookReader)
      const batch = yield* events.read({ after })
      if (batch.after === after) return false
      const organizations = [...new Set(batch.events.map(({ organization }) => organization))]
      const active = yield* webhooks.list({ where: { organization: { in: organizations }, active: true } })
      const rows = yield* receivers.getMany(active.map(({ id }) => ({ receiver: id })))
      const now = yield* Timestamps.now
      for (const [i, webhook] of active.entries()) {
        const row = rows[i]
        if (row === undefined || row.lease.holder !== undefined || row.lease.until !== idleUntil) continue
        const isDue = batch.events.some(
          (event) => event.organization === webhook.organization && event.id > row.after && receives(webhook, event)
        )
        if (!isDue) continue
        yield* receivers.update({ receiver: webhook.id }, { lease: Lease.release(row.lease, now) }).pipe(cannotConflict)
      }
      yield* events.advance(webhookReader, batch.after)
      return batch.hasMore
    })
  )

  let distributedTo: EventId | undefined
  const distribute = Effect.gen(function* () {
    const end = yield* events.end
    if (end === distributedTo || (yield* webhooks.count({ active: true })) === 0) return
    while (yield* distributeSlice);
    distributedTo = end
  })

  /** Changes the row of a claimed webhook, unless another process has claimed it. */
  const changeHeld = <E>(
    { claimed }: Serving,
    change: (row: WebhookReceiverRow, now: Timestamp) => Effect.Effect<Patch<WebhookReceiverRow>, E>
  ) =>
    storage.transaction(
      Effect.gen(function* () {
        const row = yield* receivers.get({ receiver: claimed.receiver })
        if (row === undefined || !Lease.isHeld(row.lease, claimOf(claimed))) return
        const patch = yield* change(row, yield* Timestamps.now)
        yield* receivers.update({ receiver: claimed.receiver }, patch).pipe(cannotConflict)
      })
    )

  /** Stores an attempt, and the position after a success. */
  const recordAttempt = (serving: Serving, attempt: WebhookDeliveryRow) =>
    changeHeld(serving, () =>
      Effect.as(
        requests.record(attempt),
        attempt.status === "success" ? { after: serving.after, attempts: 1, failure: undefined, since: undefined } : {}
      )
    )

  /** Delivers events until the last one, a failure, or another webhook that needs the slot. */
  const serve = Effect.fnUntraced(function* (serving: Serving, isStopping: () => boolean) {
    const { receiver, organization } = serving.claimed
    const startedAt = yield* Clock.currentTimeMillis
    let delivered = 0
    for (;;) {
      const webhook = yield* webhooks.get({ id: WebhookId.make(receiver) })
      if (webhook?.active !== true) return
      const slice: ReadonlyArray<Event> = yield* eventRows.list({
        where: { organization },
        after: [serving.after],
        limit: sliceSize
      })
      for (const event of slice) {
        if (!receives(webhook, event)) {
          serving.after = event.id
          continue
        }
        slots.startTime(receiver, clock.currentTimeMillisUnsafe())
        const attempt = yield* requests.send(webhook, publicEvent(event))
        slots.noteProcessed(receiver, clock.currentTimeMillisUnsafe())
        if (attempt.status === "success") serving.after = event.id
        yield* recordAttempt(serving, attempt)
        if (attempt.status === "failed") {
          return yield* new DeliveryFailed({
            message: attempt.failure ?? "The request failed",
            isGone: attempt.statusCode === 410
          })
        }
        delivered++
        const isTurnOver = delivered % maxTurn === 0 || (yield* Clock.currentTimeMillis) - startedAt > maxTurnMillis
        // Settings of the webhook may have changed during a request, so a new slice is read.
        if (isStopping() || (isTurnOver && !slots.mayKeep(receiver))) return
      }
      if (slice.length < sliceSize) return
    }
  })

  /** Ends a serving. The webhook is due again if events follow its position, and idle otherwise. */
  const end = (serving: Serving) =>
    changeHeld(serving, (row, now) =>
      Effect.map(
        eventRows.list({ where: { organization: row.organization }, after: [serving.after], limit: 1 }),
        (next) => ({
          ...LeasedWork.succeed(row, next.length === 0 ? idleUntil : now),
          after: serving.after
        })
      )
    )

  /** Switches a webhook off. */
  const disable = Effect.fnUntraced(function* (receiver: string, reason: "failures" | "gone", updatedAt: Timestamp) {
    const id = WebhookId.make(receiver)
    const webhook = yield* webhooks.get({ id })
    if (webhook === undefined) return
    yield* webhooks.update({ id }, { active: false, disabledReason: reason, updatedAt }).pipe(cannotConflict)
    yield* events.emit(
      { type: "webhook_disabled", organization: webhook.organization, webhook: id, reason },
      { label: webhook.url }
    )
  })

  const claim = makeReceiverClaims(storage, {
    table: WebhookReceiverTable,
    group: "organization",
    slots,
    before: distribute
  })

  const source: WorkSource<Serving> = {
    name: "webhook",
    table: WebhookReceiverTable,
    signal: events.signal,
    // `DeliverySlots` limits the runs.
    concurrency: () => Infinity,

    claim: (claimant) =>
      Effect.map(claim(claimant), ({ items, nextAt }) => ({
        items: items.map((claimed): Serving => ({ claimed, after: claimed.after })),
        nextAt
      })),

    lease: ({ claimed }) =>
      LeasedWork.leaseAccess(storage, WebhookReceiverTable, { receiver: claimed.receiver }, claimOf(claimed)),

    run: (serving, isStopping) =>
      Effect.ensuring(
        serve(serving, isStopping),
        Effect.sync(() => slots.release(serving.claimed.receiver))
      ),

    complete: end,

    release: (serving) =>
      changeHeld(serving, (row, now) => Effect.succeed({ ...LeasedWork.release(row, now), after: serving.after })),

    fail: (serving, { error, reason }) =>
      changeHeld(serving, (row, now) => {
        if (!(error instanceof DeliveryFailed)) return Effect.succeed(LeasedWork.fail(row, now, reason))
        const since = row.since ?? now
        const isFailing = Date.parse(now) - Date.parse(since) >= Duration.toMillis(maxFailing)
        if (!error.isGone && !isFailing) {
          return Effect.succeed({ ...LeasedWork.fail(row, now, reason), after: serving.after, since })
        }
        return Effect.as(disable(row.receiver, error.isGone ? "gone" : "failures", now), {
          ...LeasedWork.succeed(row, idleUntil),
          after: serving.after,
          since: undefined
        })
      }),

    logFields: ({ claimed: { receiver, organization } }) => ({ webhook: receiver, organization })
  }
  return source
})
