/** Converts notifications that a user may see to API resources, with the names and texts of the present. */
import { Effect } from "effect"
import type { OrganizationFacts } from "../access/AccessFacts.ts"
import { ChangeRequestTable } from "../change-request/ChangeRequest.ts"
import { CollectionTable } from "../collection/Collection.ts"
import { CommentReplyTable, CommentTable } from "../comment/Comment.ts"
import { type AppUrls, appUrls } from "../identity/AppUrls.ts"
import { OrganizationTable } from "../organization/Organization.ts"
import { ReviewTable } from "../review/Review.ts"
import { SiteTable } from "../site/Site.ts"
import { SpaceTable } from "../space/Space.ts"
import { Storage } from "../storage/Storage.ts"
import type { Table } from "../storage/Table.ts"
import { type UserId } from "../user/User.ts"
import { Users } from "../user/Users.ts"
import { namedUsers, textOf } from "./CommentMentions.ts"
import type { Notification, NotificationRow } from "./Notification.ts"
import type { VisibleNotification } from "./VisibleNotifications.ts"

export const makeNotificationPresenter = Effect.gen(function* () {
  const storage = yield* Storage
  const users = yield* Users
  const urls = yield* appUrls

  /** Returns the rows with the ids that exist, by id. */
  const byId = Effect.fnUntraced(function* <Row extends { readonly id: string }>(
    table: Table<Row, "id", any, any, any>,
    ids: ReadonlyArray<string | undefined>
  ) {
    const distinctIds = [...new Set(ids)].filter((id) => id !== undefined)
    const rows = yield* storage.repository<Table>(table).getMany(distinctIds.map((id) => ({ id })))
    return new Map(
      (rows as ReadonlyArray<Row | undefined>).flatMap((row) => (row === undefined ? [] : [[row.id, row]]))
    )
  })

  const assignedIds = (rows: ReadonlyArray<NotificationRow>, kind: "space" | "collection" | "site") =>
    rows.map(({ content }) => (content?.kind === kind ? content.id : undefined))

  return Effect.fnUntraced(function* (visible: ReadonlyArray<VisibleNotification>) {
    const rows = visible.map(({ row }) => row)
    const organizations = yield* byId(
      OrganizationTable,
      visible.map(({ organization }) => organization)
    )
    const changeRequests = yield* byId(
      ChangeRequestTable,
      rows.map(({ changeRequest }) => changeRequest)
    )
    const comments = yield* byId(
      CommentTable,
      rows.map(({ comment }) => comment)
    )
    const replies = yield* byId(
      CommentReplyTable,
      rows.map(({ reply }) => reply)
    )
    const reviews = yield* byId(
      ReviewTable,
      rows.map(({ review }) => review)
    )
    const titles = {
      space: yield* byId(SpaceTable, assignedIds(rows, "space")),
      collection: yield* byId(CollectionTable, assignedIds(rows, "collection")),
      site: yield* byId(SiteTable, assignedIds(rows, "site"))
    }
    const bodyOf = ({ comment, reply }: NotificationRow) =>
      (reply === undefined ? comments.get(comment!) : replies.get(reply))?.body
    const people = yield* users.present(
      rows.flatMap((row) => {
        const body = bodyOf(row)
        return [...(row.actor === null ? [] : [row.actor]), ...(body === undefined ? [] : namedUsers(body))]
      })
    )

    return visible.map(({ row, organization, authorized, member }): Notification => {
      const { id, kind, comment, reply, content, actor, createdAt, readAt, subject, outcome, emoji } = row
      const changeRequest = row.changeRequest && changeRequests.get(row.changeRequest)
      const commentRow = comment && comments.get(comment)
      const body = bodyOf(row)
      const page = row.page ?? (commentRow && commentRow.target)
      const review = row.review && reviews.get(row.review)
      const role = roleOf(row, member?.facts)
      // Mentions in a comment can have the ids of users of other organizations, whose names are not for the reader.
      const nameOf = (user: UserId) =>
        member?.facts.members.has(user) === true ? people.get(user)?.displayName : undefined
      return {
        object: "notification",
        id,
        kind,
        read: readAt !== undefined,
        createdAt,
        ...(actor !== null && { actor: people.get(actor)! }),
        organization: { id: organization, title: organizations.get(organization)?.title ?? "" },
        ...(authorized && { space: { id: authorized.space.id, title: authorized.space.title } }),
        ...(changeRequest && {
          changeRequest: { id: changeRequest.id, number: changeRequest.number, subject: changeRequest.subject }
        }),
        ...(page && { page: { id: page.id, title: page.title } }),
        ...(comment !== undefined &&
          body !== undefined && {
            comment: { id: comment, ...(reply !== undefined && { reply }), text: textOf(body, nameOf) }
          }),
        ...(review && { review: { id: review.id, status: review.status } }),
        ...(content && { content: { ...content, title: titles[content.kind].get(content.id)?.title ?? "" } }),
        ...(subject !== undefined && { subject }),
        ...(outcome !== undefined && { outcome }),
        ...(emoji !== undefined && { emoji }),
        ...(role !== undefined && { role }),
        urls: {
          location: `${urls.publicUrl}/v1/user/notifications/${id}`,
          target: targetUrl(urls, row, organization, page?.id)
        }
      }
    })
  })
})

/** Returns the role that a notification about a role is about; null for a guest. */
const roleOf = ({ kind, content, user }: NotificationRow, facts: OrganizationFacts | undefined) => {
  if (kind === "role-changed") return facts?.members.get(user)?.role
  if (content === undefined) return undefined
  return facts?.grants.get(content.id)?.find((grant) => grant.holderKind === "user" && grant.holder === user)?.role
}

/**
 * Returns the URL of the content that a notification is about. Without content, the URL of the resource.
 *
 * @param page Page that the notification or its comment is about.
 */
const targetUrl = (
  urls: AppUrls,
  { kind, space, changeRequest, content, subject }: NotificationRow,
  organization: string,
  page: string | undefined
): string => {
  if (space !== undefined) {
    if (changeRequest !== undefined) return urls.changeRequest(space, changeRequest)
    return page === undefined ? urls.space(space) : urls.page(space, page)
  }
  const organizationUrl = `${urls.publicUrl}/v1/orgs/${organization}`
  switch (content?.kind) {
    case "space":
      return urls.space(content.id)
    case "collection":
      return `${urls.publicUrl}/v1/collections/${content.id}`
    case "site":
      return `${organizationUrl}/sites/${content.id}`
    default:
      if (kind === "invitation") return `${organizationUrl}/invites/${subject}`
      return kind === "webhook" ? `${organizationUrl}/webhooks/${subject}` : organizationUrl
  }
}
