/**
 * Declares the events of integrations, the rows that belong to spaces, references to blobs, and tables with sealed
 * fields.
 */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { event } from "../event/EventKind.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { InstallationId, InstallationTable, PlacementKind, PlacementTable } from "./Installation.ts"
import { IntegrationKey, IntegrationTable } from "./Integration.ts"
import { IntegrationEventTable } from "./IntegrationEvent.ts"
import { IntegrationTaskTable } from "./IntegrationTask.ts"
import { LinkedBlocksTable } from "./UnfurledLink.ts"

const integration = { integration: IntegrationKey }
const installation = { ...integration, installation: InstallationId }
const placement = { ...installation, content: Schema.Struct({ kind: PlacementKind, id: Schema.String }) }

export const integrationConcept = concept({
  events: [
    /** Emitted for the first version and for each later one. */
    event("integration_published", integration),
    event("integration_unpublished", integration),
    event("installation_created", installation),
    event("installation_updated", installation),
    event("installation_removed", installation),
    event("placement_created", placement),
    event("placement_updated", placement),
    event("placement_removed", placement)
  ],
  spaceDependents: [rowsWhere(LinkedBlocksTable, (space) => ({ space }))],
  roots: [
    root(IntegrationTable, ({ icon, previewImages, script }) => ({
      blobs: [icon?.blob, script, ...previewImages.map(({ blob }) => blob)]
    }))
  ],
  sealed: [IntegrationTable, InstallationTable, PlacementTable, IntegrationEventTable, IntegrationTaskTable]
})
