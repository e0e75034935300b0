/**
 * Permissions on a comment or a reply. The author of a comment has additional permissions, which the role does not
 * grant.
 */
import { Effect } from "effect"
import { type Actor, userOf } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { atLeast, type Role } from "../access/Role.ts"
import type { Comment, CommentRow } from "./Comment.ts"

type AuthoredRow = Pick<CommentRow, "author">

/** Returns the permissions of an actor with this level on the space. The host application has all of them. */
export const permissions = (level: Role, actor: Actor, { author }: AuthoredRow): Comment["permissions"] => {
  const reply = atLeast(level, "comment")
  const isOwn = reply && (actor.type === "host" || (author !== null && userOf(actor) === author))
  return { view: true, edit: isOwn, reply, delete: isOwn || level === "admin" }
}

export const requireEdit = (level: Role, actor: Actor, row: AuthoredRow): Effect.Effect<void, Forbidden> =>
  permissions(level, actor, row).edit
    ? Effect.void
    : Effect.fail(new Forbidden({ message: "Only who wrote it may change what it says" }))

export const requireDelete = (level: Role, actor: Actor, written: AuthoredRow): Effect.Effect<void, Forbidden> =>
  permissions(level, actor, written).delete
    ? Effect.void
    : Effect.fail(new Forbidden({ message: "Only who wrote it, or an administrator of the space, may delete it" }))
