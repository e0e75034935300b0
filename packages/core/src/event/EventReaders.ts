/**
 * Inspection of the host's durable readers (see `EventSubscriptions`): position and last failure of each. For the host
 * only.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { type EventReader, EventReaderTable, hostReader, hostReaders, present } from "./EventReader.ts"

export class EventReaders extends Context.Service<
  EventReaders,
  {
    /**
     * Lists all durable readers by name, at most 100, including those without a subscription. `Forbidden` for users.
     */
    readonly list: Effect.Effect<ReadonlyArray<EventReader>, Forbidden | StorageError, CurrentActor>
    /**
     * Removes a durable reader and returns true if it existed. The next subscription with its name starts at new
     * events. A running subscription continues. `Forbidden` for users.
     */
    readonly remove: (reader: string) => Effect.Effect<boolean, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/event/EventReaders") {
  static readonly layer = Layer.effect(
    EventReaders,
    Effect.gen(function* () {
      const readers = (yield* Storage).repository(EventReaderTable)

      return EventReaders.of({
        list: Effect.gen(function* () {
          yield* requireHost("look after readers of events")
          return (yield* readers.list({ where: hostReaders })).map(present)
        }),

        remove: Effect.fn("EventReaders.remove")(function* (reader) {
          yield* requireHost("look after readers of events")
          return (yield* readers.remove({ reader: hostReader(reader) })) > 0
        })
      })
    })
  )
}
