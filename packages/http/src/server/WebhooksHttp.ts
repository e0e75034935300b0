import { Webhooks } from "@lectern/core/webhook/Webhooks"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const WebhooksHttp = group(
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const webhooks = yield* Webhooks
    return handlers({
      list: ({ params, query }) => webhooks.list(params.organizationId, query),
      create: ({ params, payload }) => webhooks.create(params.organizationId, payload),
      get: ({ params }) => webhooks.get(params.organizationId, params.webhookId),
      update: ({ params, payload }) => webhooks.update(params.organizationId, params.webhookId, payload),
      remove: ({ params }) => webhooks.remove(params.organizationId, params.webhookId),
      rotateSecret: ({ params }) => webhooks.rotateSecret(params.organizationId, params.webhookId),
      test: ({ params }) => webhooks.test(params.organizationId, params.webhookId),
      deliveries: ({ params, query }) => webhooks.deliveries(params.organizationId, params.webhookId, query),
      redeliver: ({ params }) => webhooks.redeliver(params.organizationId, params.webhookId, params.deliveryId)
    })
  })
)
