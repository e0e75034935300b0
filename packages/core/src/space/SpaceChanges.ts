/** Writes changed rows of spaces with their events, and returns spaces to actors. Callers check permissions. */
import { Effect } from "effect"
import { Access, levelOn, type Membership } from "../access/Access.ts"
import type { Role } from "../access/Role.ts"
import { changesOf } from "../audit/Changes.ts"
import { Events } from "../event/Events.ts"
import { appUrls } from "../identity/AppUrls.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import { makeSpaceUrls } from "../site/store/SpaceUrls.ts"
import { applyPatch } from "../storage/Row.ts"
import { type Patch, Storage } from "../storage/Storage.ts"
import { type SpaceRow, SpaceTable } from "./Space.ts"
import type { AuthorizedSpace } from "./SpacePolicy.ts"
import { presentSpace } from "./SpacePresenter.ts"

export const makeSpaceChanges = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const events = yield* Events
  const sites = yield* SiteStore
  const urls = yield* appUrls
  const spaceUrls = yield* makeSpaceUrls
  const spaces = storage.repository(SpaceTable)

  /** Returns a space that the actor may see, with the URL at which it is published. */
  const presentAuthorized = (
    authorized: Omit<AuthorizedSpace, "level"> & { readonly level: Role | undefined },
    shareKey?: string
  ) =>
    Effect.map(spaceUrls.published(authorized.space, shareKey, authorized.visitor?.site), (published) =>
      presentSpace(authorized, urls, published)
    )

  return {
    presentAuthorized,

    /** Returns a space after a change by the actor. The change may have removed the actor's permission to see it. */
    present: (space: SpaceRow) =>
      Effect.gen(function* () {
        const member = yield* access.membership(space.organization)
        if (member !== undefined) return yield* presentAuthorized({ space, member, level: levelOn(member, space) })
        // An integration may write by its scopes without being a member of the organization.
        const organizationFacts = yield* access.facts(space.organization)
        const stranger: Membership = { user: undefined, role: null, admin: false, facts: organizationFacts! }
        return yield* presentAuthorized({ space, member: stranger, level: "read" })
      }),

    /** Updates the fields in the patch, and returns the row. Informs sites and emits an event if the visibility changes. */
    change: Effect.fnUntraced(function* (space: SpaceRow, patch: Patch<SpaceRow>) {
      yield* spaces.update({ id: space.id }, patch)
      const updatedSpace = applyPatch(SpaceTable, space, patch)
      if (updatedSpace.visibility !== space.visibility || updatedSpace.visibilitySet !== space.visibilitySet) {
        for (const site of yield* sites.sitesWithSpace(updatedSpace.organization, updatedSpace.id))
          yield* sites.audienceChanged(site)
      }
      if (updatedSpace.visibility !== space.visibility) {
        yield* events.emit(
          {
            type: "space_visibility_updated",
            organization: updatedSpace.organization,
            space: space.id,
            previousVisibility: space.visibility,
            visibility: updatedSpace.visibility
          },
          { label: updatedSpace.title }
        )
      }
      return updatedSpace
    }),

    /** Emits the event about a change of a space's settings or position. */
    emitUpdated: (row: SpaceRow, before: SpaceRow) =>
      events.emit(
        { type: "space_updated", organization: row.organization, space: row.id },
        {
          label: row.title,
          changes: changesOf(before, row, ["defaultLevel", "editMode", "ceiling", "parent", "mergeRules"])
        }
      )
  }
})
