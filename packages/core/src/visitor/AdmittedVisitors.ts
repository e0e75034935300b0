/**
 * Visitors who have been let in to a site, as they count now: whether they still would be, and which of its spaces
 * are there for them. Whoever sees a preview sees no space that it may not see as a member, and in place of what is
 * published of a space what the previewed change request makes of it.
 */
import { Context, Effect } from "effect"
import { Access, levelOn, type Membership } from "../access/Access.ts"
import { AccessFacts } from "../access/AccessFacts.ts"
import { CurrentActor, type Visitor } from "../access/Actor.ts"
import { ChangeRequestId, ChangeRequestTable } from "../change-request/ChangeRequest.ts"
import { asOfNow, opensThrough } from "../publishing/Admission.ts"
import { held, type SiteRow } from "../site/Site.ts"
import type { KeptSite } from "../site/store/SiteStore.ts"
import type { SpaceRow } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { wired } from "../wiring/Wired.ts"
import { type Preview, viewer } from "./Preview.ts"
import { VisitorKeys } from "./VisitorKeys.ts"

/** Spaces on a site as a visitor reads them. */
export interface ReadableSpaces {
  /** The space as it is read, undefined where it is not there for the visitor. It has to stand on the site. */
  readonly read: (space: SpaceRow) => SpaceRow | undefined
  /** The same for all who read the same spaces, as far as these do not say it themselves. */
  readonly key: string
}

export interface AdmittedVisitor {
  readonly visitor: Visitor
  /** Nobody's, but for a preview: its viewer's. */
  readonly member: Membership
  readonly spaces: ReadableSpaces
}

/** The spaces on a site for whoever visits it. */
export const publishedSpaces = ({ visibility }: Pick<SiteRow, "visibility">): ReadableSpaces => ({
  read: (space) => (opensThrough(space, visibility) ? space : undefined),
  key: ""
})

export class AdmittedVisitors extends Context.Service<
  AdmittedVisitors,
  {
    /** Undefined for a visitor who would be let in no more. */
    readonly of: (kept: KeptSite, visitor: Visitor) => Effect.Effect<AdmittedVisitor | undefined, StorageError>
  }
>()("@lectern/core/visitor/AdmittedVisitors") {
  static readonly layer = wired(
    AdmittedVisitors,
    Effect.gen(function* () {
      const access = yield* Access
      const facts = yield* AccessFacts
      const keys = yield* VisitorKeys
      const changeRequests = (yield* Storage).repository(ChangeRequestTable)

      const previewing = Effect.fnUntraced(function* (kept: KeptSite, visitor: Visitor, preview: Preview) {
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
              !opensThrough(space, visibility) || levelOn(member, space) === undefined
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
