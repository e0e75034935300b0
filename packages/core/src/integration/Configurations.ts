/**
 * Configurations of installations and placements. A configuration may hold tokens and keys of other services, so it is
 * sealed in its row. An empty configuration is not stored.
 *
 * Opened configurations are cached for as long as their row objects live, because every page view of a site reads them.
 */
import { Context, Effect } from "effect"
import { Secrets } from "../identity/Secrets.ts"
import type { Sealed } from "../schema/Sealed.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import {
  type Configuration,
  type InstallationRow,
  type InstallationStatus,
  InstallationTable,
  type PlacementKind,
  type PlacementRow,
  PlacementTable
} from "./Installation.ts"
import * as InstallationConfiguration from "./InstallationConfiguration.ts"
import type { IntegrationRow } from "./Integration.ts"
import { wired } from "../wiring/Wired.ts"

type Published = Pick<IntegrationRow, "manifest">

/** Fields of a row that store its configuration. */
export interface SealedConfiguration {
  readonly configuration: Sealed<Configuration> | undefined
}

export class Configurations extends Context.Service<
  Configurations,
  {
    readonly of: (row: InstallationRow | PlacementRow) => Effect.Effect<Configuration, StorageError>
    readonly forInstallation: (
      key: Table.Key<typeof InstallationTable>,
      configuration: Configuration
    ) => Effect.Effect<SealedConfiguration>
    readonly forPlacement: (
      key: Table.Key<typeof PlacementTable>,
      configuration: Configuration
    ) => Effect.Effect<SealedConfiguration>
    /** Returns the status of an installation in its organization. */
    readonly statusOf: (
      integration: Published,
      installation: InstallationRow
    ) => Effect.Effect<InstallationStatus, StorageError>
    /**
     * Returns the status of an installation on a space or site, with or without a placement there. A paused
     * installation is paused everywhere.
     */
    readonly placementStatus: (
      integration: Published,
      installation: Pick<InstallationRow, "paused">,
      kind: PlacementKind,
      placement: PlacementRow | undefined
    ) => Effect.Effect<InstallationStatus, StorageError>
  }
>()("@lectern/core/integration/Configurations") {
  static readonly layer = wired(
    Configurations,
    Effect.gen(function* () {
      const secrets = yield* Secrets

      const opened = new WeakMap<object, Configuration>()

      const of = (row: InstallationRow | PlacementRow): Effect.Effect<Configuration, StorageError> =>
        Effect.suspend(() => {
          if (row.configuration === undefined) return nothing
          const known = opened.get(row)
          if (known !== undefined) return Effect.succeed(known)
          const opening =
            "content" in row
              ? secrets.open(PlacementTable, row, "configuration")
              : secrets.open(InstallationTable, row, "configuration")
          return Effect.map(opening, (configuration = {}) => {
            opened.set(row, configuration)
            return configuration
          })
        })

      const unlessEmpty = (configuration: Configuration, seal: Effect.Effect<Sealed<Configuration>>) =>
        Object.keys(configuration).length === 0
          ? Effect.succeed({ configuration: undefined })
          : Effect.map(seal, (sealed) => ({ configuration: sealed }))

      return Configurations.of({
        of,

        forInstallation: ({ id }, configuration) =>
          unlessEmpty(configuration, secrets.seal(InstallationTable, { id }, "configuration", configuration)),

        forPlacement: ({ installation, kind, content }, configuration) =>
          unlessEmpty(
            configuration,
            secrets.seal(PlacementTable, { installation, kind, content }, "configuration", configuration)
          ),

        statusOf: ({ manifest }, installation) =>
          Effect.map(of(installation), (configuration) =>
            InstallationConfiguration.statusOf(configuration, manifest.configurations?.account, installation.paused)
          ),

        placementStatus: ({ manifest }, { paused }, kind, placement) =>
          Effect.map(placement === undefined ? nothing : of(placement), (configuration) =>
            InstallationConfiguration.statusOf(configuration, manifest.configurations?.[kind], paused)
          )
      })
    }),
    [Secrets.layer]
  )
}

const nothing = Effect.succeed<Configuration>({})
