/**
 * Reads events for one subscription, in order, as leased work (see `WorkLoop`): reads after the cursor, claims the
 * reader, calls the handler for each event, and advances the cursor. A failed event is retried after 5 seconds, with a
 * backoff that doubles up to an hour.
 *
 * The cursor is stored under a lease (durable reader) or kept in memory. Events of other types are skipped. Their
 * cursor is written only about once per 200 reads.
 */
import { Context, Effect } from "effect"
import * as Lease from "../job/Lease.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import { type Claimant, makeLoop, type WorkOptions, type WorkSource } from "../job/WorkLoop.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, Storage, type Patch, type StorageError } from "../storage/Storage.ts"
import type { Event, EventType } from "./Event.ts"
import { EventId } from "./EventKind.ts"
import { newReader, EventReaderTable, type EventReaderRow } from "./EventReader.ts"
import { Events, type EventsRead } from "./Events.ts"

/** Access to the row of a reader. */
interface ReaderAccess {
  readonly read: Effect.Effect<EventReaderRow, StorageError>
  /** Patches the row. Returns the patched row, or undefined if there was no patch. */
  readonly change: (
    patchOf: (row: EventReaderRow) => Patch<EventReaderRow> | undefined
  ) => Effect.Effect<EventReaderRow | undefined, StorageError>
  readonly lease: (claim: Lease.Claim) => LeasedWork.LeaseAccess
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
    lease: () => ({ fence: undefined, renew: () => Effect.succeed(true) })
  }
}

/** Cursor before all events. */
export const startOfEvents = EventId.make("")

/**
 * Accesses a stored reader. A reader without a row starts at new events, or at `start`. So does a reader that is removed
 * meanwhile.
 */
export const storedReader = Effect.fnUntraced(function* (reader: string, start?: EventId) {
  const storage = yield* Storage
  const events = yield* Events
  const readers = storage.repository(EventReaderTable)
  const readRow = Effect.gen(function* () {
    const row = yield* readers.get({ reader })
    if (row !== undefined) return row
    const firstRow = newReader(reader, start ?? (yield* events.end), yield* Timestamps.now)
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
    lease: (claim) => LeasedWork.leaseAccess(storage, EventReaderTable, { reader }, claim)
  } satisfies ReaderAccess
})

/** Options of event readers. The default lease is 60 seconds. */
export const EventReadingOptions = Context.Reference<WorkOptions>("@lectern/core/event/EventReadingOptions", {
  defaultValue: () => ({})
})

/** Maximum number of reads without matching events before the cursor is written. */
const maxUnwrittenReads = 200

interface Reading {
  readonly types: ReadonlyArray<EventType>
  readonly handle: (event: Event) => Effect.Effect<unknown, unknown>
  readonly reader: ReaderAccess
}

/** Events after the cursor of a claimed reader. */
export interface EventBatch extends EventsRead {
  readonly claim: Lease.Claim
  /** Cursor after the last event that was handled. Undefined if the handler has not succeeded yet. */
  handledTo?: EventId
}

/** Returns the events of a reader as a source of work. */
export const eventSource = Effect.fnUntraced(function* ({ types, handle, reader }: Reading) {
  const events = yield* Events
  /** Cursor after skipped events. Not stored yet. */
  let skippedTo = startOfEvents
  let unwrittenReads = 0

  const changeHeldRow = (claim: Lease.Claim, patchOf: (row: EventReaderRow) => Patch<EventReaderRow>) =>
    Effect.asVoid(reader.change((row) => (Lease.isHeld(row.lease, claim) ? patchOf(row) : undefined)))

  /** Writes the cursor after skipped events, if no other process has changed the reader. */
  const skip = ({ after }: EventReaderRow) =>
    reader.change((row) => (row.after === after && row.lease.holder === undefined ? { after: skippedTo } : undefined))

  const claim = Effect.fnUntraced(function* ({ holder, duration }: Claimant) {
    const row = yield* reader.read
    const now = yield* Timestamps.now
    if (!Lease.isExpired(row.lease, now)) return { items: [], nextAt: Date.parse(row.lease.until) }
    const batch = yield* events.read({ after: row.after > skippedTo ? row.after : skippedTo, types })
    if (batch.events.length === 0) {
      if (batch.after !== skippedTo) unwrittenReads++
      skippedTo = batch.after
      if (batch.hasMore || unwrittenReads >= maxUnwrittenReads) {
        yield* skip(row)
        unwrittenReads = 0
      }
      return { items: [], ...(batch.hasMore && { nextAt: 0 }) }
    }
    const claimedRow = yield* reader.change((current) =>
      Lease.isExpired(current.lease, now) && current.after === row.after
        ? LeasedWork.claim(current, holder, now, duration)
        : undefined
    )
    return {
      items: claimedRow === undefined ? [] : [{ ...batch, claim: { holder, number: claimedRow.lease.number } }],
      nextAt: 0
    }
  })

  /** Calls the handler for the events of a batch. The cursor advances after each event, the last time at the end. */
  const run = Effect.fnUntraced(function* (batch: EventBatch, isStopping: () => boolean) {
    const lastIndex = batch.events.length - 1
    for (const [i, event] of batch.events.entries()) {
      yield* handle(event)
      batch.handledTo = i === lastIndex ? batch.after : event.id
      if (i === lastIndex || isStopping()) return
      // The next event starts its first attempt.
      const after = batch.handledTo
      yield* changeHeldRow(batch.claim, () => ({ after, attempts: 1, failure: undefined }))
    }
  })

  const source: WorkSource<EventBatch> = {
    name: "handler of events",
    table: EventReaderTable,
    signal: events.signal,
    concurrency: () => 1,
    claim,
    lease: ({ claim }) => reader.lease(claim),
    run,
    complete: ({ claim, handledTo }) =>
      Effect.flatMap(Timestamps.now, (now) =>
        changeHeldRow(claim, (row) => ({ ...LeasedWork.succeed(row, now), after: handledTo ?? row.after }))
      ),
    release: ({ claim }) =>
      Effect.flatMap(Timestamps.now, (now) => changeHeldRow(claim, (row) => LeasedWork.release(row, now))),
    fail: ({ claim }, { reason }) =>
      Effect.flatMap(Timestamps.now, (now) => changeHeldRow(claim, (row) => LeasedWork.fail(row, now, reason))),
    logFields: () => ({})
  }
  return source
})

/**
 * Returns the loop of a subscription. `holder`: unique name of the subscription, since several subscriptions, also in
 * other processes, may share a reader.
 */
export const readEvents = Effect.fnUntraced(function* (holder: string, reading: Reading, options: WorkOptions) {
  return makeLoop(yield* eventSource(reading), holder, { lease: { seconds: 60 }, ...options })
})
