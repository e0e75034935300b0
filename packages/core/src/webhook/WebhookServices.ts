/** Lists the service that manages webhooks, their delivery, and the job that removes old attempts. */
import { offer, type Services } from "../Services.ts"
import { deliverWebhooks } from "./WebhookDelivery.ts"
import { removeOldDeliveries } from "./WebhookRetention.ts"
import { Webhooks } from "./Webhooks.ts"

export const webhookServices = {
  jobs: [deliverWebhooks, removeOldDeliveries],
  offered: {
    "organizations.webhooks": offer(Webhooks, "outsideTransaction")
  }
} as const satisfies Services
