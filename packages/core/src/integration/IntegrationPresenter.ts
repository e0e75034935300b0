/** Converts integrations, installations and placements to the resources of the interface. */
import { Context, Effect, Layer } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import type { CurrentActor } from "../access/Actor.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import type { Organization, OrganizationId } from "../organization/Organization.ts"
import { memberRightsOf, makeOrganizationPresenter } from "../organization/OrganizationPresenter.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Integration, IntegrationRow } from "./Integration.ts"
import { Configurations } from "./Configurations.ts"
import type { Configuration, Installation, InstallationRow, InstallationStatus, PlacementRow } from "./Installation.ts"
import * as InstallationConfiguration from "./InstallationConfiguration.ts"
import { InstalledSpaces } from "./InstalledSpaces.ts"
import { endpointUrls, IntegrationsUrl } from "./IntegrationEndpoints.ts"
import { policyLine } from "./IntegrationManifest.ts"

/** Fields of a placement on a space or a site. */
export interface PresentedPlacement {
  readonly integration: string
  readonly installation: InstallationRow["id"]
  readonly status: InstallationStatus
  readonly configuration: Configuration
  readonly externalIds: ReadonlyArray<string>
  readonly urls: { readonly location: string; readonly publicEndpoint: string; readonly publicContentEndpoint: string }
}

export class IntegrationPresenter extends Context.Service<
  IntegrationPresenter,
  {
    readonly integrations: (
      rows: ReadonlyArray<IntegrationRow>
    ) => Effect.Effect<ReadonlyArray<Integration>, StorageError, CurrentActor>
    readonly installation: (
      integration: IntegrationRow,
      row: InstallationRow,
      /** True to include the configuration. */
      withConfiguration: boolean,
      /** Member whose readable spaces are counted. Default: all spaces that the installation covers. */
      member?: Membership
    ) => Effect.Effect<Installation, StorageError>
    /** Converts a placement. `withConfiguration`: true to include the configuration. */
    readonly placement: (
      integration: IntegrationRow,
      installation: Pick<InstallationRow, "paused">,
      row: PlacementRow,
      withConfiguration: boolean
    ) => Effect.Effect<PresentedPlacement, StorageError>
  }
>()("@lectern/core/integration/IntegrationPresenter") {
  static readonly layer = Layer.effect(
    IntegrationPresenter,
    Effect.gen(function* () {
      const access = yield* Access
      const configurations = yield* Configurations
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

      return IntegrationPresenter.of({
        integrations: Effect.fnUntraced(function* (rows) {
          const owners = new Map<string, Organization | undefined>()
          for (const { organization } of rows) {
            if (!owners.has(organization)) owners.set(organization, yield* ownerOf(organization))
          }
          return rows.flatMap((row) => {
            const owner = owners.get(row.organization)
            return owner === undefined ? [] : [presentIntegration(row, owner)]
          })
        }),

        installation: Effect.fnUntraced(function* (integration, row, withConfiguration, member) {
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
          }
        }),

        placement: Effect.fnUntraced(function* (integration, installation, row, withConfiguration) {
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
      })
    })
  )
}
