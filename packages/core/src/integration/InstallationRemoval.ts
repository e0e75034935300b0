/** Removes installations and placements, and queues a last event that notifies their programs. */
import { Effect, Layer } from "effect"
import { Events } from "../event/Events.ts"
import { Storage } from "../storage/Storage.ts"
import { makeConfigurations } from "./Configurations.ts"
import {
  type InstallationRow,
  InstallationTable,
  type PlacementKind,
  type PlacementRow,
  PlacementTable
} from "./Installation.ts"
import { type IntegrationRow, IntegrationTable } from "./Integration.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"

/** Number of placements that one transaction removes. */
const sliceSize = 100

export const makeInstallationRemoval = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const queue = yield* IntegrationQueue
  const configurations = yield* makeConfigurations
  const installations = storage.repository(InstallationTable)
  const placements = storage.repository(PlacementTable)

  /** Removes a placement. Called inside a transaction. */
  const removePlacement = Effect.fnUntraced(function* (
    integration: IntegrationRow,
    installation: InstallationRow,
    placement: PlacementRow
  ) {
    const { kind, content, organization } = placement
    yield* placements.remove({ installation: installation.id, kind, content })
    const details = {
      installationId: installation.id,
      previous: { configuration: yield* configurations.configurationOf(placement) }
    }
    yield* queue.add(
      { integration, installation, content: { kind, id: content } },
      kind === "space"
        ? { type: "space_installation_deleted", spaceId: content, ...details }
        : { type: "site_installation_deleted", siteId: content, ...details }
    )
    yield* events.emit(
      {
        type: "placement_removed",
        organization,
        integration: integration.key,
        installation: installation.id,
        content: { kind, id: content }
      },
      { label: integration.key }
    )
  })

  return {
    removePlacement,

    /**
     * Removes up to 100 placements of an installation, and the installation itself after its last placement. Called
     * inside a transaction. Returns the number of removed rows, and whether the installation is removed.
     */
    removeSlice: Effect.fnUntraced(function* (integration: IntegrationRow, installation: InstallationRow) {
      const { id, organization } = installation
      const placementRows = yield* placements.list({ where: { installation: id }, limit: sliceSize })
      for (const placement of placementRows) yield* removePlacement(integration, installation, placement)
      if (placementRows.length === sliceSize) return { removed: sliceSize, isRemoved: false }
      const previousSetup = { configuration: yield* configurations.configurationOf(installation) }
      yield* installations.remove({ id })
      yield* queue.add(
        { integration, installation },
        { type: "installation_deleted", installationId: id, previous: previousSetup }
      )
      yield* events.emit(
        {
          type: "installation_removed",
          organization,
          integration: integration.key,
          installation: id
        },
        { label: integration.key }
      )
      return { removed: placementRows.length + 1, isRemoved: true }
    })
  }
})

/** Removes the placements on a space or site that is deleted or transferred to another organization. */
export const PlacementRemoval = Layer.effectDiscard(
  Effect.gen(function* () {
    const storage = yield* Storage
    const events = yield* Events
    const { removePlacement } = yield* makeInstallationRemoval
    const integrations = storage.repository(IntegrationTable)
    const installations = storage.repository(InstallationTable)
    const placements = storage.repository(PlacementTable)

    const removeFrom = Effect.fnUntraced(function* (kind: PlacementKind, content: string) {
      for (const placement of yield* placements.list({ where: { kind, content } })) {
        const installation = yield* installations.get({ id: placement.installation })
        const integration = installation && (yield* integrations.get({ key: installation.integration }))
        if (integration !== undefined) yield* removePlacement(integration, installation!, placement)
      }
    })

    yield* events.listen(["site_deleted"], ({ site }) => removeFrom("site", site))
    yield* events.listen(["space_transferred", "space_removed"], ({ space }) => removeFrom("space", space))
  })
)
