/**
 * The durable readers that the host has named (see `EventSubscriptions`), for looking after them: how
 * far each has come, and what holds it up. Asked for by the host application alone.
 */
import { Context, Effect } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { type EventReader, EventReaderTable, hostReader, hostReaders, present } from "./EventReader.ts"
import { wired } from "../wiring/Wired.ts"

export class EventReaders extends Context.Service<
  EventReaders,
  {
    /** Lists every durable reader by name, 100 at most, whether a process subscribes with it or not. `Forbidden` for users. */
    readonly list: Effect.Effect<ReadonlyArray<EventReader>, Forbidden | StorageError, CurrentActor>
    /**
     * Forgets a durable reader and tells whether there was one: the next subscription with its name
     * begins anew. A subscription that runs goes on, under the same name. `Forbidden` for users.
     */
    readonly remove: (reader: string) => Effect.Effect<boolean, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/event/EventReaders") {
  static readonly layer = wired(
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
