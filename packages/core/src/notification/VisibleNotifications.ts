/**
 * Selects the notifications that their user may still see: those about a space, a comment or an organization that the
 * user may read now. The permissions are those of the operations that return these resources.
 *
 * Reads a fixed number of queries for all notifications of a user, which are at most 1,000.
 */
import { Effect } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import type { UserActor } from "../access/Actor.ts"
import { CommentReplyTable, CommentTable } from "../comment/Comment.ts"
import { InvitationId, type InvitationRow, InvitationTable } from "../organization/Invitation.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { type SpaceId, SpaceTable } from "../space/Space.ts"
import { type AuthorizedSpace, SpacePolicy } from "../space/SpacePolicy.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { UserTable } from "../user/User.ts"
import type { NotificationRow } from "./Notification.ts"

/** A notification that its user may see. */
export interface VisibleNotification {
  readonly row: NotificationRow
  /** Current organization. A space may have moved to another one since the event. */
  readonly organization: OrganizationId
  readonly authorized?: AuthorizedSpace | undefined
  /** Undefined for an invitation, whose recipient is not a member yet. */
  readonly member?: Membership | undefined
}

export const makeVisibleNotifications = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const policy = yield* SpacePolicy
  const spaces = storage.repository(SpaceTable)
  const comments = storage.repository(CommentTable)
  const replies = storage.repository(CommentReplyTable)
  const invitations = storage.repository(InvitationTable)
  const users = storage.repository(UserTable)

  /**
   * Returns the ids that no longer exist. Usually none, which a count shows without reading the texts of comments: the
   * notifications of a deleted comment are removed soon.
   */
  const missingIds = Effect.fnUntraced(function* <Id extends string>(
    rows: {
      readonly count: (ids: ReadonlyArray<Id>) => Effect.Effect<number, StorageError>
      readonly exists: (ids: ReadonlyArray<Id>) => Effect.Effect<ReadonlyArray<boolean>, StorageError>
    },
    named: ReadonlyArray<Id | undefined>
  ) {
    const ids = [...new Set(named)].filter((id) => id !== undefined)
    if (ids.length === 0 || (yield* rows.count(ids)) === ids.length) return new Set<Id>()
    const exists = yield* rows.exists(ids)
    return new Set(ids.filter((_, i) => !exists[i]))
  })

  const commentIds = {
    count: (ids: ReadonlyArray<NonNullable<NotificationRow["comment"]>>) => comments.count({ id: { in: ids } }),
    exists: (ids: ReadonlyArray<NonNullable<NotificationRow["comment"]>>) =>
      Effect.map(comments.getMany(ids.map((id) => ({ id }))), (rows) => rows.map((row) => row !== undefined))
  }
  const replyIds = {
    count: (ids: ReadonlyArray<NonNullable<NotificationRow["reply"]>>) => replies.count({ id: { in: ids } }),
    exists: (ids: ReadonlyArray<NonNullable<NotificationRow["reply"]>>) =>
      Effect.map(replies.getMany(ids.map((id) => ({ id }))), (rows) => rows.map((row) => row !== undefined))
  }

  const readableSpaces = Effect.fnUntraced(function* (rows: ReadonlyArray<NotificationRow>) {
    const ids = new Set(rows.flatMap(({ space }) => space ?? []))
    const found = yield* spaces.getMany([...ids].map((id) => ({ id })))
    const readable = yield* policy.readable(found.filter((row) => row !== undefined))
    return new Map<SpaceId, AuthorizedSpace>(readable.map((authorized) => [authorized.space.id, authorized]))
  })

  /** Returns the pending invitations of the actor. A session of one organization has none. */
  const pendingInvitations = Effect.fnUntraced(function* (actor: UserActor, rows: ReadonlyArray<NotificationRow>) {
    const ids = rows.flatMap(({ kind, subject }) => (kind === "invitation" ? InvitationId.make(subject!) : []))
    if (ids.length === 0 || actor.organization !== undefined) return new Map<string, InvitationRow>()
    const email = (yield* users.get({ id: actor.user }))?.email.toLowerCase()
    const found = yield* invitations.getMany(ids.map((id) => ({ id })))
    return new Map(
      found.flatMap((row) => (row?.email.toLowerCase() === email ? [[row!.id as string, row!] as const] : []))
    )
  })

  /** Returns the notifications that the actor may see, in the given order. Must run as the actor. */
  return Effect.fnUntraced(function* (actor: UserActor, rows: ReadonlyArray<NotificationRow>) {
    const readable = yield* readableSpaces(rows)
    const missingComments = yield* missingIds(
      commentIds,
      rows.map(({ comment }) => comment)
    )
    const missingReplies = yield* missingIds(
      replyIds,
      rows.map(({ reply }) => reply)
    )
    const invited = yield* pendingInvitations(actor, rows)
    const members = new Map<OrganizationId, Membership | undefined>()
    for (const { organization } of rows) {
      if (!members.has(organization)) members.set(organization, yield* access.membership(organization))
    }

    return rows.flatMap((row): ReadonlyArray<VisibleNotification> => {
      const { kind, organization, space, comment, reply } = row
      if (kind === "invitation") return invited.has(row.subject!) ? [{ row, organization }] : []
      if (space !== undefined) {
        const authorized = readable.get(space)
        if (authorized === undefined) return []
        if (comment !== undefined && missingComments.has(comment)) return []
        if (reply !== undefined && missingReplies.has(reply)) return []
        if (!isVisibleToMember(row, authorized.member)) return []
        return [{ row, organization: authorized.space.organization, authorized, member: authorized.member }]
      }
      const member = members.get(organization)
      return member !== undefined && isVisibleToMember(row, member) ? [{ row, organization, member }] : []
    })
  })
})

/** Returns true if a member may see a notification, apart from the space that it is about. */
const isVisibleToMember = ({ kind, content, user }: NotificationRow, member: Membership): boolean => {
  if (kind === "domain" || kind === "link-check" || kind === "webhook") return member.admin
  if (content === undefined) return true
  return (
    member.facts.grants.get(content.id)?.some(({ holderKind, holder }) => holderKind === "user" && holder === user) ??
    false
  )
}
