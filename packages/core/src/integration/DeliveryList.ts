/**
 * Lists deliveries to integrations as background work: receivers with queued events, and events whose delivery failed.
 * Retries both.
 */
import { Effect } from "effect"
import { Secrets } from "../identity/Secrets.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import { deliveryKind, leasedItem, type WorkItem, type WorkList } from "../job/WorkItem.ts"
import { Storage } from "../storage/Storage.ts"
import { type IntegrationKey, IntegrationTable } from "./Integration.ts"
import {
  failedDeliveries,
  IntegrationEventId,
  type IntegrationEventRow,
  IntegrationEventTable,
  type IntegrationQueueRow,
  IntegrationQueueTable
} from "./IntegrationEvent.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"
import { ReceiverQueues } from "./ReceiverQueues.ts"

export const receiverPrefix = "receiver:"
export const eventPrefix = "event:"

const statusOf = { queued: "waiting", success: "done", failed: "failed" } as const

export const makeDeliveryList = Effect.gen(function* () {
  const storage = yield* Storage
  const secrets = yield* Secrets
  const { requeue } = yield* ReceiverQueues
  const { signal } = yield* IntegrationQueue
  const queues = storage.repository(IntegrationQueueTable)
  const events = storage.repository(IntegrationEventTable)
  const integrations = storage.repository(IntegrationTable)

  /** Returns the name of an integration. An integration that was removed has its key. */
  const nameOf = (key: IntegrationKey) => Effect.map(integrations.get({ key }), (row) => row?.name ?? key)

  const presentReceiver = Effect.fnUntraced(function* (row: IntegrationQueueRow) {
    const item: WorkItem = {
      id: receiverPrefix + row.receiver,
      kind: deliveryKind,
      ...leasedItem(row),
      integration: yield* nameOf(row.integration),
      waiting: row.waiting
    }
    return item
  })

  const presentEvent = Effect.fnUntraced(function* (row: IntegrationEventRow) {
    const logs = (yield* secrets.open(IntegrationEventTable, row, "logs")) ?? []
    const failure = row.state === "failed" ? logs.findLast(({ level }) => level === "error")?.message : undefined
    const item: WorkItem = {
      id: eventPrefix + row.id,
      kind: deliveryKind,
      status: statusOf[row.state],
      ...(failure !== undefined && { failure }),
      createdAt: row.createdAt,
      integration: yield* nameOf(row.integration),
      ...(row.installation !== undefined && { installation: row.installation })
    }
    return item
  })

  const eventOf = (id: string) => events.get({ id: IntegrationEventId.make(id.slice(eventPrefix.length)) })
  const receiverOf = (id: string) => ({ receiver: id.slice(receiverPrefix.length) })

  const list: WorkList = {
    list: Effect.fnUntraced(function* (status, limit) {
      if (status === "failed") {
        const where = { queue: failedDeliveries }
        const rows = yield* events.list({ where, order: ["id"], descending: true, limit })
        return yield* Effect.forEach(rows, presentEvent)
      }
      const items = yield* Effect.forEach(yield* queues.list({ where: {}, order: ["due"], limit }), presentReceiver)
      return items.filter((item) => item.status === status)
    }),

    get: Effect.fnUntraced(function* (id) {
      if (id.startsWith(eventPrefix)) {
        const row = yield* eventOf(id)
        return row && (yield* presentEvent(row))
      }
      const row = yield* queues.get(receiverOf(id))
      return row && (yield* presentReceiver(row))
    }),

    retry: (id) =>
      Effect.tap(
        id.startsWith(eventPrefix)
          ? storage.transaction(
              Effect.flatMap(eventOf(id), (event) => (event === undefined ? Effect.succeed(false) : requeue(event)))
            )
          : LeasedWork.retry(storage, IntegrationQueueTable, receiverOf(id)),
        signal.open
      )
  }
  return list
})
