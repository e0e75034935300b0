/**
 * Visitors who were admitted to a site, with their current permissions: whether they would still be admitted, and which
 * spaces they read. The viewer of a preview sees only spaces that they may see as a member, and the content of the
 * previewed change request instead of the published content.
 */
import { Context, Effect } from "effect"
import { Access, levelOn, type Membership } from "../access/Access.ts"
import { AccessFacts } from "../access/AccessFacts.ts"
import { CurrentActor, type Visitor } from "../access/Actor.ts"
import { ChangeRequestId, ChangeRequestTable } from "../change-request/ChangeRequest.ts"
import { asOfNow, isReadableThrough } from "../publishing/Admission.ts"
import { held, type SiteRow } from "../site/Site.ts"
import type { CachedSite } from "../site/store/SiteStore.ts"
import type { SpaceRow } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { wired } from "../wiring/Wired.ts"
import { type Preview, viewer } from "./Preview.ts"
import { VisitorKeys } from "./VisitorKeys.ts"

/** Spaces on a site as a visitor reads them. */
export interface ReadableSpaces {
  /** Returns the space as the visitor reads it, or undefined if it is not visible. The space must be on the site. */
  readonly read: (space: SpaceRow) => SpaceRow | undefined
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
  read: (space) => (isReadableThrough(space, visibility) ? space : undefined),
  key: ""
})

export class AdmittedVisitors extends Context.Service<
  AdmittedVisitors,
  {
    /** Returns the visitor with current permissions; undefined if they would no longer be admitted. */
    readonly of: (kept: CachedSite, visitor: Visitor) => Effect.Effect<AdmittedVisitor | undefined, StorageError>
  }
>()("@lectern/core/visitor/AdmittedVisitors") {
  static readonly layer = wired(
    AdmittedVisitors,
    Effect.gen(function* () {
      const access = yield* Access
      const facts = yield* AccessFacts
      const keys = yield* VisitorKeys
      const changeRequests = (yield* Storage).repository(ChangeRequestTable)

      const previewing = Effect.fnUntraced(function* (kept: CachedSite, visitor: Visitor, preview: Preview) {
        const { organization, visibility } = kept.site
        const actor = viewer(preview, organization)
        const seen = yield* Effect.provideService(access.on(held(kept.site)), CurrentActor, actor)
        if (seen === undefined) return undefined
        const { member } = seen
        const wanted = preview.changeRequest
        const row = wanted && (yield* changeRequests.get({ id: ChangeRequestId.make(wanted.id) }))
        const shown = row?.space === wanted?.space ? row : undefined
        if (wanted !== undefined && shown === undefined) return undefined
        return {
          visitor: asOfNow(kept, visitor),
          member,
          spaces: {
            read: (space) =>
              !isReadableThrough(space, visibility) || levelOn(member, space) === undefined
                ? undefined
                : space.id === shown?.space
                  ? { ...space, revision: shown.revision }
                  : space,
            key: `preview ${member.user ?? ""} ${shown?.revision ?? ""}`
          }
        } satisfies AdmittedVisitor
      })

      return AdmittedVisitors.of({
        of: Effect.fnUntraced(function* (kept, visitor) {
          if (visitor.preview !== undefined) return yield* previewing(kept, visitor, visitor.preview)
          if (!(yield* keys.isAdmitted(kept, visitor))) return undefined
          const known = yield* facts.organization(kept.site.organization)
          if (known === undefined) return undefined
          return {
            visitor: asOfNow(kept, visitor),
            member: { user: undefined, role: null, admin: false, facts: known },
            spaces: publishedSpaces(kept.site)
          }
        })
      })
    }),
    [Access.layer, AccessFacts.layer, VisitorKeys.layer]
  )
}
