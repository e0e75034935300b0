/**
 * Durable reader of events, named by the host: a cursor, and a lease that one process at a time holds. The cursor
 * advances when the handler of an event succeeds.
 *
 * | state          | claim    | renew | advance     | fail        | release     |
 * | -------------- | -------- | ----- | ----------- | ----------- | ----------- |
 * | free           | held (1) | -     | -           | -           | -           |
 * | held           | held (2) | held  | held        | free, later | free        |
 *
 * - (1) if the reader is due: immediately, or after the backoff of a failure
 * - (2) by another process, if the lease has ended
 *
 * Limits: a name of 1 to 100 characters; 100 readers per store; a failure message of 1,000 characters.
 */
import { Schema } from "effect"
import { pause } from "../job/JobState.ts"
import { between, Timestamp } from "../schema/Text.ts"
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
  /** Claim of the process that holds the reader. Absent if it is free. */
  claim: Schema.optionalKey(Schema.String),
  /** Held: end of the lease. Free: earliest next claim. */
  dueAt: Timestamp,
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
  dueAt: now,
  attempts: 0
})

/** True if the reader can be claimed: it is free and due, or its lease has ended. */
export const isDue = ({ dueAt }: Pick<EventReaderRow, "dueAt">, now: Timestamp): boolean => dueAt <= now

/** Claims the reader for `lease` milliseconds. */
export const claim = (claim: string, now: Timestamp, lease: number): Patch<EventReaderRow> => ({
  claim,
  dueAt: later(now, lease)
})

/** Releases the reader after a failed event. The backoff grows with the attempts. */
export const fail = (
  { attempts }: Pick<EventReaderRow, "attempts">,
  now: Timestamp,
  failure: string
): Patch<EventReaderRow> => ({
  claim: undefined,
  attempts: attempts + 1,
  failure,
  dueAt: later(now, pause(attempts + 1))
})

/** Releases the reader. */
export const release = (now: Timestamp): Patch<EventReaderRow> => ({ claim: undefined, dueAt: now })

/** Advances the cursor and clears the failure. */
export const advance = (after: EventId): Patch<EventReaderRow> => ({ after, attempts: 0, failure: undefined })

/** Converts a row to the form returned to the host. */
export const present = ({ reader, after, attempts, failure, dueAt }: EventReaderRow): EventReader => ({
  reader: reader.slice(hostPrefix.length),
  after,
  attempts,
  ...(failure !== undefined && { failure }),
  ...(attempts > 0 && { retryAt: dueAt })
})

const later = (now: Timestamp, millis: number) => Timestamps.at(Date.parse(now) + millis)
