/**
 * Durable reader of events, named by the host: a cursor, and a lease that one process at a time holds. The cursor
 * advances when the handler of an event succeeds. After a failure the lease is free, and can be claimed after a backoff.
 *
 * Limits: a name of 1 to 100 characters; 100 readers per store; a failure message of 1,000 characters.
 */
import { Schema } from "effect"
import { backoff } from "../job/Backoff.ts"
import * as Lease from "../job/Lease.ts"
import { between, type Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Patch } from "../storage/Storage.ts"
import * as Table from "../storage/Table.ts"
import { EventId } from "./EventKind.ts"

/** Maximum number of durable readers of the host per store. */
export const maxReaders = 100

export const EventReaderName = between(1, 100)

export const EventReaderRow = Schema.Struct({
  reader: Schema.String,
  /** Last event that was handled or skipped. */
  after: EventId,
  lease: Lease.Lease,
  /** Number of failed attempts for the next event. */
  attempts: Schema.Int,
  /** Message of the last failure of the next event. */
  failure: Schema.optionalKey(Schema.String)
})
export type EventReaderRow = typeof EventReaderRow.Type

export const EventReaderTable = Table.make("eventReader", EventReaderRow, { key: ["reader"] })

/** Prefix of keys of the host's readers. The core's readers have none. */
const hostPrefix = "host:"

/** Returns the key of a host's reader. */
export const hostReader = (name: string): string => `${hostPrefix}${name}`

/** Condition that matches all readers of the host. */
export const hostReaders = { reader: { prefix: hostPrefix } } as const

/** Durable reader as returned to the host. */
export interface EventReader {
  readonly reader: string
  /** Id of the last event that was handled or skipped. */
  readonly after: string
  /** Number of failed attempts for the next event. 0 if it has not failed. */
  readonly attempts: number
  /** Message of the last failure, at most 1,000 characters. */
  readonly failure?: string
  /** Time of the next attempt, after a failure. */
  readonly retryAt?: Timestamp
}

/** Raised if another subscription of this process uses the reader. */
export class ReaderInUse extends Schema.TaggedError<ReaderInUse>()("ReaderInUse", { message: Schema.String }) {}

/** Raised if the maximum number of readers or subscriptions is reached. */
export class TooManyReaders extends Schema.TaggedError<TooManyReaders>()("TooManyReaders", {
  message: Schema.String
}) {}

/** Creates a free reader at a position. */
export const newReader = (reader: string, after: EventId, now: Timestamp): EventReaderRow => ({
  reader,
  after,
  lease: Lease.free(now),
  attempts: 0
})

/** Releases the reader after a failed event. The backoff grows with the attempts. */
export const fail = ({ attempts, lease }: EventReaderRow, now: Timestamp, failure: string): Patch<EventReaderRow> => ({
  lease: Lease.release(lease, Timestamps.after(now, backoff(attempts + 1))),
  attempts: attempts + 1,
  failure
})

/** Advances the cursor and clears the failure. */
export const advance = (after: EventId): Patch<EventReaderRow> => ({ after, attempts: 0, failure: undefined })

/** Converts a row to the form returned to the host. */
export const present = ({ reader, after, attempts, failure, lease }: EventReaderRow): EventReader => ({
  reader: reader.slice(hostPrefix.length),
  after,
  attempts,
  ...(failure !== undefined && { failure }),
  ...(attempts > 0 && { retryAt: lease.until })
})
