import type {
  BodyFormat,
  CommentFilter,
  CommentId,
  CommentPatch,
  CommentPost,
  ReplyPost
} from "@lectern/core/comment/Comment"
import { Comments } from "@lectern/core/comment/Comments"
import type { SpaceId } from "@lectern/core/space/Space"
import type { PageParams } from "@lectern/core/storage/PageParams"
import type { UserId } from "@lectern/core/user/User"
import { Effect } from "effect"
import { group } from "./Group.ts"

interface Params {
  readonly spaceId: SpaceId
  readonly changeRequestId?: string
}
type At<P = unknown> = { readonly params: Params & P }
type OfComment = { readonly commentId: CommentId }
type OfReply = OfComment & { readonly commentReplyId: CommentId }
type Formatted = { readonly query: { readonly format?: BodyFormat } }
type Sent<P> = { readonly payload: P }
type Listed = {
  readonly query: PageParams &
    Omit<CommentFilter, "authors"> & { readonly format?: BodyFormat; readonly authors?: UserId | ReadonlyArray<UserId> }
}

const scope = ({ spaceId, changeRequestId }: Params) => ({ space: spaceId, changeRequest: changeRequestId })

/** Handlers that spaces and change requests share. */
const sharedHandlers = Effect.gen(function* () {
  const comments = yield* Comments
  return {
    list: ({ params, query: { authors, ...query } }: At & Listed) =>
      comments.list(scope(params), { ...query, ...(authors !== undefined && { authors: [authors].flat() }) }),
    post: ({ params, payload }: At & Sent<CommentPost>) => comments.post(scope(params), payload),
    get: ({ params, query }: At<OfComment> & Formatted) => comments.get(scope(params), params.commentId, query),
    update: ({ params, payload }: At<OfComment> & Sent<CommentPatch>) =>
      comments.update(scope(params), params.commentId, payload),
    remove: ({ params }: At<OfComment>) => comments.remove(scope(params), params.commentId),
    listReplies: ({
      params,
      query
    }: At<OfComment> & { readonly query: PageParams & { readonly format?: BodyFormat } }) =>
      comments.listReplies(scope(params), params.commentId, query),
    postReply: ({ params, query, payload }: At<OfComment> & Formatted & Sent<ReplyPost>) =>
      comments.postReply(scope(params), params.commentId, payload, query),
    getReply: ({ params, query }: At<OfReply> & Formatted) =>
      comments.getReply(scope(params), params.commentId, params.commentReplyId, query),
    updateReply: ({ params, payload }: At<OfReply> & Sent<CommentPatch>) =>
      comments.updateReply(scope(params), params.commentId, params.commentReplyId, payload),
    removeReply: ({ params }: At<OfReply>) =>
      comments.removeReply(scope(params), params.commentId, params.commentReplyId),
    commenters: ({ params, query }: At & { readonly query: PageParams }) => comments.commenters(scope(params), query)
  }
})

export const SpaceCommentsHttp = group(
  "spaceComments",
  Effect.fnUntraced(function* (handlers) {
    return handlers(yield* sharedHandlers)
  })
)

export const ChangeRequestCommentsHttp = group(
  "changeRequestComments",
  Effect.fnUntraced(function* (handlers) {
    return handlers(yield* sharedHandlers)
  })
)
