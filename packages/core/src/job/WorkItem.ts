/**
 * Background work as `HostJobs` and `lectern jobs` list it: a job, a reader of events, deliveries to integrations or
 * webhooks, or a mail.
 */
import type { Effect, Schema } from "effect"
import type { Timestamp } from "../schema/Text.ts"
import type { StorageError } from "../storage/Storage.ts"
import { type JobRow, type JobStatus } from "./Job.ts"
import { type LeasedRow } from "./LeasedWork.ts"

/** Kind of the items of readers, of deliveries to integrations, of webhooks, and of mails. The other items are jobs. */
export const readerKind = "event-reader"
export const deliveryKind = "delivery"
export const webhookKind = "webhook"
export const mailKind = "mail"

export interface WorkItem {
  /**
   * Id of a job; `reader:` and a reader; `receiver:` and a receiver with queued events; `event:` and one event;
   * `webhook:` and a webhook; `mail:` and a mail.
   */
  readonly id: string
  /** Kind of a job, `event-reader`, `delivery`, `webhook`, or `mail`. */
  readonly kind: string
  readonly status: JobStatus
  /** Number of attempts started since the last success. Absent for an event. */
  readonly attempts?: number
  /** Time of the next attempt while the work waits. */
  readonly nextRunAt?: Timestamp
  /** Message of the last failure, at most 1,000 characters. */
  readonly failure?: string
  /** Times of a job or a mail, and input of a job. */
  readonly createdAt?: Timestamp
  readonly updatedAt?: Timestamp
  readonly payload?: Schema.Json
  /** Id of the last event that a reader or a webhook handled or skipped. */
  readonly position?: string
  /** Number of events after the position, including those that the reader skips. */
  readonly lag?: number
  /** Name of the integration of a delivery, and the installation. A task can have none. */
  readonly integration?: string
  readonly installation?: string
  /** Number of events that wait for a receiver. */
  readonly waiting?: number
  /** Kind of the mail, such as `invitation`. */
  readonly mail?: string
}

/** Access to the items of one kind of work. */
export interface WorkList {
  readonly list: (status: JobStatus, limit: number) => Effect.Effect<ReadonlyArray<WorkItem>, StorageError>
  readonly get: (id: string) => Effect.Effect<WorkItem | undefined, StorageError>
  /** Makes failed work due now. Returns false if it does not exist or has not failed. */
  readonly retry: (id: string) => Effect.Effect<boolean, StorageError>
}

/** Returns the fields of a leased row that all items have. */
export const leasedItem = ({ attempts, lease, failure }: LeasedRow) => ({
  status: lease.holder === undefined ? ("waiting" as const) : ("running" as const),
  attempts,
  ...(lease.holder === undefined && { nextRunAt: lease.until }),
  ...(failure !== undefined && { failure })
})

/** Returns the item of a job. */
export const jobItem = ({ id, kind, status, payload, createdAt, updatedAt, ...row }: JobRow): WorkItem => {
  const { nextRunAt, ...fields } = leasedItem(row)
  return { id, kind, ...fields, status, ...(status === "waiting" && { nextRunAt }), createdAt, updatedAt, payload }
}
