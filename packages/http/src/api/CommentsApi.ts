/** Comments and replies: of a space and of a change request, the same at both addresses. */
import {
  BodyFormat,
  Comment,
  CommentFilter,
  CommentId,
  CommentPatch,
  CommentPost,
  CommentReply,
  ReplyPost
} from "@lectern/core/comment/Comment"
import { Member } from "@lectern/core/organization/Member"
import { SpaceId } from "@lectern/core/space/Space"
import { UserId } from "@lectern/core/user/User"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const format = { format: Schema.optionalKey(BodyFormat) }

/** One author, or several. */
const authors = Schema.optionalKey(Schema.Union([Schema.Array(UserId), UserId]))

const comments = <const Params extends { readonly spaceId: typeof SpaceId }, const Path extends `/${string}`>(
  path: Path,
  params: Params
) => {
  const all = `${path}/comments` as const
  const one = `${all}/:commentId` as const
  const replies = `${one}/replies` as const
  const reply = `${replies}/:commentReplyId` as const
  const comment = { ...params, commentId: CommentId }
  const answer = { ...comment, commentReplyId: CommentId }
  return [
    HttpApiEndpoint.get("list", all, {
      params,
      query: { ...PageQuery, ...format, ...CommentFilter.fields, authors },
      success: listOf(Comment)
    }),
    HttpApiEndpoint.post("post", all, { params, payload: CommentPost, success: Comment }),
    HttpApiEndpoint.get("get", one, { params: comment, query: format, success: Comment }),
    HttpApiEndpoint.put("update", one, { params: comment, payload: CommentPatch, success: Comment }),
    HttpApiEndpoint.delete("remove", one, { params: comment, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.get("listReplies", replies, {
      params: comment,
      query: { ...PageQuery, ...format },
      success: listOf(CommentReply)
    }),
    HttpApiEndpoint.post("postReply", replies, {
      params: comment,
      query: format,
      payload: ReplyPost,
      success: CommentReply
    }),
    HttpApiEndpoint.get("getReply", reply, { params: answer, query: format, success: CommentReply }),
    HttpApiEndpoint.put("updateReply", reply, { params: answer, payload: CommentPatch, success: CommentReply }),
    HttpApiEndpoint.delete("removeReply", reply, { params: answer, success: HttpApiSchema.NoContent }),
    HttpApiEndpoint.get("commenters", `${path}/commenters`, { params, query: PageQuery, success: listOf(Member) })
  ] as const
}

export const SpaceCommentsApi = HttpApiGroup.make("spaceComments")
  .annotateMerge(OpenApi.annotations({ title: "Comments on a space", description: "What people say about a space." }))
  .add(...comments("/spaces/:spaceId", { spaceId: SpaceId }))
  .middleware(Authentication)
  .middleware(Failures)

export const ChangeRequestCommentsApi = HttpApiGroup.make("changeRequestComments")
  .annotateMerge(
    OpenApi.annotations({
      title: "Comments on a change request",
      description: "What people say about a change request."
    })
  )
  .add(
    ...comments("/spaces/:spaceId/change-requests/:changeRequestId", {
      spaceId: SpaceId,
      changeRequestId: Schema.String
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
