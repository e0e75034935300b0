/** Creates, reads, updates, moves and deletes collections. */
import { Context, Effect, Layer } from "effect"
import { Access, ceilingAfterMove, levelOn, visibleCollections } from "../access/Access.ts"
import { type CurrentActor, requireScope } from "../access/Actor.ts"
import { changesOf } from "../audit/Changes.ts"
import { AccessReset } from "../access/AccessCeiling.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { resetAccess, type RelocationPatch, relocationPatch } from "../access/AccessRelocation.ts"
import type { Role } from "../access/Role.ts"
import { GrantTable } from "../grant/Grant.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { requireAdminOnBothSides } from "../organization/Handover.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type SpaceRow, SpaceTable, untitled } from "../space/Space.ts"
import { makeSpaceFollowers } from "../space/leaving/SpaceFollowers.ts"
import { makeSpaceTransfers } from "../space/leaving/SpaceTransfers.ts"
import { makeSpaceTrash } from "../space/leaving/SpaceTrash.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, type Patch, Storage, type StorageError } from "../storage/Storage.ts"
import {
  type Collection,
  CollectionCreate,
  CollectionCycle,
  CollectionId,
  type CollectionNotFound,
  CollectionPatch,
  type CollectionRow,
  CollectionTable,
  type InvalidPosition,
  maxDepth
} from "./Collection.ts"
import { makeCollectionPolicy, type AuthorizedCollection } from "./CollectionPolicy.ts"
import { presentCollection } from "./CollectionPresenter.ts"
import { collectionTree, idsIn } from "./CollectionTree.ts"
import { makeSiblingPositions } from "./SiblingPositions.ts"
import { Move } from "./Position.ts"
import { treeOrder } from "./TreeOrder.ts"

const acceptCreate = accepting(CollectionCreate)
const acceptPatch = accepting(CollectionPatch)
const acceptMove = accepting(Move)
const acceptOpening = accepting(AccessReset)

type Failure = CollectionNotFound | Forbidden | StorageError

/**
 * A collection after a change by the actor. `level` is undefined if the change removed the actor's permission to see
 * it.
 */
type PresentableCollection = Omit<AuthorizedCollection, "level"> & { readonly level: Role | undefined }

export class Collections extends Context.Service<
  Collections,
  {
    /**
     * Returns a collection.
     *
     * @throws {CollectionNotFound} If the actor may not see the collection.
     * @throws {Forbidden}
     */
    readonly get: (id: CollectionId) => Effect.Effect<Collection, Failure, CurrentActor>
    /**
     * Lists the collections of an organization that the actor may see, in tree order.
     *
     * @param params.nested False for only the collections at the top level. Default: true.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams & { readonly nested?: boolean }
    ) => Effect.Effect<
      ListPage<Collection>,
      OrganizationNotFound | Forbidden | InvalidCursor | StorageError,
      CurrentActor
    >
    /**
     * Creates a collection as the last child of `parent`, or at the organization's top level.
     *
     * @throws {CollectionCycle}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition} If `parent` belongs to another organization.
     * @throws {OrganizationNotFound}
     * @example
     * ```ts
     * const collection = await lectern.collections.create(organization.id, { title: "Guides" })
     * const space = await lectern.spaces.create(organization.id, { title: "Handbook", parent: collection.id })
     * console.log(space.parent === collection.id)
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      input: CollectionCreate
    ) => Effect.Effect<
      Collection,
      OrganizationNotFound | InvalidPosition | CollectionCycle | InvalidInput | Forbidden | StorageError,
      CurrentActor
    >
    /**
     * Changes the fields in the patch. Other fields keep their values.
     *
     * @throws {CollectionNotFound}
     * @throws {Forbidden} If the actor does not administer the collection.
     * @throws {InvalidInput}
     */
    readonly update: (
      id: CollectionId,
      patch: CollectionPatch
    ) => Effect.Effect<Collection, Failure | InvalidInput, CurrentActor>
    /**
     * Deletes a collection and its descendant collections, and moves their spaces to the trash.
     *
     * @throws {Forbidden}
     */
    readonly remove: (id: CollectionId) => Effect.Effect<void, Forbidden | StorageError, CurrentActor>
    /**
     * Moves a collection with its content to another parent, to the top level, or to another position among its
     * siblings.
     *
     * @throws {CollectionCycle} If the collection would contain itself.
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {OrganizationNotFound}
     */
    readonly move: (
      id: CollectionId,
      move: Move
    ) => Effect.Effect<
      Collection,
      Failure | OrganizationNotFound | InvalidPosition | CollectionCycle | InvalidInput,
      CurrentActor
    >
    /**
     * Transfers a collection with its content to another organization.
     *
     * @param organization Id of the target organization.
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     */
    readonly transfer: (
      id: CollectionId,
      organization: OrganizationId,
      options?: AccessReset
    ) => Effect.Effect<Collection, Failure | OrganizationNotFound | InvalidInput, CurrentActor>
  }
>()("@lectern/core/collection/Collections") {
  static readonly layer = Layer.effect(
    Collections,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const access = yield* Access
      const events = yield* Events
      const paging = yield* Paging
      const policy = yield* makeCollectionPolicy
      const positions = yield* makeSiblingPositions
      const organizations = yield* Organizations
      const transfers = yield* makeSpaceTransfers
      const followers = yield* makeSpaceFollowers
      const trash = yield* makeSpaceTrash
      const tree = yield* collectionTree
      const publicUrl = yield* PublicUrl
      const collections = storage.repository(CollectionTable)
      const spaces = storage.repository(SpaceTable)
      const grants = storage.repository(GrantTable)

      const present = (collection: PresentableCollection) => presentCollection(collection, publicUrl)

      const presentNow = (collection: CollectionRow) =>
        Effect.map(access.membership(collection.organization), (member) =>
          present({ collection, member: member!, level: levelOn(member!, collection) })
        )

      const change = Effect.fnUntraced(function* (collection: CollectionRow, patch: Patch<CollectionRow>) {
        yield* collections.update({ id: collection.id }, patch)
        return applyPatch(CollectionTable, collection, patch)
      })

      const emit = (
        type: "collection_created" | "collection_updated" | "collection_moved",
        row: CollectionRow,
        before: CollectionRow = row
      ) =>
        events.emit(
          { type, organization: row.organization, collection: row.id },
          { label: row.title, changes: changesOf(before, row, ["defaultLevel", "ceiling", "parent"]) }
        )

      return Collections.of({
        get: Effect.fn("Collections.get")(function* (id) {
          return present(yield* policy.require(id, "see this collection"))
        }),

        list: Effect.fn("Collections.list")(function* (organization, { nested = true, ...params }) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const { collections: collectionsById } = member.facts
          const visibleIds = new Set<string>(member.admin ? collectionsById.keys() : visibleCollections(member))
          const page = yield* paging.items(
            treeOrder(member.facts).collections.filter(
              ({ id }) => visibleIds.has(id) && (nested || collectionsById.get(id)!.parent === undefined)
            ),
            `collections of ${organization} ${nested}`,
            ({ key }) => key,
            params
          )
          const rows = yield* collections.getMany(page.items.map(({ id }) => ({ id })))
          return {
            ...page,
            items: rows.flatMap((collection) =>
              collection === undefined ? [] : [present({ collection, member, level: levelOn(member, collection)! })]
            )
          }
        }),

        create: Effect.fn("Collections.create")(function* (organization, rawInput) {
          const { title, parent } = yield* acceptCreate(rawInput)
          const now = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              yield* organizations.require(organization, "see this organization")
              yield* policy.requireTarget(organization, parent ?? null)
              if ((yield* tree.depthOf(organization, parent ?? null)) >= maxDepth) return yield* tooDeep
              const row: CollectionRow = {
                id: CollectionId.make(yield* ids.next),
                organization,
                ...(parent !== undefined && { parent }),
                position: yield* positions.last({ organization, parent: parent ?? null }),
                title: title || untitled,
                defaultLevel: "inherit",
                createdAt: now
              }
              yield* collections.insert(row).pipe(cannotConflict)
              yield* emit("collection_created", row)
              return yield* presentNow(row)
            })
          )
        }),

        update: Effect.fn("Collections.update")(function* (id, rawInput) {
          const { access, ...patch } = yield* acceptPatch(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* policy.require(id, "change this collection")
              const { collection } = authorized
              if (patch.defaultLevel !== undefined) {
                yield* requireScope("access:write", "change who may see this collection")
              }
              const resetsAccess = access === "inherit" || patch.defaultLevel === "inherit"
              const accessPatch = yield* resetAccess(authorized.level, resetsAccess ? { access: "inherit" } : {})
              if (resetsAccess && collection.ceiling !== undefined) yield* policy.requireAllIn(authorized)
              const changedFields = {
                ...withoutFollows(accessPatch),
                ...patch,
                ...(patch.title === "" && { title: untitled })
              }
              if (!hasChanges(collection, changedFields)) return present(authorized)
              const row = yield* change(collection, changedFields)
              yield* emit("collection_updated", row, collection)
              return yield* presentNow(row)
            })
          )
        }),

        remove: Effect.fn("Collections.remove")(function* (id) {
          const now = yield* Timestamps.now
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const { collection, member } = yield* policy.require(id, "delete this collection")
                const levels = yield* tree.below(collection)
                const removedIds = idsIn(levels)
                // If restored, the spaces are at the top level, since their collection no longer exists. Their access
                // must not widen.
                for (const space of yield* tree.spacesIn(collection.organization, levels)) {
                  const patch: Patch<SpaceRow> = {
                    parent: undefined,
                    ...(space.follows === undefined && { ceiling: ceilingAfterMove(member.facts, space, null) }),
                    ...(space.visibility === "in-collection" && { visibility: "private" })
                  }
                  yield* trash.moveToTrash(space, now, patch)
                }
                yield* grants.remove({ content: { in: removedIds } })
                yield* collections.remove({ id: { in: removedIds } })
                for (const { id, organization, title } of levels.flat()) {
                  yield* events.emit({ type: "collection_deleted", organization, collection: id }, { label: title })
                }
              })
            )
            .pipe(Effect.catchTag("CollectionNotFound", () => Effect.void))
        }),

        move: Effect.fn("Collections.move")(function* (id, rawInput) {
          const { parent: requestedParent, position, ...accessInput } = yield* acceptMove(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* policy.require(id, "move this collection")
              const { collection } = authorized
              const { organization } = collection
              const currentParent = collection.parent ?? null
              const parent = requestedParent === undefined ? currentParent : requestedParent
              yield* policy.requireTarget(organization, parent)
              if (currentParent !== parent) {
                const levels = yield* tree.below(collection)
                if (levels.flat().some((row) => row.id === parent)) {
                  return yield* new CollectionCycle({ message: "A collection can't lie in itself or in one within it" })
                }
                if ((yield* tree.depthOf(organization, parent)) + levels.length > maxDepth) return yield* tooDeep
              }
              const movedItem = { id, position: collection.position, onLevel: currentParent === parent }
              const newPosition = yield* positions.at({ organization, parent }, position, movedItem, authorized.member)
              const bounds =
                currentParent === parent
                  ? yield* resetAccess(authorized.level, accessInput)
                  : yield* relocationPatch(authorized, collection, parent, accessInput)
              if (accessInput.access !== undefined) yield* policy.requireAllIn(authorized)
              else if (currentParent === parent && newPosition === collection.position) return present(authorized)
              const row = yield* change(collection, {
                ...withoutFollows(bounds),
                parent: parent ?? undefined,
                position: newPosition
              })
              yield* emit("collection_moved", row, collection)
              return yield* presentNow(row)
            })
          )
        }),

        transfer: Effect.fn("Collections.transfer")(function* (id, organization, rawInput = {}) {
          const accessInput = yield* acceptOpening(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* policy.require(id, "transfer this collection")
              const { collection, member } = authorized
              const to = yield* requireAdminOnBothSides(organizations, member, organization)
              if (collection.organization === organization) return present(authorized)
              const bounds = yield* relocationPatch(authorized, collection, null, accessInput, to.member.facts)
              const levels = yield* tree.below(collection)
              const spacesInside = yield* tree.spacesIn(collection.organization, levels)
              const collectionIds = idsIn(levels)
              const spaceIds = spacesInside.map((row) => row.id)
              const position = yield* positions.last({ organization, parent: null })
              yield* followers.detach(spaceIds, collection.organization)
              yield* Effect.all([
                collections.update({ id: { in: collectionIds } }, { organization }),
                collections.update({ id }, { ...withoutFollows(bounds), parent: undefined, position }),
                spaces.update({ id: { in: spaceIds } }, { organization })
              ])
              const from = collection.organization
              for (const { id, title } of levels.flat()) {
                yield* events.emit(
                  { type: "collection_transferred", organization, collection: id, from },
                  { label: title }
                )
              }
              yield* transfers.moveDependents({ spaces: spacesInside, collections: collectionIds }, from, organization)
              return yield* presentNow((yield* collections.get({ id }))!)
            })
          )
        })
      })
    })
  )
}

/** Removes `follows` from the access settings, since a collection never follows another one. */
const withoutFollows = ({ follows: _, ...bounds }: RelocationPatch) => bounds

const tooDeep = new CollectionCycle({ message: `Collections nest at most ${maxDepth} deep` })
