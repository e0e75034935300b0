/**
 * Domain event: describes a change, and is written in the transaction of that change. It refers to resources by id and
 * has only the fields that its readers need.
 *
 * A new kind of event needs one line in `<Concept>Concept.ts` of its concept, one in the service that causes it, and
 * one in `audit/AuditActions.ts`.
 */
import { Duration, Schema } from "effect"
import type { Changes } from "../audit/Changes.ts"
import { concepts } from "../Concepts.ts"
import * as Table from "../storage/Table.ts"

type Kind = (typeof concepts)[number]["events"][number]

/** Time after which events are removed. */
export const eventRetention = Duration.days(30)

/** Schemas of all kinds of events. */
export const eventKinds = concepts.flatMap(({ events }): ReadonlyArray<Kind> => events)

export const Event = Schema.Union(eventKinds)
export type Event = typeof Event.Type
export type EventType = Event["type"]

/** Events of one type or several. */
export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>

/** All event types. */
export const eventTypes: ReadonlyArray<EventType> = eventKinds.map(({ fields }) => fields.type.literal)

type NewFields<E> = E extends Event ? Omit<E, "id" | "actor" | "createdAt"> : never

/** Event as passed to `Events.emit`, which adds time, actor and id. */
export type NewEvent = NewFields<Event>

/** Event in the transaction that emits it. The store assigns its id in the order of commits. */
export type EmittedEvent<E extends Event = Event> = E extends Event ? Omit<E, "id"> : never

/** Details for the audit log (see `AuditActions`). Not stored in the event. */
export interface EventDetails {
  /** Display name of the changed resource. */
  readonly label?: string
  /** Changed fields, before and after. */
  readonly changes?: Changes
  /** Ids and small values. Must not contain secrets. */
  readonly payload?: { readonly [name: string]: Schema.Json }
}

export const EventTable = Table.make<Event, "id", {}, {}, readonly ["organization", "id"]>("event", Event, {
  key: ["id"],
  indexes: [["organization", "id"]]
})
