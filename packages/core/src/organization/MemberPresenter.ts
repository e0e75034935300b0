/** Members of an organization as callers see them. */
import { Context, Effect, Layer } from "effect"
import type { OrganizationFacts } from "../access/AccessFacts.ts"
import type { ContentKind } from "../access/Grant.ts"
import type { StorageError } from "../storage/Storage.ts"
import { Users } from "../user/Users.ts"
import type { Member, MemberRow } from "./Member.ts"

export class MemberPresenter extends Context.Service<
  MemberPresenter,
  {
    /** In the order of the rows. */
    readonly present: (
      facts: OrganizationFacts,
      rows: ReadonlyArray<MemberRow>
    ) => Effect.Effect<ReadonlyArray<Member>, StorageError>
  }
>()("@lectern/core/organization/MemberPresenter") {
  static readonly layer = Layer.effect(
    MemberPresenter,
    Effect.gen(function* () {
      const users = yield* Users

      return MemberPresenter.of({
        present: Effect.fnUntraced(function* (facts, rows) {
          const people = yield* users.present(rows.map(({ user }) => user))
          const granted = grantedTo(facts, new Set(rows.map(({ user }) => user)))
          return rows.map((row): Member => ({
            object: "member",
            id: row.user,
            role: row.role,
            user: people.get(row.user)!,
            disabled: row.disabled,
            joinedAt: row.joinedAt,
            sso: row.sso === true,
            spaces: granted.get(row.user)?.space ?? 0,
            sites: granted.get(row.user)?.site ?? 0,
            teams: facts.teams.get(row.user)?.size ?? 0
          }))
        })
      })
    })
  )
}

/** How many pieces of content of each kind something was granted on to these members by name. */
const grantedTo = (facts: OrganizationFacts, wanted: ReadonlySet<string>) => {
  const counts = new Map<string, Record<ContentKind, number>>()
  for (const grants of facts.grants.values()) {
    for (const { kind, holderKind, holder } of grants) {
      if (holderKind !== "user" || !wanted.has(holder)) continue
      const known = counts.get(holder) ?? { collection: 0, space: 0, site: 0 }
      counts.set(holder, known)
      known[kind]++
    }
  }
  return counts
}
