/**
 * Returns users to actors who may know them: members to members of the same organization, and users mentioned in
 * readable content of a site to its visitors, only by name.
 */
import { Effect } from "effect"
import { CurrentActor, type Visitor } from "../access/Actor.ts"
import { PageConditions } from "../content/pages/PageConditions.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import type { SiteId } from "../site/Site.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import { type UserId, UserNotFound } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { makeAdmittedVisitors } from "../visitor/AdmittedVisitors.ts"
import { isVisibleTo } from "./Admission.ts"

export const makeMentionedUsers = Effect.gen(function* () {
  const users = yield* Users
  const sites = yield* SiteStore
  const visitors = yield* makeAdmittedVisitors
  const revisions = yield* Revisions
  const conditions = yield* PageConditions

  const isMentioned = Effect.fnUntraced(function* (admittedVisitor: Visitor, user: UserId) {
    const cachedSite = yield* sites.get(admittedVisitor.site as SiteId)
    const refreshedVisitor = cachedSite && (yield* visitors.refresh(cachedSite, admittedVisitor))
    if (cachedSite === undefined || refreshedVisitor === undefined) return false
    const { visitor } = refreshedVisitor
    for (const storedSpace of (yield* sites.spaces(cachedSite.site)).rows.values()) {
      const space = isVisibleTo(cachedSite, visitor, storedSpace.id)
        ? refreshedVisitor.spaces.read(storedSpace)
        : undefined
      if (space === undefined) continue
      const { content } = yield* revisions.get(space.revision)
      const references = (yield* conditions.visibleContent(content, visitor)).references
      if (references !== undefined && (yield* references).users.has(user)) return true
    }
    return false
  })

  return {
    /** Returns a user that the actor may know; without the address for a visitor. */
    get: Effect.fn("MentionedUsers.get")(function* (id: UserId) {
      const actor = yield* CurrentActor
      if (actor.type !== "visitor") return yield* users.get(id)
      const user = (yield* isMentioned(actor, id)) ? (yield* users.present([id])).get(id) : undefined
      // A user without an address was deleted, and is not found.
      if (user?.email === undefined) return yield* new UserNotFound({ message: `There is no user ${id}` })
      const { object, displayName, urls } = user
      return { object, id, displayName, urls }
    })
  }
})
