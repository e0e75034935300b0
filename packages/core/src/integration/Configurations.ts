/**
 * Configurations of installations and placements. A configuration may hold tokens and keys of other services, so it is
 * sealed in its row. An empty configuration is not stored.
 *
 * Opened configurations are cached for as long as their row objects live, because every page view of a site reads them.
 */
import { Effect, Equal } from "effect"
import { Secrets } from "../identity/Secrets.ts"
import type { Sealed } from "../schema/Sealed.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import {
  type Configuration,
  type InstallationRow,
  InstallationTable,
  type PlacementKind,
  type PlacementRow,
  PlacementTable
} from "./Installation.ts"
import * as InstallationConfiguration from "./InstallationConfiguration.ts"
import type { IntegrationRow } from "./Integration.ts"

type PublishedIntegration = Pick<IntegrationRow, "manifest">

/** Fields of a row that store its configuration. */
export interface SealedConfigurationFields {
  readonly configuration: Sealed<Configuration> | undefined
}

const openedConfigurations = new WeakMap<object, Configuration>()

export const makeConfigurations = Effect.gen(function* () {
  const secrets = yield* Secrets

  const configurationOf = (row: InstallationRow | PlacementRow): Effect.Effect<Configuration, StorageError> =>
    Effect.suspend(() => {
      if (row.configuration === undefined) return noConfiguration
      const cached = openedConfigurations.get(row)
      if (cached !== undefined) return Effect.succeed(cached)
      const opening =
        "content" in row
          ? secrets.open(PlacementTable, row, "configuration")
          : secrets.open(InstallationTable, row, "configuration")
      return Effect.map(opening, (configuration = {}) => {
        openedConfigurations.set(row, configuration)
        return configuration
      })
    })

  const sealUnlessEmpty = (configuration: Configuration, seal: Effect.Effect<Sealed<Configuration>>) =>
    Object.keys(configuration).length === 0
      ? Effect.succeed({ configuration: undefined })
      : Effect.map(seal, (sealed) => ({ configuration: sealed }))

  return {
    configurationOf,

    /** True if the row has a different configuration. */
    isChanged: (row: InstallationRow | PlacementRow, configuration: Configuration) =>
      Effect.map(configurationOf(row), (stored) => !Equal.equals(stored, configuration)),

    forInstallation: ({ id }: Table.Key<typeof InstallationTable>, configuration: Configuration) =>
      sealUnlessEmpty(configuration, secrets.seal(InstallationTable, { id }, "configuration", configuration)),

    forPlacement: ({ installation, kind, content }: Table.Key<typeof PlacementTable>, configuration: Configuration) =>
      sealUnlessEmpty(
        configuration,
        secrets.seal(PlacementTable, { installation, kind, content }, "configuration", configuration)
      ),

    /** Returns the status of an installation in its organization. */
    statusOf: ({ manifest }: PublishedIntegration, installation: InstallationRow) =>
      Effect.map(configurationOf(installation), (configuration) =>
        InstallationConfiguration.statusOf(configuration, manifest.configurations?.account, installation.paused)
      ),

    /**
     * Returns the status of an installation on a space or site, with or without a placement there. A paused
     * installation is paused everywhere.
     */
    placementStatus: (
      { manifest }: PublishedIntegration,
      { paused }: Pick<InstallationRow, "paused">,
      kind: PlacementKind,
      placement: PlacementRow | undefined
    ) =>
      Effect.map(placement === undefined ? noConfiguration : configurationOf(placement), (configuration) =>
        InstallationConfiguration.statusOf(configuration, manifest.configurations?.[kind], paused)
      )
  }
})

const noConfiguration = Effect.succeed<Configuration>({})
