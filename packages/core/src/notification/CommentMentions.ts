/** Mentions of users in the body of a comment, and the text of a body in one line. */
import type { Document } from "@lectern/document/Document"
import { refs } from "@lectern/document/DocumentRefs"
import { inOneLine } from "../schema/Text.ts"
import type { StoredBody } from "../comment/Comment.ts"
import { UserId } from "../user/User.ts"

/** Maximum number of users that one comment notifies by mentions. */
const maxMentions = 50

/** Maximum length of the text of a comment in a notification, in characters. */
const maxText = 200

/** A mention in Markdown, with the id of the user. */
const mention = /\[((?:[^\][\\]|\\.){0,200})\]\(\/users\/([\w-]{1,128}) "mention"\)/g

/** Returns the users that a body refers to, at most 50. */
export const mentionedUsers = ({ document }: StoredBody): ReadonlyArray<UserId> => {
  const users = new Set<UserId>()
  for (const ref of refs(document as Document)) {
    if (ref.kind === "user") users.add(UserId.make(ref.user))
    if (users.size === maxMentions) break
  }
  return [...users]
}

/** Returns the ids of the mentions at the start of a body, whose names its text contains. */
export const namedUsers = ({ markdown }: StoredBody): ReadonlyArray<UserId> =>
  Array.from(startOf(markdown).matchAll(mention), ([, , id]) => UserId.make(id!))

/**
 * Returns the first 200 characters of a body in one line, with the names of mentioned users. A user without a name keeps
 * the text of the mention.
 */
export const textOf = ({ markdown }: StoredBody, nameOf: (user: UserId) => string | undefined): string =>
  inOneLine(
    startOf(markdown).replace(mention, (_, label: string, id: string) => `@${nameOf(UserId.make(id)) ?? label}`),
    maxText
  )

const startOf = (markdown: string): string => markdown.slice(0, 10 * maxText)
