/**
 * Creates, reads, updates, duplicates and removes spaces. A removed space is in the trash, from which it can be restored
 * for 7 days. Spaces are moved and restored by `SpaceMoves`.
 */
import { Context, Effect, Layer } from "effect"
import { type CurrentActor, requireScope } from "../access/Actor.ts"
import { AccessReset } from "../access/AccessCeiling.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { GrantTable } from "../grant/Grant.ts"
import { resetAccess } from "../access/AccessRelocation.ts"
import type { CollectionId, CollectionNotFound, InvalidPosition } from "../collection/Collection.ts"
import { makeCollectionPolicy } from "../collection/CollectionPolicy.ts"
import type { Move } from "../collection/Position.ts"
import * as Content from "../content/Content.ts"
import { Events } from "../event/Events.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import { requireValidRules } from "../merge-rules/MergeRuleInput.ts"
import type { MemberNotFound } from "../organization/Member.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import type { InvalidCursor, ListPage } from "../paging/Paging.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import { inOneLine } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SearchIndexing } from "../search/indexing/SearchIndexing.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { cannotConflict, hasChanges, type Patch, Storage, type StorageError } from "../storage/Storage.ts"
import type { TemplateApplication } from "../template/Template.ts"
import { makeTemplateContents, type TemplateFailure } from "../template/contents/TemplateContents.ts"
import { makeNewSpaces } from "./NewSpaces.ts"
import {
  maxTitle,
  defaultEmoji,
  type DeletedSpace,
  InvalidVisibility,
  type MemberSpace,
  type Space,
  settingsOf,
  SpaceCreate,
  SpaceId,
  type SpaceNotFound,
  SpacePatch,
  type SpaceRow,
  untitled
} from "./Space.ts"
import { makeSpaceLists } from "./SpaceLists.ts"
import { makeSpaceChanges } from "./SpaceChanges.ts"
import { makeSpaceMoves } from "./SpaceMoves.ts"
import { SpacePolicy } from "./SpacePolicy.ts"
import { makeSpaceTrash } from "./leaving/SpaceTrash.ts"

const acceptCreate = accepting(SpaceCreate)
const acceptPatch = accepting(SpacePatch)
const acceptReset = accepting(AccessReset)

type Failure = SpaceNotFound | Forbidden | StorageError
type ListFailure = Forbidden | InvalidCursor | StorageError
type PositionFailure = OrganizationNotFound | InvalidPosition

export class Spaces extends Context.Service<
  Spaces,
  {
    /**
     * Returns a space.
     *
     * @param options.shareKey Key of a share link. `urls.published` is then the URL on the site of the link. Default:
     * none.
     * @throws {Forbidden}
     * @throws {SpaceNotFound} If the actor may not see the space.
     */
    readonly get: (id: SpaceId, options?: { readonly shareKey?: string }) => Effect.Effect<Space, Failure, CurrentActor>
    /**
     * Lists the spaces of an organization that the actor may see, in tree order.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     * @example
     * ```ts
     * let page: string | undefined
     * do {
     *   const { items, next } = await lectern.spaces.list(organization.id, { limit: 100, ...(page && { page }) })
     *   console.log(items.map(({ title }) => title))
     *   page = next?.page
     * } while (page !== undefined)
     * ```
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<Space>, ListFailure | OrganizationNotFound, CurrentActor>
    /**
     * Lists the spaces that a member of the organization may see, in tree order, with the member's level on each. For
     * the member and for administrators.
     *
     * @param user Id of the member.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {MemberNotFound} If the user is not a member.
     * @throws {OrganizationNotFound}
     */
    readonly listOfMember: (
      organization: OrganizationId,
      user: string,
      params: PageParams
    ) => Effect.Effect<ListPage<MemberSpace>, ListFailure | OrganizationNotFound | MemberNotFound, CurrentActor>
    /**
     * Lists the direct child spaces of a collection.
     *
     * @throws {CollectionNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     */
    readonly listInCollection: (
      collection: CollectionId,
      params: PageParams
    ) => Effect.Effect<ListPage<Space>, ListFailure | CollectionNotFound, CurrentActor>
    /**
     * Lists the spaces in the trash of an organization that the actor may restore, latest deletion first, with the user
     * who deleted each.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     * @example
     * ```ts
     * const { items } = await lectern.spaces.listDeleted(organization.id, {})
     * console.log(items.map(({ space, deletedBy }) => `${space.title}, deleted by ${deletedBy.displayName}`))
     * ```
     */
    readonly listDeleted: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<DeletedSpace>, ListFailure | OrganizationNotFound, CurrentActor>
    /**
     * Creates a space as the last item of a collection or of the organization's top level. The space is empty or has
     * the pages of a template, which search finds a moment later.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition} If `parent` is no collection of the organization.
     * @throws {OrganizationNotFound}
     * @throws {TemplateNotFound}
     * @example
     * ```ts
     * const space = await lectern.spaces.create(organization.id, { title: "Handbook", emoji: "📗" })
     * console.log(space.id, space.urls.app)
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      input: SpaceCreate
    ) => Effect.Effect<Space, PositionFailure | Forbidden | TemplateFailure, CurrentActor>
    /**
     * Changes the fields in the patch. Other fields keep their values. A patch that changes nothing writes nothing.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidVisibility} If the space's parent does not allow the visibility.
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * await lectern.spaces.update(space.id, { title: "Employee handbook", editMode: "locked" })
     * ```
     */
    readonly update: (
      id: SpaceId,
      patch: SpacePatch
    ) => Effect.Effect<Space, Failure | InvalidVisibility | InvalidInput, CurrentActor>
    /**
     * Moves a space to the trash, from which `restore` returns it for 7 days. Then it is deleted with its content. Does
     * nothing if the space does not exist or the actor can't see it.
     *
     * @throws {Forbidden}
     */
    readonly remove: (id: SpaceId) => Effect.Effect<void, Forbidden | StorageError, CurrentActor>
    /**
     * Restores a space from the trash. An active space does not change.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly restore: (
      id: SpaceId,
      options?: AccessReset
    ) => Effect.Effect<Space, Failure | PositionFailure | InvalidInput, CurrentActor>
    /**
     * Copies the content of a space, without its history, discussions and grants. Only the actor, who administers the
     * copy, has access to it, unless `options` open it.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly duplicate: (
      id: SpaceId,
      options?: AccessReset
    ) => Effect.Effect<Space, Failure | PositionFailure | InvalidInput, CurrentActor>
    /**
     * Moves a space to another position among its siblings, or to another collection.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {InvalidPosition}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     * @example
     * ```ts
     * await lectern.spaces.move(space.id, { parent: collection.id, position: { before: { type: "space", space: other.id } } })
     * ```
     */
    readonly move: (
      id: SpaceId,
      move: Move
    ) => Effect.Effect<Space, Failure | PositionFailure | InvalidInput, CurrentActor>
    /**
     * Transfers a space to another organization, as the last item of its top level.
     *
     * @param organization Id of the target organization.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {SpaceNotFound}
     */
    readonly transfer: (
      id: SpaceId,
      organization: OrganizationId,
      options?: AccessReset
    ) => Effect.Effect<Space, Failure | OrganizationNotFound | InvalidInput, CurrentActor>
  }
>()("@lectern/core/space/Spaces") {
  static readonly layer = Layer.effect(
    Spaces,
    Effect.gen(function* () {
      const storage = yield* Storage
      const lists = yield* makeSpaceLists
      const moves = yield* makeSpaceMoves
      const { change, emitUpdated, present, presentAuthorized } = yield* makeSpaceChanges
      const policy = yield* SpacePolicy
      const collectionPolicy = yield* makeCollectionPolicy
      const organizations = yield* Organizations
      const trash = yield* makeSpaceTrash
      const events = yield* Events
      const revisions = yield* Revisions
      const newSpaces = yield* makeNewSpaces
      const indexing = yield* SearchIndexing
      const templates = yield* makeTemplateContents
      const grants = storage.repository(GrantTable)

      /** Returns the initial content of a new space from a template. */
      const initialContentOf = (template: TemplateApplication, empty: boolean | undefined) =>
        empty === true
          ? Effect.fail(
              new InvalidInput({
                issues: [{ path: "body.empty", message: "Expected a template or an empty space, not both" }]
              })
            )
          : templates.make(Content.empty, template, "body.template")

      return Spaces.of({
        get: Effect.fnUntraced(function* (id, options) {
          const authorized = yield* policy.require(id, "see this space", { trash: true })
          return yield* presentAuthorized(authorized, options?.shareKey)
        }),

        list: lists.ofOrganization,
        listOfMember: lists.ofMember,
        listInCollection: lists.ofCollection,
        listDeleted: lists.deleted,

        create: Effect.fn("Spaces.create")(function* (organization, rawInput) {
          const { parent, template, ...input } = yield* acceptCreate(rawInput)
          const now = yield* Timestamps.now
          const authorized = Effect.gen(function* () {
            yield* organizations.require(organization, "see this organization")
            yield* collectionPolicy.requireTarget(organization, parent ?? null)
          })
          const initialContent =
            template && (yield* Effect.andThen(authorized, initialContentOf(template, input.empty)))
          return yield* storage.transaction(
            Effect.gen(function* () {
              yield* authorized
              if (initialContent !== undefined) yield* initialContent.draft.flush
              const row = yield* newSpaces.insert(
                {
                  organization,
                  title: input.title || untitled,
                  emoji: input.emoji || defaultEmoji,
                  editMode: input.editMode ?? "live",
                  defaultLevel: "inherit",
                  ...(parent !== undefined && { parent }),
                  ...settingsOf(input)
                },
                initialContent?.content ?? Content.empty,
                now
              )
              yield* events.emit({ type: "space_created", organization, space: row.id }, { label: row.title })
              return yield* present(row)
            })
          )
        }),

        update: Effect.fnUntraced(function* (id, rawInput) {
          const { access: accessInput, ...patch } = yield* acceptPatch(rawInput)
          const now = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* policy.require(id, "change this space")
              const { space, level } = authorized
              const { defaultLevel, visibility, editMode, mergeRules } = patch
              // An integration with scopes may change the title and other texts of a space, but not its access.
              if (
                level !== "admin" &&
                [accessInput, defaultLevel, visibility, editMode, mergeRules].some((value) => value !== undefined)
              ) {
                return yield* new Forbidden({
                  message: "To change who may see or edit this space, you need the role admin on it"
                })
              }
              if (defaultLevel !== undefined || visibility !== undefined) {
                yield* requireScope("access:write", "change who may see this space")
              }
              yield* requireValidRules(authorized.member.facts, mergeRules)
              const resetsAccess = accessInput === "inherit" || patch.defaultLevel === "inherit"
              const accessPatch = yield* resetAccess(level, resetsAccess ? { access: "inherit" } : {})
              if (patch.visibility === "in-collection" && space.parent === undefined) {
                return yield* new InvalidVisibility({
                  message: "The space is in no collection, so it can't be seen through one"
                })
              }
              const changedFields: Patch<SpaceRow> = {
                ...accessPatch,
                ...patch,
                ...(patch.visibility !== undefined && { visibilitySet: true }),
                ...(patch.title === "" && { title: untitled }),
                ...(patch.emoji === "" && { emoji: defaultEmoji })
              }
              const decidesAccess = resetsAccess || defaultLevel !== undefined
              // If the patch does not affect access, an administrator of the space still is one, so access is not
              // loaded again.
              const presentAfter = (after: SpaceRow) =>
                level === "admin" && !decidesAccess
                  ? presentAuthorized({ ...authorized, space: after })
                  : present(after)
              if (!hasChanges(space, changedFields)) return yield* presentAfter(space)
              const row = yield* change(space, { ...changedFields, updatedAt: now })
              if (row.language !== space.language) yield* indexing.reindex(id)
              yield* emitUpdated(row, space)
              return yield* presentAfter(row)
            })
          )
        }),

        remove: Effect.fn("Spaces.remove")(function* (id) {
          const now = yield* Timestamps.now
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const { space } = yield* policy.require(id, "delete this space", { trash: true })
                if (space.deletedAt === undefined) yield* trash.moveToTrash(space, now)
              })
            )
            .pipe(Effect.catchTag("SpaceNotFound", () => Effect.void))
        }),

        restore: moves.restore,
        move: moves.move,
        transfer: moves.transfer,

        duplicate: Effect.fn("Spaces.duplicate")(function* (id, rawInput = {}) {
          const accessInput = yield* acceptReset(rawInput)
          const now = yield* Timestamps.now
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { space, level, member } = yield* policy.require(id, "duplicate this space")
              const opens = yield* resetAccess(level, accessInput)
              const parent = space.parent as CollectionId | undefined
              yield* collectionPolicy.requireTarget(space.organization, parent ?? null)
              const { content } = yield* revisions.get(space.revision)
              const row = yield* newSpaces.insert(
                {
                  organization: space.organization,
                  title: copyTitle(space.title),
                  emoji: space.emoji,
                  editMode: "live",
                  defaultLevel: opens.defaultLevel ?? null,
                  ...(accessInput.access === undefined && { ceiling: { levels: [null], within: [] } }),
                  ...(parent !== undefined && { parent }),
                  ...settingsOf(space)
                },
                content,
                now
              )
              if (member.user !== undefined) {
                const grantKey = { kind: "space", content: row.id, holderKind: "user", holder: member.user } as const
                yield* grants
                  .insert({ organization: space.organization, ...grantKey, role: "admin" })
                  .pipe(cannotConflict)
              }
              yield* events.emit(
                { type: "space_duplicated", organization: row.organization, space: row.id, from: id },
                { label: row.title }
              )
              return yield* present(row)
            })
          )
        })
      })
    })
  )
}

const copySuffix = " (copy)"

const copyTitle = (title: string) => inOneLine(title, maxTitle - copySuffix.length) + copySuffix
