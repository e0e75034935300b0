/**
 * Event for several installations. It is written once with its receivers, in the transaction that causes it, and copied
 * to their queues later, in groups (see `SharedEvents`). The payload stays here; the events of receivers refer to it.
 *
 * Every reader of the space may know these payloads, so they are not sealed.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { InstallationId } from "./Installation.ts"
import { IntegrationKey } from "./Integration.ts"
import { type IntegrationPayload, SharedEventId } from "./IntegrationEvent.ts"

type WithoutInstallation<Payload> = Payload extends unknown ? Omit<Payload, "installationId"> : never

/** Payload without the installation that receives it. */
export type SharedPayload = WithoutInstallation<
  Extract<
    IntegrationPayload,
    {
      readonly type:
        | "space_content_updated"
        | "space_visibility_updated"
        | "space_gitsync_started"
        | "space_gitsync_completed"
    }
  >
>

export const SharedEventRow = Schema.Struct({
  /** Increases in the order of transactions. */
  id: SharedEventId,
  organization: OrganizationId,
  payload: Schema.Record(Schema.String, Schema.Json),
  receivers: Schema.Array(Schema.Struct({ integration: IntegrationKey, installation: InstallationId })),
  createdAt: Timestamp
})
export type SharedEventRow = typeof SharedEventRow.Type

export const SharedEventTable = Table.make("toldEvent", SharedEventRow, { key: ["id"] })

/** Latest event that was copied to queues. */
const DistributionRow = Schema.Struct({ id: Schema.Literal("all"), last: SharedEventId })

export const DistributionTable = Table.make("toldEventSpread", DistributionRow, { key: ["id"] })
