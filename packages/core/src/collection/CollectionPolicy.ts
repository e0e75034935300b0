/** Minimum role for each action on a collection, and permission to put content into a collection. */
import { Effect } from "effect"
import { Access, grantedOn, enclosingCollections, levelOn, type Membership } from "../access/Access.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { authorize } from "../access/Policy.ts"
import { atLeast, type Role } from "../access/Role.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import {
  type Collection,
  type CollectionId,
  CollectionNotFound,
  type CollectionRow,
  CollectionTable,
  InvalidPosition
} from "./Collection.ts"

export const rules = {
  "see this collection": "read",
  "create content in this collection": "create",
  "move this collection": "create",
  "change this collection": "admin",
  "delete this collection": "admin",
  "transfer this collection": "admin"
} as const satisfies Record<string, Role>

export type CollectionAction = keyof typeof rules

/** Returns the permissions for a level of access. `level` is undefined if the actor may not see the collection. */
export const permissions = (level: Role | undefined): Collection["permissions"] => {
  const admin = atLeast(level, "admin")
  return { view: atLeast(level, "read"), admin, viewInviteLinks: admin, create: atLeast(level, "create") }
}

export interface AuthorizedCollection {
  readonly collection: CollectionRow
  readonly member: Membership
  readonly level: Role
}

export const makeCollectionPolicy = Effect.gen(function* () {
  const storage = yield* Storage
  const collections = storage.repository(CollectionTable)
  const spaces = storage.repository(SpaceTable)
  const access = yield* Access
  const organizations = yield* Organizations

  const require = Effect.fnUntraced(function* (id: CollectionId, action: CollectionAction) {
    const absent = () => new CollectionNotFound({ message: `There is no collection ${id}` })
    const collection = yield* collections.get({ id })
    const authorized = collection && (yield* access.on(collection))
    yield* authorize(authorized?.level, rules[action], absent, action)
    return { collection: collection!, ...authorized! }
  })

  return {
    /** Returns the collection if the actor may perform the action. */
    require,

    /**
     * Fails unless the actor administers all content to which grants on the collection apply. Administrators by a grant
     * and of the organization always do. An administrator by the default level may lack permission on content with a
     * level of its own.
     */
    requireAllIn: Effect.fnUntraced(function* ({ collection, member }: AuthorizedCollection) {
      if (member.admin || grantedOn(member, collection) === "admin") return
      const descendants = [...member.facts.collections.values()].filter(({ id, parent }) =>
        [id, ...Array.from(enclosingCollections(member.facts, parent), (holder) => holder.id)].includes(collection.id)
      )
      const childSpacesWhere = {
        organization: collection.organization,
        parent: { in: descendants.map(({ id }) => id) }
      }
      const separateSpaces = yield* spaces.list({
        where: [
          { ...childSpacesWhere, inheritance: { in: ["set", "closed"] } },
          { ...childSpacesWhere, bounded: true }
        ]
      })
      if ([...descendants, ...separateSpaces].some((content) => levelOn(member, content) !== "admin")) {
        return yield* new Forbidden({
          message: "Not everything in this collection is yours to show: ask an administrator of the organization"
        })
      }
    }),

    /** Requires that the actor may put content into a collection of the organization, or at its top level (`null`). */
    requireTarget: Effect.fnUntraced(function* (organization: OrganizationId, parent: CollectionId | null) {
      if (parent === null) {
        return (yield* organizations.require(organization, "create content at the top of this organization")).member
      }
      const withoutParent = () =>
        new InvalidPosition({
          issues: [{ path: "body.parent", message: "There is no such collection in this organization" }]
        })
      const { collection, level, member } = yield* require(parent, "see this collection").pipe(
        Effect.catchTag("CollectionNotFound", withoutParent)
      )
      // Permissions in another organization do not matter, since collections of other organizations are no valid
      // targets.
      if (collection.organization !== organization) return yield* withoutParent()
      const action = "create content in this collection"
      yield* authorize(level, rules[action], withoutParent, action)
      return member
    })
  }
})
