/**
 * Lets the host application follow what happens, in the order in which it happened:
 *
 * ```ts
 * yield* subscriptions.on(["change_request_merged"], (event) => deploy(event.space), { reader: "deployments" })
 * ```
 *
 * With a `reader`, each event is delivered at least once, by whichever process subscribes with that
 * name, one event at a time: the cursor is in the store, and a process that is killed leaves its
 * event to the next, once its lease of 60 seconds is over. A new reader begins now; from then on it
 * misses nothing while no process runs, for the 30 days that events are kept. Without a `reader`,
 * the subscription begins now and is gone with the process.
 *
 * A handler has to bear the same event twice (`event.id` tells); while it fails, only its own reader
 * waits (see `EventReading`).
 *
 * Limits: 100 subscriptions in a process; see `EventReader` for those of readers.
 */
import { Context, Duration, Effect, Fiber, Schema, type Scope } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { requireHost } from "../access/HostOnly.ts"
import { Ids } from "../identity/Ids.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { type Event, type EventOf, type EventType, eventTypes } from "./Event.ts"
import {
  begin,
  EventReaderName,
  EventReaderTable,
  hostReader,
  hostReaders,
  maxReaders,
  ReaderTaken,
  TooManyReaders
} from "./EventReader.ts"
import { keptHere, keptInStore, reading, EventReadingOptions } from "./EventReading.ts"
import { Events } from "./Events.ts"
import { wired } from "../wiring/Wired.ts"

/** How many subscriptions a process may have at once. */
const maxSubscriptions = 100

const acceptSubscription = accepting(
  Schema.Struct({
    types: Schema.Array(Schema.Literals(eventTypes)).check(Schema.isMinLength(1), Schema.isMaxLength(1_000)),
    reader: Schema.optionalKey(EventReaderName)
  })
)

export interface SubscriptionOptions {
  /** The name of a durable cursor, 1 to 100 characters. Default: none, the subscription is gone with the process. */
  readonly reader?: string
}

export type SubscriptionRefused = Forbidden | InvalidInput | ReaderTaken | TooManyReaders | StorageError

export class EventSubscriptions extends Context.Service<
  EventSubscriptions,
  {
    /**
     * Hands every event of these types (1 or more) that happens from now on to the handler, until the
     * scope closes; a handler that runs then has 10 seconds to end. For the host application alone.
     *
     * Fails with `Forbidden` for users, `InvalidInput` for a type that does not exist, `ReaderTaken`
     * where this process reads by that name already, and `TooManyReaders` beyond 100.
     */
    readonly on: <Type extends EventType, R = never>(
      types: ReadonlyArray<Type>,
      handler: (event: EventOf<Type>) => Effect.Effect<unknown, unknown, R>,
      options?: SubscriptionOptions
    ) => Effect.Effect<void, SubscriptionRefused, R | CurrentActor | Scope.Scope>
  }
>()("@lectern/core/event/EventSubscriptions") {
  static readonly layer = wired(
    EventSubscriptions,
    Effect.gen(function* () {
      const options = yield* EventReadingOptions
      const storage = yield* Storage
      const events = yield* Events
      const ids = yield* Ids
      const services = yield* Effect.context<Storage | Events>()
      const readers = storage.repository(EventReaderTable)
      const patience = options.patience ?? Duration.seconds(10)
      /** The durable readers of this process, and how many subscriptions it has. */
      const taken = new Set<string>()
      let subscriptions = 0

      /** Keeps a name, and a place among the subscriptions, until the scope closes. */
      const enrol = (name: string | undefined) =>
        Effect.acquireRelease(
          Effect.suspend((): Effect.Effect<void, ReaderTaken | TooManyReaders> => {
            if (name !== undefined && taken.has(name)) {
              return new ReaderTaken({ message: `This process reads events as "${name}" already` })
            }
            if (subscriptions >= maxSubscriptions) {
              return new TooManyReaders({ message: `A process may have ${maxSubscriptions} subscriptions` })
            }
            subscriptions++
            if (name !== undefined) taken.add(name)
            return Effect.void
          }),
          () =>
            Effect.sync(() => {
              subscriptions--
              if (name !== undefined) taken.delete(name)
            })
        )

      /** Makes the reader where it is new, so that it misses nothing from here on; one that had failed is due at once. */
      const open = (reader: string) =>
        storage.transaction(
          Effect.gen(function* () {
            const known = yield* readers.get({ reader })
            const now = yield* Timestamps.now
            if (known !== undefined) {
              if (known.claim === undefined && known.dueAt > now) yield* readers.update({ reader }, { dueAt: now })
              return
            }
            if ((yield* readers.count(hostReaders)) >= maxReaders) {
              return yield* new TooManyReaders({ message: `There may be ${maxReaders} readers of events` })
            }
            yield* readers.insert(begin(reader, yield* events.end, now)).pipe(cannotConflict)
          })
        )

      const keep = Effect.fnUntraced(function* (name: string | undefined) {
        if (name === undefined) return keptHere(begin("", yield* events.end, yield* Timestamps.now))
        yield* open(hostReader(name))
        return yield* Effect.provideContext(keptInStore(hostReader(name)), services)
      })

      const subscribe = Effect.fn("EventSubscriptions.on")(function* (
        wanted: ReadonlyArray<EventType>,
        handle: (event: Event) => Effect.Effect<unknown, unknown>,
        { reader: name }: SubscriptionOptions = {}
      ) {
        yield* requireHost("subscribe to events")
        const { types, reader } = yield* acceptSubscription({
          types: wanted,
          ...(name !== undefined && { reader: name })
        })
        yield* enrol(reader)
        const arrival = yield* events.arrivals
        const kept = yield* keep(reader)
        let isStopped = false
        const subscription = {
          claim: yield* ids.next,
          types,
          handle,
          kept,
          arrival,
          isStopped: () => isStopped
        }
        const fiber = yield* reading(subscription, options).pipe(
          Effect.annotateLogs({ reader: reader ?? "(none)" }),
          Effect.provideContext(services),
          Effect.forkDetach
        )
        yield* Effect.addFinalizer(() =>
          Effect.gen(function* () {
            isStopped = true
            yield* arrival.open
            yield* Effect.timeoutOption(Fiber.await(fiber), patience)
            yield* Fiber.interrupt(fiber)
          }).pipe(Effect.interruptible)
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
              // Only events of these types are read.
              (event) =>
                Effect.provideContext(
                  Effect.suspend(() => handler(event as EventOf<Type>)),
                  context
                ),
              options
            )
          )
      })
    }),
    [Events.layer]
  )
}
