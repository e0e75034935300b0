/** Lists the active integrations on a space or a site, their blocks and their scripts. */
import { Effect } from "effect"
import type { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import type { OrganizationId } from "../../organization/Organization.ts"
import { foldText } from "../../search/Words.ts"
import type { SiteId, SiteNotFound } from "../../site/Site.ts"
import { SitePolicy } from "../../site/SitePolicy.ts"
import type { SpaceId, SpaceNotFound } from "../../space/Space.ts"
import { SpacePolicy } from "../../space/SpacePolicy.ts"
import type { PageParams } from "../../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../../paging/Paging.ts"
import type { StorageError } from "../../storage/Storage.ts"
import type { Integration } from "../Integration.ts"
import { IntegrationsUrl } from "../IntegrationEndpoints.ts"
import type { IntegrationBlock } from "../IntegrationManifest.ts"
import { ActiveIntegrations, type ActiveIntegration } from "../ActiveIntegrations.ts"
import { makeIntegrationPresenter } from "../IntegrationPresenter.ts"
import type { SiteScript } from "../SiteScript.ts"
import { scriptsOf } from "../SiteScripts.ts"

type Params = PageParams & { readonly search?: string }

export interface PlacedIntegrations {
  /**
   * Lists the active integrations on a space.
   *
   * @param params.search Part of the name or the title. Default: all.
   * @throws {Forbidden}
   * @throws {InvalidCursor}
   * @throws {SpaceNotFound}
   */
  readonly integrationsOnSpace: (
    space: SpaceId,
    params: Params
  ) => Effect.Effect<ListPage<Integration>, SpaceNotFound | Forbidden | InvalidCursor | StorageError, CurrentActor>
  /**
   * Lists the active integrations on a site.
   *
   * @param params.search Part of the name or the title. Default: all.
   * @throws {Forbidden}
   * @throws {InvalidCursor}
   * @throws {SiteNotFound}
   */
  readonly integrationsOnSite: (
    organization: OrganizationId,
    site: SiteId,
    params: Params
  ) => Effect.Effect<ListPage<Integration>, SiteNotFound | Forbidden | InvalidCursor | StorageError, CurrentActor>
  /**
   * Returns the blocks that pages of a space may contain, by integration.
   *
   * @throws {Forbidden}
   * @throws {SpaceNotFound}
   */
  readonly blocks: (
    space: SpaceId
  ) => Effect.Effect<
    ReadonlyArray<{ readonly name: string; readonly blocks: ReadonlyArray<IntegrationBlock> }>,
    SpaceNotFound | Forbidden | StorageError,
    CurrentActor
  >
  /**
   * Returns the scripts of integrations that the pages of a site load.
   *
   * @throws {Forbidden}
   * @throws {SiteNotFound}
   */
  readonly scripts: (
    organization: OrganizationId,
    site: SiteId
  ) => Effect.Effect<ReadonlyArray<SiteScript>, SiteNotFound | Forbidden | StorageError, CurrentActor>
}

export const makePlacedIntegrations = Effect.gen(function* () {
  const activeIntegrations = yield* ActiveIntegrations
  const paging = yield* Paging
  const presenter = yield* makeIntegrationPresenter
  const spaces = yield* SpacePolicy
  const sites = yield* SitePolicy
  const integrationsUrl = yield* IntegrationsUrl

  const listPage = Effect.fnUntraced(function* (
    integrations: ReadonlyArray<ActiveIntegration>,
    content: string,
    { search, ...params }: Params
  ) {
    const foldedSearch = foldText(search ?? "")
    const rows = integrations
      .map(({ integration }) => integration)
      .filter(
        ({ name, manifest }) => foldText(name).includes(foldedSearch) || foldText(manifest.title).includes(foldedSearch)
      )
    const page = yield* paging.inOrder(rows, `integrations on ${content} ${foldedSearch}`, ({ key }) => key, params)
    return { ...page, items: yield* presenter.integrations(page.items) }
  })

  return {
    integrationsOnSpace: Effect.fn("Placements.integrationsOnSpace")(function* (id, params) {
      const { space } = yield* spaces.require(id, "see the work on this space")
      return yield* listPage(yield* activeIntegrations.list(space.organization, "space", id), id, params)
    }),

    integrationsOnSite: Effect.fn("Placements.integrationsOnSite")(function* (organization, id, params) {
      yield* sites.require(organization, id, "see this site")
      return yield* listPage(yield* activeIntegrations.list(organization, "site", id), id, params)
    }),

    blocks: Effect.fn("Placements.blocks")(function* (id) {
      const { space } = yield* spaces.require(id, "see the work on this space")
      return (yield* activeIntegrations.list(space.organization, "space", id)).flatMap(
        ({ integration: { name, manifest } }) =>
          manifest.blocks === undefined || manifest.blocks.length === 0 ? [] : [{ name, blocks: manifest.blocks }]
      )
    }),

    scripts: Effect.fn("Placements.scripts")(function* (organization, id) {
      yield* sites.require(organization, id, "see what is published of this site")
      return scriptsOf(yield* activeIntegrations.list(organization, "site", id), id, integrationsUrl)
    })
  } satisfies PlacedIntegrations
})
