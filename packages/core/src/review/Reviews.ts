/** Lists, reads and submits the reviews of a change request. */
import { Context, Effect, Result, Layer } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { atLeast } from "../access/Role.ts"
import { ChangeRequestConflict, type ChangeRequestRow } from "../change-request/ChangeRequest.ts"
import { next } from "../change-request/ChangeRequestState.ts"
import { type BodyFormat, type CommentRow, CommentTable, type InvalidComment } from "../comment/Comment.ts"
import * as CommentBody from "../comment/CommentBody.ts"
import { makeCommentPresenter } from "../comment/CommentPresenter.ts"
import { CommentScopes, type ScopeFailure, type AuthorizedScope } from "../comment/CommentScopes.ts"
import { makeCommentStore } from "../comment/CommentStore.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceId } from "../space/Space.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import { Threads, type TooCostly } from "../thread/Threads.ts"
import { hostUser, type UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import {
  maxReviews,
  RequestedReviewerTable,
  type Review,
  ReviewId,
  ReviewNotFound,
  type ReviewRow,
  ReviewSubmit,
  ReviewTable,
  TooManyReviews,
  type InvalidReviewer,
  type RequestedReviewer,
  type ReviewRequest
} from "./Review.ts"
import { makeAwaitedReviewers } from "./store/AwaitedReviewers.ts"
import { makeRequestedReviewers } from "./RequestedReviewers.ts"
import type { OpenFailure } from "../change-request/store/ChangeRequestStore.ts"
import type { InvalidChange } from "../content/edits/ContentErrors.ts"

const acceptSubmit = accepting(ReviewSubmit)

type FormatParams = { readonly format?: BodyFormat }

interface AuthorizedChangeRequest extends AuthorizedScope {
  readonly changeRequest: ChangeRequestRow
}

export class Reviews extends Context.Service<
  Reviews,
  {
    /**
     * Lists the reviews of a change request, newest first.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @param params.outdated True for only outdated reviews, false for only current ones. Default: all.
     * @param params.format Format of the comments. Default: `markdown`.
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     */
    readonly list: (
      space: SpaceId,
      changeRequest: string,
      params: PageParams & FormatParams & { readonly outdated?: boolean }
    ) => Effect.Effect<ListPage<Review>, ScopeFailure | InvalidCursor, CurrentActor>
    /**
     * Returns a review of a change request.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @param options.format Format of the comment. Default: `markdown`.
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {ReviewNotFound} If the change request has no such review.
     * @throws {SpaceNotFound}
     */
    readonly get: (
      space: SpaceId,
      changeRequest: string,
      id: ReviewId,
      options?: FormatParams
    ) => Effect.Effect<Review, ScopeFailure | ReviewNotFound, CurrentActor>
    /**
     * Submits a review. Requires the role `review`, or the role `comment` and a request to the actor.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidComment}
     * @throws {InvalidInput}
     * @throws {SpaceNotFound}
     * @throws {TooCostly}
     * @throws {TooManyReviews}
     * @example
     * ```ts
     * await lectern.changeRequests.update(space.id, changeRequest.id, { status: "open" })
     * const review = await lectern.as(ada.id).changeRequests.reviews.submit(space.id, changeRequest.id, {
     *   status: "approved",
     *   comment: { markdown: "Thank you!" }
     * })
     * console.log(review.status, review.outdated)
     * ```
     */
    readonly submit: (
      space: SpaceId,
      changeRequest: string,
      input: ReviewSubmit
    ) => Effect.Effect<
      Review,
      ScopeFailure | ChangeRequestConflict | TooManyReviews | InvalidComment | TooCostly | InvalidInput,
      CurrentActor
    >
    /**
     * Lists the requested reviewers of a change request.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @throws {ChangeRequestNotFound}
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {SpaceNotFound}
     */
    readonly listRequested: (
      space: SpaceId,
      changeRequest: string,
      params: PageParams
    ) => Effect.Effect<ListPage<RequestedReviewer>, ScopeFailure | InvalidCursor, CurrentActor>
    /**
     * Requests reviews from users and returns the requests. A user with an earlier request gets a new one. Requires
     * permission to change the change request.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {Forbidden}
     * @throws {InvalidChange}
     * @throws {InvalidInput}
     * @throws {InvalidReviewer}
     * @throws {SpaceNotFound}
     * @throws {TooCostly}
     * @example
     * ```ts
     * await lectern.changeRequests.reviews.request(space.id, changeRequest.id, { users: [ada.id] })
     * ```
     */
    readonly request: (
      space: SpaceId,
      changeRequest: string,
      input: ReviewRequest
    ) => Effect.Effect<
      { readonly users: ReadonlyArray<RequestedReviewer> },
      OpenFailure | InvalidReviewer | InvalidChange | TooCostly | InvalidInput,
      CurrentActor
    >
    /**
     * Removes the request to a user. Does nothing if there is no request.
     *
     * @param changeRequest Id of the change request, or its number in the space.
     * @param user Id of the user.
     * @throws {ChangeRequestConflict}
     * @throws {ChangeRequestNotFound}
     * @throws {ChangeRequestStale}
     * @throws {Forbidden}
     * @throws {SpaceNotFound}
     */
    readonly removeRequested: (
      space: SpaceId,
      changeRequest: string,
      user: string
    ) => Effect.Effect<void, OpenFailure, CurrentActor>
  }
>()("@lectern/core/review/Reviews") {
  static readonly layer = Layer.effect(
    Reviews,
    Effect.gen(function* () {
      const storage = yield* Storage
      const threads = yield* Threads
      const ids = yield* Ids
      const events = yield* Events
      const paging = yield* Paging
      const publicUrl = yield* PublicUrl
      const users = yield* Users
      const scopes = yield* CommentScopes
      const comments = yield* makeCommentStore
      const presenter = yield* makeCommentPresenter
      const reviews = storage.repository(ReviewTable)
      const requested = storage.repository(RequestedReviewerTable)
      const awaited = yield* makeAwaitedReviewers
      const commentRows = storage.repository(CommentTable)

      const require = (space: SpaceId, changeRequest: string, action: Parameters<typeof scopes.require>[1]) =>
        Effect.map(
          scopes.require({ space, changeRequest }, action),
          (authorized) => authorized as AuthorizedChangeRequest
        )

      /** Returns the comments of reviews, except deleted ones. */
      const commentsOf = (rows: ReadonlyArray<ReviewRow>) =>
        Effect.map(
          commentRows.getMany(rows.flatMap(({ comment }) => (comment === undefined ? [] : { id: comment }))),
          (found) => found.filter((row) => row !== undefined)
        )

      const present = Effect.fnUntraced(function* (
        authorized: AuthorizedChangeRequest,
        rows: ReadonlyArray<ReviewRow>,
        comments: ReadonlyArray<CommentRow>,
        format?: BodyFormat
      ) {
        const people = yield* users.present(
          rows.flatMap(({ reviewer, requestedBy }) => [reviewer ?? hostUser, requestedBy ?? hostUser])
        )
        const presented = new Map((yield* presenter.comments(authorized, comments, format)).map((one) => [one.id, one]))
        return rows.map((row): Review => {
          const comment = row.comment && presented.get(row.comment)
          return {
            object: "change-request-review",
            id: row.id,
            revision: row.revision,
            reviewer: people.get(row.reviewer ?? hostUser)!,
            ...(row.requestedBy !== undefined && { requestedBy: people.get(row.requestedBy ?? hostUser)! }),
            status: row.status,
            outdated: isOutdated(authorized, row),
            ...(comment && { comment }),
            createdAt: row.createdAt,
            updatedAt: row.updatedAt,
            urls: {
              location: `${publicUrl}/v1/spaces/${row.space}/change-requests/${row.changeRequest}/reviews/${row.id}`
            }
          }
        })
      })

      /**
       * Returns the request for a review by the actor. Undefined if none exists and the actor has the role `review`.
       * `Forbidden` otherwise.
       */
      const requestTo = Effect.fnUntraced(function* (authorized: AuthorizedChangeRequest, reviewer: UserId | null) {
        const request =
          reviewer === null
            ? undefined
            : yield* requested.get({ changeRequest: authorized.changeRequest.id, user: reviewer })
        if (request === undefined && !atLeast(authorized.level, "review")) {
          return yield* new Forbidden({
            message: `To review this change request, you need the role review, or a request to review it; your role here is ${authorized.level}`
          })
        }
        return request
      })

      return Reviews.of({
        list: Effect.fn("Reviews.list")(function* (space, changeRequest, { outdated, format, ...params }) {
          const authorized = yield* require(space, changeRequest, "see the work on this space")
          const allReviews = { changeRequest: authorized.changeRequest.id }
          const where =
            outdated === undefined
              ? allReviews
              : {
                  id: {
                    in: (yield* reviews.list({ where: allReviews }))
                      .filter((row) => isOutdated(authorized, row) === outdated)
                      .map(({ id }) => id)
                  }
                }
          const reviewComments: Array<CommentRow> = []
          const page = yield* paging.rows(
            ReviewTable,
            `reviews of ${authorized.changeRequest.id} ${outdated ?? ""}`,
            { where, descending: true },
            params,
            Effect.fnUntraced(function* (rows) {
              const pageComments = yield* commentsOf(rows)
              reviewComments.push(...pageComments)
              const bodies = new Map(pageComments.map(({ id, body }) => [id, body]))
              return rows.map(({ comment }) => {
                const body = comment && bodies.get(comment)
                return body === undefined ? 0 : CommentBody.sizeOf(body, format)
              })
            })
          )
          return { ...page, items: yield* present(authorized, page.items, reviewComments, format) }
        }),

        get: Effect.fn("Reviews.get")(function* (space, changeRequest, id, options) {
          const authorized = yield* require(space, changeRequest, "see the work on this space")
          const row = yield* reviews.get({ id })
          if (row?.changeRequest !== authorized.changeRequest.id) {
            return yield* new ReviewNotFound({
              message: `There is no review ${id.slice(0, 50)} of this change request`
            })
          }
          return (yield* present(authorized, [row], yield* commentsOf([row]), options?.format))[0]!
        }),

        submit: Effect.fn("Reviews.submit")(function* (space, changeRequest, rawInput) {
          const { status, comment: commentInput } = yield* acceptSubmit(rawInput)
          const reviewer = userOf(yield* CurrentActor)
          yield* requestTo(yield* require(space, changeRequest, "comment on this space"), reviewer)
          const body = commentInput && (yield* CommentBody.read(threads, commentInput, ids.key, "body.comment"))
          const now = yield* Timestamps.now
          const submission = yield* storage.transaction(
            Effect.gen(function* () {
              const authorized = yield* require(space, changeRequest, "comment on this space")
              const { id, organization, revision, status: state } = authorized.changeRequest
              const request = yield* requestTo(authorized, reviewer)
              const nextStatus = next(state, { type: "review" })
              if (Result.isFailure(nextStatus)) return yield* new ChangeRequestConflict({ message: nextStatus.failure })
              if ((yield* reviews.count({ changeRequest: id })) >= maxReviews) {
                return yield* new TooManyReviews({ message: `A change request has at most ${maxReviews} reviews` })
              }
              const [latestReview] = yield* reviews.list({ where: { changeRequest: id }, descending: true, limit: 1 })
              const review = ReviewId.make(
                yield* latestReview === undefined ? ids.next : ids.nextAfter(latestReview.id)
              )
              const comment = body && (yield* comments.insert(authorized, body, { revision, review })).id
              const row: ReviewRow = {
                id: review,
                space,
                changeRequest: id,
                revision,
                reviewer,
                ...(request !== undefined && { requestedBy: request.requestedBy }),
                status,
                ...(comment !== undefined && { comment }),
                superseded: false,
                createdAt: now,
                updatedAt: now
              }
              yield* reviews.update({ changeRequest: id, reviewer, superseded: false }, { superseded: true })
              yield* reviews.insert(row)
              if (reviewer !== null) yield* awaited.remove(id, reviewer)
              yield* events.emit({ type: "change_request_reviewed", organization, space, changeRequest: id, review })
              return { authorized, row }
            }).pipe(cannotConflict)
          )
          return (yield* present(submission.authorized, [submission.row], yield* commentsOf([submission.row])))[0]!
        }),

        ...(yield* makeRequestedReviewers)
      })
    })
  )
}

const isOutdated = ({ changeRequest }: AuthorizedChangeRequest, row: ReviewRow): boolean =>
  row.superseded || row.revision !== changeRequest.revision
