/**
 * The integrations that are at work on a space or a site: installed on it, with all that is required
 * configured, and not paused.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { fold } from "../search/Words.ts"
import type { SiteId, SiteNotFound } from "../site/Site.ts"
import { SitePolicy } from "../site/SitePolicy.ts"
import type { SpaceId, SpaceNotFound } from "../space/Space.ts"
import { SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../storage/Paging.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import {
  type InstallationRow,
  InstallationTable,
  type PlacementKind,
  type PlacementRow,
  PlacementTable
} from "./Installation.ts"
import { type Integration, type IntegrationRow, IntegrationTable } from "./Integration.ts"
import { endpointUrls, IntegrationsUrl, scriptPath } from "./IntegrationEndpoints.ts"
import { type IntegrationBlock, policyLine } from "./IntegrationManifest.ts"
import { isOn, placementStatus, scopesOf, statusOf } from "./InstallationStatus.ts"
import { IntegrationPresenter } from "./IntegrationPresenter.ts"

/** An integration at work. `placement`: what was set on the space or site, if anything was. */
export interface PlacedIntegration {
  readonly integration: IntegrationRow
  readonly installation: InstallationRow
  readonly placement: PlacementRow | undefined
}

/** The script of an integration on the pages of a site. */
export interface SiteScript {
  readonly script: string
  readonly contentSecurityPolicy?: string
  readonly cookies: boolean
}

type Params = PageParams & { readonly search?: string }

export class PlacedIntegrations extends Context.Service<
  PlacedIntegrations,
  {
    /** Those at work on a space or site, whoever asks, the one installed first at the beginning. */
    readonly on: (
      organization: OrganizationId,
      kind: PlacementKind,
      content: string
    ) => Effect.Effect<ReadonlyArray<PlacedIntegration>, StorageError>
    readonly onSpace: (
      space: SpaceId,
      params: Params
    ) => Effect.Effect<ListPage<Integration>, SpaceNotFound | Forbidden | InvalidCursor | StorageError, CurrentActor>
    readonly onSite: (
      organization: OrganizationId,
      site: SiteId,
      params: Params
    ) => Effect.Effect<ListPage<Integration>, SiteNotFound | Forbidden | InvalidCursor | StorageError, CurrentActor>
    /** The blocks that may be put into the pages of a space, by integration. */
    readonly blocks: (
      space: SpaceId
    ) => Effect.Effect<
      ReadonlyArray<{ readonly name: string; readonly blocks: ReadonlyArray<IntegrationBlock> }>,
      SpaceNotFound | Forbidden | StorageError,
      CurrentActor
    >
    /** What the pages of a site load of the integrations on it. */
    readonly scripts: (
      organization: OrganizationId,
      site: SiteId
    ) => Effect.Effect<ReadonlyArray<SiteScript>, SiteNotFound | Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/integration/PlacedIntegrations") {
  static readonly layer = Layer.effect(
    PlacedIntegrations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const paging = yield* Paging
      const presenter = yield* IntegrationPresenter
      const spaces = yield* SpacePolicy
      const sites = yield* SitePolicy
      const integrationsUrl = yield* IntegrationsUrl
      const integrations = storage.repository(IntegrationTable)
      const installations = storage.repository(InstallationTable)
      const placements = storage.repository(PlacementTable)

      const on = Effect.fnUntraced(function* (organization: OrganizationId, kind: PlacementKind, content: string) {
        const installed = yield* installations.list({ where: { organization }, order: ["createdAt"] })
        if (installed.length === 0) return []
        const published = yield* integrations.getMany(installed.map(({ integration }) => ({ key: integration })))
        const placed = new Map(
          (yield* placements.list({ where: { kind, content } })).map((row) => [row.installation, row])
        )
        return installed.flatMap((installation, i): ReadonlyArray<PlacedIntegration> => {
          const integration = published[i]
          const placement = placed.get(installation.id)
          if (integration === undefined || !isOn(integration, installation, kind, placement)) return []
          const isAtWork =
            statusOf(integration, installation) === "active" &&
            placementStatus(integration, installation, kind, placement) === "active"
          return isAtWork ? [{ integration, installation, placement }] : []
        })
      })

      const listed = Effect.fnUntraced(function* (
        found: ReadonlyArray<PlacedIntegration>,
        content: string,
        { search, ...params }: Params
      ) {
        const words = fold(search ?? "")
        const rows = found
          .map(({ integration }) => integration)
          .filter(({ name, manifest }) => fold(name).includes(words) || fold(manifest.title).includes(words))
        const page = yield* paging.inOrder(rows, `integrations on ${content} ${words}`, ({ key }) => key, params)
        return { ...page, items: yield* presenter.integrations(page.items) }
      })

      return PlacedIntegrations.of({
        on,

        onSpace: Effect.fn("PlacedIntegrations.onSpace")(function* (id, params) {
          const { space } = yield* spaces.require(id, "see the work on this space")
          return yield* listed(yield* on(space.organization, "space", id), id, params)
        }),

        onSite: Effect.fn("PlacedIntegrations.onSite")(function* (organization, id, params) {
          yield* sites.require(organization, id, "see this site")
          return yield* listed(yield* on(organization, "site", id), id, params)
        }),

        blocks: Effect.fn("PlacedIntegrations.blocks")(function* (id) {
          const { space } = yield* spaces.require(id, "see the work on this space")
          return (yield* on(space.organization, "space", id)).flatMap(({ integration: { name, manifest } }) =>
            manifest.blocks === undefined || manifest.blocks.length === 0 ? [] : [{ name, blocks: manifest.blocks }]
          )
        }),

        scripts: Effect.fn("PlacedIntegrations.scripts")(function* (organization, id) {
          yield* sites.require(organization, id, "see what is published of this site")
          return (yield* on(organization, "site", id)).flatMap(
            ({ integration, installation }): ReadonlyArray<SiteScript> => {
              const scopes = scopesOf(integration, installation)
              if (!scopes.includes("site:script:inject")) return []
              const { publicEndpoint } = endpointUrls(integrationsUrl, {
                integration: integration.key,
                installation: installation.id,
                placement: { kind: "site", content: id }
              })
              const policy = integration.manifest.contentSecurityPolicy
              return [
                {
                  script: `${publicEndpoint}${scriptPath}?v=${integration.version}`,
                  ...(policy !== undefined && { contentSecurityPolicy: policyLine(policy) }),
                  cookies: scopes.includes("site:script:cookies")
                }
              ]
            }
          )
        })
      })
    })
  )
}
