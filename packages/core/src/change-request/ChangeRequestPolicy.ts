/** Minimum role on the space for each action on a change request. */
import { type Actor, userOf } from "../access/Actor.ts"
import type { Role } from "../access/Role.ts"
import type { ChangeRequestRow } from "./ChangeRequest.ts"

export const rules = {
  "see this change request": "read",
  "open a change request": "edit",
  "change one's own change request": "edit",
  "change someone else's change request": "review",
  "merge this change request": "review",
  /** Checks need the role of reviews, since both decide about merges. */
  "set checks of this change request": "review"
} as const satisfies Record<string, Role>

export type ChangeRequestAction = keyof typeof rules

/**
 * Returns the action that applies to a change of the change request. Its creator needs a lower role than other users.
 */
export const changeRule = (actor: Actor, row: ChangeRequestRow): ChangeRequestAction => {
  const user = userOf(actor)
  return user !== null && user === row.createdBy
    ? "change one's own change request"
    : "change someone else's change request"
}
