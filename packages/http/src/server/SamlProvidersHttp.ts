import { SamlProviders } from "@lectern/core/sso/SamlProviders"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const SamlProvidersHttp = group(
  "samlProviders",
  Effect.fnUntraced(function* (handlers) {
    const providers = yield* SamlProviders
    return handlers({
      list: ({ params, query }) => providers.list(params.organizationId, query),
      create: ({ params, payload }) => providers.create(params.organizationId, payload),
      get: ({ params }) => providers.get(params.organizationId, params.samlProviderId),
      update: ({ params, payload }) => providers.update(params.organizationId, params.samlProviderId, payload),
      remove: ({ params }) => providers.remove(params.organizationId, params.samlProviderId),
      logins: ({ params }) => providers.logins(params.organizationId)
    })
  })
)
