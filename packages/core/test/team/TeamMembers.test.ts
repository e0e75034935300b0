import type { CurrentActor } from "@lectern/core/access/Actor"
import type { TeamMembersPut } from "@lectern/core/team/Team"
import { Teams } from "@lectern/core/team/Teams"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"

/** A team that `read` owns, with `comment` as a member. */
const inTeam = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const teams = yield* Teams
  const { id: team } = yield* teams.create(org, { title: "Writers", members: [people.comment] })
  yield* teams.putMember(org, team, people.read, { role: "owner" })
  const roles = Effect.map(
    teams.listMembers(org, team, {}),
    ({ items }) => new Map(items.map((item) => [item.organization.user.displayName, item.team.role]))
  )
  return { org, elsewhere, people, teams, team, roles }
})

for (const [name, services] of onEach(adapters)) {
  describe(`TeamMembers (${name})`, () => {
    const rule = ruleOn(services)

    rule("are visible to all members of the organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, teams, team } = yield* inTeam
        assert.deepStrictEqual(yield* outcomes(people, teams.listMembers(org, team, {})), {
          ok: "host admin create review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
        assert.strictEqual(yield* outcome(teams.listMembers(org, "unknown", {})), "TeamNotFound")
        assert.strictEqual(yield* outcome(teams.listMembers(elsewhere, team, {})), "TeamNotFound")
      })
    )

    rule("are changed by owners of the team and by administrators", () =>
      Effect.gen(function* () {
        const { org, people, teams, team } = yield* inTeam
        for (const change of [
          teams.putMember(org, team, people.edit, {}),
          teams.updateMembers(org, team, { add: [people.guest] }),
          teams.removeMember(org, team, people.edit)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, change), {
            ok: "host admin read",
            Forbidden: "create review edit comment guest",
            OrganizationNotFound: "outsider"
          })
        }
      })
    )

    rule("are added, get roles and are removed in one request", () =>
      Effect.gen(function* () {
        const { org, people, teams, team, roles } = yield* inTeam
        const update = teams.updateMembers(org, team, {
          add: [people.edit, people.read, people.edit, people.guest],
          memberships: { [people.review]: { role: "owner" } },
          remove: [people.comment, people.guest, "unknown"]
        })
        assert.deepStrictEqual(yield* emitted(update), ["team_members_updated"])
        assert.deepStrictEqual(
          yield* roles,
          new Map([
            ["read", "owner"],
            ["edit", "member"],
            ["review", "owner"]
          ])
        )
        assert.deepStrictEqual(yield* emitted(update), [])
      })
    )

    rule("keep their role if they are put without one", () =>
      Effect.gen(function* () {
        const { org, people, teams, team, roles } = yield* inTeam
        assert.deepStrictEqual(yield* emitted(teams.putMember(org, team, people.read, {})), [])
        assert.strictEqual((yield* roles).get("read"), "owner")
        yield* teams.putMember(org, team, people.read, { role: "member" })
        assert.strictEqual((yield* roles).get("read"), "member")
      })
    )

    rule("are members of the organization", () =>
      Effect.gen(function* () {
        const { org, people, teams, team, roles } = yield* inTeam
        assert.strictEqual(yield* outcome(teams.putMember(org, team, people.outsider, {})), "MemberNotFound")
        assert.deepStrictEqual(
          yield* invalidPathsOf<TeamMembersPut, CurrentActor>(
            [
              { add: [people.edit, people.outsider, "unknown"] },
              { memberships: { [people.outsider]: { role: "member" } }, add: [people.edit] },
              { add: Array.from({ length: 1001 }, () => people.edit) },
              { memberships: { [people.edit]: { role: "admin" as "owner" } } }
            ],
            (input) => teams.updateMembers(org, team, input)
          ),
          ["body.add[1] body.add[2]", "body.memberships[0]", "add", `memberships.${people.edit}.role`]
        )
        assert.strictEqual((yield* roles).size, 2)
      })
    )

    rule("are removed without effect if they are not in the team", () =>
      Effect.gen(function* () {
        const { org, people, teams, team, roles } = yield* inTeam
        assert.deepStrictEqual(yield* emitted(teams.removeMember(org, team, people.edit)), [])
        assert.deepStrictEqual(yield* emitted(teams.removeMember(org, team, people.comment)), ["team_members_updated"])
        assert.deepStrictEqual([...(yield* roles).keys()], ["read"])
      })
    )

    rule("see their teams with their role in each", () =>
      Effect.gen(function* () {
        const { org, people } = yield* inTeam
        const teams = yield* Teams
        yield* teams.create(org, { title: "Editors", members: [people.read] })
        const titles = (user: string, title?: string) =>
          Effect.map(teams.listOfMember(org, user, title === undefined ? {} : { title }), ({ items }) =>
            items.map(({ team, member }) => `${team.title}: ${member.role}`)
          )
        assert.deepStrictEqual(yield* titles(people.read), ["Editors: member", "Writers: owner"])
        assert.deepStrictEqual(yield* titles(people.read, "WRI"), ["Writers: owner"])
        assert.deepStrictEqual(yield* titles(people.comment).pipe(as(people.guest)), ["Writers: member"])
        assert.strictEqual(yield* outcome(teams.listOfMember(org, people.outsider, {})), "MemberNotFound")
      })
    )

    rule("are paged", () =>
      Effect.gen(function* () {
        const { org, people, teams, team } = yield* inTeam
        yield* teams.updateMembers(org, team, { add: Object.values(people).filter((id) => id !== people.outsider) })
        const first = yield* teams.listMembers(org, team, { limit: 4 })
        const next = yield* teams.listMembers(org, team, { page: first.next!.page })
        const ids = [...first.items, ...next.items].map((item) => item.organization.id)
        assert.deepStrictEqual([first.count, new Set(ids).size, ids.length], [7, 7, 7])
        const { id: other } = yield* teams.create(org, { title: "Other" })
        assert.strictEqual(yield* outcome(teams.listMembers(org, other, { page: first.next!.page })), "InvalidCursor")
      })
    )
  })
}
