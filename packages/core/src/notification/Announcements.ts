/**
 * Finds the users that an event concerns: users that it addresses directly, and users who watch its content. Permissions,
 * settings and muted contents are applied later (see `NotificationWriting`).
 */
import { Effect } from "effect"
import { Access } from "../access/Access.ts"
import { ChangeRequestId, ChangeRequestTable } from "../change-request/ChangeRequest.ts"
import {
  type CommentId,
  CommentReplyTable,
  type CommentRow,
  CommentTable,
  noChangeRequest,
  type StoredBody
} from "../comment/Comment.ts"
import type { Event, EventOf, EventType } from "../event/Event.ts"
import { InvitationId, InvitationTable } from "../organization/Invitation.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { ReviewId } from "../review/Review.ts"
import { SpaceId } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { UserId, UserTable } from "../user/User.ts"
import { type ChangedPage, makeChangedPages } from "./ChangedPages.ts"
import { mentionedUsers } from "./CommentMentions.ts"
import type { NotificationOutcome, NotificationSubject } from "./Notification.ts"
import type { NotificationKind } from "./NotificationKind.ts"
import type { WatchTarget } from "./Watch.ts"

export interface Announcement {
  readonly subject: NotificationSubject
  /** Users that the event addresses, each with the kind of the notification. */
  readonly direct: ReadonlyMap<UserId, NotificationKind>
  /** Kind of the notification of other users who watch one of the targets. Default: they are not notified. */
  readonly watcherKind?: NotificationKind
  /** Changed pages, whose watchers are notified, with the kind of their notification. Default: none. */
  readonly pages?: { readonly changed: ReadonlyArray<ChangedPage>; readonly kind: NotificationKind }
  /** Contents that the event is about. A user who muted one of them is not notified. */
  readonly targets: ReadonlyArray<WatchTarget>
  /** Users to notify: members, administrators, or anyone, such as the recipient of an invitation. */
  readonly audience: "members" | "administrators" | "anyone"
  /** True if the event reports on work of its actor, who is then notified, too. */
  readonly isReport?: true
  /** True if a user gets one notification about a comment, although several events report it, such as its edits. */
  readonly oncePerComment?: true
  /** True if a user gets one notification of this kind in a day and organization, although the event occurs often. */
  readonly oncePerDay?: true
  /** Key of a thread. One mail collects the notifications of a thread. Default: each notification has its own mail. */
  readonly thread?: string | undefined
}

type Announce<Type extends EventType> = (event: EventOf<Type>) => Effect.Effect<Announcement | undefined, StorageError>

interface CommentEvent {
  readonly organization: OrganizationId
  readonly space: SpaceId
  readonly changeRequest?: ChangeRequestId
  readonly comment: CommentId
}

export const makeAnnouncements = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const changeRequests = storage.repository(ChangeRequestTable)
  const comments = storage.repository(CommentTable)
  const replies = storage.repository(CommentReplyTable)
  const invitations = storage.repository(InvitationTable)
  const users = storage.repository(UserTable)
  const changesOf = yield* makeChangedPages

  /** Returns the comment of an event, if it still exists in its scope. */
  const commentOf = Effect.fnUntraced(function* ({ space, changeRequest, comment }: CommentEvent) {
    const row = yield* comments.get({ id: comment })
    return row?.space === space && row.changeRequest === (changeRequest ?? noChangeRequest) ? row : undefined
  })

  const aboutComment = ({ organization, space, changeRequest, comment }: CommentEvent, row: CommentRow) => ({
    subject: { organization, space, ...(changeRequest !== undefined && { changeRequest }), comment },
    targets: commentTargets(row),
    audience: "members" as const,
    thread: changeRequest === undefined ? `comment:${comment}` : threadOf(changeRequest)
  })

  const aboutChangeRequest = ({
    organization,
    space,
    changeRequest
  }: {
    readonly organization: OrganizationId
    readonly space: SpaceId
    readonly changeRequest: ChangeRequestId
  }) => ({
    subject: { organization, space, changeRequest },
    targets: [{ space, changeRequest }, { space }],
    audience: "members" as const,
    thread: threadOf(changeRequest)
  })

  /** Returns an announcement to the user who started background work, or undefined if the host application did. */
  const report = (
    kind: NotificationKind,
    subject: NotificationSubject,
    startedBy: UserId | null,
    state: "success" | "failure" | "cancelled"
  ): Announcement | undefined =>
    startedBy === null || state === "cancelled"
      ? undefined
      : {
          subject: { ...subject, outcome: state === "success" ? "done" : "failed" },
          direct: new Map([[startedBy, kind]]),
          targets: [],
          audience: "members",
          isReport: true
        }

  const toAdministrators = Effect.fnUntraced(function* (kind: NotificationKind, subject: NotificationSubject) {
    const facts = yield* access.facts(subject.organization)
    const administrators = [...(facts?.members.values() ?? [])].filter(
      ({ role, disabled }) => role === "admin" && !disabled
    )
    const announcement: Announcement = {
      subject,
      direct: new Map(administrators.map(({ user }) => [user, kind])),
      targets: [],
      audience: "administrators"
    }
    return announcement
  })

  const aboutDomain = (organization: OrganizationId, subject: string, outcome: NotificationOutcome) =>
    toAdministrators("domain", { organization, subject, outcome })

  const announceChangedText = Effect.fnUntraced(function* (event: CommentEvent, reply: CommentId | undefined) {
    const row = yield* commentOf(event)
    const body = reply === undefined ? row?.body : (yield* replies.get({ id: reply }))?.body
    if (row === undefined || body === undefined) return undefined
    const announcement = aboutComment(event, row)
    return {
      ...announcement,
      subject: { ...announcement.subject, ...(reply !== undefined && { reply }) },
      direct: mentionsIn(body),
      oncePerComment: true as const
    }
  })

  const byType = {
    change_request_review_requested: (event) =>
      Effect.succeed({
        ...aboutChangeRequest(event),
        direct: new Map([[event.user, "review-requested"]]),
        thread: undefined
      }),

    change_request_reviewed: (event) => {
      const announcement = aboutChangeRequest(event)
      return Effect.succeed({
        ...announcement,
        subject: { ...announcement.subject, review: ReviewId.make(event.review) },
        direct: new Map(),
        watcherKind: "reviewed"
      })
    },

    comment_posted: Effect.fnUntraced(function* (event) {
      const row = yield* commentOf(event)
      return row && { ...aboutComment(event, row), direct: mentionsIn(row.body), watcherKind: "comment" as const }
    }),

    comment_reply_posted: Effect.fnUntraced(function* (event) {
      const [row, reply] = [yield* commentOf(event), yield* replies.get({ id: event.reply })]
      if (row === undefined || reply === undefined) return undefined
      const direct = new Map(mentionsIn(reply.body))
      for (const user of [row.author, ...Object.keys(row.repliers).map((id) => UserId.make(id))]) {
        if (user !== null && !direct.has(user)) direct.set(user, "reply")
      }
      const announcement = aboutComment(event, row)
      return {
        ...announcement,
        subject: { ...announcement.subject, reply: event.reply },
        direct,
        watcherKind: "comment" as const
      }
    }),

    comment_updated: (event) => announceChangedText(event, undefined),
    comment_reply_updated: (event) => announceChangedText(event, event.reply),

    comment_reactions_updated: Effect.fnUntraced(function* (event) {
      const [emoji] = event.added
      const row = yield* commentOf(event)
      const reply = event.reply === undefined ? undefined : yield* replies.get({ id: event.reply })
      const author = (event.reply === undefined ? row : reply)?.author
      if (emoji === undefined || row === undefined || author === undefined || author === null) return undefined
      const announcement = aboutComment(event, row)
      return {
        ...announcement,
        subject: { ...announcement.subject, ...(event.reply !== undefined && { reply: event.reply }), emoji },
        direct: new Map([[author, "reaction" as const]])
      }
    }),

    change_request_created: Effect.fnUntraced(function* (event) {
      return event.status === "open" ? opened(aboutChangeRequest(event)) : undefined
    }),

    change_request_status_updated: (event) =>
      Effect.succeed(event.status === "open" ? opened(aboutChangeRequest(event)) : undefined),

    change_request_merged: Effect.fnUntraced(function* (event) {
      const { changed } = yield* changesOf(event.revision)
      const kind = "change-request-merged"
      return { ...aboutChangeRequest(event), direct: new Map(), watcherKind: kind, pages: { changed, kind } }
    }),

    // A merge is announced by its change request.
    space_content_updated: Effect.fnUntraced(function* ({ organization, space, revision }) {
      const { isMerge, changed } = yield* changesOf(revision)
      return isMerge
        ? undefined
        : {
            subject: { organization, space },
            direct: new Map(),
            pages: { changed, kind: "page-updated" },
            targets: [{ space }],
            audience: "members"
          }
    }),

    change_request_conflicts_found: Effect.fnUntraced(function* (event) {
      const row = yield* changeRequests.get({ id: event.changeRequest })
      const announcement = aboutChangeRequest(event)
      return {
        ...announcement,
        direct: new Map((row?.contributors ?? []).map((user) => [user, "change-request-conflict" as const]))
      }
    }),

    grant_changed: ({ organization, content, holderKind, holder }) =>
      Effect.succeed(
        holderKind === "user"
          ? {
              subject: { organization, content, ...(content.kind === "space" && { space: SpaceId.make(content.id) }) },
              direct: new Map([[UserId.make(holder), "assigned"]]),
              targets: [],
              audience: "members"
            }
          : undefined
      ),

    invitation_sent: Effect.fnUntraced(function* ({ organization, invitation }) {
      const row = yield* invitations.get({ id: InvitationId.make(invitation) })
      const [user] = row === undefined ? [] : yield* users.list({ where: { foldedEmail: row.email.toLowerCase() } })
      return (
        user && {
          subject: { organization, subject: invitation },
          direct: new Map([[user.id, "invitation" as const]]),
          targets: [],
          audience: "anyone" as const
        }
      )
    }),

    member_role_updated: ({ organization, user }) =>
      Effect.succeed({
        subject: { organization },
        direct: new Map([[user, "role-changed"]]),
        targets: [],
        audience: "members"
      }),

    import_finished: ({ organization, space, import: subject, startedBy, state }) =>
      Effect.succeed(report("import", { organization, space, subject }, startedBy, state)),

    pdf_finished: ({ organization, space, pdf: subject, startedBy, state }) =>
      Effect.succeed(report("export", { organization, space, subject }, startedBy, state)),

    // Without its source, a translation has no space, so no permission decides who may see it.
    translation_finished: ({ organization, space, translation: subject, startedBy, state }) =>
      Effect.succeed(
        space === undefined ? undefined : report("translation", { organization, space, subject }, startedBy, state)
      ),

    space_gitsync_completed: ({ organization, space, startedBy, state }) => {
      const reported = report("git-sync", { organization, space }, startedBy, state)
      if (state === "success") return Effect.succeed(reported)
      return Effect.succeed({
        subject: { organization, space, outcome: "failed" as const },
        direct: reported?.direct ?? new Map(),
        watcherKind: "git-sync",
        targets: [{ space }],
        audience: "members",
        isReport: true
      })
    },

    external_link_broken: ({ organization, url }) =>
      Effect.map(toAdministrators("link-check", { organization, subject: url, outcome: "failed" }), (announcement) => ({
        ...announcement,
        oncePerDay: true as const
      })),

    email_domain_proved: ({ organization, domain }) => aboutDomain(organization, domain, "proved"),
    email_domain_lost: ({ organization, domain }) => aboutDomain(organization, domain, "lost"),
    site_address_proved: ({ organization, name }) => aboutDomain(organization, name, "proved"),
    site_address_unproved: ({ organization, name }) => aboutDomain(organization, name, "lost"),

    webhook_disabled: ({ organization, webhook: subject }) =>
      toAdministrators("webhook", { organization, subject, outcome: "failed" })
  } satisfies { readonly [Type in EventType]?: Announce<Type> }

  return {
    types: Object.keys(byType) as ReadonlyArray<keyof typeof byType>,

    /** Returns the announcement of an event. Undefined if the event concerns no user. */
    of: (event: Event): Effect.Effect<Announcement | undefined, StorageError> => {
      const announce: Announce<never> | undefined = (byType as Record<string, Announce<never>>)[event.type]
      return announce?.(event as never) ?? Effect.undefined
    }
  }
})

const mentionsIn = (body: StoredBody): ReadonlyMap<UserId, NotificationKind> =>
  new Map(mentionedUsers(body).map((user) => [user, "mention"]))

const threadOf = (changeRequest: ChangeRequestId) => `change-request:${changeRequest}`

const opened = (announcement: Omit<Announcement, "direct">): Announcement => ({
  ...announcement,
  direct: new Map(),
  watcherKind: "change-request-opened"
})

/** Returns the contents that a comment is in, innermost first. */
export const commentTargets = ({ space, changeRequest, target }: CommentRow): ReadonlyArray<WatchTarget> => [
  ...(changeRequest === noChangeRequest ? [] : [{ space, changeRequest: ChangeRequestId.make(changeRequest) }]),
  ...(target === undefined ? [] : [{ space, page: target.id }]),
  { space }
]
