/** Scripts that integrations add to the pages of a site. */
import { endpointUrls, scriptPath } from "./IntegrationEndpoints.ts"
import { policyLine } from "./IntegrationManifest.ts"
import { mayUse, type ActiveIntegration } from "./ActiveIntegrations.ts"
import type { SiteScript } from "./SiteScript.ts"

/** Returns the scripts of active integrations on a site. The URL changes with the version and the configuration. */
export const scriptsOf = (
  integrations: ReadonlyArray<ActiveIntegration>,
  site: string,
  integrationsUrl: string
): ReadonlyArray<SiteScript> =>
  integrations
    .filter((activeIntegration) => mayUse(activeIntegration, "site:script:inject"))
    .map((activeIntegration) => {
      const { integration, installation, placement } = activeIntegration
      const { publicEndpoint } = endpointUrls(integrationsUrl, {
        integration: integration.key,
        installation: installation.id,
        placement: { kind: "site", content: site }
      })
      const configuredAt = Math.max(...[installation, placement].map((row) => Date.parse(row?.updatedAt ?? "") || 0))
      const policy = integration.manifest.contentSecurityPolicy
      return {
        script: `${publicEndpoint}${scriptPath}?v=${integration.version}-${configuredAt.toString(36)}`,
        ...(policy !== undefined && { contentSecurityPolicy: policyLine(policy) }),
        cookies: mayUse(activeIntegration, "site:script:cookies")
      }
    })
