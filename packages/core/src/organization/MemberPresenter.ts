/** Converts members of an organization to API resources. */
import { Effect } from "effect"
import { levelOn, type Membership } from "../access/Access.ts"
import { makeGrantedSpaces } from "../access/GrantedSpaces.ts"
import { accessTargetOf } from "../site/Site.ts"
import type { UserId } from "../user/User.ts"
import { hourOf } from "../user/LastSeen.ts"
import { type ActiveUser, Users } from "../user/Users.ts"
import type { Member, MemberRow } from "./Member.ts"

export const makeMemberPresenter = Effect.gen(function* () {
  const users = yield* Users
  const grantedSpaces = yield* makeGrantedSpaces

  return {
    /**
     * Returns members in the order of the rows. Counts include only content that `viewer` may see. `people`: the
     * members' users, if the caller has loaded them.
     */
    present: Effect.fnUntraced(function* (
      viewer: Membership,
      rows: ReadonlyArray<MemberRow>,
      people?: ReadonlyMap<UserId, ActiveUser>
    ) {
      const { facts } = viewer
      const ids = rows.map(({ user }) => user)
      const activeUsers = people ?? (yield* users.activeUsers(ids))
      const spaces = yield* grantedSpaces.count(viewer, "user", ids)
      const sites = grantedSites(viewer, new Set(ids))
      return rows.map((row): Member => ({
        object: "member",
        id: row.user,
        role: row.role,
        user: activeUsers.get(row.user)!.user,
        disabled: row.disabled,
        joinedAt: row.joinedAt,
        ...lastSeen(row, activeUsers.get(row.user)!),
        sso: row.sso === true,
        spaces: spaces.get(row.user) ?? 0,
        sites: sites.get(row.user) ?? 0,
        teams: facts.teams.get(row.user)?.size ?? 0
      }))
    })
  }
})

/**
 * Returns the time of a member's last request. Requests before the member joined are not disclosed to the organization.
 */
export const lastSeen = ({ joinedAt }: MemberRow, { lastSeenAt }: ActiveUser): Pick<Member, "lastSeenAt"> =>
  lastSeenAt !== undefined && lastSeenAt >= hourOf(Date.parse(joinedAt)) ? { lastSeenAt } : {}

/** Returns the number of sites with a grant, by member. Counts only sites that `viewer` may see. */
const grantedSites = (viewer: Membership, users: ReadonlySet<string>) => {
  const { grants: grantsByContent, organization } = viewer.facts
  const counts = new Map<string, number>()
  for (const [content, grants] of grantsByContent) {
    const isVisible = levelOn(viewer, accessTargetOf({ id: content, organization: organization.id })) !== undefined
    for (const { kind, holderKind, holder } of grants) {
      if (kind !== "site" || holderKind !== "user" || !users.has(holder) || !isVisible) continue
      counts.set(holder, (counts.get(holder) ?? 0) + 1)
    }
  }
  return counts
}
