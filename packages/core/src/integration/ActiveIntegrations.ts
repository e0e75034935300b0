/**
 * Active integrations of a space or a site: installed, with all required values configured, and not paused.
 * Installations and placements are cached until one of them is written, because every page view of a site reads them.
 *
 * Limits: the installations of 1,000 organizations and the placements on 10,000 contents are cached, the most recently
 * used.
 */
import { Context, Effect, Layer } from "effect"
import type { OrganizationId } from "../organization/Organization.ts"
import * as ReadCache from "../storage/ReadCache.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { makeConfigurations } from "./Configurations.ts"
import {
  type InstallationId,
  type InstallationRow,
  InstallationTable,
  type PlacementKind,
  type PlacementRow,
  PlacementTable
} from "./Installation.ts"
import { type IntegrationKey, type IntegrationRow, IntegrationTable, isPublished } from "./Integration.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"
import { covers, scopesOf } from "./InstallationStatus.ts"

const maxCachedOrganizations = 1_000
const maxCachedContents = 10_000

/** An active integration. `placement`: settings for the space or site, if any. */
export interface ActiveIntegration {
  readonly integration: IntegrationRow
  readonly installation: InstallationRow
  readonly placement: PlacementRow | undefined
}

/** Returns true if an active integration has a scope. */
export const mayUse = ({ integration, installation }: ActiveIntegration, scope: IntegrationScope): boolean =>
  scopesOf(integration, installation).includes(scope)

export class ActiveIntegrations extends Context.Service<
  ActiveIntegrations,
  {
    /** Returns all active integrations of a space or site for any actor, the earliest installed first. */
    readonly list: (
      organization: OrganizationId,
      kind: PlacementKind,
      content: string
    ) => Effect.Effect<ReadonlyArray<ActiveIntegration>, StorageError>
    /** Returns the installation of an integration in an organization, in any state. */
    readonly installation: (
      organization: OrganizationId,
      integration: IntegrationKey
    ) => Effect.Effect<InstallationRow | undefined, StorageError>
  }
>()("@lectern/core/integration/ActiveIntegrations") {
  static readonly layer = Layer.effect(
    ActiveIntegrations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const configurations = yield* makeConfigurations
      const integrations = storage.repository(IntegrationTable)
      const installations = storage.repository(InstallationTable)
      const placements = storage.repository(PlacementTable)
      const cachedInstallations =
        yield* ReadCache.make<ReadonlyMap<IntegrationKey, InstallationRow>>(maxCachedOrganizations)
      const cachedPlacements = yield* ReadCache.make<ReadonlyMap<InstallationId, PlacementRow>>(maxCachedContents)

      const installedIn = (organization: OrganizationId) =>
        cachedInstallations(
          organization,
          Effect.map(
            installations.list({ where: { organization }, order: ["createdAt"] }),
            (rows) => new Map(rows.map((row) => [row.integration, row]))
          )
        )

      const placedOn = (kind: PlacementKind, content: string) =>
        cachedPlacements(
          `${kind} ${content}`,
          Effect.map(
            placements.list({ where: { kind, content } }),
            (rows) => new Map(rows.map((row) => [row.installation, row]))
          )
        )

      return ActiveIntegrations.of({
        list: Effect.fnUntraced(function* (organization, kind, content) {
          const installedRows = [...(yield* installedIn(organization)).values()]
          if (installedRows.length === 0) return []
          const publishedIntegrations = yield* integrations.getMany(
            installedRows.map(({ integration }) => ({ key: integration }))
          )
          const placedIntegrations = yield* placedOn(kind, content)
          const activeIntegrations: Array<ActiveIntegration> = []
          for (const [i, installation] of installedRows.entries()) {
            const integration = publishedIntegrations[i]
            const placement = placedIntegrations.get(installation.id)
            if (!isPublished(integration) || !covers(integration, installation, kind, placement)) continue
            if ((yield* configurations.statusOf(integration, installation)) !== "active") continue
            const status = yield* configurations.placementStatus(integration, installation, kind, placement)
            if (status === "active") activeIntegrations.push({ integration, installation, placement })
          }
          return activeIntegrations
        }),

        installation: (organization, integration) =>
          Effect.map(installedIn(organization), (installedRows) => installedRows.get(integration))
      })
    })
  )
}
