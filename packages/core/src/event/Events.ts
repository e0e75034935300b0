/**
 * Outbox: events are written in the transaction of their change, and read by cursor in commit order. Deliveries to
 * integrations and the audit log read from it.
 *
 * ```ts
 * yield* events.emit({ type: "space_updated", organization, space: id })          // in the transaction
 *
 * const { events: found, after } = yield* events.read({ after: yield* events.cursor("mirror") })
 * yield* storage.transaction(Effect.andThen(store(found), events.advance("mirror", after)))
 * ```
 *
 * Events are retained for 30 days (see `EventRetention`). A reader that stops for longer misses removed events. Several
 * processes may write to one store: the store assigns ids in the order of commits.
 */
import { Context, Effect, Layer, Option } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { Ids } from "../identity/Ids.ts"
import { WorkSignal } from "../job/WorkSignal.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import {
  type EmittedEvent,
  type Event,
  type EventDetails,
  type EventOf,
  EventTable,
  type EventType,
  type NewEvent
} from "./Event.ts"
import { EventId } from "./EventKind.ts"
import { newReader, EventReaderTable } from "./EventReader.ts"

export interface EventsRead {
  readonly events: ReadonlyArray<Event>
  /** Cursor after all events that were read, including those of other types. */
  readonly after: EventId
  /** True if there may be more events. */
  readonly hasMore: boolean
}

type Listener = (event: EmittedEvent, details?: EventDetails) => Effect.Effect<void, StorageError>

/** Maximum number of events per read. */
const maxEvents = 200

export class Events extends Context.Service<
  Events,
  {
    /**
     * Writes an event. Must run inside a transaction. The current actor becomes the event's actor. `details` are for
     * the audit log.
     */
    readonly emit: (event: NewEvent, details?: EventDetails) => Effect.Effect<void, StorageError>
    /**
     * Registers an effect that runs in the transaction of each event of these types, after the event. Every process
     * must register it.
     */
    readonly listen: <Type extends EventType>(
      types: ReadonlyArray<Type>,
      then: (event: EmittedEvent<EventOf<Type>>, details?: EventDetails) => Effect.Effect<void, StorageError>
    ) => Effect.Effect<void>
    /** Returns events after the cursor, optionally of some types. Reads at most 200 events. */
    readonly read: (options: {
      readonly after: EventId
      readonly types?: ReadonlyArray<EventType>
    }) => Effect.Effect<EventsRead, StorageError>
    /** Returns the cursor of a reader. A new reader starts after the last event. */
    readonly cursor: (reader: string) => Effect.Effect<EventId, StorageError>
    /** Stores the cursor of a reader. Run it in the transaction that stores the results. */
    readonly advance: (reader: string, after: EventId) => Effect.Effect<void, StorageError>
    /** Opens when this process writes an event. */
    readonly signal: WorkSignal
    /** Cursor after all existing events. */
    readonly end: Effect.Effect<EventId, StorageError>
  }
>()("@lectern/core/event/Events") {
  static readonly layer = Layer.effect(
    Events,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const events = storage.repository(EventTable)
      const cursors = storage.repository(EventReaderTable)
      const signal = new WorkSignal()
      const followers = new Map<EventType, Array<Listener>>()
      const announce = signal.announce(storage)

      const endCursor = Effect.map(
        events.list({ where: {}, descending: true, limit: 1 }),
        ([event]) => event?.id ?? EventId.make("")
      )

      return Events.of({
        end: endCursor,
        signal,

        emit: Effect.fnUntraced(function* (event, details) {
          const actor = yield* Effect.serviceOption(CurrentActor)
          const emitted: EmittedEvent = {
            ...event,
            actor: Option.isSome(actor) ? userOf(actor.value) : null,
            createdAt: yield* Timestamps.now
          }
          const idAfter = yield* ids.following
          yield* events.append((last) => ({ ...emitted, id: EventId.make(idAfter(last)) }))
          for (const listener of followers.get(emitted.type) ?? []) yield* listener(emitted, details)
          yield* announce
        }),

        listen: (types, listener) =>
          Effect.sync(() => {
            for (const type of types) {
              const typeListeners = followers.get(type)
              if (typeListeners === undefined) followers.set(type, [listener as Listener])
              else typeListeners.push(listener as Listener)
            }
          }),

        read: Effect.fnUntraced(function* ({ after, types }) {
          const foundEvents = yield* events.list({ where: {}, after: [after], limit: maxEvents })
          const wantedTypes = types && new Set(types)
          return {
            events: wantedTypes === undefined ? foundEvents : foundEvents.filter(({ type }) => wantedTypes.has(type)),
            after: foundEvents.at(-1)?.id ?? after,
            hasMore: foundEvents.length === maxEvents
          }
        }),

        cursor: Effect.fnUntraced(function* (reader) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              const existingReader = yield* cursors.get({ reader })
              if (existingReader !== undefined) return existingReader.after
              const lastId = yield* endCursor
              yield* cursors.insert(newReader(reader, lastId, yield* Timestamps.now)).pipe(cannotConflict)
              return lastId
            })
          )
        }),

        advance: (reader, after) => Effect.asVoid(cursors.update({ reader }, { after }))
      })
    })
  )
}
