/**
 * Event that several installations are told of. It is written once, in the transaction of what it tells, with those who
 * are told, and spread to their queues a moment later, with all that has come by then (see `ToldEvents`). Its payload
 * stays here: the events of its receivers refer to it.
 *
 * What is told so is known to whoever may read the space, and was configured by nobody, so nothing of it is sealed.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { InstallationId } from "./Installation.ts"
import { IntegrationKey } from "./Integration.ts"
import { type IntegrationPayload, ToldEventId } from "./IntegrationEvent.ts"

type Shared<Payload> = Payload extends unknown ? Omit<Payload, "installationId"> : never

/** Payload but for whom it is told to. */
export type ToldPayload = Shared<
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

export const ToldEventRow = Schema.Struct({
  /** In the order of the transactions. */
  id: ToldEventId,
  organization: OrganizationId,
  payload: Schema.Record(Schema.String, Schema.Json),
  receivers: Schema.Array(Schema.Struct({ integration: IntegrationKey, installation: InstallationId })),
  createdAt: Timestamp
})
export type ToldEventRow = typeof ToldEventRow.Type

export const ToldEventTable = Table.make("toldEvent", ToldEventRow, { key: ["id"] })

/** How far events are spread. */
const SpreadRow = Schema.Struct({ id: Schema.Literal("all"), last: ToldEventId })

export const SpreadTable = Table.make("toldEventSpread", SpreadRow, { key: ["id"] })
