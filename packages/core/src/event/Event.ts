/**
 * A domain event says what has happened, in the transaction in which it did. It names what it is
 * about by ids and tells as little more as its readers need: they look up the rest.
 *
 * A new kind of event is one line here and one in the service that causes it.
 */
import { Schema } from "effect"
import { ContentKind, GrantRow } from "../grant/Grant.ts"
import { Role } from "../access/Role.ts"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { CollectionId } from "../collection/Collection.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Direction as GitDirection } from "../git/GitSync.ts"
import { InstallationId, PlacementKind } from "../integration/Installation.ts"
import { IntegrationKey } from "../integration/Integration.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Timestamp } from "../schema/Text.ts"
import { SiteId } from "../site/Site.ts"
import { SamlProviderId } from "../sso/SamlProvider.ts"
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
    /** The user who did it; null for the host application and for background work. */
    actor: Schema.NullOr(UserId),
    createdAt: Timestamp,
    ...fields
  })

const { holderKind, holder } = GrantRow.fields

/** The content that a grant is on, and the user or team that holds the grant. */
const grant = { content: Schema.Struct({ kind: ContentKind, id: Schema.String }), holderKind, holder }
const collection = { collection: CollectionId }
const space = { space: SpaceId }
const team = { team: Schema.String }
const comment = { space: SpaceId, comment: Schema.String, changeRequest: Schema.optionalKey(ChangeRequestId) }
const site = { site: SiteId }
const openApiSpec = { spec: Schema.String }
const translation = { translation: Schema.String }
const samlProvider = { provider: SamlProviderId }
const integration = { integration: IntegrationKey }
const installation = { ...integration, installation: InstallationId }
const placement = { ...installation, content: Schema.Struct({ kind: PlacementKind, id: Schema.String }) }
const changeRequest = { space: SpaceId, changeRequest: ChangeRequestId }

export const Event = Schema.Union([
  event("organization_created", {}),
  event("organization_updated", {}),
  event("invitation_sent", { invitation: Schema.String }),
  /** Declined, or taken back; who accepts one has joined. */
  event("invitation_removed", { invitation: Schema.String }),
  event("member_joined", { user: UserId }),
  event("member_updated", { user: UserId }),
  event("member_removed", { user: UserId }),

  /** Given, or given another role. */
  event("grant_changed", { ...grant, role: Role }),
  /** Taken back. Those on content that goes, or that changes its organization, are not told of one by one. */
  event("grant_removed", grant),

  event("collection_created", collection),
  event("collection_updated", collection),
  /** Into another one, or to another place in the same. */
  event("collection_moved", collection),
  /** Each one that goes along is told of, and each space. `from`: the organization it was of before. */
  event("collection_transferred", { ...collection, from: OrganizationId }),
  /** Each one in it is told of, and each space: those are in the trash. */
  event("collection_deleted", collection),

  event("space_created", space),
  event("space_updated", space),
  event("space_visibility_updated", { ...space, previousVisibility: Schema.String, visibility: Schema.String }),
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

  /** `direction`: from the repository or to it. */
  event("space_gitsync_started", { ...space, direction: GitDirection }),
  /** The revision that the space has then, and the commit that it is in step with. */
  event("space_gitsync_completed", {
    ...space,
    direction: GitDirection,
    state: Schema.Literals(["success", "failure"]),
    revision: RevisionId,
    commit: Schema.optionalKey(Schema.String)
  }),

  event("team_created", team),
  event("team_updated", team),
  event("team_members_updated", team),
  event("team_deleted", team),

  event("site_created", site),
  /** Its settings, or what is kept with it: share links, redirects, customization. */
  event("site_updated", site),
  event("site_structure_updated", site),
  event("site_published", site),
  event("site_unpublished", site),
  event("site_deleted", site),

  event("openapi_spec_created", openApiSpec),
  /** The spec's visibility changed, or it is to be processed anew. */
  event("openapi_spec_updated", openApiSpec),
  /** With success or without; it may have a new version. */
  event("openapi_spec_processed", openApiSpec),
  event("openapi_spec_deleted", openApiSpec),

  event("translation_created", translation),
  event("translation_updated", translation),
  /** With success or without; it may have a new result. */
  event("translation_finished", translation),
  event("translation_deleted", translation),

  event("saml_provider_created", samlProvider),
  event("saml_provider_updated", samlProvider),
  event("saml_provider_deleted", samlProvider),
  event("member_signed_on", { ...samlProvider, user: UserId }),

  /** The first version, or the next one. */
  event("integration_published", integration),
  event("integration_unpublished", integration),
  event("installation_created", installation),
  event("installation_updated", installation),
  event("installation_removed", installation),
  event("placement_created", placement),
  event("placement_updated", placement),
  event("placement_removed", placement),

  event("change_request_created", changeRequest),
  /** Its subject, description or status. */
  event("change_request_updated", changeRequest),
  event("change_request_content_updated", { ...changeRequest, revision: RevisionId }),
  event("change_request_merged", { ...changeRequest, revision: RevisionId }),
  event("change_request_review_requested", { ...changeRequest, user: UserId }),
  /** The user is no longer asked for a review. */
  event("change_request_review_request_removed", { ...changeRequest, user: UserId }),
  event("change_request_reviewed", { ...changeRequest, review: Schema.String }),

  event("comment_posted", comment),
  /** The comment's text, status, reactions or replies changed. */
  event("comment_updated", comment),
  event("comment_deleted", comment)
])
export type Event = typeof Event.Type
export type EventType = Event["type"]

/** The events of one type, or of several. */
export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>

/** Every type of events that there is. */
export const eventTypes: ReadonlyArray<EventType> = Event.members.map(({ fields }) => fields.type.literal)

type Told<E> = E extends Event ? Omit<E, "id" | "actor" | "createdAt"> : never

/** An event as a service tells it: time, actor and id are added. */
export type NewEvent = Told<Event>

export const EventTable = Table.make<Event, "id">("event", Event, { key: ["id"] })
