import { MemberTable } from "@lectern/core/organization/Member"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Storage } from "@lectern/core/storage/Storage"
import type { UserId } from "@lectern/core/user/User"
import { Effect } from "effect"

/** Disables a member, as an older release could. */
export const disable = Effect.fnUntraced(function* (organization: OrganizationId, user: UserId) {
  const storage = yield* Storage
  yield* storage.repository(MemberTable).update({ organization, user }, { disabled: true })
})
