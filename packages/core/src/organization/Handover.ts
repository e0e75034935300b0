/** Permission to hand content of an organization over to another one. */
import { Effect } from "effect"
import type { Membership } from "../access/Access.ts"
import { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId } from "./Organization.ts"
import type { Organizations } from "./Organizations.ts"

/** Requires an administrator of both organizations, the one that content leaves and the one that gets it. */
export const requireAdminOnBothSides = Effect.fnUntraced(function* (
  organizations: Organizations["Service"],
  member: Membership,
  to: OrganizationId
) {
  if (!member.admin) {
    return yield* new Forbidden({
      message: "To hand content over takes an administrator of the organization it leaves"
    })
  }
  return yield* organizations.require(to, "take content over")
})
