/**
 * A notification informs a user of an event. It stores ids, and the title of a page: other names and texts are read when
 * it is displayed or mailed, with the permissions that the user has then. A notification about content that the user may no longer see is left
 * out, and not counted.
 *
 * Limits: the newest 1,000 notifications of a user, for 90 days.
 */
import { Duration, Schema } from "effect"
import { Role } from "../access/Role.ts"
import { ChangeRequestId } from "../change-request/ChangeRequest.ts"
import { CommentId } from "../comment/Comment.ts"
import { PageId } from "../content/pages/Page.ts"
import { EventId } from "../event/EventKind.ts"
import { ContentKind } from "../grant/Grant.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { ReviewId, ReviewStatus } from "../review/Review.ts"
import { Timestamp } from "../schema/Text.ts"
import { SpaceId } from "../space/Space.ts"
import * as Table from "../storage/Table.ts"
import { User, UserId } from "../user/User.ts"
import { NotificationKind } from "./NotificationKind.ts"

/** Maximum number of notifications of a user. Older ones are removed. */
export const maxNotifications = 1_000

/** Age from which notifications are removed. */
export const notificationAge = Duration.days(90)

/** Result of the work that a notification is about, or the change of a domain. */
export const NotificationOutcome = Schema.Literals(["done", "failed", "proved", "lost"])
export type NotificationOutcome = typeof NotificationOutcome.Type

const AssignedContent = Schema.Struct({ kind: ContentKind, id: Schema.String })

/** Ids of the subject of a notification. The kind determines which of them are set. */
const subjectFields = {
  organization: OrganizationId,
  space: Schema.optionalKey(SpaceId),
  changeRequest: Schema.optionalKey(ChangeRequestId),
  /** Changed page that the user watches, with the title that it had at the event. */
  page: Schema.optionalKey(Schema.Struct({ id: PageId, title: Schema.String })),
  comment: Schema.optionalKey(CommentId),
  /** Reply to `comment`. */
  reply: Schema.optionalKey(CommentId),
  review: Schema.optionalKey(ReviewId),
  /** Content on which a role was assigned. */
  content: Schema.optionalKey(AssignedContent),
  /** Id of an invitation, an import, a PDF, a translation or a webhook; name of a domain; URL of a link. */
  subject: Schema.optionalKey(Schema.String),
  outcome: Schema.optionalKey(NotificationOutcome),
  /** Emoji of a reaction. */
  emoji: Schema.optionalKey(Schema.String)
}

const NotificationSubject = Schema.Struct(subjectFields)
export type NotificationSubject = typeof NotificationSubject.Type

export const NotificationRow = Schema.Struct({
  user: UserId,
  /** Id of the event. An event notifies a user at most once. */
  id: EventId,
  kind: NotificationKind,
  ...subjectFields,
  /** User who caused the event. Null for the host application and background work. */
  actor: Schema.NullOr(UserId),
  createdAt: Timestamp,
  readAt: Schema.optionalKey(Timestamp),
  /** Position among the notifications of the user, from 1. */
  number: Schema.Int,
  /** Key of the mail that will contain the notification. Absent if no mail is due. */
  mail: Schema.optionalKey(Schema.String),
  /** True if the next digest will contain the notification. */
  digest: Schema.optionalKey(Schema.Literal(true))
})
export type NotificationRow = typeof NotificationRow.Type

export const NotificationTable = Table.make("notification", NotificationRow, {
  key: ["user", "id"],
  indexes: [
    ["user", "number"],
    ["user", "digest", "id"],
    ["user", "kind", "id"],
    ["mail", "user"],
    ["comment"],
    ["reply"],
    ["space"],
    ["createdAt"]
  ]
})

/** Counter of the notifications of a user, and the time of the next digest. */
export const InboxRow = Schema.Struct({
  user: UserId,
  /** Number of notifications so far, including removed ones. */
  last: Schema.Int,
  /** Time of the next digest. Absent if no notification waits for one. */
  digestAt: Schema.optionalKey(Timestamp)
})
export type InboxRow = typeof InboxRow.Type

export const InboxTable = Table.make("inbox", InboxRow, { key: ["user"], indexes: [["digestAt"]] })

export const NotificationFilter = Schema.Struct({
  unread: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "True for unread notifications, false for read ones. Default: all."
  }),
  kind: Schema.optionalKey(NotificationKind).annotateKey({ description: "Returns notifications of this kind." }),
  organization: Schema.optionalKey(OrganizationId).annotateKey({
    description: "Id of an organization. Returns only its notifications."
  })
})
export type NotificationFilter = typeof NotificationFilter.Type

export const NotificationPatch = Schema.Struct({
  /** True to mark the notification as read, false as unread. */
  read: Schema.Boolean
})
export type NotificationPatch = typeof NotificationPatch.Type

/** Notifications to mark as read. */
export const ReadMark = Schema.Struct({
  /** Id of the newest notification to mark. Default: all notifications. */
  until: Schema.optionalKey(Schema.String),
  /** Id of an organization. Marks only its notifications. Default: all organizations. */
  organization: Schema.optionalKey(OrganizationId)
})
export type ReadMark = typeof ReadMark.Type

/** A notification as an API resource. */
export const Notification = Schema.Struct({
  object: Schema.Literal("notification"),
  id: EventId,
  kind: NotificationKind,
  /** True if the user has read the notification. */
  read: Schema.Boolean,
  /** Time of the event. */
  createdAt: Timestamp,
  /** User who caused the event. Absent for background work. */
  actor: Schema.optionalKey(User),
  organization: Schema.Struct({ id: OrganizationId, title: Schema.String }),
  space: Schema.optionalKey(Schema.Struct({ id: SpaceId, title: Schema.String })),
  changeRequest: Schema.optionalKey(Schema.Struct({ id: ChangeRequestId, number: Schema.Int, subject: Schema.String })),
  /** The page that the comment is about, or that was changed. */
  page: Schema.optionalKey(Schema.Struct({ id: PageId, title: Schema.String })),
  /** The comment, or the reply to it. `text`: the first 200 characters, in one line. */
  comment: Schema.optionalKey(
    Schema.Struct({ id: CommentId, reply: Schema.optionalKey(CommentId), text: Schema.String })
  ),
  review: Schema.optionalKey(Schema.Struct({ id: ReviewId, status: ReviewStatus })),
  /** The content on which a role was assigned to the user. */
  content: Schema.optionalKey(Schema.Struct({ ...AssignedContent.fields, title: Schema.String })),
  /** Id of an invitation, an import, a PDF, a translation or a webhook; name of a domain; URL of a link. */
  subject: Schema.optionalKey(Schema.String),
  /** `done` or `failed` for work; `proved` or `lost` for a domain. */
  outcome: Schema.optionalKey(NotificationOutcome),
  /** Emoji of a reaction. */
  emoji: Schema.optionalKey(Schema.String),
  /** Role that the user has now, for `assigned` and `role-changed`. `null` for a guest. */
  role: Schema.optionalKey(Schema.NullOr(Role)),
  /** `target`: URL of the subject of the notification. */
  urls: Schema.Struct({ location: Schema.String, target: Schema.String })
})
export interface Notification extends Schema.Schema.Type<typeof Notification> {}

/** Raised if the user has no such notification, or may no longer see its subject. */
export class NotificationNotFound extends Schema.TaggedError<NotificationNotFound>()(
  "NotificationNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
