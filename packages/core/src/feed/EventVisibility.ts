/**
 * Decides which events a member of an organization may see. An event has the permission of the resource that it is
 * about, at the time of the request. Events about a resource that no longer exists, is in the trash, or belongs to
 * another organization are visible to administrators of the organization.
 *
 * The compiler rejects an event without a line here.
 */
import { Effect } from "effect"
import { levelOn, type Membership } from "../access/Access.ts"
import { atLeast } from "../access/Role.ts"
import { rules as collectionRules, type CollectionAction } from "../collection/CollectionPolicy.ts"
import type { Event, EventOf, EventType } from "../event/Event.ts"
import { rules as organizationRules, type OrganizationAction } from "../organization/OrganizationPolicy.ts"
import { accessTargetOf, SiteId, type SiteRow, SiteTable } from "../site/Site.ts"
import { rules as siteRules, type SiteAction } from "../site/SitePolicy.ts"
import { SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { rules as spaceRules, type SpaceAction } from "../space/SpacePolicy.ts"
import { Storage } from "../storage/Storage.ts"

/** The permission that makes an event visible, on the resource that a field of the event names. */
type VisibilityRule<E> =
  | { readonly organization: OrganizationAction }
  | (E extends { readonly space?: string } ? { readonly space: SpaceAction } : never)
  | (E extends { readonly site: string } ? { readonly site: SiteAction } : never)
  | (E extends { readonly collection: string } ? { readonly collection: CollectionAction } : never)
  | (E extends { readonly content: unknown } ? { readonly content: "read" | "admin" } : never)

type VisibilityRules = { readonly [Type in EventType]: VisibilityRule<EventOf<Type>> }

const toMembers = { organization: "see this organization" } as const
const toAdministrators = { organization: "change this organization" } as const
const toManagers = { organization: "manage the members of this organization" } as const
const toSignOnManagers = { organization: "manage the sign-on of this organization" } as const
const withSpace = { space: "see this space" } as const
const withWork = { space: "see the work on this space" } as const
const withGit = { space: "synchronise this space with Git" } as const
const withSite = { site: "see this site" } as const
const withCollection = { collection: "see this collection" } as const

const visibilityRules: VisibilityRules = {
  organization_created: toMembers,
  organization_updated: toMembers,
  invitation_sent: toManagers,
  invitation_updated: toManagers,
  invitation_removed: toManagers,
  invite_link_created: toManagers,
  invite_link_updated: toManagers,
  invite_link_removed: toManagers,
  member_joined: toMembers,
  member_updated: toMembers,
  member_removed: toMembers,
  member_role_updated: toMembers,
  member_signed_on: toSignOnManagers,
  email_domain_proved: toAdministrators,
  email_domain_lost: toAdministrators,
  team_created: toMembers,
  team_updated: toMembers,
  team_members_updated: toMembers,
  team_deleted: toMembers,
  saml_provider_created: toSignOnManagers,
  saml_provider_updated: toSignOnManagers,
  saml_provider_deleted: toSignOnManagers,
  oidc_provider_created: toSignOnManagers,
  oidc_provider_updated: toSignOnManagers,
  oidc_provider_deleted: toSignOnManagers,
  grant_changed: { content: "admin" },
  grant_removed: { content: "admin" },
  collection_created: withCollection,
  collection_updated: withCollection,
  collection_moved: withCollection,
  collection_transferred: withCollection,
  collection_deleted: withCollection,
  space_created: withSpace,
  space_updated: withSpace,
  space_visibility_updated: withSpace,
  space_duplicated: withSpace,
  space_transferred: withSpace,
  space_deleted: withSpace,
  space_restored: withSpace,
  space_removed: withSpace,
  space_content_updated: { space: "read this space" },
  space_gitsync_started: withGit,
  space_gitsync_commit_known: withGit,
  space_gitsync_completed: withGit,
  import_finished: withWork,
  pdf_finished: withWork,
  site_created: withSite,
  site_updated: withSite,
  site_structure_updated: withSite,
  site_published: withSite,
  site_unpublished: withSite,
  site_deleted: withSite,
  site_address_proved: withSite,
  // Only administrators of the organization see addresses without a proof.
  site_address_unproved: toAdministrators,
  integration_published: toMembers,
  integration_unpublished: toMembers,
  installation_created: toMembers,
  installation_updated: toMembers,
  installation_removed: toMembers,
  placement_created: { content: "read" },
  placement_updated: { content: "read" },
  placement_removed: { content: "read" },
  openapi_spec_created: toMembers,
  openapi_spec_updated: toMembers,
  openapi_spec_processed: toMembers,
  openapi_spec_deleted: toMembers,
  change_request_created: withWork,
  change_request_updated: withWork,
  change_request_status_updated: withWork,
  change_request_content_updated: withWork,
  change_request_conflicts_found: withWork,
  change_request_merged: withWork,
  merge_rules_bypassed: withWork,
  change_request_review_requested: withWork,
  change_request_review_request_removed: withWork,
  change_request_reviewed: withWork,
  change_request_check_updated: withWork,
  change_request_check_removed: withWork,
  comment_posted: withWork,
  comment_updated: withWork,
  comment_resolved: withWork,
  comment_reopened: withWork,
  comment_deleted: withWork,
  comment_reply_posted: withWork,
  comment_reply_updated: withWork,
  comment_reply_deleted: withWork,
  comment_reactions_updated: withWork,
  // A translation without a source has no space, and is visible to members with a role.
  translation_created: withWork,
  translation_updated: withWork,
  translation_finished: withWork,
  translation_deleted: withWork,
  // A URL may be a secret of a space, and the spaces that link to it are not known.
  external_link_broken: toAdministrators,
  external_link_restored: toAdministrators,
  webhook_created: toAdministrators,
  webhook_updated: toAdministrators,
  webhook_secret_rotated: toAdministrators,
  webhook_disabled: toAdministrators,
  webhook_deleted: toAdministrators
}

/** Fields of events that name resources. */
interface NamedResources {
  readonly space?: SpaceId
  readonly site?: SiteId
  readonly collection?: string
  readonly content?: { readonly kind: string; readonly id: string }
}

/** Returns the ids of the resources of a kind that events are about, once each. */
const idsOf = (events: ReadonlyArray<Event>, kind: "space" | "site"): ReadonlyArray<string> => [
  ...new Set(
    (events as ReadonlyArray<NamedResources>).flatMap(({ content, [kind]: id }) => [
      ...(id === undefined ? [] : [id]),
      ...(content?.kind === kind ? [content.id] : [])
    ])
  )
]

/** Decides whether a member may see an event. */
export type IsVisible = (member: Membership, event: Event) => boolean

export const makeEventVisibility = Effect.gen(function* () {
  const storage = yield* Storage
  const spaces = storage.repository(SpaceTable)
  const sites = storage.repository(SiteTable)

  /** Reads the resources of the events, of one organization. Returns the decision for any member and these events. */
  return Effect.fnUntraced(function* (events: ReadonlyArray<Event>) {
    const spaceRows = yield* spaces.getMany(idsOf(events, "space").map((id) => ({ id: SpaceId.make(id) })))
    const siteRows = yield* sites.getMany(idsOf(events, "site").map((id) => ({ id: SiteId.make(id) })))
    const spacesById = new Map<string, SpaceRow>(spaceRows.flatMap((row) => (row === undefined ? [] : [[row.id, row]])))
    const sitesById = new Map<string, SiteRow>(siteRows.flatMap((row) => (row === undefined ? [] : [[row.id, row]])))

    const levelOnContent = (member: Membership, kind: string, id: string) => {
      const { organization, collections } = member.facts
      switch (kind) {
        case "space": {
          const space = spacesById.get(id)
          const isActive = space?.organization === organization.id && !space.removing && space.deletedAt === undefined
          return isActive ? levelOn(member, space) : undefined
        }
        case "site": {
          const site = sitesById.get(id)
          return site?.organization === organization.id ? levelOn(member, accessTargetOf(site)) : undefined
        }
        default: {
          const collection = collections.get(id)
          return collection && levelOn(member, collection)
        }
      }
    }

    const isVisible: IsVisible = (member, event) => {
      if (member.admin) return true
      const rule: VisibilityRule<Event> = visibilityRules[event.type]
      const { space, site, collection, content } = event as NamedResources
      if ("organization" in rule) {
        const leastRole = organizationRules[rule.organization]
        return leastRole === "member" || atLeast(member.role, leastRole)
      }
      if ("space" in rule) {
        return space === undefined
          ? member.role !== null
          : atLeast(levelOnContent(member, "space", space), spaceRules[rule.space])
      }
      if ("site" in rule) return atLeast(levelOnContent(member, "site", site!), siteRules[rule.site])
      if ("collection" in rule) {
        return atLeast(levelOnContent(member, "collection", collection!), collectionRules[rule.collection])
      }
      return atLeast(levelOnContent(member, content!.kind, content!.id), rule.content)
    }
    return isVisible
  })
})
