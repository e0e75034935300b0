/** Members of an organization as callers see them. */
import { Context, Effect } from "effect"
import type { OrganizationFacts } from "../access/AccessFacts.ts"
import { GrantedSpaces } from "../access/GrantedSpaces.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { UserId } from "../user/User.ts"
import { hourOf } from "../user/LastSeen.ts"
import { type SeenUser, Users } from "../user/Users.ts"
import type { Member, MemberRow } from "./Member.ts"
import { wired } from "../wiring/Wired.ts"

export class MemberPresenter extends Context.Service<
  MemberPresenter,
  {
    /** In the order of the rows. `people`: their users, where the caller has them already. */
    readonly present: (
      facts: OrganizationFacts,
      rows: ReadonlyArray<MemberRow>,
      people?: ReadonlyMap<UserId, SeenUser>
    ) => Effect.Effect<ReadonlyArray<Member>, StorageError>
  }
>()("@lectern/core/organization/MemberPresenter") {
  static readonly layer = wired(
    MemberPresenter,
    Effect.gen(function* () {
      const users = yield* Users
      const grantedSpaces = yield* GrantedSpaces

      return MemberPresenter.of({
        present: Effect.fnUntraced(function* (facts, rows, known) {
          const ids = rows.map(({ user }) => user)
          const people = known ?? (yield* users.seen(ids))
          const spaces = yield* grantedSpaces.count(facts, "user", ids)
          const sites = grantedSites(facts, new Set(ids))
          return rows.map((row): Member => ({
            object: "member",
            id: row.user,
            role: row.role,
            user: people.get(row.user)!.user,
            disabled: row.disabled,
            joinedAt: row.joinedAt,
            ...lastSeen(row, people.get(row.user)!),
            sso: row.sso === true,
            spaces: spaces.get(row.user) ?? 0,
            sites: sites.get(row.user) ?? 0,
            teams: facts.teams.get(row.user)?.size ?? 0
          }))
        })
      })
    }),
    [GrantedSpaces.layer, Users.layer]
  )
}

/** When a member was last there; what was before it joined is nothing of this organization's. */
export const lastSeen = ({ joinedAt }: MemberRow, { lastSeenAt }: SeenUser): Pick<Member, "lastSeenAt"> =>
  lastSeenAt !== undefined && lastSeenAt >= hourOf(Date.parse(joinedAt)) ? { lastSeenAt } : {}

/** On how many sites something was granted to these members by name. */
const grantedSites = (facts: OrganizationFacts, wanted: ReadonlySet<string>) => {
  const counts = new Map<string, number>()
  for (const grants of facts.grants.values()) {
    for (const { kind, holderKind, holder } of grants) {
      if (kind !== "site" || holderKind !== "user" || !wanted.has(holder)) continue
      counts.set(holder, (counts.get(holder) ?? 0) + 1)
    }
  }
  return counts
}
