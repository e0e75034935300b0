/**
 * A comment on a space or on a change request of it, and the replies to it. Comments on the two are
 * lists of their own. A comment may be about a page, a block of it, or a cell of a table.
 *
 * Limits: bodies of 20,000 characters of Markdown, 128 KiB as a document either way, 1,000 replies
 * to a comment, 100 different reactions to one.
 */
import { Schema } from "effect"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { PageId } from "../content/pages/Page.ts"
import { RevisionId } from "../content/revisions/Revision.ts"
import { Issues } from "../schema/Input.ts"
import { Timestamp } from "../schema/Text.ts"
import * as Text from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { User, UserId } from "../user/User.ts"

export const maxReplies = 1_000

export const CommentId = Schema.String.pipe(Schema.brand("CommentId"))
export type CommentId = typeof CommentId.Type

export const CommentStatus = Schema.Literals(["open", "resolved"])
export type CommentStatus = typeof CommentStatus.Type

/** Stands in a row for the space's own comments, where comments of a change request have its id. */
export const ofSpace = ""

/** A body as it is kept: as a document, and as the Markdown that it reads as. */
export const StoredBody = Schema.Struct({ document: Schema.Unknown, markdown: Schema.String })
export type StoredBody = typeof StoredBody.Type

export const TableCell = Schema.Struct({ record: Text.between(1, 256), definition: Text.between(1, 256) })

/** The page as it was when it was commented on: shown once it is gone. */
const CommentedPage = Schema.Struct({
  id: PageId,
  title: Schema.String,
  path: Schema.String,
  emoji: Schema.optionalKey(Schema.String),
  icon: Schema.optionalKey(Schema.String),
  createdAt: Timestamp,
  updatedAt: Timestamp
})
export type CommentedPage = typeof CommentedPage.Type

const CommentedNode = Schema.Struct({ id: Schema.String, preview: Schema.String })

const posted = {
  space: SpaceId,
  changeRequest: Schema.Union([ChangeRequestId, Schema.Literal(ofSpace)]),
  /** Null: the host application. */
  author: Schema.NullOr(UserId),
  body: StoredBody,
  postedAt: Timestamp,
  editedAt: Schema.optionalKey(Timestamp)
}

export const CommentRow = Schema.Struct({
  id: CommentId,
  ...posted,
  status: CommentStatus,
  resolvedAt: Schema.optionalKey(Timestamp),
  resolvedBy: Schema.optionalKey(Schema.NullOr(UserId)),
  replies: Schema.Int,
  /** How many of the replies are whose, and when the last of them came. */
  repliers: Schema.Record(UserId, Schema.Struct({ count: Schema.Int, at: Timestamp })),
  /** The review that it came with. */
  review: Schema.optionalKey(Schema.String),
  /** The revision that it was written about. */
  revision: RevisionId,
  target: Schema.optionalKey(CommentedPage),
  node: Schema.optionalKey(CommentedNode),
  tableCell: Schema.optionalKey(TableCell)
})
export type CommentRow = typeof CommentRow.Type

export const CommentTable = Table.make("comment", CommentRow, {
  key: ["id"],
  derived: { page: ({ target }: CommentRow) => target?.id ?? null },
  indexes: [
    ["space", "changeRequest", "id"],
    ["space", "changeRequest", "status", "id"],
    ["space", "changeRequest", "author", "id"],
    ["space", "changeRequest", "author", "status"],
    // What is said about a page is found through the page, whatever else is asked for.
    ["space", "changeRequest", "page", "id"],
    ["space", "changeRequest", "page", "author", "id"],
    ["space", "changeRequest", "page", "status", "id"]
  ]
})

export const CommentReplyRow = Schema.Struct({ id: CommentId, comment: CommentId, ...posted })
export type CommentReplyRow = typeof CommentReplyRow.Type

export const CommentReplyTable = Table.make("commentReply", CommentReplyRow, {
  key: ["id"],
  indexes: [["comment", "id"], ["space"]]
})

/** A user who has commented or replied, and how often. */
const CommenterRow = Schema.Struct({
  space: SpaceId,
  changeRequest: posted.changeRequest,
  user: UserId,
  count: Schema.Int,
  /** When the last of them came. */
  at: Timestamp
})

export const CommenterTable = Table.make("commenter", CommenterRow, { key: ["space", "changeRequest", "user"] })

/** Markdown, or a document; neither: an empty comment. */
export const BodyInput = Schema.Struct({
  markdown: Schema.optionalKey(Text.atMost(20_000)),
  document: Schema.optionalKey(Schema.Unknown)
})
export type BodyInput = typeof BodyInput.Type

export const CommentPost = Schema.Struct({
  body: BodyInput,
  page: Schema.optionalKey(Text.between(1, 256)),
  node: Schema.optionalKey(Text.between(1, 256)),
  tableCell: Schema.optionalKey(TableCell)
})
export type CommentPost = typeof CommentPost.Type

/** The longest emoji are some sixty characters when they are written as code points. */
const Reactions = Schema.Array(Text.between(1, 100)).check(Schema.isMaxLength(50))

/** The same for replies; `resolved` is of the comment that they reply to. */
export const CommentPatch = Schema.Struct({
  resolved: Schema.optionalKey(Schema.Boolean),
  body: Schema.optionalKey(BodyInput),
  addedReactions: Schema.optionalKey(Reactions),
  removedReactions: Schema.optionalKey(Reactions)
})
export type CommentPatch = typeof CommentPatch.Type

export const ReplyPost = Schema.Struct({ body: BodyInput })
export type ReplyPost = typeof ReplyPost.Type

export const CommentFilter = Schema.Struct({
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"])).annotateKey({
    description: "The direction of the order."
  }),
  status: Schema.optionalKey(Schema.Union([CommentStatus, Schema.Literal("all")])).annotateKey({
    description: "Those of this status."
  }),
  targetPage: Schema.optionalKey(Schema.String).annotateKey({
    description: "The id of a page: comments on this one alone."
  }),
  authors: Schema.optionalKey(Schema.Array(UserId).check(Schema.isMaxLength(100)))
})
export type CommentFilter = typeof CommentFilter.Type

export const BodyFormat = Schema.Literals(["document", "markdown"])
export type BodyFormat = typeof BodyFormat.Type

const Body = Schema.Union([Schema.Struct({ markdown: Schema.String }), Schema.Struct({ document: Schema.Unknown })])

const EmojiReaction = Schema.Struct({
  emoji: Schema.String,
  count: Schema.Int,
  users: Schema.Array(Schema.Struct({ user: User, reactedAt: Timestamp }))
})
export type EmojiReaction = typeof EmojiReaction.Type

const presented = {
  id: CommentId,
  postedBy: User,
  postedAt: Timestamp,
  editedAt: Schema.optionalKey(Timestamp),
  reactions: Schema.Array(EmojiReaction),
  body: Body,
  urls: Schema.Struct({ location: Schema.String }),
  permissions: Schema.Struct({
    view: Schema.Boolean,
    edit: Schema.Boolean,
    reply: Schema.Boolean,
    delete: Schema.Boolean
  })
}

/** A user who had a part in something, how often, and when last. */
export const Contributor = Schema.Struct({ user: User, count: Schema.Int, updatedAt: Timestamp })
export type Contributor = typeof Contributor.Type

/** Contributor of a change request, with the kind of its part: who did both stands there twice. */
export const ChangeRequestContributor = Schema.Struct({
  ...Contributor.fields,
  actionType: Schema.Literals(["edit", "comment"])
})
export type ChangeRequestContributor = typeof ChangeRequestContributor.Type

/** The resource. */
export const Comment = Schema.Struct({
  object: Schema.Literal("comment"),
  ...presented,
  replies: Schema.Int,
  /** The users who replied. */
  repliers: Schema.Array(Contributor),
  status: CommentStatus,
  resolvedAt: Schema.optionalKey(Timestamp),
  resolvedBy: Schema.optionalKey(User),
  target: Schema.Struct({
    space: SpaceId,
    changeRequest: Schema.optionalKey(ChangeRequestId),
    review: Schema.optionalKey(Schema.String),
    revision: RevisionId,
    page: Schema.optionalKey(Schema.Struct({ ...CommentedPage.fields, outdated: Schema.Boolean })),
    node: Schema.optionalKey(CommentedNode),
    tableCell: Schema.optionalKey(TableCell)
  })
})
export type Comment = typeof Comment.Type

/** The resource. */
export const CommentReply = Schema.Struct({ object: Schema.Literal("comment-reply"), ...presented })
export type CommentReply = typeof CommentReply.Type

export class CommentNotFound extends Schema.TaggedError<CommentNotFound>()(
  "CommentNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** A comment's body or target that can't be taken. */
export class InvalidComment extends Schema.TaggedError<InvalidComment>()(
  "InvalidComment",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message() {
    const [issue] = this.issues
    return issue === undefined ? "The comment can't be accepted" : `The comment can't be accepted: ${issue.message}`
  }
}

export class TooManyReplies extends Schema.TaggedError<TooManyReplies>()(
  "TooManyReplies",
  { message: Schema.String },
  { httpApiStatus: 409 }
) {}
