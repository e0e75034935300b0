/** Watches and mutes spaces, pages and change requests for the current user. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { ChangeRequestId, type ChangeRequestNotFound } from "../change-request/ChangeRequest.ts"
import { makeChangeRequestLookup } from "../change-request/store/ChangeRequestLookup.ts"
import { Contents } from "../content/Contents.ts"
import type { ContentPageNotFound } from "../content/edits/ContentErrors.ts"
import { PageId } from "../content/pages/Page.ts"
import type { RevisionNotFound } from "../content/revisions/Revisions.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { type SpaceId, type SpaceNotFound, SpaceTable } from "../space/Space.ts"
import { type AuthorizedSpace, SpacePolicy } from "../space/SpacePolicy.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { requireUser } from "./Notifications.ts"
import {
  maxWatches,
  TooManyWatches,
  type Watch,
  type WatchFilter,
  WatchInput,
  watchKey,
  type WatchRow,
  WatchTable,
  type WatchTarget
} from "./Watch.ts"

const acceptInput = accepting(WatchInput)

/** Space, or page or change request of it, that is watched. */
export interface WatchedContent {
  /** Id of the space. */
  readonly space: SpaceId
  /** Id of a page of the space. */
  readonly page?: string
  /** Id or number of a change request of the space. */
  readonly changeRequest?: string
}

type Failure = SpaceNotFound | ChangeRequestNotFound | RevisionNotFound | Forbidden | StorageError

export class Watches extends Context.Service<
  Watches,
  {
    /**
     * Lists the watches of the current user in spaces that it may see.
     *
     * @param params.space Id of a space. Default: all.
     * @throws {Forbidden} For actors that are not users.
     * @throws {InvalidCursor}
     */
    readonly list: (
      params: PageParams & WatchFilter
    ) => Effect.Effect<ListPage<Watch>, Forbidden | InvalidCursor | StorageError, CurrentActor>
    /**
     * Watches or mutes a space, a page of its main content, or a change request.
     *
     * @throws {ChangeRequestNotFound}
     * @throws {ContentPageNotFound}
     * @throws {Forbidden} For actors that are not users.
     * @throws {InvalidInput}
     * @throws {RevisionNotFound}
     * @throws {SpaceNotFound}
     * @throws {TooManyWatches} Above 10,000 watches of the user.
     * @example
     * ```ts
     * await lectern.as(ada.id).users.notifications.watches.put({ space: space.id }, { state: "watching" })
     * ```
     */
    readonly put: (
      content: WatchedContent,
      input: WatchInput
    ) => Effect.Effect<Watch, Failure | ContentPageNotFound | TooManyWatches | InvalidInput, CurrentActor>
    /**
     * Ends watching or muting. Writing in the content watches it again. Does nothing if the content is not watched.
     *
     * @throws {Forbidden} For actors that are not users.
     */
    readonly remove: (content: WatchedContent) => Effect.Effect<void, Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/notification/Watches") {
  static readonly layer = Layer.effect(
    Watches,
    Effect.gen(function* () {
      const storage = yield* Storage
      const paging = yield* Paging
      const policy = yield* SpacePolicy
      const contents = yield* Contents
      const changeRequests = yield* makeChangeRequestLookup
      const spaces = storage.repository(SpaceTable)
      const watches = storage.repository(WatchTable)

      const present = (
        { target: _, user: __, space, ...row }: WatchRow,
        { space: { title } }: AuthorizedSpace
      ): Watch => ({
        object: "watch",
        ...row,
        space: { id: space, title }
      })

      const targetOf = Effect.fnUntraced(function* ({ space, page, changeRequest }: WatchedContent) {
        const target: WatchTarget = {
          space,
          ...(page !== undefined && { page: PageId.make(page) }),
          ...(changeRequest !== undefined && { changeRequest: (yield* changeRequests.find(space, changeRequest)).id })
        }
        return target
      })

      /** Fails if the content is a page that the main content lacks. */
      const requirePage = Effect.fnUntraced(function* ({ space, page }: WatchedContent) {
        if (page !== undefined) yield* contents.page(yield* contents.locate({ space }), page, { format: "document" })
      })

      return Watches.of({
        list: Effect.fn("Watches.list")(function* ({ space, ...params }) {
          const { user } = yield* requireUser
          const rows = yield* watches.list({ where: { user, ...(space !== undefined && { space }) } })
          const spaceRows = yield* spaces.getMany([...new Set(rows.map(({ space }) => space))].map((id) => ({ id })))
          const readable = yield* policy.readable(spaceRows.filter((row) => row !== undefined))
          const readableById = new Map(readable.map((authorized) => [authorized.space.id, authorized]))
          const visible = rows.filter(({ space }) => readableById.has(space)).toSorted(byTarget)
          const page = yield* paging.items(
            visible,
            `watches of ${JSON.stringify([user, space])}`,
            ({ target }) => target,
            params
          )
          return { ...page, items: page.items.map((row) => present(row, readableById.get(row.space)!)) }
        }),

        put: Effect.fn("Watches.put")(function* (content, rawInput) {
          const { state } = yield* acceptInput(rawInput)
          const { user } = yield* requireUser
          yield* requirePage(content)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* policy.require(content.space, "see the work on this space")
              const target = yield* targetOf(content)
              const key = { target: watchKey(target), user }
              const existing = yield* watches.get(key)
              if (existing === undefined && (yield* watches.count({ user })) >= maxWatches) {
                return yield* new TooManyWatches({
                  message: `You watch ${maxWatches} contents: end some watches first`
                })
              }
              const createdAt = existing?.createdAt ?? (yield* Timestamps.now)
              const row: WatchRow = { ...key, ...target, state, automatic: false, createdAt }
              if (existing === undefined) yield* watches.insert(row)
              else yield* watches.update(key, { state, automatic: false })
              return present(row, authorized)
            }).pipe(cannotConflict)
          )
        }),

        remove: Effect.fn("Watches.remove")(function* (content) {
          const { user } = yield* requireUser
          yield* storage.transaction(
            Effect.gen(function* () {
              // The user can end watching a content that it may no longer see.
              const target = yield* Effect.andThen(
                policy.require(content.space, "see the work on this space"),
                targetOf(content)
              ).pipe(
                Effect.catchTag(["SpaceNotFound", "ChangeRequestNotFound", "Forbidden"], () =>
                  Effect.succeed(namedTarget(content))
                )
              )
              yield* watches.remove({ target: watchKey(target), user })
            })
          )
        })
      })
    })
  )
}

const byTarget = (a: WatchRow, b: WatchRow) => (a.target < b.target ? -1 : 1)

/** Returns the target of a content by the ids in it. */
const namedTarget = ({ space, page, changeRequest }: WatchedContent): WatchTarget => ({
  space,
  ...(page !== undefined && { page: PageId.make(page) }),
  ...(changeRequest !== undefined && { changeRequest: ChangeRequestId.make(changeRequest) })
})
