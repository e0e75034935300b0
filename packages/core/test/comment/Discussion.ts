/** An organization with a space, a change request, and users of several roles. `as` runs an effect as one of them. */
import { type Actor, CurrentActor, host } from "@lectern/core/access/Actor"
import type { Role } from "@lectern/core/access/Role"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import type { PageId } from "@lectern/core/content/pages/Page"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { SpaceId } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Effect } from "effect"
import { organization } from "../Instances.ts"

export const roles = ["admin", "review", "edit", "comment", "read"] as const

export const as =
  (user: UserId | "host") =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) => {
    const actor: Actor = user === "host" ? host : { type: "user", user }
    return Effect.provideService(effect, CurrentActor, actor)
  }

/** Creates the organization. `second` is another user with the role `comment`. `run` makes the emails unique. */
export const discussion = Effect.fnUntraced(function* (run = "") {
  const org = yield* organization
  const users = yield* Users
  const join = Effect.fnUntraced(function* (name: string, role: Role | null) {
    const { id } = yield* users.create({ email: `${name}${run}@example.com` })
    yield* (yield* Organizations).join(org, id, role)
    return id
  })
  const people = {
    admin: yield* join("admin", "admin"),
    review: yield* join("review", "review"),
    edit: yield* join("edit", "edit"),
    comment: yield* join("comment", "comment"),
    second: yield* join("second", "comment"),
    read: yield* join("read", "read")
  }
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const { id: cr } = yield* (yield* ChangeRequests).create(space, {})
  return { org, people, space, cr }
})

/**
 * Changes the main content with a change request that is merged immediately. Returns the ids of created pages by their
 * `ref`.
 */
export const publish = Effect.fnUntraced(function* (space: SpaceId, changes: ReadonlyArray<ContentChange>) {
  const contents = yield* ChangeRequestContents
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  const written = yield* contents.write(space, id, changes)
  yield* contents.merge(space, id)
  return new Map(
    written.changes.flatMap((change) => (change.object === "created_page" ? [[change.ref ?? "", change.page.id]] : []))
  ) as ReadonlyMap<string, PageId>
})
