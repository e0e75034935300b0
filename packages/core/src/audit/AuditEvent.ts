/**
 * An entry of the audit log: a change of permissions in an organization, with its actor and the affected user. It is
 * written in the transaction of the change and never modified. It contains ids, names and small fields before and
 * after; no secrets and no content.
 *
 * Retained for 365 days by default (see `AuditRetention`).
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import { InputTime } from "../schema/InputTime.ts"
import * as Text from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"

/**
 * `system`: Lectern itself. Its id is `lectern` for background work, `host` for the embedding application,
 * `command-line` for the operator.
 */
export const AuditActorType = Schema.Literals(["user", "integration", "installation", "system"])

export const AuditActor = Schema.Struct({
  type: AuditActorType,
  id: Schema.String,
  /** Name at the time of the event. */
  label: Schema.optionalKey(Schema.String),
  /** Id of the token that the user authenticated with. */
  token: Schema.optionalKey(Schema.String)
})
export type AuditActor = typeof AuditActor.Type

export const AuditTarget = Schema.Struct({
  /** Kind of resource: `user`, `team`, `space`, `site` … */
  type: Schema.String,
  id: Schema.String,
  /** Name at the time of the event. */
  label: Schema.optionalKey(Schema.String)
})
export type AuditTarget = typeof AuditTarget.Type

export const AuditSource = Schema.Literals(["api", "integration", "script", "workflow"])
export type AuditSource = typeof AuditSource.Type

const Payload = Schema.Record(Schema.String, Schema.Json)

export const AuditEventRow = Schema.Struct({
  organization: OrganizationId,
  id: Schema.String,
  occurredAt: Timestamp,
  action: Schema.String,
  actor: AuditActor,
  source: AuditSource,
  target: AuditTarget,
  /** Id of the request. */
  request: Schema.optionalKey(Schema.String),
  payload: Payload
})
export type AuditEventRow = typeof AuditEventRow.Type

export const AuditEventTable = Table.make("auditEvent", AuditEventRow, {
  key: ["organization", "id"],
  derived: {
    actorId: ({ actor }: AuditEventRow) => actor.id,
    targetId: ({ target }: AuditEventRow) => target.id
  },
  indexes: [
    ["organization", "occurredAt"],
    ["organization", "actorId", "occurredAt"],
    ["organization", "targetId", "occurredAt"],
    ["organization", "action", "occurredAt"],
    ["occurredAt"]
  ]
})

/** An audit event as an API resource. */
export const AuditEvent = Schema.Struct({
  object: Schema.Literal("audit-event"),
  id: Schema.String,
  occurredAt: Timestamp,
  action: Schema.String,
  actor: AuditActor,
  /**
   * `api`: a user; `integration`: a program of an integration; `script`: the host or the command line; `workflow`:
   * background work.
   */
  source: AuditSource,
  target: AuditTarget,
  /** Id of the request (`X-Request-Id`), equal for all events of one request. */
  correlationId: Schema.optionalKey(Schema.String),
  schemaVersion: Schema.Literal(1),
  /** Further details of the action. `changes`: values of fields as `from` and `to`. */
  payload: Payload,
  urls: Schema.Struct({ location: Schema.String })
})
export interface AuditEvent extends Schema.Schema.Type<typeof AuditEvent> {}

export const AuditEventAction = Schema.Struct({
  object: Schema.Literal("audit-event-action"),
  id: Schema.String,
  label: Schema.String
})
export interface AuditEventAction extends Schema.Schema.Type<typeof AuditEventAction> {}

const Id = Text.between(1, 100)

export const AuditEventFilter = Schema.Struct({
  from: Schema.optionalKey(InputTime).annotateKey({ description: "Returns events at or after this time." }),
  to: Schema.optionalKey(InputTime).annotateKey({ description: "Returns events before this time." }),
  action: Schema.optionalKey(Id).annotateKey({ description: "Returns events with this action." }),
  actor: Schema.optionalKey(Id).annotateKey({
    description: "Id of the actor, such as a user. Returns events of this actor."
  }),
  target: Schema.optionalKey(Id).annotateKey({ description: "Id of the target. Returns events about this target." })
})
export type AuditEventFilter = typeof AuditEventFilter.Type

/** Raised if the organization has no audit event with the id, or the event is older than the retention. */
export class AuditEventNotFound extends Schema.TaggedError<AuditEventNotFound>()(
  "AuditEventNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
