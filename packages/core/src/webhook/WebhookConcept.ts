/** Declares the events of webhooks, and that their secrets are encrypted. */
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { DisabledReason, WebhookId, WebhookTable } from "./Webhook.ts"

const webhook = { webhook: WebhookId }

export const webhookConcept = concept({
  events: [
    event("webhook_created", webhook),
    event("webhook_updated", webhook),
    event("webhook_secret_rotated", webhook),
    /** Emitted if Lectern switches the webhook off. */
    event("webhook_disabled", { ...webhook, reason: DisabledReason }),
    event("webhook_deleted", webhook)
  ],
  sealed: [WebhookTable]
})
