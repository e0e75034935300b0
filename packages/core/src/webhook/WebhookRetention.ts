/** Removes attempts of webhooks older than 30 days, once a day. */
import { Clock, Duration, Effect } from "effect"
import { Ids } from "../identity/Ids.ts"
import { scheduled } from "../job/Schedule.ts"
import { removeAll } from "../storage/RemoveInSlices.ts"
import { deliveryRetention, WebhookDeliveryTable } from "./Webhook.ts"

export const removeOldDeliveries = Effect.flatMap(Ids, ({ firstAt }) =>
  scheduled(
    "remove-old-webhook-deliveries",
    { days: 1 },
    Effect.gen(function* () {
      const firstRetained = firstAt((yield* Clock.currentTimeMillis) - Duration.toMillis(deliveryRetention))
      yield* removeAll(WebhookDeliveryTable, { id: { lt: firstRetained } })
    })
  )
)
