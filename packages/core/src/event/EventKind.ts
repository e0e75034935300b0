/** Kind of event, as its concept declares it: a name, and fields in addition to the common ones. */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import { UserId } from "../user/User.ts"

/** Id of an event. */
export const EventId = Schema.String.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** Fields of every event. */
const commonFields = {
  /** Increases in the order of commits, so that a reader's cursor is an id. */
  id: EventId,
  organization: OrganizationId,
  /** User who caused the event. Null for the host application and background work. */
  actor: Schema.NullOr(UserId),
  createdAt: Timestamp
}

export const event = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ ...commonFields, type: Schema.Literal(type), ...fields })

export type EventKind = Schema.Struct<typeof commonFields & { readonly type: Schema.Literal<string> }>
