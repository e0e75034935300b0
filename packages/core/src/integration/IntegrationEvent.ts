/**
 * Events for programs, and their outcomes. Events that need a response (a render, a request) are processed at once. The
 * others are queued in the transaction that causes them, and delivered at least once, in order for each installation.
 * Tasks have queues of their own: one for each installation in whose runs they were requested, and one for each task
 * requested outside of a run.
 *
 * Limits: records are retained for 7 days, with the logs of `IntegrationRuntime`. At most 10,000 events are queued for
 * one receiver; above this limit, each new event makes the oldest one fail.
 */
import { Schema } from "effect"
import { leasedFields } from "../job/LeasedWork.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { InstallationId } from "./Installation.ts"
import { IntegrationKey } from "./Integration.ts"
import { RunLog } from "./RunLog.ts"

/** Returns the prefix of the receivers of an integration's tasks. Names of integrations contain no space. */
export const taskReceiverPrefix = (integration: IntegrationKey): string => `tasks of ${integration} `

/** Maximum number of events queued for one receiver. */
export const maxQueued = 10_000

export const IntegrationEventId = Schema.String.pipe(Schema.brand("IntegrationEventId"))
export type IntegrationEventId = typeof IntegrationEventId.Type

export const SharedEventId = Schema.String.pipe(Schema.brand("ToldEventId"))
export type SharedEventId = typeof SharedEventId.Type

/** `queued` until the program has responded or was unreachable for too long. */
export const DeliveryState = Schema.Literals(["queued", "success", "failed"])
export type DeliveryState = typeof DeliveryState.Type

const Texts = Schema.Record(Schema.String, Schema.String)

const Visitor = Schema.Struct({
  anonymousId: Schema.String,
  cookies: Texts,
  userAgent: Schema.String,
  ip: Schema.String,
  language: Schema.optionalKey(Schema.String)
})

const Configuration = Schema.Record(Schema.String, Schema.Json)
const FreeObject = Schema.Record(Schema.String, Schema.Json)
const Status = Schema.Literals(["active", "pending", "paused"])
const User = Schema.Struct({ userId: Schema.String })

const event = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

const setup = {
  status: Status,
  previous: Schema.optionalKey(Schema.Struct({ status: Status, configuration: Schema.optionalKey(Configuration) }))
}
const deleted = { previous: Schema.Struct({ configuration: Schema.optionalKey(Configuration) }) }
const installation = { installationId: Schema.String }
const space = { ...installation, spaceId: Schema.String }
const site = { ...installation, siteId: Schema.String }
const optionalString = Schema.optionalKey(Schema.String)
const optionalContent = { spaceId: optionalString, siteId: optionalString }

/** Content of an event, without its id. */
export const IntegrationPayload = Schema.Union([
  event("installation_setup", { ...installation, ...setup }),
  event("installation_deleted", { ...installation, ...deleted }),
  event("space_installation_setup", { ...space, ...setup }),
  event("space_installation_deleted", { ...space, ...deleted }),
  event("site_installation_setup", { ...site, ...setup }),
  event("site_installation_deleted", { ...site, ...deleted }),
  event("space_content_updated", { ...space, revisionId: Schema.String, updatedBy: Schema.Array(Schema.Json) }),
  event("space_visibility_updated", {
    ...space,
    previousVisibility: Schema.String,
    visibility: Schema.String
  }),
  event("space_gitsync_started", { ...space, revisionId: Schema.String, commitId: Schema.String }),
  event("space_gitsync_completed", {
    ...space,
    state: Schema.Literals(["success", "failure"]),
    revisionId: Schema.String,
    commitId: Schema.String
  }),
  event("site_view", {
    ...site,
    siteSpaceId: optionalString,
    pageId: optionalString,
    visitor: Visitor,
    url: Schema.String,
    referrer: Schema.String
  }),
  event("page_feedback", {
    ...site,
    spaceId: optionalString,
    pageId: optionalString,
    feedback: Schema.Struct({ rating: Schema.Literals(["bad", "ok", "good"]), comment: optionalString }),
    visitor: Visitor,
    url: Schema.String,
    referrer: Schema.String
  }),
  event("task", { task: FreeObject }),
  event("fetch", {
    installationId: optionalString,
    ...optionalContent,
    auth: Schema.optionalKey(User),
    request: Schema.Struct({
      method: Schema.String,
      url: Schema.String,
      headers: Texts
    })
  }),
  event("fetch_published_script", site),
  event("fetch_visitor_authentication", {
    ...site,
    /** Path on the site that the visitor wants to reach, without a leading slash. */
    location: optionalString,
    searchParams: Texts,
    cookies: Texts,
    /** Action of the visitor. Default: the visitor signs in. */
    action: Schema.optionalKey(Schema.Literal("logout"))
  }),
  event("ui_render", {
    ...installation,
    ...optionalContent,
    auth: Schema.optionalKey(User),
    componentId: Schema.String,
    props: FreeObject,
    state: Schema.optionalKey(FreeObject),
    context: FreeObject,
    action: Schema.optionalKey(FreeObject)
  }),
  event("content_compute_revision", { ...space, sourceId: Schema.String, props: FreeObject, dependencies: FreeObject }),
  event("content_compute_document", { ...space, sourceId: Schema.String, props: FreeObject, dependencies: FreeObject })
])
export type IntegrationPayload = typeof IntegrationPayload.Type

export const IntegrationEventRow = Schema.Struct({
  id: IntegrationEventId,
  integration: IntegrationKey,
  /** Organization of the installation that the event is about. Undefined if the event is about no installation. */
  organization: Schema.optionalKey(OrganizationId),
  installation: Schema.optionalKey(InstallationId),
  /** Sealed, because it may hold configuration. Undefined if the payload is shared with other events. */
  payload: Schema.optionalKey(sealed<IntegrationPayload>()),
  /** Id of the `SharedEvent` that holds the payload. Undefined if the payload is not shared. */
  told: Schema.optionalKey(SharedEventId),
  state: DeliveryState,
  /**
   * Queue in which the event is delivered: the queue of an installation; for a task, the task queue of the installation
   * in whose run the task was requested, or a separate queue if it was requested outside of a run.
   */
  receiver: Schema.String,
  /** For a task: the installation in whose run the task was requested. */
  about: Schema.optionalKey(InstallationId),
  /** Sealed, because programs may log secrets. Undefined if nothing was logged. */
  logs: Schema.optionalKey(sealed<ReadonlyArray<RunLog>>()),
  createdAt: Timestamp
})
export type IntegrationEventRow = typeof IntegrationEventRow.Type

/** Value of `queue` for events whose delivery failed. No receiver has this name. */
export const failedDeliveries = "failed deliveries"

/** True for an event that was queued and has failed. The receiver of an event with a response is the integration. */
export const isFailedDelivery = ({ state, receiver, integration }: IntegrationEventRow): boolean =>
  state === "failed" && receiver !== (integration as string)

export const IntegrationEventTable = Table.make("integrationEvent", IntegrationEventRow, {
  key: ["id"],
  derived: {
    /** Receiver of a queued event; `failedDeliveries` for an event whose delivery failed; null otherwise. */
    queue: (row: IntegrationEventRow) =>
      row.state === "queued" ? row.receiver : isFailedDelivery(row) ? failedDeliveries : null
  },
  // Every event writes each index, so the list has only one index for all its filters.
  indexes: [
    ["integration", "id", "state", "organization"],
    ["queue", "id"]
  ],
  sealed: ["payload", "logs"]
})

/** A receiver with queued events. Its lease is free until the time of the next delivery. */
export const IntegrationQueueRow = Schema.Struct({
  receiver: Schema.String,
  integration: IntegrationKey,
  /** The latest queued event. The id of the next event must be greater. */
  last: IntegrationEventId,
  /** Number of queued events. */
  waiting: Schema.Int,
  ...leasedFields,
  /** Time of the first failed attempt since the last success. */
  since: Schema.optionalKey(Timestamp)
})

export type IntegrationQueueRow = typeof IntegrationQueueRow.Type

export const IntegrationQueueTable = Table.make("integrationQueue", IntegrationQueueRow, {
  key: ["receiver"],
  derived: { due: (row: IntegrationQueueRow) => row.lease.until },
  indexes: [["due"], ["integration", "due"]]
})

/** Processed event as returned by the interface. */
export const IntegrationEvent = Schema.Struct({
  object: Schema.Literal("integration-event"),
  id: IntegrationEventId,
  integrationId: Schema.String,
  installationId: Schema.optionalKey(InstallationId),
  createdAt: Timestamp,
  payload: Schema.Record(Schema.String, Schema.Json),
  status: Schema.Literals(["success", "failed"])
})
export interface IntegrationEvent extends Schema.Schema.Type<typeof IntegrationEvent> {}

/** An event with the log of its run. */
export const TracedIntegrationEvent = Schema.Struct({
  event: IntegrationEvent,
  trace: Schema.Struct({ logs: Schema.Array(RunLog) })
})
export interface TracedIntegrationEvent extends Schema.Schema.Type<typeof TracedIntegrationEvent> {}

export class IntegrationEventNotFound extends Schema.TaggedError<IntegrationEventNotFound>()(
  "IntegrationEventNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
