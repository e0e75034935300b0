import { Installations } from "@lectern/core/integration/Installations"
import { IntegrationDevelopment } from "@lectern/core/integration/IntegrationDevelopment"
import { IntegrationLog } from "@lectern/core/integration/IntegrationLog"
import type { RenderRequest } from "@lectern/core/integration/IntegrationRender"
import { IntegrationRenders, type RenderResult } from "@lectern/core/integration/placement/IntegrationRenders"
import { IntegrationTasks } from "@lectern/core/integration/IntegrationTasks"
import { Integrations } from "@lectern/core/integration/Integrations"
import { withQueryPath, unpack } from "@lectern/core/integration/PackedRender"
import { Placements } from "@lectern/core/integration/placement/Placements"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { withHeaders } from "./Responses.ts"
import { group } from "./Group.ts"

/**
 * Returns the response for a rendered block, which is already JSON. It depends on the actor, so shared caches must not
 * store it.
 */
export const renderResponse = ({ json, maxAge }: RenderResult) =>
  withHeaders(HttpServerResponse.text(json, { contentType: "application/json" }), {
    "cache-control": maxAge === 0 ? "no-store" : `private, max-age=${maxAge}`
  })

export const IntegrationsHttp = group(
  "integrations",
  Effect.fnUntraced(function* (handlers) {
    const integrations = yield* Integrations
    const renders = yield* IntegrationRenders
    const log = yield* IntegrationLog
    const development = yield* IntegrationDevelopment
    const tasks = yield* IntegrationTasks
    const render = (name: string, request: RenderRequest) =>
      Effect.withSpan(Effect.map(renders.render(name, request), renderResponse), "IntegrationRenders.render")
    return handlers({
      list: ({ query }) => integrations.list(query),
      get: ({ params }) => integrations.get(params.integrationName),
      publish: ({ params, payload }) => integrations.publish(params.integrationName, payload),
      unpublish: ({ params }) => integrations.unpublish(params.integrationName),
      render: ({ params, query }) =>
        Effect.flatMap(Effect.fromResult(unpack(query.request)), (request) =>
          Effect.catchTag(render(params.integrationName, request as RenderRequest), "InvalidInput", (failure) =>
            Effect.fail(withQueryPath(failure))
          )
        ),
      renderByPost: ({ params, payload }) => render(params.integrationName, payload),
      events: ({ params, query }) => log.list(params.integrationName, query),
      event: ({ params }) => log.get(params.integrationName, params.eventId),
      beginDevelopment: ({ params, payload }) => development.begin(params.integrationName, payload),
      endDevelopment: ({ params }) => development.end(params.integrationName),
      queueTask: ({ params, payload }) => tasks.queue(params.integrationName, payload),
      listFor: ({ params, query }) => integrations.listFor(params.organizationId, query)
    })
  })
)

export const InstallationsHttp = group(
  "installations",
  Effect.fnUntraced(function* (handlers) {
    const installations = yield* Installations
    const tasks = yield* IntegrationTasks
    return handlers({
      list: ({ params, query }) => installations.list(params.integrationName, query),
      install: ({ params, payload }) => installations.install(params.integrationName, payload),
      get: ({ params }) => installations.get(params.integrationName, params.installationId),
      update: ({ params, payload }) => installations.update(params.integrationName, params.installationId, payload),
      uninstall: ({ params }) => installations.uninstall(params.integrationName, params.installationId),
      makeToken: ({ params }) => tasks.token(params.integrationName, params.installationId),
      listIn: ({ params, query }) => installations.listIn(params.organizationId, query),
      statuses: ({ params, query }) => installations.statuses(params.organizationId, query),
      status: ({ params }) => installations.status(params.organizationId, params.integrationName)
    })
  })
)

export const SpacePlacementsHttp = group(
  "spacePlacements",
  Effect.fnUntraced(function* (handlers) {
    const placements = yield* Placements
    return handlers({
      list: ({ params, query }) => placements.list("space", params.integrationName, query),
      listOf: ({ params, query }) => placements.listOf("space", params.integrationName, params.installationId, query),
      place: ({ params, query, payload }) =>
        placements.create("space", params.integrationName, params.installationId, payload.space, query),
      get: ({ params, query }) =>
        placements.get("space", params.integrationName, params.installationId, params.spaceId, query),
      update: ({ params, query, payload }) =>
        placements.update("space", params.integrationName, params.installationId, params.spaceId, payload, query),
      remove: ({ params }) => placements.remove("space", params.integrationName, params.installationId, params.spaceId)
    })
  })
)

export const SitePlacementsHttp = group(
  "sitePlacements",
  Effect.fnUntraced(function* (handlers) {
    const placements = yield* Placements
    return handlers({
      list: ({ params, query }) => placements.list("site", params.integrationName, query),
      listOf: ({ params, query }) => placements.listOf("site", params.integrationName, params.installationId, query),
      place: ({ params, query, payload }) =>
        placements.create("site", params.integrationName, params.installationId, payload.siteId, query),
      get: ({ params, query }) =>
        placements.get("site", params.integrationName, params.installationId, params.siteId, query),
      update: ({ params, query, payload }) =>
        placements.update("site", params.integrationName, params.installationId, params.siteId, payload, query),
      remove: ({ params }) => placements.remove("site", params.integrationName, params.installationId, params.siteId)
    })
  })
)

export const PlacedIntegrationsHttp = group(
  "placedIntegrations",
  Effect.fnUntraced(function* (handlers) {
    const placements = yield* Placements
    return handlers({
      onSpace: ({ params, query }) => placements.integrationsOnSpace(params.spaceId, query),
      blocks: ({ params }) => placements.blocks(params.spaceId),
      onSite: ({ params, query }) => placements.integrationsOnSite(params.organizationId, params.siteId, query),
      scripts: ({ params }) => placements.scripts(params.organizationId, params.siteId)
    })
  })
)

/** Assets are named by their hash, so they never change. Nothing in them runs. */
const headers = {
  "access-control-allow-origin": "*",
  "cache-control": "public, max-age=31536000, immutable",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff"
}

export const IntegrationAssetsHttp = group(
  "integrationAssets",
  Effect.fnUntraced(function* (handlers) {
    const integrations = yield* Integrations
    return handlers({
      get: ({ params }) =>
        Effect.map(integrations.asset(params.integrationName, params.asset), ({ bytes, contentType }) =>
          HttpServerResponse.uint8Array(bytes, { contentType, headers })
        )
    })
  })
)
