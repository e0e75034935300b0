/**
 * Reads events for one subscription, one after another, until it is told to stop: looks behind the
 * cursor, claims the reader, hands each event to the handler and moves the cursor on. A handler that
 * fails gets the same event again, after 5 seconds, then twice as long each time, at most an hour.
 *
 * Where the cursor is kept is the reader's: in the store under a lease, or in this process alone.
 * Events of other types are passed over without a write, but for one write in about 200 of them.
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
  begin,
  claim as claimed,
  EventReaderTable,
  type EventReaderRow,
  fail,
  isDue,
  release
} from "./EventReader.ts"
import { Events } from "./Events.ts"

/** Access to a reader's row. */
interface Kept {
  readonly read: Effect.Effect<EventReaderRow, StorageError>
  /** Patches the row and tells whether there was a patch. */
  readonly change: (
    patchOf: (row: EventReaderRow) => Patch<EventReaderRow> | undefined
  ) => Effect.Effect<boolean, StorageError>
}

/** A row in this process alone. */
export const keptHere = (first: EventReaderRow): Kept => {
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

/** A row in the store, which is there; one that is removed meanwhile begins anew. */
export const keptInStore = Effect.fnUntraced(function* (reader: string) {
  const storage = yield* Storage
  const events = yield* Events
  const readers = storage.repository(EventReaderTable)
  const read = Effect.gen(function* () {
    const row = yield* readers.get({ reader })
    if (row !== undefined) return row
    const first = begin(reader, yield* events.end, yield* Timestamps.now)
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
  } satisfies Kept
})

export interface ReadingOptions {
  /** How long a process holds a reader without a sign of life. Default: 60 seconds. */
  readonly lease?: Duration.Duration
  /** How often to look for the events of other processes. Default: 5 seconds. */
  readonly poll?: Duration.Duration
  /** How long a handler that runs may take to finish when its subscription ends. Default: 10 seconds. */
  readonly patience?: Duration.Duration
}

export const EventReadingOptions = Context.Reference<ReadingOptions>("@lectern/core/event/EventReadingOptions", {
  defaultValue: () => ({})
})

/** How often the cursor of a reader may fall behind by events of other types before it is written. */
const mostUnwritten = 200

interface Reading {
  /** Tells this subscription from others with the same reader. */
  readonly claim: string
  readonly types: ReadonlyArray<EventType>
  readonly handle: (event: Event) => Effect.Effect<unknown, unknown>
  readonly kept: Kept
  /** Opened when there may be something new, and when the reading is to stop. */
  readonly arrival: Latch.Latch
  readonly isStopped: () => boolean
}

export const reading = Effect.fnUntraced(function* (
  { claim, types, handle, kept, arrival, isStopped }: Reading,
  options: ReadingOptions
) {
  const events = yield* Events
  const lease = Duration.toMillis(options.lease ?? Duration.seconds(60))
  const poll = Duration.toMillis(options.poll ?? Duration.seconds(5))
  /** Behind what was passed over and not written down. */
  let passed = (yield* kept.read).after
  let unwritten = 0

  /** Changes the row where it is still this subscription's. */
  const settle = (patchOf: (row: EventReaderRow) => Patch<EventReaderRow>) =>
    kept.change((row) => (row.claim === claim ? patchOf(row) : undefined))

  const giveBack = Effect.flatMap(Timestamps.now, (now) => settle(() => release(now)))

  /** Keeps the lease; ends when it is lost. */
  const renewing = Effect.sleep(lease / 3).pipe(
    Effect.andThen(Timestamps.now),
    Effect.flatMap((now) => settle(() => claimed(claim, now, lease))),
    Effect.catch((failure) => Effect.as(Effect.logWarning("A lease of a reader could not be renewed", failure), true)),
    Effect.repeat({ while: (isOurs) => isOurs })
  )

  /** Hands one event over, and tells whether the next may follow. */
  const deliver = Effect.fnUntraced(function* (event: Event, after: EventId, isLast: boolean) {
    const exit = yield* Effect.raceFirst(Effect.exit(handle(event)), Effect.as(renewing, undefined))
    if (exit === undefined) {
      yield* Effect.logWarning("A reader was lost to another process: its lease had ended")
      return false
    }
    const now = yield* Timestamps.now
    if (Exit.isSuccess(exit)) {
      const isOver = isLast || isStopped()
      const isOurs = yield* settle(() => ({ ...advance(after), ...(isOver && release(now)) }))
      return isOurs && !isOver
    }
    // What is cut off by a shutdown has not failed.
    if (isStopped()) {
      yield* settle(() => release(now))
      return false
    }
    const reason = reasonOf(Cause.squash(exit.cause))
    yield* Effect.logWarning(`A handler of the event ${event.type} failed: ${reason}`)
    yield* settle((row) => fail(row, now, reason))
    return false
  })

  const wait = (millis: number) => Effect.raceFirst(arrival.await, Effect.sleep(Math.max(1, Math.min(poll, millis))))

  const round = Effect.gen(function* () {
    yield* arrival.close
    if (isStopped()) return
    const row = yield* kept.read
    const now = yield* Timestamps.now
    if (!isDue(row, now)) return yield* pauseUntil(row.dueAt)
    const from = row.after > passed ? row.after : passed
    const found = yield* events.read({ after: from, types })
    const [first] = found.events
    if (first === undefined) {
      if (found.after !== passed) unwritten++
      passed = found.after
      if (found.more || unwritten >= mostUnwritten) {
        yield* kept.change(passOver(row))
        unwritten = 0
      }
      if (!found.more) yield* wait(poll)
      return
    }
    const isOurs = yield* kept.change((current) =>
      isDue(current, now) && current.after === row.after ? claimed(claim, now, lease) : undefined
    )
    if (!isOurs) return
    const last = found.events.length - 1
    yield* Effect.gen(function* () {
      for (const [i, event] of found.events.entries()) {
        const after = i === last ? found.after : event.id
        if (!(yield* deliver(event, after, i === last && !found.more))) return
      }
      yield* giveBack
    }).pipe(Effect.onInterrupt(() => Effect.exit(giveBack)))
  })

  const passOver = (row: EventReaderRow) => (current: EventReaderRow) =>
    current.after === row.after && current.claim === undefined ? { after: passed } : undefined

  /** A new event wakes nobody before that: it is behind the one that failed. */
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
