/**
 * Streams of new events to many readers of this process. One loop follows the events of all organizations: it is woken by
 * the commits of this process, and polls once a second for commits of other processes while streams are open. Each batch
 * of events is read once, and filtered once for each actor.
 *
 * Every 15 seconds each stream gets a message without events, with the current position. Before each message the right of
 * the actor is checked: a stream ends at most 15 seconds after its token or membership, and no event is sent later.
 *
 * Limits: 10 streams for each token, or for each user without a token; 100 messages until a slow reader's stream ends. The
 * reader continues at its last position.
 */
import { type Cause, Clock, type Context, Effect, Queue, type Scope, Stream } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import type { EventId } from "../event/EventKind.ts"
import { Events } from "../event/Events.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { idleWait } from "../time/IdleWait.ts"
import { Tokens } from "../token/Tokens.ts"
import { makeEventVisibility } from "./EventVisibility.ts"
import { type EventFilter, matches, publicEvent, type PublicEvent, TooManyEventStreams } from "./PublicEvent.ts"

const maxStreams = 10
const maxMessages = 100
const keepAliveMillis = 15_000
const pollMillis = 1_000

/** Events, or none to keep the connection open. */
export interface FeedMessage {
  readonly events: ReadonlyArray<PublicEvent>
  /** Position after the message. */
  readonly after: EventId
}

interface StreamOptions {
  readonly organization: OrganizationId
  readonly filter: EventFilter
  readonly actor: Actor
}

/** An open stream. */
export interface EventStream {
  /** Starts to receive events after a position. Returns false if earlier events have to be read first. */
  readonly attach: (after: EventId) => Effect.Effect<boolean>
  readonly end: () => void
  readonly messages: Stream.Stream<FeedMessage>
}

interface Subscriber extends StreamOptions {
  readonly queue: Queue.Queue<FeedMessage, Cause.Done>
  /** Organization and actor as a key. Subscribers with equal keys may see the same events, so these are filtered once. */
  readonly reader: string
  /** Position after the last message. */
  after: EventId
}

/** Returns the name under which the streams of an actor are counted. Undefined if they are not limited. */
const countedName = (actor: Actor): string | undefined => {
  if (actor.type !== "user") return undefined
  return actor.token === undefined ? `user ${actor.user}` : `token ${actor.token}`
}

export const makeEventStreams = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const access = yield* Access
  const tokens = yield* Tokens
  const visibility = yield* makeEventVisibility
  const scope = yield* Effect.scope
  const context = yield* Effect.context<never>()
  const subscribers = new Set<Subscriber>()
  const openStreams = new Map<string, number>()
  /** Position up to which subscribers have all events. Undefined without subscribers. */
  let position: EventId | undefined
  let isRunning = false

  const end = (subscriber: Subscriber) => {
    subscribers.delete(subscriber)
    Queue.endUnsafe(subscriber.queue)
  }
  yield* Effect.addFinalizer(() => Effect.sync(() => subscribers.forEach(end)))

  /** Adds a message. Ends the stream of a reader that is too slow. */
  const send = (subscriber: Subscriber, message: FeedMessage) => {
    const after = message.after > subscriber.after ? message.after : subscriber.after
    if (Queue.offerUnsafe(subscriber.queue, { ...message, after })) subscriber.after = after
    else end(subscriber)
  }

  /** Returns the membership of an actor; undefined if its token or membership has ended. */
  const membershipOf = Effect.fnUntraced(function* ({
    organization,
    actor
  }: Subscriber): Effect.fn.Return<Membership | undefined, StorageError> {
    if (actor.type === "user" && actor.token !== undefined && !(yield* tokens.isValid(actor.token))) return undefined
    return yield* Effect.provideService(access.membership(organization), CurrentActor, actor)
  })

  /**
   * Sends a message to each of the subscribers. `eventsFor` returns the events that a member may see. Subscribers with
   * one reader share them.
   */
  const sendAll = Effect.fnUntraced(function* (
    receivers: ReadonlyArray<Subscriber>,
    after: EventId,
    eventsFor: (member: Membership) => ReadonlyArray<PublicEvent>,
    isKeepAlive: boolean
  ) {
    for (const sameReader of Map.groupBy(receivers, ({ reader }) => reader).values()) {
      const member = yield* membershipOf(sameReader[0]!)
      if (member === undefined) {
        sameReader.forEach(end)
        continue
      }
      const visible = eventsFor(member)
      for (const subscriber of sameReader) {
        if (!subscribers.has(subscriber)) continue
        const selected = visible.filter(({ id }) => id > subscriber.after).filter((e) => matches(subscriber.filter, e))
        if (selected.length > 0 || isKeepAlive) send(subscriber, { events: selected, after })
      }
    }
  })

  /** Sends all events after the position. */
  const deliver = Effect.gen(function* () {
    for (let hasMore = true; hasMore && position !== undefined;) {
      const batch = yield* events.read({ after: position })
      hasMore = batch.hasMore
      for (const [organization, organizationEvents] of Map.groupBy(batch.events, (event) => event.organization)) {
        const receivers = [...subscribers].filter((subscriber) => subscriber.organization === organization)
        if (receivers.length === 0) continue
        const isVisible = yield* visibility(organizationEvents)
        const resources = new Map(organizationEvents.map((event) => [event, publicEvent(event)]))
        yield* sendAll(
          receivers,
          batch.after,
          (member) => organizationEvents.flatMap((event) => (isVisible(member, event) ? resources.get(event)! : [])),
          false
        )
      }
      position = batch.after
    }
  })

  const stop = () => {
    isRunning = false
    position = undefined
  }

  const keepAlive = Effect.suspend(() => sendAll([...subscribers], position!, () => [], true))

  /** Follows events until no subscriber remains. */
  const run: Effect.Effect<void> = Effect.gen(function* () {
    let generation: number | undefined
    let lastKeepAlive = yield* Clock.currentTimeMillis
    for (;;) {
      if (subscribers.size === 0) return stop()
      const next = events.signal.next
      const current = yield* storage.generation
      if (current !== generation) yield* deliver
      generation = current
      const now = yield* Clock.currentTimeMillis
      if (now - lastKeepAlive >= keepAliveMillis) {
        lastKeepAlive = now
        yield* keepAlive
      }
      yield* Effect.raceFirst(next.await, idleWait(pollMillis))
    }
  }).pipe(
    // After a failure, readers continue at their last position.
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.logWarning("Streams of events ended, since the store could not be read", cause),
        Effect.sync(() => {
          subscribers.forEach(end)
          stop()
        })
      )
    ),
    // The loop belongs to no reader.
    Effect.updateContext((): Context.Context<never> => context)
  )

  /** Counts a stream of the actor until the scope closes. */
  const count = (actor: Actor) => {
    const name = countedName(actor)
    if (name === undefined) return Effect.void
    const acquire = Effect.suspend(() => {
      const open = openStreams.get(name) ?? 0
      if (open >= maxStreams) {
        return Effect.fail(
          new TooManyEventStreams({ message: `A token has at most ${maxStreams} open streams of events: close one` })
        )
      }
      openStreams.set(name, open + 1)
      return Effect.void
    })
    const release = Effect.sync(() => {
      const open = openStreams.get(name)! - 1
      if (open === 0) openStreams.delete(name)
      else openStreams.set(name, open)
    })
    return Effect.acquireRelease(acquire, () => release)
  }

  return {
    /** Opens a stream until the scope closes. */
    open: Effect.fnUntraced(function* (
      options: StreamOptions
    ): Effect.fn.Return<EventStream, TooManyEventStreams | StorageError, Scope.Scope> {
      yield* count(options.actor)
      const queue = yield* Queue.dropping<FeedMessage, Cause.Done>(maxMessages)
      const { actor, organization } = options
      const reader = `${organization} ${countedName(actor) ?? actor.type}`
      const subscriber: Subscriber = { ...options, queue, reader, after: "" as EventId }
      yield* Effect.addFinalizer(() => Effect.sync(() => end(subscriber)))
      return {
        attach: (after) =>
          Effect.suspend(() => {
            if (position !== undefined && position > after) return Effect.succeed(false)
            subscriber.after = after
            subscribers.add(subscriber)
            position ??= after
            if (isRunning) return Effect.succeed(true)
            isRunning = true
            return Effect.as(Effect.forkIn(run, scope), true)
          }),
        end: () => end(subscriber),
        messages: Stream.fromQueue(queue)
      }
    })
  }
})
