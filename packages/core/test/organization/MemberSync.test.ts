import { assert, describe } from "@effect/vitest"
import { Grants } from "@lectern/core/grant/Grants"
import type { HostMember } from "@lectern/core/organization/MemberSync"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"
import { invalidPaths } from "../Issues.ts"
import { disable } from "./DisabledMember.ts"

const host = (name: string, role: HostMember["role"]): HostMember => ({
  externalId: name,
  email: `${name}@acme.example`,
  displayName: name,
  role
})

const list = [host("ada", "admin"), host("eve", "edit"), host("bob", null)]

for (const [name, services] of onEach(adapters)) {
  describe(`Members from the host's list (${name})`, () => {
    const rule = ruleOn(services)

    /** Roles of the host's users, by their external id. */
    const rolesOf = Effect.fnUntraced(function* (organization: string) {
      const { items } = yield* (yield* Members).list(organization as never, { limit: 100 })
      return Object.fromEntries(
        items.flatMap(({ user, role }) =>
          user.email?.endsWith("@acme.example") === true ? [[user.displayName, role]] : []
        )
      )
    })

    rule("are added, changed and removed in one call, which returns the changes", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const { syncMembers } = yield* Organizations
        const first = yield* syncMembers(org, list)
        const { ada, eve, bob } = first.users
        assert.deepStrictEqual<unknown>(first, {
          added: [ada, eve, bob],
          changed: [],
          removed: [],
          users: { ada, eve, bob }
        })
        assert.deepStrictEqual(yield* rolesOf(org), { ada: "admin", eve: "edit", bob: null })

        const space = yield* (yield* Spaces).create(org, { title: "Handbook" })
        const grants = yield* Grants
        yield* grants.grant({ kind: "space", id: space.id }, { users: [eve!], role: "admin" })
        const renamed = { ...host("bob", "read"), displayName: "Robert" }
        const types = emitted(
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* syncMembers(org, [host("ada", "admin"), renamed, host("zoe", "read")]), {
              added: [(yield* (yield* Users).sync("zoe", { email: "zoe@acme.example" })).id],
              changed: [bob!],
              removed: [eve!],
              users: { ada, bob, zoe: (yield* (yield* Users).sync("zoe", { email: "zoe@acme.example" })).id }
            } as never)
          })
        )
        assert.deepStrictEqual(yield* types, [
          "member_updated",
          "member_updated",
          "member_role_updated",
          "member_joined",
          "member_removed"
        ])
        assert.deepStrictEqual(yield* rolesOf(org), { ada: "admin", Robert: "read", zoe: "read" })
        assert.deepStrictEqual((yield* grants.listUsers({ kind: "space", id: space.id }, {})).items, [])
      })
    )

    rule("are written only if they changed", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const { syncMembers } = yield* Organizations
        const { generation } = yield* Storage
        const { users } = yield* syncMembers(org, list)
        const before = yield* generation
        assert.deepStrictEqual(yield* syncMembers(org, list.toReversed()), {
          added: [],
          changed: [],
          removed: [],
          users
        })
        assert.strictEqual(yield* generation, before)
        yield* disable(org, users["eve"]!)
        assert.deepStrictEqual((yield* syncMembers(org, list)).changed, [users["eve"]!])
        assert.isFalse((yield* (yield* Members).get(org, users["eve"]!)).disabled)
      })
    )

    rule("are found by any external id", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const { added, users } = yield* (yield* Organizations).syncMembers(org, [
          { ...host("ada", "admin"), externalId: "__proto__" }
        ])
        assert.deepStrictEqual(Object.entries(users), [["__proto__", added[0]]])
      })
    )

    rule("leave people who are no users of the host", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const { syncMembers } = yield* Organizations
        const { users } = yield* syncMembers(org, list)
        assert.sameMembers([...(yield* syncMembers(org, [])).removed], Object.values(users))
        assert.strictEqual((yield* (yield* Members).get(org, people.edit)).role, "edit")
      })
    )

    rule("include an administrator if there was one; otherwise nothing is changed", () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const { id } = yield* organizations.create({ title: "Acme" })
        yield* organizations.syncMembers(id, [host("eve", "edit")])
        yield* organizations.syncMembers(id, list)
        const before = yield* (yield* Storage).generation
        const demoted = [host("zoe", "read"), host("ada", "edit")]
        assert.strictEqual(yield* outcome(organizations.syncMembers(id, demoted)), "LastAdministrator")
        assert.strictEqual(yield* outcome(organizations.syncMembers(id, [])), "LastAdministrator")
        assert.strictEqual(yield* (yield* Storage).generation, before)
        yield* organizations.syncMembers(id, [host("eve", "admin")])
        assert.deepStrictEqual(yield* rolesOf(id), { eve: "admin" })
      })
    )

    rule("come from the host only, each once", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const { syncMembers } = yield* Organizations
        const sync = yield* outcomes(people, syncMembers(org, []))
        assert.strictEqual(sync["ok"], "host")
        assert.strictEqual(yield* outcome(syncMembers("elsewhere" as never, list)), "OrganizationNotFound")
        yield* invalidPaths(syncMembers(org, [host("ada", "read"), host("ada", "edit")]))
        yield* invalidPaths(syncMembers(org, [{ ...host("ada", "read"), email: "nobody" }]))
        const taken = { ...host("ada", "read"), email: "admin@example.com" }
        assert.strictEqual(yield* outcome(syncMembers(org, [host("eve", "read"), taken])), "EmailInUse")
        assert.deepStrictEqual(yield* rolesOf(org), {})
        const adopted = { ...taken, adopt: true, role: "admin" } as const
        assert.deepStrictEqual((yield* syncMembers(org, [adopted])).changed, [people.admin])
      })
    )
  })

  describe(`The memberships of one user (${name})`, () => {
    const rule = ruleOn(services)

    rule("follow the host's list of organizations", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const { sync } = yield* Users
        const at = (memberships: Parameters<typeof sync>[1]["memberships"]) =>
          sync("ada", { email: "ada@acme.example", ...(memberships && { memberships }) })
        const { id } = yield* at([
          { organization: org, role: "edit" },
          { organization: elsewhere, role: "read" }
        ])
        const memberIn = Effect.fnUntraced(function* (organization: typeof org) {
          return (yield* (yield* Members).get(organization, id)).role
        })
        assert.deepStrictEqual([yield* memberIn(org), yield* memberIn(elsewhere)], ["edit", "read"])
        const before = yield* (yield* Storage).generation
        yield* at([
          { organization: elsewhere, role: "read" },
          { organization: org, role: "edit" }
        ])
        yield* at(undefined)
        assert.strictEqual(yield* (yield* Storage).generation, before)
        yield* at([{ organization: org, role: "admin" }])
        assert.strictEqual(yield* memberIn(org), "admin")
        assert.strictEqual(yield* outcome(memberIn(elsewhere)), "MemberNotFound")
        assert.strictEqual(yield* outcome(at([{ organization: "gone", role: "read" }])), "OrganizationNotFound")
        const twice = at([
          { organization: org, role: "read" },
          { organization: org, role: "edit" }
        ])
        assert.strictEqual(yield* invalidPaths(twice), "user.memberships")
        const tooMany = Array.from({ length: 1_001 }, (_, n) => ({ organization: `${n}`, role: null }))
        assert.strictEqual(yield* invalidPaths(at(tooMany)), "user.memberships")
        assert.strictEqual(yield* memberIn(org), "admin")
      })
    )
  })
}
