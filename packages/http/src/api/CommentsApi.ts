/** Comments and replies on a space or a change request, with equal operations for both. */
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
import { UserId } from "@lectern/core/user/User"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { changeRequestId, spaceId } from "./Parameters.ts"

/** Query parameter for the format of bodies. */
export const format = {
  format: Schema.optionalKey(BodyFormat).annotateKey({
    description: "The format of documents: `markdown`, or `document` for blocks."
  })
}

/** One user id, or a list of user ids. */
const authors = Schema.optionalKey(Schema.Union([Schema.Array(UserId), UserId])).annotateKey({
  description: "Only comments by these users, by id."
})

const comments = <const Params extends { readonly spaceId: typeof spaceId }, const Path extends `/${string}`>(
  path: Path,
  params: Params,
  subject: string
) => {
  const listPath = `${path}/comments` as const
  const itemPath = `${listPath}/:commentId` as const
  const replies = `${itemPath}/replies` as const
  const reply = `${replies}/:commentReplyId` as const
  const comment = { ...params, commentId: CommentId.annotateKey({ description: "The id of the comment." }) }
  const replyParams = { ...comment, commentReplyId: CommentId.annotateKey({ description: "The id of the reply." }) }
  return [
    Operation.get("list", listPath, {
      description: `Lists the comments on ${subject}.`,
      scopes: ["space:content:read"],
      params,
      query: { ...PageQuery, ...format, ...CommentFilter.fields, authors },
      success: listOf(Comment)
    }),
    Operation.post("post", listPath, {
      description: `Posts a comment on ${subject}, on one of its pages or on a block.`,
      scopes: ["space:comment:write"],
      params,
      payload: CommentPost,
      success: Comment
    }),
    Operation.get("get", itemPath, {
      description: `Returns one comment on ${subject}.`,
      scopes: ["space:content:read"],
      params: comment,
      query: format,
      success: Comment
    }),
    Operation.put("update", itemPath, {
      description: `Changes a comment on ${subject}, or resolves it.`,
      scopes: ["space:comment:write"],
      params: comment,
      payload: CommentPatch,
      success: Comment
    }),
    Operation.delete("remove", itemPath, {
      description: `Deletes a comment on ${subject}, with its replies.`,
      scopes: ["space:comment:write"],
      params: comment,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("listReplies", replies, {
      description: `Lists the replies to a comment on ${subject}.`,
      scopes: ["space:content:read"],
      params: comment,
      query: { ...PageQuery, ...format },
      success: listOf(CommentReply)
    }),
    Operation.post("postReply", replies, {
      description: `Replies to a comment on ${subject}.`,
      scopes: ["space:comment:write"],
      params: comment,
      query: format,
      payload: ReplyPost,
      success: CommentReply
    }),
    Operation.get("getReply", reply, {
      description: `Returns one reply to a comment on ${subject}.`,
      scopes: ["space:content:read"],
      params: replyParams,
      query: format,
      success: CommentReply
    }),
    Operation.put("updateReply", reply, {
      description: `Changes a reply to a comment on ${subject}.`,
      scopes: ["space:comment:write"],
      params: replyParams,
      payload: CommentPatch,
      success: CommentReply
    }),
    Operation.delete("removeReply", reply, {
      description: `Deletes a reply to a comment on ${subject}.`,
      scopes: ["space:comment:write"],
      params: replyParams,
      success: HttpApiSchema.NoContent
    }),
    Operation.get("commenters", `${path}/commenters`, {
      description: `Lists the users who commented on ${subject}.`,
      scopes: ["space:content:read"],
      params,
      query: PageQuery,
      success: listOf(Member)
    })
  ] as const
}

export const SpaceCommentsApi = HttpApiGroup.make("spaceComments")
  .annotateMerge(OpenApi.annotations({ title: "Comments on a space", description: "Comments and replies on a space." }))
  .add(...comments("/spaces/:spaceId", { spaceId }, "a space"))
  .middleware(Authentication)
  .middleware(Failures)

export const ChangeRequestCommentsApi = HttpApiGroup.make("changeRequestComments")
  .annotateMerge(
    OpenApi.annotations({
      title: "Comments on a change request",
      description: "Comments and replies on a change request."
    })
  )
  .add(
    ...comments(
      "/spaces/:spaceId/change-requests/:changeRequestId",
      {
        spaceId,
        changeRequestId
      },
      "a change request"
    )
  )
  .middleware(Authentication)
  .middleware(Failures)
