/**
 * A webhook of an organization: a URL that receives events of the organization, in their order, as signed requests (see
 * [Standard Webhooks](https://www.standardwebhooks.com)).
 *
 * A webhook belongs to the organization and not to the member who created it. Only administrators create it, so it
 * receives every event that administrators may see, of the selected types and spaces.
 *
 * An event is delivered at least once. The next event follows after a 2xx response. After any other result, the event is
 * sent again with growing pauses (see `Backoff`). After 3 days of failures, or a 410 response, the webhook is switched
 * off.
 *
 * Limits: 20 webhooks of an organization; URLs of 2,048 characters; 100 types and 100 spaces; 10 seconds for a request;
 * no redirects. The latest 1,000 deliveries of a webhook are stored, for 30 days, with the first 500 characters of the
 * response.
 */
import { Duration, Schema } from "effect"
import { EventId } from "../event/EventKind.ts"
import { leasedFields } from "../job/LeasedWork.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { sealed } from "../schema/Sealed.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const maxWebhooks = 20
export const maxDeliveries = 1_000
export const deliveryRetention = Duration.days(30)
/** Time during which a replaced secret still signs. */
export const secretOverlap = Duration.hours(24)
export const maxFailing = Duration.days(3)
export const requestTimeout = Duration.seconds(10)
export const maxAnswerLength = 500

export const WebhookId = Schema.String.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

/** `failures`: no successful request for 3 days. `gone`: the URL responded with 410. */
export const DisabledReason = Schema.Literals(["failures", "gone"])

/** Keys that sign requests. The previous key signs until `until`. */
export interface WebhookSecrets {
  readonly current: string
  readonly previous?: { readonly key: string; readonly until: Timestamp }
}

const storedFields = {
  id: WebhookId,
  organization: OrganizationId,
  url: Schema.String,
  description: Schema.String,
  /** Types of events. Absent for all types. */
  types: Schema.optionalKey(Schema.Array(Schema.String)),
  /** Spaces whose events are delivered. Absent for all events of the organization. */
  spaces: Schema.optionalKey(Schema.Array(SpaceId)),
  /** False if nothing is delivered. */
  active: Schema.Boolean,
  /** Reason for which Lectern switched the webhook off. */
  disabledReason: Schema.optionalKey(DisabledReason),
  createdBy: Schema.NullOr(UserId),
  createdAt: Timestamp,
  updatedAt: Timestamp
}

export const WebhookRow = Schema.Struct({ ...storedFields, secrets: sealed<WebhookSecrets>() })
export type WebhookRow = typeof WebhookRow.Type

export const WebhookTable = Table.make("webhook", WebhookRow, {
  key: ["id"],
  indexes: [["organization", "id"], ["organization", "active"], ["active"]],
  sealed: ["secrets"]
})

/** Delivery state of a webhook: its position in the events, and a lease until the next delivery. */
export const WebhookReceiverRow = Schema.Struct({
  /** Id of the webhook. */
  receiver: Schema.String,
  organization: OrganizationId,
  /** Last event that was delivered or skipped. */
  after: EventId,
  ...leasedFields,
  /** Time of the first failed attempt since the last success. */
  since: Schema.optionalKey(Timestamp)
})
export type WebhookReceiverRow = typeof WebhookReceiverRow.Type

export const WebhookReceiverTable = Table.make("webhookReceiver", WebhookReceiverRow, {
  key: ["receiver"],
  derived: { due: (row: WebhookReceiverRow) => row.lease.until },
  indexes: [["due"], ["organization", "due"]]
})

/** End of the lease of a webhook without events to deliver. */
export const idleUntil = Timestamp.make("9999-12-31T00:00:00.000Z")

const attemptFields = {
  id: Schema.String,
  /** Id of the event, equal for each attempt. The header `webhook-id` contains it. */
  event: Schema.String,
  /** Type of the event, or `ping` for a test. */
  type: Schema.String,
  status: Schema.Literals(["success", "failed"]),
  /** Status code of the response. Absent without a response. */
  statusCode: Schema.optionalKey(Schema.Int),
  /** Reason of a failure, as a sentence. */
  failure: Schema.optionalKey(Schema.String),
  /** Start of the response, at most 500 characters. */
  answer: Schema.optionalKey(Schema.String),
  /** Duration of the request in milliseconds. */
  millis: Schema.Int,
  sentAt: Timestamp
}

/** An attempt to deliver an event. */
export const WebhookDeliveryRow = Schema.Struct({ ...attemptFields, webhook: WebhookId })
export type WebhookDeliveryRow = typeof WebhookDeliveryRow.Type

export const WebhookDeliveryTable = Table.make("webhookDelivery", WebhookDeliveryRow, {
  key: ["id"],
  indexes: [["webhook", "id"]]
})

const WebhookUrl = Text.HttpUrl.check(Schema.isMaxLength(2048))
const Types = Schema.NullOr(
  Schema.Array(Text.between(1, 100)).check(Schema.isMinLength(1), Schema.isMaxLength(100), Schema.isUnique())
)
const Spaces = Schema.NullOr(
  Schema.Array(SpaceId).check(Schema.isMinLength(1), Schema.isMaxLength(100), Schema.isUnique())
)

export const WebhookCreate = Schema.Struct({
  /** URL that receives the events, with `https` or `http`. Addresses of private networks are rejected. */
  url: WebhookUrl,
  /** Note for people. Default: empty. */
  description: Schema.optionalKey(Text.atMost(500)),
  /** Types of events. Null: all types, also those that are added later. Default: null. */
  types: Schema.optionalKey(Types),
  /** Ids of spaces. Only events about these spaces are delivered. Null: all events. Default: null. */
  spaces: Schema.optionalKey(Spaces),
  /** False to deliver nothing. Default: true. */
  active: Schema.optionalKey(Schema.Boolean)
})
export type WebhookCreate = typeof WebhookCreate.Type

export const WebhookPatch = Schema.Struct({
  ...WebhookCreate.fields,
  /** URL that receives the events, with `https` or `http`. Addresses of private networks are rejected. */
  url: Schema.optionalKey(WebhookUrl)
})
export type WebhookPatch = typeof WebhookPatch.Type

/** A webhook as an API resource. */
export const Webhook = Schema.Struct({
  object: Schema.Literal("webhook"),
  ...storedFields,
  types: Schema.NullOr(Schema.Array(Schema.String)),
  spaces: Schema.NullOr(Schema.Array(SpaceId)),
  urls: Schema.Struct({ location: Schema.String })
})
export interface Webhook extends Schema.Schema.Type<typeof Webhook> {}

/** A webhook with its secret, which is returned only once. */
export const CreatedWebhook = Schema.Struct({
  ...Webhook.fields,
  /** Key that signs the requests: `whsec_` and base64. */
  secret: Schema.String
})
export interface CreatedWebhook extends Schema.Schema.Type<typeof CreatedWebhook> {}

/** An attempt to deliver an event, as an API resource. */
export const WebhookDelivery = Schema.Struct({ object: Schema.Literal("webhook-delivery"), ...attemptFields })
export interface WebhookDelivery extends Schema.Schema.Type<typeof WebhookDelivery> {}

/** Raised if the organization has no webhook with the id. */
export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()(
  "WebhookNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the webhook has no delivery with the id, or its event is no longer stored. */
export class WebhookDeliveryNotFound extends Schema.TaggedError<WebhookDeliveryNotFound>()(
  "WebhookDeliveryNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the organization has the maximum number of webhooks. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()(
  "TooManyWebhooks",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
