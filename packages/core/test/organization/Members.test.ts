import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { EmailDomains } from "@lectern/core/email-domain/EmailDomains"
import { Grants } from "@lectern/core/grant/Grants"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Reviews } from "@lectern/core/review/Reviews"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Teams } from "@lectern/core/team/Teams"
import { Users } from "@lectern/core/user/Users"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emitted, members as people, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPaths } from "../Issues.ts"
import { disable } from "./DisabledMember.ts"

const everyone = "host admin create review edit comment read guest"

for (const [name, services] of onEach(adapters)) {
  describe(`Members (${name})`, () => {
    const rule = ruleOn(services)

    rule("see each other, also as guests", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        for (const read of [members.list(org, {}), members.get(org, all.edit), members.ping(org)]) {
          assert.deepStrictEqual(yield* outcomes(all, read), { ok: everyone, OrganizationNotFound: "outsider" })
        }
        assert.strictEqual(yield* outcome(members.get(org, all.outsider)), "MemberNotFound")
      })
    )

    rule("are filtered by role and by words in their names and addresses", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        yield* (yield* Users).update(all.edit, { displayName: "Zoë Straße" })
        const names = (filter: Parameters<typeof members.list>[1]) =>
          Effect.map(members.list(org, filter), ({ items }) => items.map(({ user }) => user.displayName).join(" "))
        assert.strictEqual(yield* names({ role: "admin" }), "admin")
        assert.strictEqual(yield* names({ role: "guest" }), "guest")
        assert.strictEqual(yield* names({ search: "ZOE" }), "Zoë Straße")
        assert.strictEqual(yield* names({ search: "strasse" }), "Zoë Straße")
        assert.strictEqual(yield* names({ search: "Edit@Example" }), "Zoë Straße")
        assert.strictEqual(yield* names({ search: "zoe", role: "read" }), "")
      })
    )

    rule("are sorted and paged", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        yield* TestClock.adjust("1 hour")
        yield* (yield* Organizations).join(org, all.outsider, "read")
        const names = ({
          items
        }: {
          readonly items: ReadonlyArray<{ readonly user: { readonly displayName: string } }>
        }) => items.map(({ user }) => user.displayName)
        const sorted = ["admin", "comment", "create", "edit", "guest", "outsider", "read", "review"]
        assert.deepStrictEqual(names(yield* members.list(org, { sort: "name" })), sorted)
        assert.deepStrictEqual(names(yield* members.list(org, { sort: "name", order: "desc" })), sorted.toReversed())
        assert.strictEqual(names(yield* members.list(org, {})).at(-1), "outsider")
        const first = yield* members.list(org, { sort: "name", limit: 6 })
        assert.strictEqual(first.count, 8)
        const next = { page: first.next!.page, sort: "name" } as const
        assert.deepStrictEqual(names(yield* members.list(org, next)), ["read", "review"])
        assert.strictEqual(yield* outcome(members.list(org, { ...next, role: "read" })), "InvalidCursor")
      })
    )

    rule("state their counts of spaces, sites and teams, as far as the actor sees the contents", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        const grants = yield* Grants
        const { id: space } = yield* (yield* Spaces).create(org, {})
        const { id: site } = yield* (yield* Sites).create(org, { title: "Docs" })
        yield* (yield* Spaces).update(space, { defaultLevel: null })
        yield* grants.grant({ kind: "space", id: space }, { users: [all.guest], role: "read" })
        yield* grants.grant({ kind: "site", id: site, organization: org }, { users: [all.guest], role: "read" })
        yield* (yield* Teams).create(org, { title: "Team", members: [all.guest] })
        const counts = Effect.map(members.get(org, all.guest), ({ spaces, sites, teams }) => [spaces, sites, teams])
        assert.deepStrictEqual(yield* counts, [1, 1, 1])
        assert.deepStrictEqual(yield* counts.pipe(as(all.guest)), [1, 1, 1])
        assert.deepStrictEqual(yield* counts.pipe(as(all.edit)), [0, 1, 1])
      })
    )

    rule("have roles that administrators change", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        assert.deepStrictEqual(
          yield* outcomes(all, (actor) => members.changeRole(org, all.comment, actor === "admin" ? null : "edit")),
          { ok: "host admin", Forbidden: "create review edit comment read guest", OrganizationNotFound: "outsider" }
        )
        assert.isNull((yield* members.get(org, all.comment)).role)
        assert.strictEqual(yield* outcome(members.changeRole(org, all.outsider, "read")), "MemberNotFound")
        assert.strictEqual(yield* invalidPaths(members.changeRole(org, all.read, "owner" as "admin")), "")
      })
    )

    rule("get a new role with its events, and none if the role is the same", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        const { generation } = yield* Storage
        const change = members.changeRole(org, all.read, "review")
        assert.deepStrictEqual(yield* emitted(change), ["member_updated", "member_role_updated"])
        const before = yield* generation
        assert.strictEqual((yield* change).role, "review")
        assert.strictEqual(yield* generation, before)
      })
    )

    rule("always include an administrator who is not disabled", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        const leave = outcome(members.remove(org, all.admin))
        const resign = outcome(members.changeRole(org, all.admin, "read"))
        assert.deepStrictEqual([yield* leave, yield* resign], ["LastAdministrator", "LastAdministrator"])
        yield* members.changeRole(org, all.edit, "admin")
        yield* disable(org, all.edit)
        assert.strictEqual(yield* resign, "LastAdministrator")
        yield* members.changeRole(org, all.read, "admin")
        assert.strictEqual(yield* resign, "ok")
      })
    )

    rule("keep an administrator if two resign at the same time", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        yield* members.changeRole(org, all.edit, "admin")
        const resign = (user: string) => outcome(members.changeRole(org, user, "read"))
        const results = yield* Effect.all([resign(all.admin), resign(all.edit)], { concurrency: "unbounded" })
        assert.sameMembers(results, ["ok", "LastAdministrator"])
      })
    )

    rule("leave by themselves, or are removed by administrators", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        assert.deepStrictEqual(yield* outcomes(all, members.remove(org, all.guest)), {
          ok: "host admin",
          Forbidden: "create review edit comment read",
          OrganizationNotFound: "guest outsider"
        })
        const leave = members.remove(org, all.read).pipe(as(all.read))
        assert.deepStrictEqual(yield* emitted(leave), ["member_removed"])
        assert.strictEqual(yield* outcome(leave), "OrganizationNotFound")
      })
    )

    rule("lose their grants, teams and review requests in the organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people: all } = yield* people
        const members = yield* Members
        const spaces = yield* Spaces
        const reviews = yield* Reviews
        const joined = yield* Effect.forEach([org, elsewhere], (organization) =>
          Effect.gen(function* () {
            if (organization === elsewhere) yield* (yield* Organizations).join(elsewhere, all.review, "review")
            const { id: space } = yield* spaces.create(organization, {})
            const { id: changeRequest } = yield* (yield* ChangeRequests).create(space, {})
            const target = { kind: "space", id: space } as const
            yield* (yield* Grants).grant(target, { users: [all.review], role: "admin" })
            yield* reviews.request(space, changeRequest, { users: [all.review] })
            const team = yield* (yield* Teams).create(organization, { title: "Team", members: [all.review] })
            return { organization, space, changeRequest, team: team.id, target }
          })
        )
        assert.sameMembers(yield* emitted(members.remove(org, all.review)), [
          "change_request_review_request_removed",
          "member_removed"
        ])
        const counts = yield* Effect.forEach(joined, ({ organization, space, changeRequest, team, target }) =>
          Effect.gen(function* () {
            return [
              (yield* (yield* Grants).listUsers(target, {})).count,
              (yield* (yield* Teams).listMembers(organization, team, {})).count,
              (yield* reviews.listRequested(space, changeRequest, {})).count
            ]
          })
        )
        assert.deepStrictEqual(counts, [
          [0, 0, 0],
          [1, 1, 1]
        ])
      })
    )

    rule("do not return by their email domain after an administrator removed them", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        yield* (yield* Organizations).update(org, { emailDomains: ["example.com"] })
        const join = outcome((yield* EmailDomains).join(org))
        yield* members.remove(org, all.read).pipe(as(all.read))
        assert.strictEqual(yield* join.pipe(as(all.read)), "ok")
        yield* members.remove(org, all.read)
        assert.strictEqual(yield* join.pipe(as(all.read)), "Forbidden")
      })
    )

    rule("are removed without effect if they are no members", () =>
      Effect.gen(function* () {
        const { org, people: all } = yield* people
        const members = yield* Members
        assert.deepStrictEqual(yield* emitted(members.remove(org, all.outsider)), [])
        assert.deepStrictEqual(yield* emitted(members.remove(org, "unknown")), [])
      })
    )
  })
}
