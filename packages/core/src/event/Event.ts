/**
 * A domain event says what has happened, in the transaction in which it did. It names what it is
 * about by ids and tells as little more as its readers need: they look up the rest.
 *
 * A new kind of event is one line in `<Concept>Concept.ts` of the concept that tells of it, one in the service
 * that causes it, and one in `audit/AuditActions.ts`.
 */
import { Schema } from "effect"
import type { Changes } from "../audit/Changes.ts"
import { concepts } from "../Concepts.ts"
import * as Table from "../storage/Table.ts"

type Kind = (typeof concepts)[number]["events"][number]

const kinds = concepts.flatMap(({ events }): ReadonlyArray<Kind> => events)

export const Event = Schema.Union(kinds)
export type Event = typeof Event.Type
export type EventType = Event["type"]

/** The events of one type, or of several. */
export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>

/** Every type of events that there is. */
export const eventTypes: ReadonlyArray<EventType> = kinds.map(({ fields }) => fields.type.literal)

type Told<E> = E extends Event ? Omit<E, "id" | "actor" | "createdAt"> : never

/** An event as a service tells it: time, actor and id are added. */
export type NewEvent = Told<Event>

/** Words for the audit log beside an event (see `AuditActions`), which the event does not keep. */
export interface EventDetails {
  /** Name of whom or what it happened to. */
  readonly label?: string
  /** Small fields before and after. */
  readonly changes?: Changes
  /** Ids and small values, of which nothing opens anything. */
  readonly payload?: { readonly [name: string]: Schema.Json }
}

export const EventTable = Table.make<Event, "id">("event", Event, { key: ["id"] })
