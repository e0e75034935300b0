/**
 * Visitors who were admitted to a site, with their current permissions: whether they would still be admitted, and which
 * spaces they read. The viewer of a preview sees only spaces that they may see as a member, and the content of the
 * previewed change request instead of the published content.
 */
import { Effect } from "effect"
import { Access, levelOn, type Membership } from "../access/Access.ts"
import { CurrentActor, type Visitor } from "../access/Actor.ts"
import { ChangeRequestId, ChangeRequestTable } from "../change-request/ChangeRequest.ts"
import { unreadableReason, withCurrentClaims } from "../publishing/Admission.ts"
import type { VisibilityReason } from "../publishing/VisibilityRule.ts"
import { accessTargetOf, type SiteRow } from "../site/Site.ts"
import type { CachedSite } from "../site/store/SiteStore.ts"
import type { SpaceRow } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import { type Preview, viewer } from "./Preview.ts"
import { VisitorKeys } from "./VisitorKeys.ts"

/** Spaces on a site as a visitor reads them. */
export interface ReadableSpaces {
  /** Returns the space as the visitor reads it, or undefined if it is not visible. The space must be on the site. */
  readonly read: (space: SpaceRow) => SpaceRow | undefined
  /** Returns the reason for which the visitor does not read the space; undefined if they do. */
  readonly reason: (space: SpaceRow) => VisibilityReason | undefined
  /** Part of a cache key: equal for all visitors who read the same spaces. */
  readonly key: string
}

export interface AdmittedVisitor {
  readonly visitor: Visitor
  /** Membership of the viewer for a preview; a membership without a role otherwise. */
  readonly member: Membership
  readonly spaces: ReadableSpaces
}

/** Returns the spaces on a site for any visitor. */
export const publishedSpaces = ({ visibility }: Pick<SiteRow, "visibility">): ReadableSpaces => ({
  reason: (space) => unreadableReason(space, visibility),
  read: (space) => (unreadableReason(space, visibility) === undefined ? space : undefined),
  key: ""
})

export const makeAdmittedVisitors = Effect.gen(function* () {
  const access = yield* Access
  const keys = yield* VisitorKeys
  const changeRequests = (yield* Storage).repository(ChangeRequestTable)

  const admitPreview = Effect.fnUntraced(function* (cachedSite: CachedSite, visitor: Visitor, preview: Preview) {
    const { organization, visibility } = cachedSite.site
    const actor = viewer(preview, organization)
    const authorization = yield* Effect.provideService(access.on(accessTargetOf(cachedSite.site)), CurrentActor, actor)
    if (authorization === undefined) return undefined
    const { member } = authorization
    const reference = preview.changeRequest
    const row = reference && (yield* changeRequests.get({ id: ChangeRequestId.make(reference.id) }))
    const changeRequest = row?.space === reference?.space ? row : undefined
    if (reference !== undefined && changeRequest === undefined) return undefined
    const reason = (space: SpaceRow) =>
      unreadableReason(space, visibility) ?? (levelOn(member, space) === undefined ? "space-no-access" : undefined)
    return {
      visitor: withCurrentClaims(cachedSite, visitor),
      member,
      spaces: {
        reason,
        read: (space) =>
          reason(space) !== undefined
            ? undefined
            : space.id === changeRequest?.space
              ? { ...space, revision: changeRequest.revision }
              : space,
        key: `preview ${member.user ?? ""} ${changeRequest?.revision ?? ""}`
      }
    } satisfies AdmittedVisitor
  })

  return {
    /** Returns the visitor with current permissions; undefined if they would no longer be admitted. */
    refresh: Effect.fnUntraced(function* (cachedSite: CachedSite, visitor: Visitor) {
      if (visitor.preview !== undefined) return yield* admitPreview(cachedSite, visitor, visitor.preview)
      if (!(yield* keys.isAdmitted(cachedSite, visitor))) return undefined
      const organizationFacts = yield* access.facts(cachedSite.site.organization)
      if (organizationFacts === undefined) return undefined
      return {
        visitor: withCurrentClaims(cachedSite, visitor),
        member: { user: undefined, role: null, admin: false, facts: organizationFacts },
        spaces: publishedSpaces(cachedSite.site)
      }
    })
  }
})
