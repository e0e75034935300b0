/**
 * Lets the host application handle events in order:
 *
 * ```ts
 * yield* subscriptions.on(["change_request_merged"], (event) => deploy(event.space), { reader: "deployments" })
 * ```
 *
 * With a `reader`, each event is delivered at least once, one at a time, to one of the processes that subscribe with
 * that name. The cursor is stored. If a process is killed, its event is delivered to another one after the lease of 60
 * seconds. A new reader starts at new events; then it misses no event for the 30 days that events are retained, even if
 * no process runs. Without a `reader`, the subscription starts at new events and ends with the process.
 *
 * A handler must be idempotent (`event.id` identifies an event). A failing handler blocks only its own reader (see
 * `EventReading`).
 *
 * Limits: 100 subscriptions per process; `EventReader` lists those of readers.
 */
import { Context, Effect, Layer, Schema, Scope } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { Ids } from "../identity/Ids.ts"
import * as LeasedWork from "../job/LeasedWork.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { unfenced, withoutFence } from "../storage/Fence.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { type Event, type EventOf, type EventType, eventTypes } from "./Event.ts"
import {
  newReader,
  EventReaderName,
  EventReaderTable,
  hostReader,
  hostReaders,
  maxReaders,
  ReaderInUse,
  TooManyReaders
} from "./EventReader.ts"
import { memoryReader, storedReader, readEvents, EventReadingOptions } from "./EventReading.ts"
import { Events } from "./Events.ts"

/** Maximum number of subscriptions per process. */
const maxSubscriptions = 100

const acceptSubscription = accepting(
  Schema.Struct({
    types: Schema.Array(Schema.Literals(eventTypes)).check(Schema.isMinLength(1), Schema.isMaxLength(1_000)),
    reader: Schema.optionalKey(EventReaderName)
  })
)

export interface SubscriptionOptions {
  /** Name of a durable cursor, 1 to 100 characters. Default: none; the subscription ends with the process. */
  readonly reader?: string
}

export type SubscriptionRefused = Forbidden | InvalidInput | ReaderInUse | TooManyReaders | StorageError

export class EventSubscriptions extends Context.Service<
  EventSubscriptions,
  {
    /**
     * Calls the handler for every future event of these types (at least one), until the scope closes. A running handler
     * then has 10 seconds to finish. For the host only.
     *
     * Fails with `Forbidden` for users, `InvalidInput` for an unknown type, `ReaderInUse` if this process already uses
     * the reader, and `TooManyReaders` above 100.
     */
    readonly on: <Type extends EventType, R = never>(
      types: ReadonlyArray<Type>,
      handler: (event: EventOf<Type>) => Effect.Effect<unknown, unknown, R>,
      options?: SubscriptionOptions
    ) => Effect.Effect<void, SubscriptionRefused, R | CurrentActor | Scope.Scope>
  }
>()("@lectern/core/event/EventSubscriptions") {
  static readonly layer = Layer.effect(
    EventSubscriptions,
    Effect.gen(function* () {
      const options = yield* EventReadingOptions
      const storage = yield* Storage
      const events = yield* Events
      const ids = yield* Ids
      const services = yield* Effect.context<Storage | Events>()
      const readers = storage.repository(EventReaderTable)
      /** Durable readers of this process, and its number of subscriptions. */
      const activeReaders = new Set<string>()
      let subscriptions = 0

      /** Reserves a reader name and a subscription until the scope closes. */
      const register = (name: string | undefined) =>
        Effect.acquireRelease(
          Effect.suspend((): Effect.Effect<void, ReaderInUse | TooManyReaders> => {
            if (name !== undefined && activeReaders.has(name)) {
              return new ReaderInUse({ message: `This process already has a subscription with the reader "${name}"` })
            }
            if (subscriptions >= maxSubscriptions) {
              return new TooManyReaders({
                message: `The limit of ${maxSubscriptions} subscriptions for a process is reached`
              })
            }
            subscriptions++
            if (name !== undefined) activeReaders.add(name)
            return Effect.void
          }),
          () =>
            Effect.sync(() => {
              subscriptions--
              if (name !== undefined) activeReaders.delete(name)
            })
        )

      /** Creates a new reader at the current end of events. An existing reader with a failure becomes due. */
      const open = (reader: string) =>
        storage.transaction(
          Effect.gen(function* () {
            const existingReader = yield* readers.get({ reader })
            if (existingReader !== undefined) return yield* LeasedWork.retry(storage, EventReaderTable, { reader })
            if ((yield* readers.count(hostReaders)) >= maxReaders) {
              return yield* new TooManyReaders({ message: `The limit of ${maxReaders} readers of events is reached` })
            }
            yield* readers.insert(newReader(reader, yield* events.end, yield* Timestamps.now)).pipe(cannotConflict)
            return false
          })
        )

      const openReader = Effect.fnUntraced(function* (name: string | undefined) {
        if (name === undefined) return memoryReader(newReader("", yield* events.end, yield* Timestamps.now))
        yield* open(hostReader(name))
        return yield* Effect.provideContext(storedReader(hostReader(name)), services)
      })

      const subscribe = Effect.fn("EventSubscriptions.on")(function* (
        requestedTypes: ReadonlyArray<EventType>,
        handle: (event: Event) => Effect.Effect<unknown, unknown>,
        { reader: name, ...unknownOptions }: SubscriptionOptions = {}
      ) {
        yield* requireHost("subscribe to events")
        const { types, reader } = yield* acceptSubscription({
          ...unknownOptions,
          types: requestedTypes,
          ...(name !== undefined && { reader: name })
        })
        yield* register(reader)
        const reading = { types, handle, reader: yield* openReader(reader) }
        const loop = yield* readEvents(yield* ids.next, reading, options).pipe(Effect.provideContext(services))
        yield* loop.start.pipe(
          Effect.provideService(Scope.Scope, yield* Effect.scope),
          Effect.annotateLogs({ reader: reader ?? "(none)" }),
          Effect.provideContext(services),
          unfenced
        )
      })

      return EventSubscriptions.of({
        on: <Type extends EventType, R>(
          types: ReadonlyArray<Type>,
          handler: (event: EventOf<Type>) => Effect.Effect<unknown, unknown, R>,
          options?: SubscriptionOptions
        ) =>
          Effect.flatMap(Effect.context<R>(), (context) =>
            subscribe(
              types,
              // The cast is safe, since only events of the subscribed types are read.
              (event) =>
                Effect.provideContext(
                  Effect.suspend(() => handler(event as EventOf<Type>)),
                  withoutFence(context)
                ),
              options
            )
          )
      })
    })
  )
}
