/**
 * The outbox: events are written in the transaction they are about, and read behind a cursor, in
 * the order of their commits. Deliveries to integrations and the audit log feed on it.
 *
 * ```ts
 * yield* events.emit({ type: "space_updated", organization, space: id })          // in the transaction
 *
 * const { events: found, after } = yield* events.read({ after: yield* events.cursor("mirror") })
 * yield* storage.transaction(Effect.andThen(store(found), events.advance("mirror", after)))
 * ```
 *
 * Events are kept for 30 days (see `EventRetention`); a reader that stands still for longer misses
 * what was removed. Several processes may write to the same store: each id is made behind the last
 * one, and transactions run one after another.
 */
import { Context, Effect, Latch, Option, type Scope } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { Ids } from "../identity/Ids.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { type Event, type EventDetails, type EventOf, EventTable, type EventType, type NewEvent } from "./Event.ts"
import { EventId } from "./EventKind.ts"
import { begin, EventReaderTable } from "./EventReader.ts"
import { wired } from "../wiring/Wired.ts"

export interface EventsRead {
  readonly events: ReadonlyArray<Event>
  /** Cursor to go on from: behind all events that were looked at, whether they were asked for or not. */
  readonly after: EventId
  /** True where there may be more events already. */
  readonly more: boolean
}

type Follower = (event: Event, details?: EventDetails) => Effect.Effect<void, StorageError>

/** How many events are looked at in one go. */
const slice = 200

export class Events extends Context.Service<
  Events,
  {
    /**
     * Part of the transaction around it, which there must be; whoever asks for that is the actor. `details` are for the
     * audit log.
     */
    readonly emit: (event: NewEvent, details?: EventDetails) => Effect.Effect<void, StorageError>
    /**
     * From now on, and on every process that asks for it, what is to be done in the transaction of each event of
     * these types, after the event itself.
     */
    readonly follow: <Type extends EventType>(
      types: ReadonlyArray<Type>,
      then: (event: EventOf<Type>, details?: EventDetails) => Effect.Effect<void, StorageError>
    ) => Effect.Effect<void>
    /** Events behind the cursor, of these types (default: all). At most 200 are looked at. */
    readonly read: (options: {
      readonly after: EventId
      readonly types?: ReadonlyArray<EventType>
    }) => Effect.Effect<EventsRead, StorageError>
    /** How far this reader has come. One that is new starts behind what there is. */
    readonly cursor: (reader: string) => Effect.Effect<EventId, StorageError>
    /** Remembers how far it has come: in the transaction with what it made of the events. */
    readonly advance: (reader: string, after: EventId) => Effect.Effect<void, StorageError>
    /** A latch for one reader, opened whenever this process has written an event: the reader closes the latch, and reads. */
    readonly arrivals: Effect.Effect<Latch.Latch, never, Scope.Scope>
    /** Cursor of a reader that has read nothing yet: behind all events there are. */
    readonly end: Effect.Effect<EventId, StorageError>
  }
>()("@lectern/core/event/Events") {
  static readonly layer = wired(
    Events,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const events = storage.repository(EventTable)
      const cursors = storage.repository(EventReaderTable)
      const latches = new Set<Latch.Latch>()
      const followers = new Map<EventType, Array<Follower>>()
      const announce = storage.afterCommit(
        Effect.sync(() => {
          for (const latch of latches) latch.openUnsafe()
        })
      )

      const last = events.list({ where: {}, descending: true, limit: 1 })

      const end = Effect.map(last, ([event]) => event?.id ?? EventId.make(""))

      /** An id behind all that were given out: clocks are set back. */
      const nextId = Effect.flatMap(last, ([event]) => (event === undefined ? ids.next : ids.behind(event.id)))

      return Events.of({
        end,

        arrivals: Effect.acquireRelease(
          Effect.tap(Latch.make(false), (latch) => Effect.sync(() => latches.add(latch))),
          (latch) => Effect.sync(() => latches.delete(latch))
        ),

        emit: Effect.fnUntraced(function* (event, details) {
          const actor = yield* Effect.serviceOption(CurrentActor)
          const row: Event = {
            ...event,
            id: EventId.make(yield* nextId),
            actor: Option.isSome(actor) ? userOf(actor.value) : null,
            createdAt: yield* Timestamps.now
          }
          yield* events.insert(row).pipe(cannotConflict)
          for (const then of followers.get(row.type) ?? []) yield* then(row, details)
          yield* announce
        }),

        follow: (types, then) =>
          Effect.sync(() => {
            for (const type of types) {
              const known = followers.get(type)
              if (known === undefined) followers.set(type, [then as Follower])
              else known.push(then as Follower)
            }
          }),

        read: Effect.fnUntraced(function* ({ after, types }) {
          const found = yield* events.list({ where: {}, after: [after], limit: slice })
          const wanted = types && new Set(types)
          return {
            events: wanted === undefined ? found : found.filter(({ type }) => wanted.has(type)),
            after: found.at(-1)?.id ?? after,
            more: found.length === slice
          }
        }),

        cursor: Effect.fnUntraced(function* (reader) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              const known = yield* cursors.get({ reader })
              if (known !== undefined) return known.after
              const after = yield* end
              yield* cursors.insert(begin(reader, after, yield* Timestamps.now)).pipe(cannotConflict)
              return after
            })
          )
        }),

        advance: (reader, after) => Effect.asVoid(cursors.update({ reader }, { after }))
      })
    })
  )
}
