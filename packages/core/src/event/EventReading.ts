/**
 * Reads events for one subscription, in order, until it is stopped: reads after the cursor, claims the reader, calls
 * the handler for each event, and advances the cursor. A failed event is retried after 5 seconds, with a backoff that
 * doubles up to an hour.
 *
 * The cursor is stored under a lease (durable reader) or kept in memory. Events of other types are skipped. Their
 * cursor is written only about once per 200 reads.
 */
import { Cause, Clock, Context, Duration, Effect, Exit, type Latch } from "effect"
import { reasonOf } from "../job/Job.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type Patch, type StorageError } from "../storage/Storage.ts"
import type { Event, EventType } from "./Event.ts"
import type { EventId } from "./EventKind.ts"
import {
  advance,
  newReader,
  claim as claimed,
  EventReaderTable,
  type EventReaderRow,
  fail,
  isDue,
  release
} from "./EventReader.ts"
import { Events } from "./Events.ts"

/** Access to the row of a reader. */
interface ReaderAccess {
  readonly read: Effect.Effect<EventReaderRow, StorageError>
  /** Patches the row. Returns true if there was a patch. */
  readonly change: (
    patchOf: (row: EventReaderRow) => Patch<EventReaderRow> | undefined
  ) => Effect.Effect<boolean, StorageError>
}

/** Creates a reader in memory. */
export const memoryReader = (first: EventReaderRow): ReaderAccess => {
  let row = first
  return {
    read: Effect.sync(() => row),
    change: (patchOf) =>
      Effect.sync(() => {
        const patch = patchOf(row)
        if (patch !== undefined) row = applyPatch(EventReaderTable, row, patch)
        return patch !== undefined
      })
  }
}

/** Accesses a stored reader. A reader that is removed meanwhile starts at new events. */
export const storedReader = Effect.fnUntraced(function* (reader: string) {
  const storage = yield* Storage
  const events = yield* Events
  const readers = storage.repository(EventReaderTable)
  const read = Effect.gen(function* () {
    const row = yield* readers.get({ reader })
    if (row !== undefined) return row
    const first = newReader(reader, yield* events.end, yield* Timestamps.now)
    yield* readers.insert(first).pipe(cannotConflict)
    return first
  })
  return {
    read: Effect.flatMap(readers.get({ reader }), (row) =>
      row === undefined ? storage.transaction(read) : Effect.succeed(row)
    ),
    change: (patchOf) =>
      storage.transaction(
        Effect.gen(function* () {
          const patch = patchOf(yield* read)
          if (patch === undefined) return false
          yield* readers.update({ reader }, patch)
          return true
        })
      )
  } satisfies ReaderAccess
})

export interface ReadingOptions {
  /** Duration of a lease. Default: 60 seconds. */
  readonly lease?: Duration.Duration
  /** Interval between polls for events of other processes. Default: 5 seconds. */
  readonly poll?: Duration.Duration
  /** Maximum wait for a running handler when its subscription ends. Default: 10 seconds. */
  readonly shutdownTimeout?: Duration.Duration
}

export const EventReadingOptions = Context.Reference<ReadingOptions>("@lectern/core/event/EventReadingOptions", {
  defaultValue: () => ({})
})

/** Maximum number of reads without matching events before the cursor is written. */
const maxUnwrittenReads = 200

interface Reading {
  /** Identifies this subscription among those with the same reader. */
  readonly claim: string
  readonly types: ReadonlyArray<EventType>
  readonly handle: (event: Event) => Effect.Effect<unknown, unknown>
  readonly reader: ReaderAccess
  /** Opened when there may be new events, and to stop reading. */
  readonly arrival: Latch.Latch
  readonly isStopped: () => boolean
}

export const readEvents = Effect.fnUntraced(function* (
  { claim, types, handle, reader, arrival, isStopped }: Reading,
  options: ReadingOptions
) {
  const events = yield* Events
  const lease = Duration.toMillis(options.lease ?? Duration.seconds(60))
  const poll = Duration.toMillis(options.poll ?? Duration.seconds(5))
  /** Cursor after skipped events. Not stored yet. */
  let skippedTo = (yield* reader.read).after
  let unwrittenReads = 0

  /** Changes the row if this subscription holds the reader. */
  const changeOwn = (patchOf: (row: EventReaderRow) => Patch<EventReaderRow>) =>
    reader.change((row) => (row.claim === claim ? patchOf(row) : undefined))

  const releaseReader = Effect.flatMap(Timestamps.now, (now) => changeOwn(() => release(now)))

  /** Renews the lease of the reader until this process no longer holds the lease. */
  const renewLease = Effect.sleep(lease / 3).pipe(
    Effect.andThen(Timestamps.now),
    Effect.flatMap((now) => changeOwn(() => claimed(claim, now, lease))),
    Effect.catch((failure) => Effect.as(Effect.logWarning("A lease of a reader could not be renewed", failure), true)),
    Effect.repeat({ while: (isOurs) => isOurs })
  )

  /** Calls the handler for one event. Returns true if the next event may follow. */
  const deliver = Effect.fnUntraced(function* (event: Event, after: EventId, isLast: boolean) {
    const exit = yield* Effect.raceFirst(Effect.exit(handle(event)), Effect.as(renewLease, undefined))
    if (exit === undefined) {
      yield* Effect.logWarning("A reader was lost to another process: its lease had ended")
      return false
    }
    const now = yield* Timestamps.now
    if (Exit.isSuccess(exit)) {
      const isOver = isLast || isStopped()
      const isOurs = yield* changeOwn(() => ({ ...advance(after), ...(isOver && release(now)) }))
      return isOurs && !isOver
    }
    // An interruption by a shutdown is not a failure.
    if (isStopped()) {
      yield* changeOwn(() => release(now))
      return false
    }
    const reason = reasonOf(Cause.squash(exit.cause))
    yield* Effect.logWarning(`A handler of the event ${event.type} failed: ${reason}`)
    yield* changeOwn((row) => fail(row, now, reason))
    return false
  })

  const wait = (millis: number) => Effect.raceFirst(arrival.await, Effect.sleep(Math.max(1, Math.min(poll, millis))))

  const round = Effect.gen(function* () {
    yield* arrival.close
    if (isStopped()) return
    const row = yield* reader.read
    const now = yield* Timestamps.now
    if (!isDue(row, now)) return yield* pauseUntil(row.dueAt)
    const from = row.after > skippedTo ? row.after : skippedTo
    const found = yield* events.read({ after: from, types })
    const [first] = found.events
    if (first === undefined) {
      if (found.after !== skippedTo) unwrittenReads++
      skippedTo = found.after
      if (found.hasMore || unwrittenReads >= maxUnwrittenReads) {
        yield* reader.change(skip(row))
        unwrittenReads = 0
      }
      if (!found.hasMore) yield* wait(poll)
      return
    }
    const isOurs = yield* reader.change((current) =>
      isDue(current, now) && current.after === row.after ? claimed(claim, now, lease) : undefined
    )
    if (!isOurs) return
    const last = found.events.length - 1
    yield* Effect.gen(function* () {
      for (const [i, event] of found.events.entries()) {
        const after = i === last ? found.after : event.id
        if (!(yield* deliver(event, after, i === last && !found.hasMore))) return
      }
      yield* releaseReader
    }).pipe(Effect.onInterrupt(() => Effect.exit(releaseReader)))
  })

  const skip = (row: EventReaderRow) => (current: EventReaderRow) =>
    current.after === row.after && current.claim === undefined ? { after: skippedTo } : undefined

  /** New events do not end the wait, since they come after the failed one. */
  const pauseUntil = Effect.fnUntraced(function* (dueAt: string) {
    const millis = Date.parse(dueAt) - (yield* Clock.currentTimeMillis)
    yield* isStopped() ? Effect.void : wait(millis)
  })

  yield* round.pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logWarning("The events can't be read", cause), isStopped() ? Effect.void : wait(poll))
    ),
    Effect.repeat({ while: () => !isStopped() })
  )
})
