/**
 * Addresses at which integrations respond to requests from outside. Responses are active content, so they have their
 * own origin, never that of the HTTP interface.
 *
 * Default: port 4001 of loopback.
 */
import { Context } from "effect"
import type { IntegrationKey } from "./Integration.ts"
import type { InstallationId, PlacementKind } from "./Installation.ts"

/** Base URL without a trailing slash. */
export const IntegrationsUrl = Context.Reference<string>("@lectern/core/integration/IntegrationsUrl", {
  defaultValue: () => "http://127.0.0.1:4001"
})

/** Owner of an endpoint: an integration, an installation, or a placement. */
export interface EndpointOwner {
  readonly integration: IntegrationKey
  readonly installation?: InstallationId
  readonly placement?: { readonly kind: PlacementKind; readonly content: string }
}

/** Returns the path of an endpoint. The integration responds to all paths below it. */
export const pathOf = ({ integration, installation, placement }: EndpointOwner): string => {
  const base = `/v1/integrations/${integration}`
  if (installation === undefined) return `${base}/integration`
  const installationPath = `${base}/installations/${installation}`
  return placement === undefined
    ? installationPath
    : `${installationPath}/${placement.kind}s/${encodeURIComponent(placement.content)}`
}

/** Path of the script of an integration on a site, below its placement there. */
export const scriptPath = "/~/script.js"

/** Paths at which visitors of a site sign on and off through an integration, below its placement there. */
export const signOnPath = "/~/visitor-auth/login"
export const signOffPath = "/~/visitor-auth/logout"

/**
 * Returns the URLs of an endpoint for resources of the interface. Frames of an integration load from the same origin.
 */
export const endpointUrls = (integrationsUrl: string, owner: EndpointOwner) => {
  const publicEndpoint = `${integrationsUrl}${pathOf(owner)}`
  return { publicEndpoint, publicContentEndpoint: publicEndpoint }
}
