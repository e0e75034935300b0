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
import * as Lease from "../job/Lease.ts"
import { runLeased } from "../job/LeasedRun.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type Patch, type StorageError } from "../storage/Storage.ts"
import type { Event, EventType } from "./Event.ts"
import type { EventId } from "./EventKind.ts"
import { advance, newReader, EventReaderTable, type EventReaderRow, fail } from "./EventReader.ts"
import { Events } from "./Events.ts"

/** Access to the row of a reader. */
interface ReaderAccess {
  readonly read: Effect.Effect<EventReaderRow, StorageError>
  /** Patches the row. Returns the patched row, or undefined if there was no patch. */
  readonly change: (
    patchOf: (row: EventReaderRow) => Patch<EventReaderRow> | undefined
  ) => Effect.Effect<EventReaderRow | undefined, StorageError>
  /** Returns the fence of a claim. Undefined if no other process can claim the reader. */
  readonly fence: (claim: Lease.Claim) => Effect.Effect<void, StorageError> | undefined
}

/** Creates a reader in memory. */
export const memoryReader = (firstRow: EventReaderRow): ReaderAccess => {
  let row = firstRow
  return {
    read: Effect.sync(() => row),
    change: (patchOf) =>
      Effect.sync(() => {
        const patch = patchOf(row)
        return patch && (row = applyPatch(EventReaderTable, row, patch))
      }),
    fence: () => undefined
  }
}

/** Accesses a stored reader. A reader that is removed meanwhile starts at new events. */
export const storedReader = Effect.fnUntraced(function* (reader: string) {
  const storage = yield* Storage
  const events = yield* Events
  const readers = storage.repository(EventReaderTable)
  const readRow = Effect.gen(function* () {
    const row = yield* readers.get({ reader })
    if (row !== undefined) return row
    const firstRow = newReader(reader, yield* events.end, yield* Timestamps.now)
    yield* readers.insert(firstRow).pipe(cannotConflict)
    return firstRow
  })
  return {
    read: Effect.flatMap(readers.get({ reader }), (row) =>
      row === undefined ? storage.transaction(readRow) : Effect.succeed(row)
    ),
    change: (patchOf) =>
      storage.transaction(
        Effect.gen(function* () {
          const row = yield* readRow
          const patch = patchOf(row)
          if (patch === undefined) return undefined
          yield* readers.update({ reader }, patch)
          return applyPatch(EventReaderTable, row, patch)
        })
      ),
    fence: (claim) =>
      Lease.fence(
        claim,
        Effect.map(readers.get({ reader }), (row) => row?.lease)
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
  readonly holder: string
  readonly types: ReadonlyArray<EventType>
  readonly handle: (event: Event) => Effect.Effect<unknown, unknown>
  readonly reader: ReaderAccess
  /** Opened when there may be new events, and to stop reading. */
  readonly arrival: Latch.Latch
  readonly isStopped: () => boolean
}

export const readEvents = Effect.fnUntraced(function* (
  { holder, types, handle, reader, arrival, isStopped }: Reading,
  options: ReadingOptions
) {
  const events = yield* Events
  const duration = Duration.toMillis(options.lease ?? Duration.seconds(60))
  const poll = Duration.toMillis(options.poll ?? Duration.seconds(5))
  /** Cursor after skipped events. Not stored yet. */
  let skippedTo = (yield* reader.read).after
  let unwrittenReads = 0

  /** Changes the row if the claim still holds the reader. Returns false otherwise. */
  const changeHeldRow = (claim: Lease.Claim, patchOf: (row: EventReaderRow) => Patch<EventReaderRow>) =>
    Effect.map(
      reader.change((row) => (Lease.isHeld(row.lease, claim) ? patchOf(row) : undefined)),
      (row) => row !== undefined
    )

  const releaseReader = (claim: Lease.Claim) =>
    Effect.flatMap(Timestamps.now, (now) => changeHeldRow(claim, ({ lease }) => ({ lease: Lease.release(lease, now) })))

  /** Calls the handler for one event. Returns true if the next event may follow. */
  const deliver = Effect.fnUntraced(function* (claim: Lease.Claim, event: Event, after: EventId, isLast: boolean) {
    const renew = Effect.flatMap(Timestamps.now, (now) =>
      changeHeldRow(claim, ({ lease }) => ({ lease: Lease.renew(lease, now, duration) }))
    )
    const exit = yield* runLeased(handle(event), { duration, fence: reader.fence(claim), renew })
    if (exit === undefined) return false
    const now = yield* Timestamps.now
    if (Exit.isSuccess(exit)) {
      const isOver = isLast || isStopped()
      const isOurs = yield* changeHeldRow(claim, ({ lease }) => ({
        ...advance(after),
        ...(isOver && { lease: Lease.release(lease, now) })
      }))
      return isOurs && !isOver
    }
    // An interruption by a shutdown is not a failure.
    if (isStopped()) {
      yield* releaseReader(claim)
      return false
    }
    const reason = reasonOf(Cause.squash(exit.cause))
    yield* Effect.logWarning(`A handler of the event ${event.type} failed: ${reason}`)
    yield* changeHeldRow(claim, (row) => fail(row, now, reason))
    return false
  })

  const wait = (millis: number) => Effect.raceFirst(arrival.await, Effect.sleep(Math.max(1, Math.min(poll, millis))))

  const readOnce = Effect.gen(function* () {
    yield* arrival.close
    if (isStopped()) return
    const row = yield* reader.read
    const now = yield* Timestamps.now
    if (!Lease.isExpired(row.lease, now)) return yield* pauseUntil(row.lease.until)
    const cursor = row.after > skippedTo ? row.after : skippedTo
    const batch = yield* events.read({ after: cursor, types })
    const [firstEvent] = batch.events
    if (firstEvent === undefined) {
      if (batch.after !== skippedTo) unwrittenReads++
      skippedTo = batch.after
      if (batch.hasMore || unwrittenReads >= maxUnwrittenReads) {
        yield* reader.change(skip(row))
        unwrittenReads = 0
      }
      if (!batch.hasMore) yield* wait(poll)
      return
    }
    const claimedRow = yield* reader.change(({ lease, after }) =>
      Lease.isExpired(lease, now) && after === row.after
        ? { lease: Lease.claim(lease, holder, now, duration) }
        : undefined
    )
    if (claimedRow === undefined) return
    const claim = { holder, number: claimedRow.lease.number }
    const lastIndex = batch.events.length - 1
    yield* Effect.gen(function* () {
      for (const [i, event] of batch.events.entries()) {
        const cursorAfter = i === lastIndex ? batch.after : event.id
        if (!(yield* deliver(claim, event, cursorAfter, i === lastIndex && !batch.hasMore))) return
      }
      yield* releaseReader(claim)
    }).pipe(Effect.onInterrupt(() => Effect.exit(releaseReader(claim))))
  })

  const skip = (row: EventReaderRow) => (current: EventReaderRow) =>
    current.after === row.after && current.lease.holder === undefined ? { after: skippedTo } : undefined

  /** New events do not end the wait, since they come after the failed one. */
  const pauseUntil = Effect.fnUntraced(function* (dueAt: string) {
    const millis = Date.parse(dueAt) - (yield* Clock.currentTimeMillis)
    yield* isStopped() ? Effect.void : wait(millis)
  })

  yield* readOnce.pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(Effect.logWarning("The events can't be read", cause), isStopped() ? Effect.void : wait(poll))
    ),
    Effect.repeat({ while: () => !isStopped() })
  )
})
