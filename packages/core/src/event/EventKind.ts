/**
 * A kind of event, as the concept that tells of it declares it: its name and the fields beside those that all
 * events have.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import { UserId } from "../user/User.ts"

export const EventId = Schema.String.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** Fields of every event. */
const common = {
  /** In the order of commits: what a reader has not seen yet is behind what it has. */
  id: EventId,
  organization: OrganizationId,
  /** The user who did it; null for the host application and for background work. */
  actor: Schema.NullOr(UserId),
  createdAt: Timestamp
}

export const event = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ ...common, type: Schema.Literal(type), ...fields })

export type EventKind = Schema.Struct<typeof common & { readonly type: Schema.Literal<string> }>
