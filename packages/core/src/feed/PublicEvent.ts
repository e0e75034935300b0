/**
 * An event as the interface returns it: the stored event with its type. Events refer to resources by their ids, and
 * contain no names and no texts.
 *
 * Limits: 50 events per page by default, at most 200; 100 types in a filter. A page examines at most 1,000 events, so it
 * may have few events or none although more follow.
 */
import { Schema } from "effect"
import { type Event, eventKinds, eventTypes, type EventType } from "../event/Event.ts"
import { EventId } from "../event/EventKind.ts"
import * as Text from "../schema/Text.ts"

export const defaultEvents = 50
export const maxEvents = 200

/** An event as an API resource. */
export type PublicEvent = Event & { readonly object: "event" }

/** Returns the name of a kind in `/openapi.json`, such as `CommentPostedEvent` for `comment_posted`. */
const nameOf = (type: string): string =>
  `${type.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())}Event`

/** One schema for each kind. */
export const PublicEvent: Schema.Codec<PublicEvent> = Schema.Union(
  eventKinds.map((kind) =>
    Schema.Struct({ object: Schema.Literal("event"), ...kind.fields }).annotate({
      identifier: nameOf(kind.fields.type.literal)
    })
  )
).annotate({ identifier: "Event" }) as never

/** Returns an event as a resource. */
export const publicEvent = (event: Event): PublicEvent => ({ object: "event", ...event })

export const EventTypeName = Schema.Literals(eventTypes as ReadonlyArray<EventType>)

/** A position in the feed: the id of an event, which need not be visible. */
const Cursor = Schema.String.check(
  Schema.makeFilter((text) => /^[1-9A-HJ-NP-Za-km-z]{22}$/.test(text) || "Expected `after` of an earlier response")
).pipe(Schema.brand("EventId"))

export const EventFilter = Schema.Struct({
  types: Schema.optionalKey(Schema.Array(EventTypeName).check(Schema.isMaxLength(100))).annotateKey({
    description: "Types of events. Returns only these events. Default: all."
  }),
  space: Schema.optionalKey(Text.between(1, 100)).annotateKey({
    description: "Id of a space. Returns only events about the space and its content."
  })
})
export type EventFilter = typeof EventFilter.Type

export const EventQuery = Schema.Struct({
  ...EventFilter.fields,
  after: Schema.optionalKey(Cursor).annotateKey({
    description: "Position: `after` of an earlier response, or the id of an event. Returns only later events."
  }),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maxEvents }))).annotateKey({
    description: `The maximum number of events. Default: ${defaultEvents}.`
  })
})
export type EventQuery = typeof EventQuery.Type

/** A page of the feed. */
export const EventPage = Schema.Struct({
  items: Schema.Array(PublicEvent),
  /** Position after all examined events, for the next request. */
  after: EventId,
  /** True if more events may follow. */
  hasMore: Schema.Boolean
})
export interface EventPage extends Schema.Schema.Type<typeof EventPage> {}

/** Raised if events after the position were removed, or the position is not of this server. */
export class EventPositionExpired extends Schema.TaggedError<EventPositionExpired>()(
  "EventPositionExpired",
  { message: Schema.String },
  { httpApiStatus: 410 }
) {}

/** Raised if a token has the maximum number of open streams. */
export class TooManyEventStreams extends Schema.TaggedError<TooManyEventStreams>()(
  "TooManyEventStreams",
  { message: Schema.String },
  { httpApiStatus: 429 }
) {}

/** Returns true if a filter selects the event. */
export const matches = ({ types, space }: EventFilter, event: Event): boolean =>
  (types === undefined || types.includes(event.type)) &&
  (space === undefined || ("space" in event && event.space === space))
