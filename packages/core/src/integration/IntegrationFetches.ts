/**
 * Responds to requests from outside for an integration, an installation, or a placement, with the response of its
 * program, at a separate origin (see `IntegrationEndpoints`).
 *
 * Below its placement on a site, an integration with the scope serves its script (`/~/script.js`), and the sign-in and
 * sign-out of visitors (`/~/visitor-auth/login` and `/logout`).
 */
import { Effect, Schema } from "effect"
import { SiteId, SiteTable } from "../site/Site.ts"
import { SpaceId, SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { InstallationId, InstallationTable, type PlacementKind, PlacementTable } from "./Installation.ts"
import { IntegrationTable, isPublished, keyOf } from "./Integration.ts"
import { IntegrationsUrl, scriptPath, signOffPath, signOnPath } from "./IntegrationEndpoints.ts"
import type { RunTarget } from "./IntegrationEnvironments.ts"
import type { IntegrationPayload } from "./IntegrationEvent.ts"
import { covers, scopesOf } from "./InstallationStatus.ts"
import { policyLine } from "./IntegrationManifest.ts"
import { IntegrationRuns } from "./IntegrationRuns.ts"
import type { RunResponse } from "./IntegrationRuntime.ts"
import { signOnRequest } from "./SignOnRequest.ts"

export interface EndpointRequest<E = never> {
  readonly method: string
  /** Path and query as received. */
  readonly url: string
  /** Values by name in lower case. */
  readonly headers: { readonly [name: string]: string }
  /** Read only after the endpoint is found, so that requests to unknown endpoints cost nothing. */
  readonly body?: Effect.Effect<Uint8Array, E>
}

interface EndpointResponse extends RunResponse {
  /** Content security policy of the integration's manifest. */
  readonly contentSecurityPolicy: string | undefined
}

/** Raised if no integration responds at this address. */
export class EndpointNotFound extends Schema.TaggedError<EndpointNotFound>()(
  "EndpointNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

const endpointPattern =
  /^\/v1\/integrations\/([A-Za-z0-9._-]{1,100})\/(?:integration|installations\/([\w-]{1,100})(?:\/(space|site)s\/([\w-]{1,100}))?)(\/[^?]*)?(?:\?.*)?$/

const sitePaths: ReadonlySet<string> = new Set([scriptPath, signOnPath, signOffPath])

export const makeIntegrationFetches = Effect.gen(function* () {
  const storage = yield* Storage
  const runs = yield* IntegrationRuns
  const integrationsUrl = yield* IntegrationsUrl
  const integrations = storage.repository(IntegrationTable)
  const installations = storage.repository(InstallationTable)
  const placements = storage.repository(PlacementTable)
  const sites = storage.repository(SiteTable)
  const spaces = storage.repository(SpaceTable)

  /** Returns the organization of an existing space or site. */
  const organizationOf = Effect.fnUntraced(function* (kind: PlacementKind, id: string) {
    if (kind === "site") return (yield* sites.get({ id: SiteId.make(id) }))?.organization
    const space = yield* spaces.get({ id: SpaceId.make(id) })
    return space?.deletedAt === undefined ? space?.organization : undefined
  })

  /** Returns the run target that an address names, if it exists and is not paused. */
  const targetOf = Effect.fnUntraced(function* (name: string, id?: string, kind?: PlacementKind, content?: string) {
    const integration = yield* integrations.get({ key: keyOf(name) })
    if (!isPublished(integration)) return undefined
    if (id === undefined) return { integration } satisfies RunTarget
    const installation = yield* installations.get({ id: InstallationId.make(id) })
    if (installation?.integration !== integration.key || installation.paused) return undefined
    if (kind === undefined || content === undefined) return { integration, installation } satisfies RunTarget
    const placement = yield* placements.get({ installation: installation.id, kind, content })
    if (!covers(integration, installation, kind, placement)) return undefined
    // Without a placement, an installation covers only existing spaces and sites of its organization.
    if (placement === undefined && (yield* organizationOf(kind, content)) !== installation.organization) {
      return undefined
    }
    return { integration, installation, content: { kind, id: content } } satisfies RunTarget
  })

  const payloadOf = (
    setting: RunTarget,
    request: Omit<EndpointRequest, "body">,
    endpointPath: string
  ): IntegrationPayload | undefined => {
    const { integration, installation, content } = setting
    if (installation !== undefined && content?.kind === "site" && sitePaths.has(endpointPath)) {
      const isScript = endpointPath === scriptPath
      const scope = isScript ? "site:script:inject" : "site:visitor:auth"
      if (!scopesOf(integration, installation).includes(scope)) return undefined
      const site = { installationId: installation.id, siteId: content.id }
      if (isScript) return { type: "fetch_published_script", ...site }
      const { searchParams } = new URL(request.url, integrationsUrl)
      const signOn = signOnRequest(searchParams, request.headers["cookie"] ?? "", endpointPath === signOffPath)
      return { type: "fetch_visitor_authentication", ...site, ...signOn }
    }
    return {
      type: "fetch",
      ...(installation && { installationId: installation.id }),
      ...(content && { [`${content.kind}Id`]: content.id }),
      request: {
        method: request.method.toLowerCase(),
        url: `${integrationsUrl}${request.url}`,
        headers: request.headers
      }
    }
  }

  const findTarget = Effect.fnUntraced(function* (request: Omit<EndpointRequest, "body">) {
    const [, name, id, kind, content, endpointPath = ""] = endpointPattern.exec(request.url) ?? []
    const setting =
      name === undefined ? undefined : yield* targetOf(name, id, kind as PlacementKind | undefined, content)
    const payload = setting && payloadOf(setting, request, endpointPath)
    return payload === undefined
      ? yield* new EndpointNotFound({ message: "There is no integration at this address" })
      : { setting: setting!, payload }
  })

  return {
    respond: Effect.fn("IntegrationFetches.respond")(function* <E = never>(request: EndpointRequest<E>) {
      const target = yield* findTarget(request)
      const body = target.payload.type === "fetch" && request.body !== undefined ? yield* request.body : undefined
      // After a body was read, the installation is read again, since it may have been paused in the meantime.
      const { setting, payload } = body === undefined ? target : yield* findTarget(request)
      const response = yield* runs.request(setting, payload, body)
      const policy = setting.integration.manifest.contentSecurityPolicy
      return {
        ...response,
        contentSecurityPolicy: policy === undefined ? undefined : policyLine(policy)
      } satisfies EndpointResponse
    })
  }
})
