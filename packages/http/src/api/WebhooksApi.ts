/** Operations on the webhooks of an organization. */
import { CreatedWebhook, Webhook, WebhookCreate, WebhookDelivery, WebhookPatch } from "@lectern/core/webhook/Webhook"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

const webhookId = Schema.String.annotateKey({ description: "The id of the webhook." })
const params = { organizationId, webhookId }

export const WebhooksApi = HttpApiGroup.make("webhooks")
  .annotateMerge(
    OpenApi.annotations({
      title: "Webhooks",
      description: "URLs that receive the events of an organization as signed requests. For administrators."
    })
  )
  .add(
    Operation.get("list", "/orgs/:organizationId/webhooks", {
      description: "Lists the webhooks of an organization, oldest first.",
      scopes: ["webhook:read"],
      params: { organizationId },
      query: PageQuery,
      success: listOf(Webhook)
    }),
    Operation.post("create", "/orgs/:organizationId/webhooks", {
      description: "Creates a webhook. Only this response contains the secret.",
      scopes: ["webhook:write"],
      params: { organizationId },
      payload: WebhookCreate,
      success: CreatedWebhook.pipe(HttpApiSchema.status(201))
    }),
    Operation.get("get", "/orgs/:organizationId/webhooks/:webhookId", {
      description: "Returns a webhook.",
      scopes: ["webhook:read"],
      params,
      success: Webhook
    }),
    Operation.patch("update", "/orgs/:organizationId/webhooks/:webhookId", {
      description: "Changes a webhook.",
      scopes: ["webhook:write"],
      params,
      payload: WebhookPatch,
      success: Webhook
    }),
    Operation.delete("remove", "/orgs/:organizationId/webhooks/:webhookId", {
      description: "Deletes a webhook.",
      scopes: ["webhook:write"],
      params
    }),
    Operation.post("rotateSecret", "/orgs/:organizationId/webhooks/:webhookId/rotate-secret", {
      description: "Replaces the secret. The previous one also signs for 24 hours.",
      scopes: ["webhook:write"],
      params,
      success: CreatedWebhook
    }),
    Operation.post("test", "/orgs/:organizationId/webhooks/:webhookId/test", {
      description: "Sends a test event now.",
      scopes: ["webhook:write"],
      params,
      success: WebhookDelivery
    }),
    Operation.get("deliveries", "/orgs/:organizationId/webhooks/:webhookId/deliveries", {
      description: "Lists the latest attempts to deliver events, newest first.",
      scopes: ["webhook:read"],
      params,
      query: PageQuery,
      success: listOf(WebhookDelivery)
    }),
    Operation.post("redeliver", "/orgs/:organizationId/webhooks/:webhookId/deliveries/:deliveryId/redeliver", {
      description: "Sends the event of an attempt again now.",
      scopes: ["webhook:write"],
      params: { ...params, deliveryId: Schema.String.annotateKey({ description: "The id of the attempt." }) },
      success: WebhookDelivery
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
