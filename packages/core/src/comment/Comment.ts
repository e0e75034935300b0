/**
 * A comment on a space or on one of its change requests, and its replies. The comments of each form a separate list.
 * The target of a comment may be a page, a block, or a cell of a table.
 *
 * Limits: body 20,000 characters of Markdown; 128 KiB as a document, in either format. 1,000 replies and 100 different
 * reactions to a comment.
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

/** Id of a comment or a reply. */
export const CommentId = Schema.String.pipe(Schema.brand("CommentId"))
export type CommentId = typeof CommentId.Type

export const CommentStatus = Schema.Literals(["open", "resolved"])
export type CommentStatus = typeof CommentStatus.Type

/** Value of the column `changeRequest` for comments on the space itself. */
export const noChangeRequest = ""

/** Stored body, as a document and as its Markdown. */
export const StoredBody = Schema.Struct({ document: Schema.Unknown, markdown: Schema.String })
export type StoredBody = typeof StoredBody.Type

export const TableCell = Schema.Struct({ record: Text.between(1, 256), definition: Text.between(1, 256) })

/** Snapshot of the commented page. Displayed if the page no longer exists. */
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

const postedFields = {
  space: SpaceId,
  changeRequest: Schema.Union([ChangeRequestId, Schema.Literal(noChangeRequest)]),
  /** Null for the host application. */
  author: Schema.NullOr(UserId),
  body: StoredBody,
  postedAt: Timestamp,
  editedAt: Schema.optionalKey(Timestamp)
}

export const CommentRow = Schema.Struct({
  id: CommentId,
  ...postedFields,
  status: CommentStatus,
  resolvedAt: Schema.optionalKey(Timestamp),
  resolvedBy: Schema.optionalKey(Schema.NullOr(UserId)),
  replies: Schema.Int,
  /** Number of replies of each user, and the time of the last one. */
  repliers: Schema.Record(UserId, Schema.Struct({ count: Schema.Int, at: Timestamp })),
  /** Id of the review that contains the comment. */
  review: Schema.optionalKey(Schema.String),
  /** Revision to which the comment refers. */
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
    // Indexes for the comments of a page, in combination with any other filter.
    ["space", "changeRequest", "page", "id"],
    ["space", "changeRequest", "page", "author", "id"],
    ["space", "changeRequest", "page", "status", "id"]
  ]
})

export const CommentReplyRow = Schema.Struct({ id: CommentId, comment: CommentId, ...postedFields })
export type CommentReplyRow = typeof CommentReplyRow.Type

export const CommentReplyTable = Table.make("commentReply", CommentReplyRow, {
  key: ["id"],
  indexes: [["comment", "id"], ["space"]]
})

/** A user who commented or replied, with the number of comments and replies. */
const CommenterRow = Schema.Struct({
  space: SpaceId,
  changeRequest: postedFields.changeRequest,
  user: UserId,
  count: Schema.Int,
  /** Time of the last comment or reply. */
  at: Timestamp
})

export const CommenterTable = Table.make("commenter", CommenterRow, { key: ["space", "changeRequest", "user"] })

/** Markdown or a document. Without both, the comment is empty. */
export const BodyInput = Schema.Struct({
  /** Markdown. */
  markdown: Schema.optionalKey(Text.atMost(20_000)),
  /** Document, instead of Markdown. */
  document: Schema.optionalKey(Schema.Unknown)
})
export type BodyInput = typeof BodyInput.Type

export const CommentPost = Schema.Struct({
  /** Text of the comment. Without both fields, the comment is empty. */
  body: BodyInput,
  /** Id of the page that the comment is about. Default: the whole space or change request. */
  page: Schema.optionalKey(Text.between(1, 256)),
  /** Key of the block that the comment is about, on `page`. */
  node: Schema.optionalKey(Text.between(1, 256)),
  /** Cell that the comment is about, in the table `node`. */
  tableCell: Schema.optionalKey(TableCell)
})
export type CommentPost = typeof CommentPost.Type

/** The longest emoji have about sixty characters if they are written as code points. */
const Reactions = Schema.Array(Text.between(1, 100)).check(Schema.isMaxLength(50))

/** Changes of a comment or a reply. `resolved` of a reply applies to its comment. */
export const CommentPatch = Schema.Struct({
  /** True to resolve the comment, false to open it again. */
  resolved: Schema.optionalKey(Schema.Boolean),
  /** New text. Only the author may change it. */
  body: Schema.optionalKey(BodyInput),
  /** Emoji that the actor adds as reactions. */
  addedReactions: Schema.optionalKey(Reactions),
  /** Emoji of reactions that the actor removes. */
  removedReactions: Schema.optionalKey(Reactions)
})
export type CommentPatch = typeof CommentPatch.Type

export const ReplyPost = Schema.Struct({
  /** Text of the reply. */
  body: BodyInput
})
export type ReplyPost = typeof ReplyPost.Type

export const CommentFilter = Schema.Struct({
  order: Schema.optionalKey(Schema.Literals(["asc", "desc"])).annotateKey({
    description: "The sort direction."
  }),
  status: Schema.optionalKey(Schema.Union([CommentStatus, Schema.Literal("all")])).annotateKey({
    description: "Returns comments with this status."
  }),
  targetPage: Schema.optionalKey(Schema.String).annotateKey({
    description: "Id of a page. Returns only comments on this page."
  }),
  /** Ids of users. Returns only their comments. */
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

const presentedFields = {
  id: CommentId,
  /** Author. */
  postedBy: User,
  /** Time of the post. */
  postedAt: Timestamp,
  /** Time of the last change of the body. Absent without changes. */
  editedAt: Schema.optionalKey(Timestamp),
  /** Emoji with the users who reacted with them. */
  reactions: Schema.Array(EmojiReaction),
  /** Text, as Markdown or as a document. */
  body: Body,
  urls: Schema.Struct({ location: Schema.String }),
  permissions: Schema.Struct({
    view: Schema.Boolean,
    edit: Schema.Boolean,
    reply: Schema.Boolean,
    delete: Schema.Boolean
  })
}

/** A user who contributed, the number of contributions, and the time of the last one. */
export const Contributor = Schema.Struct({ user: User, count: Schema.Int, updatedAt: Timestamp })
export type Contributor = typeof Contributor.Type

/** A contributor to a change request, with the kind of contribution. A user with both kinds has two entries. */
export const ChangeRequestContributor = Schema.Struct({
  ...Contributor.fields,
  actionType: Schema.Literals(["edit", "comment"])
})
export interface ChangeRequestContributor extends Schema.Schema.Type<typeof ChangeRequestContributor> {}

/** A comment as an API resource. */
export const Comment = Schema.Struct({
  object: Schema.Literal("comment"),
  ...presentedFields,
  /** Number of replies. */
  replies: Schema.Int,
  /** Users who replied. */
  repliers: Schema.Array(Contributor),
  /** `open` or `resolved`. */
  status: CommentStatus,
  /** Time at which the comment was resolved. */
  resolvedAt: Schema.optionalKey(Timestamp),
  /** User who resolved the comment. */
  resolvedBy: Schema.optionalKey(User),
  /** The page, block or cell that the comment is about. */
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
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

/** A reply as an API resource. */
export const CommentReply = Schema.Struct({ object: Schema.Literal("comment-reply"), ...presentedFields })
export interface CommentReply extends Schema.Schema.Type<typeof CommentReply> {}

/** Raised if the space or the change request has no such comment, or the comment no such reply. */
export class CommentNotFound extends Schema.TaggedError<CommentNotFound>()(
  "CommentNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

/** Raised if the body or the target of a comment is invalid. */
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
