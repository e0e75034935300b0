/**
 * Moves spaces: to another position or collection, to another organization, and from the trash to their collection. Each
 * move determines the access to the space at its new location (see `AccessRelocation`).
 */
import { Effect } from "effect"
import { AccessReset } from "../access/AccessCeiling.ts"
import { relocationPatch, resetAccess } from "../access/AccessRelocation.ts"
import type { CollectionId } from "../collection/Collection.ts"
import { makeCollectionPolicy } from "../collection/CollectionPolicy.ts"
import { Move } from "../collection/Position.ts"
import { makeSiblingPositions } from "../collection/SiblingPositions.ts"
import { Events } from "../event/Events.ts"
import { requireAdminOnBothSides } from "../organization/Handover.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { makeSiteMemberships } from "../site/store/SiteMemberships.ts"
import { Storage } from "../storage/Storage.ts"
import { makeSpaceFollowers } from "./leaving/SpaceFollowers.ts"
import { makeSpaceTransfers } from "./leaving/SpaceTransfers.ts"
import { removalTime } from "./leaving/SpaceTrash.ts"
import type { SpaceId } from "./Space.ts"
import { makeSpaceChanges } from "./SpaceChanges.ts"
import { SpacePolicy, spaceNotFound } from "./SpacePolicy.ts"

const acceptMove = accepting(Move)
const acceptReset = accepting(AccessReset)

export const makeSpaceMoves = Effect.gen(function* () {
  const storage = yield* Storage
  const events = yield* Events
  const policy = yield* SpacePolicy
  const collectionPolicy = yield* makeCollectionPolicy
  const positions = yield* makeSiblingPositions
  const organizations = yield* Organizations
  const transfers = yield* makeSpaceTransfers
  const followers = yield* makeSpaceFollowers
  const memberships = yield* makeSiteMemberships
  const { change, emitUpdated, present, presentAuthorized } = yield* makeSpaceChanges

  return {
    restore: Effect.fn("Spaces.restore")(function* (id: SpaceId, rawInput: AccessReset = {}) {
      const accessInput = yield* acceptReset(rawInput)
      const now = yield* Timestamps.now
      return yield* storage.transaction(
        Effect.gen(function* () {
          const authorized = yield* policy.require(id, "restore this space", { trash: true })
          const { space, member } = authorized
          if (space.deletedAt === undefined) return yield* presentAuthorized(authorized)
          if (removalTime(space.deletedAt) <= now) return yield* spaceNotFound(id)
          // If its collection no longer exists, the space is restored at the top level.
          const collection = space.parent === undefined ? undefined : member.facts.collections.get(space.parent)
          const parent = collection?.id
          yield* collectionPolicy.requireTarget(space.organization, parent ?? null)
          const row = yield* change(space, {
            ...(yield* parent === space.parent
              ? resetAccess(authorized.level, accessInput)
              : relocationPatch(authorized, space, null, accessInput)),
            deletedAt: undefined,
            deletedBy: undefined,
            parent,
            ...(parent === undefined && space.visibility === "in-collection" && { visibility: "private" }),
            position: yield* positions.last({ organization: space.organization, parent: parent ?? null }),
            updatedAt: now
          })
          yield* memberships.restore(id)
          yield* events.emit(
            { type: "space_restored", organization: row.organization, space: id },
            { label: row.title }
          )
          return yield* present(row)
        })
      )
    }),

    move: Effect.fn("Spaces.move")(function* (id: SpaceId, rawInput: Move) {
      const { parent: requestedParent, position, ...accessInput } = yield* acceptMove(rawInput)
      const now = yield* Timestamps.now
      return yield* storage.transaction(
        Effect.gen(function* () {
          const authorized = yield* policy.require(id, "move this space")
          const { space } = authorized
          const currentParent = space.parent ?? null
          const parent = requestedParent === undefined ? (currentParent as CollectionId | null) : requestedParent
          yield* collectionPolicy.requireTarget(space.organization, parent)
          const level = { organization: space.organization, parent }
          const staysOnLevel = currentParent === parent
          const movedItem = { id, position: space.position, onLevel: staysOnLevel }
          const newPosition = yield* positions.at(level, position, movedItem, authorized.member)
          const bounds = yield* staysOnLevel
            ? resetAccess(authorized.level, accessInput)
            : relocationPatch(authorized, space, parent, accessInput)
          if (staysOnLevel && newPosition === space.position && accessInput.access === undefined)
            return yield* presentAuthorized(authorized)
          const row = yield* change(space, {
            ...bounds,
            parent: parent ?? undefined,
            position: newPosition,
            ...(parent === null && space.visibility === "in-collection" && { visibility: "private" }),
            updatedAt: now
          })
          yield* emitUpdated(row, space)
          return yield* present(row)
        })
      )
    }),

    transfer: Effect.fn("Spaces.transfer")(function* (
      id: SpaceId,
      organization: OrganizationId,
      rawInput: AccessReset = {}
    ) {
      const accessInput = yield* acceptReset(rawInput)
      const now = yield* Timestamps.now
      return yield* storage.transaction(
        Effect.gen(function* () {
          const authorized = yield* policy.require(id, "transfer this space")
          const { space } = authorized
          const to = yield* requireAdminOnBothSides(organizations, authorized.member, organization)
          if (space.organization === organization) return yield* present(space)
          const bounds = yield* relocationPatch(authorized, space, null, accessInput, to.member.facts)
          yield* followers.detach([id], space.organization)
          const row = yield* change(space, {
            ...bounds,
            organization,
            parent: undefined,
            ...(space.visibility === "in-collection" && { visibility: "private" }),
            position: yield* positions.last({ organization, parent: null }),
            updatedAt: now
          })
          yield* transfers.moveDependents({ spaces: [row], collections: [] }, space.organization, organization)
          return yield* present(row)
        })
      )
    })
  }
})
