/** Permission to transfer content from one organization to another. */
import { Effect } from "effect"
import type { Membership } from "../access/Access.ts"
import { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId } from "./Organization.ts"
import type { Organizations } from "./Organizations.ts"

/** Requires that the actor administers both organizations: the source and the target of the content. */
export const requireAdminOnBothSides = Effect.fnUntraced(function* (
  organizations: Organizations["Service"],
  member: Membership,
  to: OrganizationId
) {
  if (!member.admin) {
    return yield* new Forbidden({
      message: "To hand content over, you must be an administrator of the organization that it leaves"
    })
  }
  return yield* organizations.require(to, "take content over")
})
