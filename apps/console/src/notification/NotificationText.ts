/** A notification in words, and the screen of the console that it leads to. */
import type { Notification } from "../api/Resources.ts"
import { roleName, text } from "../language/Language.ts"

/** Returns the name of the thing that a notification is about: the most specific one. */
const subjectOf = ({ changeRequest, content, organization, page, space }: Notification): string =>
  changeRequest !== undefined
    ? changeRequest.subject || text("changes.number", { number: changeRequest.number })
    : (page?.title ?? content?.title ?? space?.title ?? organization.title)

export const sentenceOf = (notification: Notification): string => {
  const { actor, emoji = "", kind, organization, outcome, review, role, subject: detail = "" } = notification
  const values = {
    name: actor?.displayName ?? text("inbox.somebody"),
    subject: subjectOf(notification),
    organization: organization.title,
    role: roleName(role ?? "guest"),
    emoji,
    detail
  }
  switch (kind) {
    case "reviewed":
      return text(review?.status === "changes-requested" ? "inbox.changesRequested" : "inbox.approved", values)
    case "import":
    case "export":
    case "translation":
    case "git-sync":
      return text(`inbox.${kind}.${outcome === "failed" ? "failed" : "done"}`, values)
    case "domain":
      return text(outcome === "lost" ? "inbox.domain.lost" : "inbox.domain.proved", values)
    default:
      return text(`inbox.${kind}`, values)
  }
}

/** Returns the path of the subject in the console. Undefined if the console has no screen for it. */
export const pathOf = ({ changeRequest, comment, content, kind, page, space }: Notification): string | undefined => {
  const anchor = comment === undefined ? "" : `#comment-${comment.id}`
  if (space !== undefined) {
    const path = `/spaces/${space.id}`
    if (changeRequest !== undefined) return `${path}/changes/${changeRequest.number}${anchor}`
    return page === undefined ? path : `${path}/pages/${page.id}${anchor}`
  }
  if (content?.kind === "space") return `/spaces/${content.id}`
  return kind === "invitation" ? "/-/account/invitations" : undefined
}
