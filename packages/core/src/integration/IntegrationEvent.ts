/**
 * Events of programs, and their outcome. Events that are asked about in place (a render, a request) are
 * answered once; the others are queued in the transaction of what they tell, and delivered at least once, in
 * order for each installation. Tasks are queued apart from other events: one after another for each
 * installation in whose runs they were asked for, and each by itself where that was in none.
 *
 * Limits: records are kept for 7 days, with the logs of `IntegrationRuntime`. For one receiver 10,000 wait at
 * most: when there is one more, the oldest has failed.
 */
import { Schema } from "effect"
import { OrganizationId } from "../organization/Organization.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { InstallationId } from "./Installation.ts"
import { IntegrationKey } from "./Integration.ts"
import { RunLog } from "./RunLog.ts"

/** Beginning of the receivers of an integration's tasks. No name has a space in it. */
export const tasksOf = (integration: IntegrationKey): string => `tasks of ${integration} `

/** How many events wait for one receiver. */
export const maxQueued = 10_000

export const IntegrationEventId = Schema.String.pipe(Schema.brand("IntegrationEventId"))
export type IntegrationEventId = typeof IntegrationEventId.Type

export const ToldEventId = Schema.String.pipe(Schema.brand("ToldEventId"))
export type ToldEventId = typeof ToldEventId.Type

/** Queued until its program has answered, or has not been reached for too long. */
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
const Free = Schema.Record(Schema.String, Schema.Json)
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
const maybe = Schema.optionalKey(Schema.String)
const place = { spaceId: maybe, siteId: maybe }

/** Content of an event, beside its id and its type. */
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
    siteSpaceId: maybe,
    pageId: maybe,
    visitor: Visitor,
    url: Schema.String,
    referrer: Schema.String
  }),
  event("page_feedback", {
    ...site,
    spaceId: maybe,
    pageId: maybe,
    feedback: Schema.Struct({ rating: Schema.Literals(["bad", "ok", "good"]), comment: maybe }),
    visitor: Visitor,
    url: Schema.String,
    referrer: Schema.String
  }),
  event("task", { task: Free }),
  event("fetch", {
    installationId: maybe,
    ...place,
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
    /** Path on the site that the visitor wants to reach, without a slash in front. */
    location: maybe,
    searchParams: Texts,
    cookies: Texts,
    /** Absent: it wants to sign on. */
    action: Schema.optionalKey(Schema.Literal("logout"))
  }),
  event("ui_render", {
    ...installation,
    ...place,
    auth: Schema.optionalKey(User),
    componentId: Schema.String,
    props: Free,
    state: Schema.optionalKey(Free),
    context: Free,
    action: Schema.optionalKey(Free)
  }),
  event("content_compute_revision", { ...space, sourceId: Schema.String, props: Free, dependencies: Free }),
  event("content_compute_document", { ...space, sourceId: Schema.String, props: Free, dependencies: Free })
])
export type IntegrationPayload = typeof IntegrationPayload.Type

export const IntegrationEventRow = Schema.Struct({
  id: IntegrationEventId,
  integration: IntegrationKey,
  /** Of the installation that it is about; undefined where it is about none. */
  organization: Schema.optionalKey(OrganizationId),
  installation: Schema.optionalKey(InstallationId),
  /** It may hold what was configured. Undefined where it is shared with others. */
  payload: Schema.optionalKey(sealed<IntegrationPayload>()),
  /** Holds the payload that it shares. */
  told: Schema.optionalKey(ToldEventId),
  state: DeliveryState,
  /** In whose order it is delivered: that of an installation, of its tasks, or its own. */
  receiver: Schema.String,
  /** For a task: the installation in whose run it was asked for. */
  about: Schema.optionalKey(InstallationId),
  /** Undefined where nothing was logged. Programs log what they are given, too. */
  logs: Schema.optionalKey(sealed<ReadonlyArray<RunLog>>()),
  createdAt: Timestamp
})
export type IntegrationEventRow = typeof IntegrationEventRow.Type

export const IntegrationEventTable = Table.make("integrationEvent", IntegrationEventRow, {
  key: ["id"],
  derived: {
    /** Of those that wait, whose turn they take. */
    queue: ({ state, receiver }: IntegrationEventRow) => (state === "queued" ? receiver : null)
  },
  // Each index is written with every event, so there is one for the list, whatever it is narrowed by.
  indexes: [
    ["integration", "id", "state", "organization"],
    ["queue", "id"]
  ],
  sealed: ["payload", "logs"]
})

/** A receiver for which something is queued, and when it is its turn. */
export const IntegrationQueueRow = Schema.Struct({
  receiver: Schema.String,
  integration: IntegrationKey,
  /** The event queued last: the next one comes behind it. */
  last: IntegrationEventId,
  dueAt: Timestamp,
  /** How many wait. */
  waiting: Schema.Int,
  /** How often it could not be reached in a row. */
  attempts: Schema.Int,
  /** When it could not be reached first. */
  since: Schema.optionalKey(Timestamp)
})

export type IntegrationQueueRow = typeof IntegrationQueueRow.Type

export const IntegrationQueueTable = Table.make("integrationQueue", IntegrationQueueRow, {
  key: ["receiver"],
  indexes: [["dueAt"], ["integration", "dueAt"]]
})

/** The resource. */
export const IntegrationEvent = Schema.Struct({
  object: Schema.Literal("integration-event"),
  id: IntegrationEventId,
  integrationId: Schema.String,
  installationId: Schema.optionalKey(InstallationId),
  createdAt: Timestamp,
  payload: Schema.Record(Schema.String, Schema.Json),
  status: Schema.Literals(["success", "failed"])
})
export type IntegrationEvent = typeof IntegrationEvent.Type

/** An event with what its program logged. */
export const TracedIntegrationEvent = Schema.Struct({
  event: IntegrationEvent,
  trace: Schema.Struct({ logs: Schema.Array(RunLog) })
})
export type TracedIntegrationEvent = typeof TracedIntegrationEvent.Type

export class IntegrationEventNotFound extends Schema.TaggedError<IntegrationEventNotFound>()(
  "IntegrationEventNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
