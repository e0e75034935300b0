/**
 * Feed of the events of an organization, in the order of commits, for 30 days: page by page, or as a stream that follows
 * new events (see `EventStreams`). Each event is returned only if the actor may see it at the time of the request (see
 * `EventVisibility`).
 *
 * A reader that stores `after` of the last response receives each event at least once.
 */
import { Clock, Context, Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import type { Membership } from "../access/Access.ts"
import { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { type Event, eventRetention, EventTable } from "../event/Event.ts"
import { EventId } from "../event/EventKind.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { type FeedMessage, makeEventStreams } from "./EventStreams.ts"
import { makeEventVisibility } from "./EventVisibility.ts"
import {
  defaultEvents,
  type EventFilter,
  type EventPage,
  EventPositionExpired,
  EventQuery,
  matches,
  maxEvents,
  publicEvent,
  type PublicEvent,
  type TooManyEventStreams
} from "./PublicEvent.ts"

const accept = accepting(EventQuery, "query")

/** Maximum number of events that one page examines. */
const maxExamined = 1_000

type Failure = OrganizationNotFound | Forbidden | EventPositionExpired | InvalidInput | StorageError

export class EventFeed extends Context.Service<
  EventFeed,
  {
    /**
     * Lists events of an organization, oldest first, after a position. An event that the actor may not see does not
     * exist.
     *
     * @param query.after Position: `after` of an earlier result. Default: before the oldest event.
     * @throws {EventPositionExpired} For a position older than 30 days. Load the current state again, and start
     * without `after`.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @example
     * ```ts
     * const { items, after } = await lectern.organizations.events.list(organization.id, { types: ["comment_posted"] })
     * console.log(items.map(({ type }) => type), after)
     * ```
     */
    readonly list: (organization: OrganizationId, query: EventQuery) => Effect.Effect<EventPage, Failure, CurrentActor>
    /**
     * Returns a stream of events after a position, which continues with new ones. It ends when the actor's token or
     * membership ends, or if the reader is too slow. The stream is open until the scope closes.
     *
     * @param query.after Position: `after` of an earlier message. Default: now.
     * @throws {EventPositionExpired}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {TooManyEventStreams} If the token has 10 open streams.
     */
    readonly follow: (
      organization: OrganizationId,
      query: Omit<EventQuery, "limit">
    ) => Effect.Effect<
      Stream.Stream<FeedMessage, StorageError>,
      Failure | TooManyEventStreams,
      CurrentActor | Scope.Scope
    >
  }
>()("@lectern/core/feed/EventFeed") {
  static readonly layer = Layer.effect(
    EventFeed,
    Effect.gen(function* () {
      const events = yield* Events
      const { firstAt } = yield* Ids
      const organizations = yield* Organizations
      const visibility = yield* makeEventVisibility
      const streams = yield* makeEventStreams
      const rows = (yield* Storage).repository(EventTable)

      /** Fails if events after the position were removed. */
      const requirePosition = Effect.fnUntraced(function* (after: EventId) {
        const end = yield* events.end
        const retainedSince = firstAt((yield* Clock.currentTimeMillis) - Duration.toMillis(eventRetention))
        if (after <= end && (after >= retainedSince || after === end)) return
        return yield* new EventPositionExpired({
          message:
            after > end
              ? "The position is not of this server. Load the current state again, and start without `after`"
              : "Events are retained for 30 days, and the position is older. Load the current state again, and start without `after`"
        })
      })

      /** Reads a page of events that the member may see. */
      const readPage = Effect.fnUntraced(function* (
        { member, organization }: { readonly member: Membership; readonly organization: OrganizationId },
        position: EventId,
        filter: EventFilter,
        limit: number
      ) {
        // Read first, so that every event up to it is visible to the reads below.
        const end = yield* events.end
        const items: Array<PublicEvent> = []
        let after = position
        for (let examined = 0; examined < maxExamined;) {
          const slice: ReadonlyArray<Event> = yield* rows.list({
            where: { organization },
            after: [after],
            limit: maxEvents
          })
          const selected = slice.filter((event) => matches(filter, event))
          const isVisible = yield* visibility(selected)
          for (const event of slice) {
            if (items.length === limit) return { items, after, hasMore: true }
            if (selected.includes(event) && isVisible(member, event)) items.push(publicEvent(event))
            after = event.id
          }
          examined += slice.length
          if (slice.length < maxEvents) return { items, after: after > end ? after : end, hasMore: false }
        }
        return { items, after, hasMore: true }
      })

      return EventFeed.of({
        list: Effect.fn("EventFeed.list")(function* (organization, rawQuery) {
          const { after = EventId.make(""), limit = defaultEvents, ...filter } = yield* accept(rawQuery)
          const { member } = yield* organizations.require(organization, "see this organization")
          if (after !== "") yield* requirePosition(after)
          return yield* readPage({ member, organization }, after, filter, limit)
        }),

        follow: Effect.fn("EventFeed.follow")(function* (organization, rawQuery) {
          const { after, ...filter } = yield* accept(rawQuery)
          yield* organizations.require(organization, "see this organization")
          const start = after ?? (yield* events.end)
          if (after !== undefined) yield* requirePosition(after)
          const actor = yield* CurrentActor
          const stream = yield* streams.open({ organization, filter, actor })
          const isStarted = { events: [], after: start }
          // Reads earlier events until the position is that of the streams of this process.
          const earlier = Stream.paginate(start, (position) =>
            Effect.gen(function* () {
              const { member } = yield* organizations.require(organization, "see this organization")
              const page = yield* readPage({ member, organization }, position, filter, maxEvents)
              const isAttached = !page.hasMore && (yield* stream.attach(page.after))
              const message = { events: page.items, after: page.after }
              return [
                page.items.length === 0 ? [] : [message],
                isAttached ? Option.none() : Option.some(page.after)
              ] as const
            }).pipe(
              // The membership ended.
              Effect.catchTag(["OrganizationNotFound", "Forbidden"], () => {
                stream.end()
                return Effect.succeed([[], Option.none()] as const)
              }),
              Effect.provideService(CurrentActor, actor)
            )
          )
          return Stream.concat(Stream.concat(Stream.succeed(isStarted), earlier), stream.messages)
        })
      })
    })
  )
}
