/**
 * Actions that the audit log records: events that change permissions, and actions without an event. The compiler
 * rejects an event without a line here.
 */
import type { EventOf, EventType } from "../event/Event.ts"
import type { AuditEventAction } from "./AuditEvent.ts"

type Field<E> = Exclude<keyof E & string, "id" | "actor" | "createdAt" | "type">

interface AuditedEvent<E> {
  /** Field of the event that identifies the target. */
  readonly target: Field<E>
  /** Kind of the target. Default: the name of the field. */
  readonly kind?: string
  /** True to record the event only if a permission-related field changed, and not for names, texts or order. */
  readonly changed?: true
}

type AuditedEvents = { readonly [Type in EventType]: AuditedEvent<EventOf<Type>> | undefined }

/** Events about content or discussions, and events in addition to a recorded one, which are not recorded. */
const unaudited = undefined

export const auditedEvents: AuditedEvents = {
  organization_created: { target: "organization" },
  organization_updated: { target: "organization", changed: true },
  invitation_sent: { target: "invitation" },
  invitation_updated: { target: "invitation" },
  invitation_removed: { target: "invitation" },
  invite_link_created: { target: "link" },
  invite_link_updated: { target: "link" },
  invite_link_removed: { target: "link" },
  member_joined: { target: "user" },
  member_updated: { target: "user", changed: true },
  member_removed: { target: "user" },
  member_role_updated: unaudited,
  member_signed_on: { target: "user" },
  email_domain_proved: unaudited,
  email_domain_lost: unaudited,
  team_created: { target: "team" },
  team_updated: { target: "team", changed: true },
  team_members_updated: { target: "team", changed: true },
  team_deleted: { target: "team" },
  saml_provider_created: { target: "provider", kind: "saml-provider" },
  saml_provider_updated: { target: "provider", kind: "saml-provider" },
  saml_provider_deleted: { target: "provider", kind: "saml-provider" },
  oidc_provider_created: { target: "provider", kind: "oidc-provider" },
  oidc_provider_updated: { target: "provider", kind: "oidc-provider" },
  oidc_provider_deleted: { target: "provider", kind: "oidc-provider" },
  grant_changed: { target: "content" },
  grant_removed: { target: "content" },
  collection_created: { target: "collection" },
  collection_updated: { target: "collection", changed: true },
  collection_moved: { target: "collection", changed: true },
  collection_transferred: { target: "collection" },
  collection_deleted: { target: "collection" },
  space_created: { target: "space" },
  space_updated: { target: "space", changed: true },
  space_visibility_updated: { target: "space" },
  space_duplicated: { target: "space" },
  space_transferred: { target: "space" },
  space_deleted: { target: "space" },
  space_restored: { target: "space" },
  space_removed: { target: "space" },
  space_content_updated: unaudited,
  space_gitsync_started: { target: "space" },
  space_gitsync_commit_known: unaudited,
  space_gitsync_completed: unaudited,
  import_finished: unaudited,
  site_created: { target: "site" },
  site_updated: { target: "site", changed: true },
  site_structure_updated: { target: "site", changed: true },
  site_published: { target: "site" },
  site_unpublished: { target: "site" },
  site_deleted: { target: "site" },
  site_address_proved: unaudited,
  site_address_unproved: unaudited,
  integration_published: { target: "integration" },
  integration_unpublished: { target: "integration" },
  installation_created: { target: "installation" },
  installation_updated: { target: "installation" },
  installation_removed: { target: "installation" },
  placement_created: { target: "installation" },
  placement_updated: { target: "installation" },
  placement_removed: { target: "installation" },
  openapi_spec_created: { target: "spec" },
  openapi_spec_updated: { target: "spec", changed: true },
  openapi_spec_processed: unaudited,
  openapi_spec_deleted: { target: "spec" },
  change_request_created: unaudited,
  change_request_updated: unaudited,
  change_request_content_updated: unaudited,
  change_request_status_updated: unaudited,
  change_request_conflicts_found: unaudited,
  change_request_merged: unaudited,
  merge_rules_bypassed: { target: "changeRequest" },
  change_request_review_requested: unaudited,
  change_request_review_request_removed: unaudited,
  change_request_reviewed: unaudited,
  change_request_check_updated: unaudited,
  change_request_check_removed: unaudited,
  comment_posted: unaudited,
  comment_updated: unaudited,
  comment_resolved: unaudited,
  comment_reopened: unaudited,
  comment_deleted: unaudited,
  comment_reply_posted: unaudited,
  comment_reply_updated: unaudited,
  comment_reply_deleted: unaudited,
  comment_reactions_updated: unaudited,
  translation_created: unaudited,
  translation_updated: unaudited,
  translation_finished: unaudited,
  translation_deleted: unaudited,
  pdf_finished: unaudited,
  webhook_created: { target: "webhook" },
  webhook_updated: { target: "webhook" },
  webhook_secret_rotated: { target: "webhook" },
  webhook_disabled: { target: "webhook" },
  webhook_deleted: { target: "webhook" },
  external_link_broken: unaudited,
  external_link_restored: unaudited
}

/** Audited actions that have no event. */
export const actionsWithoutEvent = [
  "token_created",
  "token_revoked",
  "password_changed",
  "password_removed",
  "passkey_created",
  "passkey_removed",
  "second_factor_enabled",
  "second_factor_disabled",
  "recovery_codes_created",
  "recovery_code_used",
  "share_link_created",
  "share_link_updated",
  "share_link_removed",
  "visitor_key_regenerated",
  "publishing_auth_updated",
  "space_exported",
  "integration_development_started",
  "integration_development_ended",
  "installation_token_created",
  "key_rotated"
] as const

export type OtherAction = (typeof actionsWithoutEvent)[number]

/** All actions, sorted by id. */
export const auditActions: ReadonlyArray<AuditEventAction> = [
  ...Object.entries(auditedEvents).flatMap(([type, audited]) => (audited === undefined ? [] : [type])),
  ...actionsWithoutEvent
]
  .toSorted()
  .map((id) => ({ object: "audit-event-action", id, label: labelOf(id) }))

/** Returns the label of an action, such as "Member signed on" for `member_signed_on`. */
function labelOf(id: string): string {
  const label = id
    .replaceAll("_", " ")
    .replace(/\bsaml\b/, "SAML")
    .replace(/\boidc\b/, "OpenID Connect")
    .replace(/\bopenapi\b/, "OpenAPI")
    .replace("gitsync", "Git sync")
  return label.charAt(0).toUpperCase() + label.slice(1)
}
