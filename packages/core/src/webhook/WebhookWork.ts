/** Lists webhooks with events to deliver as background work, and retries those that wait after a failure. */
import { Effect } from "effect"
import { Events } from "../event/Events.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import { leasedItem, webhookKind, type WorkItem, type WorkList } from "../job/WorkItem.ts"
import { Storage } from "../storage/Storage.ts"
import { idleUntil, type WebhookReceiverRow, WebhookReceiverTable } from "./Webhook.ts"

export const webhookPrefix = "webhook:"

const present = (row: WebhookReceiverRow): WorkItem => ({
  id: webhookPrefix + row.receiver,
  kind: webhookKind,
  ...leasedItem(row),
  position: row.after
})

export const makeWebhookWork = Effect.gen(function* () {
  const storage = yield* Storage
  const { signal } = yield* Events
  const receivers = storage.repository(WebhookReceiverTable)

  const keyOf = (id: string) => ({ receiver: id.slice(webhookPrefix.length) })

  const list: WorkList = {
    list: (status, limit) =>
      Effect.map(receivers.list({ where: { due: { lt: idleUntil } }, order: ["due"], limit }), (rows) =>
        rows.map(present).filter((item) => item.status === status)
      ),
    get: (id) => Effect.map(receivers.get(keyOf(id)), (row) => row && present(row)),
    retry: (id) => Effect.tap(LeasedWork.retry(storage, WebhookReceiverTable, keyOf(id)), signal.open)
  }
  return list
})
