/**
 * A domain event says what has happened, in the transaction in which it did. It names what it is
 * about by ids and tells as little more as its readers need: they look up the rest.
 *
 * A new kind of event is one line here and one in the service that causes it.
 */
import { Schema } from "effect"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { RevisionId } from "../content/Revision.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { UserId } from "../user/User.ts"

export const EventId = Schema.String.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

const event = <const Type extends string, Fields extends Schema.Struct.Fields>(type: Type, fields: Fields) =>
  Schema.Struct({
    /** In the order of commits: what a reader has not seen yet is behind what it has. */
    id: EventId,
    type: Schema.Literal(type),
    organization: OrganizationId,
    /** Who did it; null for the host application and for background work. */
    actor: Schema.NullOr(UserId),
    createdAt: Timestamp,
    ...fields
  })

const space = { space: SpaceId }
const changeRequest = { space: SpaceId, changeRequest: ChangeRequestId }

export const Event = Schema.Union([
  event("organization_created", {}),
  event("organization_updated", {}),
  event("member_joined", { user: UserId }),
  event("member_updated", { user: UserId }),
  event("member_removed", { user: UserId }),

  event("space_created", space),
  event("space_updated", space),
  /** The main content has a new revision, by a merge or directly. */
  event("space_content_updated", { ...space, revision: RevisionId }),
  /** The new space is `space`. */
  event("space_duplicated", { ...space, from: SpaceId }),
  /** `from`: the organization it was of before. */
  event("space_transferred", { ...space, from: OrganizationId }),
  /** Put in the trash. */
  event("space_deleted", space),
  event("space_restored", space),
  /** Gone from the trash for good. */
  event("space_removed", space),

  event("change_request_created", changeRequest),
  /** Its subject, description or status. */
  event("change_request_updated", changeRequest),
  event("change_request_content_updated", { ...changeRequest, revision: RevisionId }),
  event("change_request_merged", { ...changeRequest, revision: RevisionId })
])
export type Event = typeof Event.Type
export type EventType = Event["type"]

type Told<E> = E extends Event ? Omit<E, "id" | "actor" | "createdAt"> : never

/** What a service tells; the rest follows from where and when it does. */
export type NewEvent = Told<Event>

export const EventTable = Table.make<Event, "id">("event", Event, { key: ["id"] })

/** How far a reader has come. */
const EventCursor = Schema.Struct({ reader: Schema.String, after: EventId })

export const EventCursorTable = Table.make("eventCursor", EventCursor, { key: ["reader"] })
