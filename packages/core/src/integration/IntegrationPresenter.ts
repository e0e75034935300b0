/** Converts integrations, installations and placements to the resources of the interface. */
import { Effect } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import { memberRightsOf, makeOrganizationPresenter } from "../organization/OrganizationPresenter.ts"
import type { Integration, IntegrationRow } from "./Integration.ts"
import { makeConfigurations } from "./Configurations.ts"
import type { Installation, InstallationRow, PlacementRow } from "./Installation.ts"
import * as InstallationConfiguration from "./InstallationConfiguration.ts"
import { InstalledSpaces } from "./InstalledSpaces.ts"
import { endpointUrls, IntegrationsUrl } from "./IntegrationEndpoints.ts"
import { policyLine } from "./IntegrationManifest.ts"

export const makeIntegrationPresenter = Effect.gen(function* () {
  const access = yield* Access
  const configurations = yield* makeConfigurations
  const spaces = yield* InstalledSpaces
  const organizations = yield* makeOrganizationPresenter
  const publicUrl = yield* PublicUrl
  const integrationsUrl = yield* IntegrationsUrl

  const location = ({ name }: Pick<IntegrationRow, "name">) => `${publicUrl}/v1/integrations/${name}`

  const presentIntegration = (row: IntegrationRow, owner: Organization): Integration => {
    const url = location(row)
    const assets = `${url}/assets`
    const { contentSecurityPolicy: policy, ...manifest } = row.manifest
    return {
      object: "integration",
      name: row.name,
      version: row.version,
      ...manifest,
      ...(policy !== undefined && { contentSecurityPolicy: policyLine(policy) }),
      previewImages: row.previewImages.map(({ blob }) => `${assets}/${blob}`),
      verified: row.verified,
      owner,
      urls: {
        location: url,
        ...(row.icon && { icon: `${assets}/${row.icon.blob}` }),
        app: url,
        assets,
        ...endpointUrls(integrationsUrl, { integration: row.key })
      },
      permissions: { admin: owner.permissions.admin }
    }
  }

  /** Returns the publishing organization as the actor sees it. */
  const ownerOf = Effect.fnUntraced(function* (id: OrganizationId) {
    const organizationFacts = yield* access.facts(id)
    return (
      organizationFacts &&
      organizations.present(organizationFacts.organization, memberRightsOf(yield* access.membership(id)))
    )
  })

  return {
    integrations: Effect.fnUntraced(function* (rows: ReadonlyArray<IntegrationRow>) {
      const owners = new Map<string, Organization | undefined>()
      for (const { organization } of rows) {
        if (!owners.has(organization)) owners.set(organization, yield* ownerOf(organization))
      }
      return rows.flatMap((row) => {
        const owner = owners.get(row.organization)
        return owner === undefined ? [] : [presentIntegration(row, owner)]
      })
    }),

    /**
     * Converts an installation. `withConfiguration`: true to include the configuration. `member`: member whose readable
     * spaces are counted; default: all spaces that the installation covers.
     */
    installation: Effect.fnUntraced(function* (
      integration: IntegrationRow,
      row: InstallationRow,
      withConfiguration: boolean,
      member?: Membership
    ) {
      const url = `${location(integration)}/installations/${row.id}`
      const { scopes } = integration.manifest
      return {
        object: "integration-installation",
        id: row.id,
        integration: integration.name,
        status: yield* configurations.statusOf(integration, row),
        space_selection: row.spaceSelection,
        site_selection: row.siteSelection,
        spaces: yield* member === undefined ? spaces.count(row) : spaces.countFor(row, member),
        configuration: withConfiguration
          ? InstallationConfiguration.withDefaults(
              yield* configurations.configurationOf(row),
              integration.manifest.configurations?.account
            )
          : {},
        scopes: scopes.filter((scope) => row.scopes.includes(scope)),
        requestedScopes: scopes.filter((scope) => !row.scopes.includes(scope)),
        externalIds: row.externalIds,
        target: { organization: row.organization },
        createdAt: row.createdAt,
        updatedAt: row.updatedAt,
        urls: {
          location: url,
          app: url,
          ...endpointUrls(integrationsUrl, { integration: integration.key, installation: row.id })
        }
      } satisfies Installation
    }),

    /** Converts a placement. `withConfiguration`: true to include the configuration. */
    placement: Effect.fnUntraced(function* (
      integration: IntegrationRow,
      installation: Pick<InstallationRow, "paused">,
      row: PlacementRow,
      withConfiguration: boolean
    ) {
      return {
        integration: integration.name,
        installation: row.installation,
        status: yield* configurations.placementStatus(integration, installation, row.kind, row),
        configuration: withConfiguration
          ? InstallationConfiguration.withDefaults(
              yield* configurations.configurationOf(row),
              integration.manifest.configurations?.[row.kind]
            )
          : {},
        externalIds: row.externalIds,
        urls: {
          location: `${location(integration)}/installations/${row.installation}/${row.kind}s/${encodeURIComponent(row.content)}`,
          ...endpointUrls(integrationsUrl, {
            integration: integration.key,
            installation: row.installation,
            placement: row
          })
        }
      }
    })
  }
})
