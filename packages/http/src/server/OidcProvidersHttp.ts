import { OidcProviders } from "@lectern/core/sso/OidcProviders"
import { Effect } from "effect"
import { group } from "./Group.ts"

export const OidcProvidersHttp = group(
  "oidcProviders",
  Effect.fnUntraced(function* (handlers) {
    const providers = yield* OidcProviders
    return handlers({
      list: ({ params, query }) => providers.list(params.organizationId, query),
      create: ({ params, payload }) => providers.create(params.organizationId, payload),
      get: ({ params }) => providers.get(params.organizationId, params.oidcProviderId),
      update: ({ params, payload }) => providers.update(params.organizationId, params.oidcProviderId, payload),
      remove: ({ params }) => providers.remove(params.organizationId, params.oidcProviderId)
    })
  })
)
