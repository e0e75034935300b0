/**
 * Durable reader of events, named by the host: a cursor, and a lease that one process at a time holds. The cursor
 * advances when the handler of an event succeeds. After a failure the lease is free, and can be claimed after a backoff.
 *
 * Limits: a name of 1 to 100 characters; 100 readers per store; a failure message of 1,000 characters.
 */
import { Schema } from "effect"
import * as Lease from "../job/Lease.ts"
import { leasedFields } from "../job/LeasedWork.ts"
import { between, type Timestamp } from "../schema/Text.ts"
import * as Table from "../storage/Table.ts"
import { EventId } from "./EventKind.ts"

/** Maximum number of durable readers of the host per store. */
export const maxReaders = 100

export const EventReaderName = between(1, 100)

export const EventReaderRow = Schema.Struct({
  reader: Schema.String,
  /** Last event that was handled or skipped. */
  after: EventId,
  ...leasedFields
})
export type EventReaderRow = typeof EventReaderRow.Type

export const EventReaderTable = Table.make("eventReader", EventReaderRow, {
  key: ["reader"],
  derived: { due: ({ lease }: EventReaderRow) => lease.until },
  indexes: [["due"]]
})

/** Prefix of keys of the host's readers. The core's readers have none. */
const hostPrefix = "host:"

/** Returns the key of a host's reader. */
export const hostReader = (name: string): string => `${hostPrefix}${name}`

/** Condition that matches all readers of the host. */
export const hostReaders = { reader: { prefix: hostPrefix } } as const

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
