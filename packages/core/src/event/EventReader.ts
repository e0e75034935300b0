/**
 * A durable reader of events, which the host names: how far it has come, and whose turn it is where
 * several processes share it. One process at a time holds the reader, under a lease; the cursor
 * moves on behind an event when its handler has ended well.
 *
 * | state          | claim    | renew | advance     | fail        | release     |
 * | -------------- | -------- | ----- | ----------- | ----------- | ----------- |
 * | free           | held (1) | -     | -           | -           | -           |
 * | held           | held (2) | held  | held        | free, later | free        |
 *
 * 1. when it is due: at once, or after the pause that follows a failure
 * 2. by another process, when the lease is over
 *
 * Limits: a name of 1 to 100 characters; 100 readers in a store; a failure is told in 1,000 characters.
 */
import { Schema } from "effect"
import { pause } from "../job/JobState.ts"
import { between, Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { Patch } from "../storage/Storage.ts"
import * as Table from "../storage/Table.ts"
import { EventId } from "./EventKind.ts"

/** How many durable readers the host may name in a store. */
export const maxReaders = 100

export const EventReaderName = between(1, 100)

export const EventReaderRow = Schema.Struct({
  reader: Schema.String,
  /** The last event that was handled, or passed over. */
  after: EventId,
  /** The process that holds the reader; absent while nobody does. */
  claim: Schema.optionalKey(Schema.String),
  /** While the reader is held, when the lease ends; otherwise when it may be claimed. */
  dueAt: Timestamp,
  /** How often the event behind the cursor has failed. */
  attempts: Schema.Int,
  /** Why the event behind the cursor failed last, in words. */
  failure: Schema.optionalKey(Schema.String)
})
export type EventReaderRow = typeof EventReaderRow.Type

export const EventReaderTable = Table.make("eventReader", EventReaderRow, { key: ["reader"] })

/** Prefix of the names of hosts' readers, apart from the readers of the core. */
const ofHosts = "host:"

/** The key of a reader that the host has named. */
export const hostReader = (name: string): string => `${ofHosts}${name}`

/** Every reader that a host has named. */
export const hostReaders = { reader: { prefix: ofHosts } } as const

/** A durable reader as the host sees it. */
export interface EventReader {
  readonly reader: string
  /** The id of the last event that was handled, or passed over. */
  readonly after: string
  /** How often the next event has failed; 0 where nothing is wrong. */
  readonly attempts: number
  /** Why the next event failed last, in at most 1,000 characters. */
  readonly failure?: string
  /** When the next event is tried again, where it has failed. */
  readonly retryAt?: Timestamp
}

/** Another subscription of this process reads by this name. */
export class ReaderTaken extends Schema.TaggedError<ReaderTaken>()("ReaderTaken", { message: Schema.String }) {}

/** There are as many durable readers as there may be. */
export class TooManyReaders extends Schema.TaggedError<TooManyReaders>()("TooManyReaders", {
  message: Schema.String
}) {}

/** A reader that nobody holds, at this place. */
export const begin = (reader: string, after: EventId, now: Timestamp): EventReaderRow => ({
  reader,
  after,
  dueAt: now,
  attempts: 0
})

/** Tells whether the reader can be claimed now: it is free and due, or its lease is over. */
export const isDue = ({ dueAt }: Pick<EventReaderRow, "dueAt">, now: Timestamp): boolean => dueAt <= now

/** Lends the reader for `lease` milliseconds. */
export const claim = (claim: string, now: Timestamp, lease: number): Patch<EventReaderRow> => ({
  claim,
  dueAt: later(now, lease)
})

/** Gives the reader back after an event that failed, to be tried again after a pause that grows with the attempts. */
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

/** Gives the reader back. */
export const release = (now: Timestamp): Patch<EventReaderRow> => ({ claim: undefined, dueAt: now })

/** Moves the cursor on: what had failed before it is over. */
export const advance = (after: EventId): Patch<EventReaderRow> => ({ after, attempts: 0, failure: undefined })

/** The reader as the host sees it. */
export const present = ({ reader, after, attempts, failure, dueAt }: EventReaderRow): EventReader => ({
  reader: reader.slice(ofHosts.length),
  after,
  attempts,
  ...(failure !== undefined && { failure }),
  ...(attempts > 0 && { retryAt: dueAt })
})

const later = (now: Timestamp, millis: number) => Timestamps.at(Date.parse(now) + millis)
