/**
 * Queues of events, one for each receiver, in order of delivery. If a queue is full, its oldest event fails, because
 * recent events are more useful to a receiver that was unreachable for long.
 */
import { Context, Effect, Layer } from "effect"
import { Ids } from "../identity/Ids.ts"
import * as Lease from "../job/Lease.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import type { IntegrationKey } from "./Integration.ts"
import {
  IntegrationEventId,
  type IntegrationEventRow,
  IntegrationEventTable,
  type IntegrationQueueRow,
  IntegrationQueueTable,
  isFailedDelivery,
  maxQueued
} from "./IntegrationEvent.ts"
import { IntegrationRuns } from "./IntegrationRuns.ts"
import type { RunLog } from "./RunLog.ts"

/** Returns the row of a queued event for its id. */
export type QueuedRow = (id: IntegrationEventId) => Effect.Effect<IntegrationEventRow>

export class ReceiverQueues extends Context.Service<
  ReceiverQueues,
  {
    /** Queues events for a receiver, in order. Called inside a transaction. */
    readonly add: (
      receiver: string,
      integration: IntegrationKey,
      size: ReadonlyArray<QueuedRow>
    ) => Effect.Effect<void, StorageError>
    /**
     * Queues an event again whose delivery failed. Returns false if its delivery has not failed, or if the queue is
     * full. Called inside a transaction.
     */
    readonly requeue: (event: IntegrationEventRow) => Effect.Effect<boolean, StorageError>
    /** Returns the number of events queued for a receiver. */
    readonly waiting: (receiver: string) => Effect.Effect<number, StorageError>
  }
>()("@lectern/core/integration/ReceiverQueues") {
  static readonly layer = Layer.effect(
    ReceiverQueues,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const runs = yield* IntegrationRuns
      const events = storage.repository(IntegrationEventTable)
      const queues = storage.repository(IntegrationQueueTable)

      const failOldest = Effect.fnUntraced(function* (receiver: string) {
        const [oldest] = yield* events.list({ where: { queue: receiver }, order: ["id"], limit: 1 })
        if (oldest === undefined) return 0
        const message = `${maxQueued.toLocaleString("en")} later events are queued, which is the limit: this event was not delivered`
        const log: RunLog = { level: "error", message, timestamp: yield* Timestamps.now }
        yield* events.update({ id: oldest.id }, yield* runs.outcome(oldest.id, "failed", [log])).pipe(cannotConflict)
        return 1
      })

      const add = Effect.fnUntraced(function* (
        receiver: string,
        integration: IntegrationKey,
        addedRows: ReadonlyArray<QueuedRow>
      ) {
        const queue = yield* queues.get({ receiver })
        let lastId = queue?.last
        let waitingCount = queue?.waiting ?? 0
        for (const rowOf of addedRows) {
          lastId = IntegrationEventId.make(lastId === undefined ? yield* ids.next : yield* ids.nextAfter(lastId))
          yield* events.insert(yield* rowOf(lastId)).pipe(cannotConflict)
          waitingCount += waitingCount >= maxQueued ? 1 - (yield* failOldest(receiver)) : 1
        }
        if (lastId !== undefined) yield* store(queue, receiver, integration, lastId, waitingCount)
      })

      /** Writes the row of a queue. `queue`: the existing row. */
      const store = Effect.fnUntraced(function* (
        queue: IntegrationQueueRow | undefined,
        receiver: string,
        integration: IntegrationKey,
        last: IntegrationEventId,
        waiting: number
      ) {
        if (queue !== undefined) return yield* cannotConflict(queues.update({ receiver }, { last, waiting }))
        const lease = Lease.free(yield* Timestamps.now)
        return yield* cannotConflict(queues.insert({ receiver, integration, last, waiting, lease, attempts: 0 }))
      })

      const requeue = Effect.fnUntraced(function* (event: IntegrationEventRow) {
        const { id, integration, receiver } = event
        const queue = yield* queues.get({ receiver })
        const { last = id, waiting = 0 } = queue ?? {}
        if (!isFailedDelivery(event) || waiting >= maxQueued) return false
        yield* events.update({ id }, { state: "queued", logs: undefined }).pipe(cannotConflict)
        yield* store(queue, receiver, integration, last > id ? last : id, waiting + 1)
        return true
      })

      return ReceiverQueues.of({
        add,
        requeue,
        waiting: (receiver) => Effect.map(queues.get({ receiver }), (queue) => queue?.waiting ?? 0)
      })
    })
  )
}
