/**
 * Shapes of comments, reviews and teams, as the interface promises them. Written apart from the schemas of the
 * core.
 */
import { Schema } from "effect"
import { Count, DateTime, flags, Id, kind, Member, Space, Team, Text, Url, User } from "./Shapes.ts"

const maybe = Schema.optionalKey

const written = {
  id: Id,
  postedBy: User,
  postedAt: DateTime,
  editedAt: maybe(DateTime),
  reactions: Schema.Array(
    Schema.Struct({
      emoji: Text,
      count: Count,
      users: Schema.Array(Schema.Struct({ user: User, reactedAt: DateTime }))
    })
  ),
  body: Schema.Struct({
    markdown: maybe(Text),
    document: maybe(Schema.Struct({ ...kind("document"), nodes: Schema.Array(Schema.Unknown) }))
  }),
  urls: Schema.Struct({ location: Url }),
  permissions: flags("view", "edit", "reply", "delete")
}

export const Contributor = Schema.Struct({
  user: User,
  count: Count,
  updatedAt: DateTime,
  actionType: Schema.Literals(["edit", "comment"])
})

export const Comment = Schema.Struct({
  ...kind("comment"),
  ...written,
  replies: Count,
  status: Schema.Literals(["open", "resolved"]),
  resolvedAt: maybe(DateTime),
  resolvedBy: maybe(User),
  target: Schema.Struct({
    space: Id,
    changeRequest: maybe(Id),
    review: maybe(Id),
    revision: Id,
    page: maybe(
      Schema.Struct({
        id: Id,
        title: Text,
        path: Text,
        emoji: maybe(Text),
        icon: maybe(Text),
        createdAt: DateTime,
        updatedAt: DateTime,
        outdated: Schema.Boolean
      })
    ),
    node: maybe(Schema.Struct({ id: Text, preview: Text })),
    tableCell: maybe(Schema.Struct({ record: Text, definition: Text }))
  })
})

export const CommentReply = Schema.Struct({ ...kind("comment-reply"), ...written })

export const Review = Schema.Struct({
  ...kind("change-request-review"),
  id: Id,
  revision: Id,
  reviewer: User,
  requestedBy: maybe(User),
  status: Schema.Literals(["approved", "changes-requested"]),
  outdated: Schema.Boolean,
  comment: maybe(Comment),
  createdAt: DateTime,
  updatedAt: DateTime,
  urls: Schema.Struct({ location: Url })
})

export const RequestedReviewer = Schema.Struct({
  ...kind("change-request-requested-reviewer"),
  kind: Schema.Literal("user"),
  user: User,
  revision: Id,
  requestedBy: User,
  createdAt: DateTime
})

export const RequestedReviewers = Schema.Struct({ users: Schema.Array(RequestedReviewer) })

export const Check = Schema.Struct({
  ...kind("change-request-check"),
  name: Text,
  state: Schema.Literals(["pending", "passed", "failed"]),
  url: maybe(Url),
  text: maybe(Text),
  revision: Id,
  outdated: Schema.Boolean,
  updatedBy: User,
  createdAt: DateTime,
  updatedAt: DateTime
})

/** A space that a member may see. */
export const SpaceOfMember = Schema.Struct({ permission: Text, space: Space })

/** A team that a member is in. */
export const MembershipOfTeam = Schema.Struct({
  team: Team,
  member: Schema.Struct({ role: Schema.Literals(["owner", "member"]) })
})

export const TeamMember = Schema.Struct({
  organization: Member,
  team: Schema.Struct({ role: Schema.Literals(["owner", "member"]) }),
  permissions: flags("view")
})
