import { Grants, type GrantTarget } from "@lectern/core/grant/Grants"
import { GrantTable } from "@lectern/core/grant/Grant"
import { Collections } from "@lectern/core/collection/Collections"
import { Members } from "@lectern/core/organization/Members"
import { Events } from "@lectern/core/event/Events"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import type { CurrentActor } from "@lectern/core/access/Actor"
import type { TeamCreate } from "@lectern/core/team/Team"
import { TeamMemberTable } from "@lectern/core/team/TeamMember"
import { Teams } from "@lectern/core/team/Teams"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import * as fc from "fast-check"
import { emitted, members as organizationMembers, outcomes } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { actor, adapters, organization, type Services } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"
import { runs } from "../Runs.ts"

const people = Effect.fnUntraced(function* (org: OrganizationId, names: ReadonlyArray<string>) {
  const organizations = yield* Organizations
  const users = yield* Users
  return yield* Effect.forEach(
    names,
    Effect.fnUntraced(function* (name) {
      const { id } = yield* users.create({ email: `${name}@example.com` })
      yield* organizations.join(org, id, name.startsWith("admin") ? "admin" : name.startsWith("guest") ? null : "read")
      return id
    })
  )
})

const step = fc.record({
  kind: fc.constantFrom(
    "add",
    "remove",
    "owner",
    "member",
    "leave",
    "grant",
    "revoke",
    "trash",
    "restore",
    "delete",
    "make"
  ),
  team: fc.nat(2),
  user: fc.nat(3),
  space: fc.nat(2)
})

let run = 0

for (const [name, services] of onEach(adapters)) {
  describe(`Teams (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    it.effect("count their members and spaces exactly, whatever happens to both", () =>
      Effect.gen(function* () {
        const context = yield* Layer.build(services as Layer.Layer<Services>)
        const property = fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 8 }), (rounds) =>
          Effect.gen(function* () {
            const [teams, grants, spaces] = [yield* Teams, yield* Grants, yield* Spaces]
            const org = yield* organization
            run++
            const users = yield* people(
              org,
              Array.from({ length: 4 }, (_, i) => `user-${run}-${i}`)
            )
            const some = yield* Effect.forEach(Array.from({ length: 3 }), () => spaces.create(org, {}))
            const made = [
              yield* teams.create(org, { title: "A" }),
              yield* teams.create(org, { title: "B", members: users })
            ]
            for (const steps of rounds) {
              yield* Effect.forEach(
                steps,
                Effect.fnUntraced(function* ({ kind, team: at, user: who, space: where }) {
                  const team = made[at % made.length]!.id
                  const user = users[who]!
                  const target: GrantTarget = { kind: "space", id: some[where]!.id }
                  switch (kind) {
                    case "add":
                      return yield* teams.updateMembers(org, team, { add: [user, users[0]!] })
                    case "remove":
                      return yield* teams.removeMember(org, team, user)
                    case "owner":
                    case "member":
                      return yield* teams.putMember(org, team, user, { role: kind })
                    case "leave":
                      return yield* (yield* Members).remove(org, user)
                    case "grant":
                      return yield* grants.grant(target, { teams: [team], role: "edit" })
                    case "revoke":
                      return yield* grants.remove(target, "team", team)
                    case "trash":
                      return yield* spaces.remove(some[where]!.id)
                    case "restore":
                      return yield* spaces.restore(some[where]!.id)
                    case "delete":
                      return yield* teams.remove(org, team)
                    case "make":
                      made.push(yield* teams.create(org, { title: `Team ${made.length}` }))
                  }
                }, Effect.result),
                { concurrency: "unbounded" }
              )
              const storage = yield* Storage
              for (const team of (yield* teams.list(org, { limit: 1000 })).items) {
                const inIt = yield* storage.repository(TeamMemberTable).count({ team: team.id })
                const listed = yield* teams.listMembers(org, team.id, { limit: 1000 })
                const granted = yield* storage.repository(GrantTable).list({ where: { holder: team.id } })
                const open = yield* Effect.forEach(granted, ({ content }) =>
                  spaces.get(content as (typeof some)[0]["id"])
                )
                assert.deepStrictEqual(
                  [team.members, listed.count, listed.items.length, team.spaces],
                  [inIt, inIt, inIt, open.filter(({ deletedAt }) => deletedAt === undefined).length]
                )
                assert.deepStrictEqual(yield* teams.get(org, team.id), team)
              }
            }
          }).pipe(Effect.provide(context), Effect.runPromise)
        )
        yield* Effect.promise(() => fc.assert(property, runs(15, 60)))
      }).pipe(Effect.scoped, Effect.provide(actor))
    )

    test("are found by their title, whatever its case and accents, and by who manages them", () =>
      Effect.gen(function* () {
        const teams = yield* Teams
        const org = yield* organization
        const [admin, ada, bob] = yield* people(org, ["admin", "ada", "bob"])
        const made = new Map<string, string>()
        for (const title of ["Zürich", "zurich ops", "Écrivains", "Straße", "writers"]) {
          made.set(title, (yield* teams.create(org, { title })).id)
        }
        const titles = (filter: Parameters<typeof teams.list>[1]) =>
          Effect.map(teams.list(org, filter), ({ items }) => items.map(({ title }) => title))
        assert.deepStrictEqual(yield* titles({}), ["Écrivains", "Straße", "writers", "Zürich", "zurich ops"])
        assert.deepStrictEqual(yield* titles({ title: "ZURICH" }), ["Zürich", "zurich ops"])
        assert.deepStrictEqual(yield* titles({ title: "écri" }), ["Écrivains"])
        assert.deepStrictEqual(yield* titles({ title: "STRASSE" }), ["Straße"])
        assert.deepStrictEqual(yield* titles({ title: "%" }), [])
        yield* (yield* Teams).putMember(org, made.get("writers")!, ada!, { role: "owner" })
        yield* (yield* Teams).putMember(org, made.get("Straße")!, ada!, { role: "owner" })
        yield* (yield* Teams).putMember(org, made.get("writers")!, bob!, {})
        assert.deepStrictEqual(yield* titles({ owner: ada! }), ["Straße", "writers"])
        assert.deepStrictEqual(yield* titles({ owner: ada!, title: "w" }), ["writers"])
        assert.deepStrictEqual(yield* titles({ owner: bob! }), [])
        assert.deepStrictEqual(yield* titles({ owner: "stranger" }), [])
        assert.strictEqual((yield* titles({ owner: admin! })).length, 5)

        // Page by page, while the one seen last goes.
        const first = yield* teams.list(org, { title: "r", limit: 2 })
        assert.deepStrictEqual([first.count, ...first.items.map(({ title }) => title)], [5, "Écrivains", "Straße"])
        yield* teams.remove(org, made.get("Straße")!)
        const next = yield* teams.list(org, { title: "r", limit: 2, page: first.next!.page })
        assert.deepStrictEqual(
          next.items.map(({ title }) => title),
          ["writers", "Zürich"]
        )
      }))

    test("are managed by their owners, and made and deleted by administrators alone", () =>
      Effect.gen(function* () {
        const teams = yield* Teams
        const organizations = yield* Organizations
        const org = yield* organization
        const [admin, owner, other, guest] = yield* people(org, ["admin", "owner", "other", "guest"])
        const ownTeam = (user: UserId) =>
          Effect.gen(function* () {
            const { permissions } = yield* organizations.get(org)
            const listed = (yield* organizations.list({})).items.find(({ id }) => id === org)
            assert.deepStrictEqual(listed?.permissions, permissions)
            return permissions.ownTeam
          }).pipe(as(user))
        const { id } = yield* teams.create(org, { title: "Team" }).pipe(as(admin!))
        for (const user of [owner!, other!, guest!]) assert.isFalse(yield* ownTeam(user))
        assert.isTrue(yield* ownTeam(admin!))
        yield* teams.putMember(org, id, owner!, { role: "owner" }).pipe(as(admin!))
        yield* teams.putMember(org, id, guest!, { role: "owner" }).pipe(as(owner!))
        for (const user of [owner!, guest!]) assert.isTrue(yield* ownTeam(user))
        for (const [user, may] of [
          [admin!, true],
          [owner!, true],
          [other!, false],
          [guest!, true]
        ] as const) {
          const { permissions } = yield* teams.get(org, id).pipe(as(user))
          assert.deepStrictEqual(permissions, { admin: may, view: true })
          const renamed = yield* Effect.result(teams.update(org, id, { title: "New" }).pipe(as(user)))
          const filled = yield* Effect.result(
            teams.updateMembers(org, id, { add: [other!], remove: [other!] }).pipe(as(user))
          )
          assert.deepStrictEqual([renamed._tag, filled._tag], may ? ["Success", "Success"] : ["Failure", "Failure"])
          if (user === admin) continue
          assert.strictEqual(
            (yield* Effect.flip(teams.create(org, { title: "Mine" }).pipe(as(user))))._tag,
            "Forbidden"
          )
          assert.strictEqual((yield* Effect.flip(teams.remove(org, id).pipe(as(user))))._tag, "Forbidden")
        }
        // Named for both, one is out; none of it is done where one is nobody here.
        yield* teams.updateMembers(org, id, { memberships: { [other!]: { role: "owner" } }, remove: [owner!] })
        const stranger = (yield* (yield* Users).create({ email: "stranger@example.com" })).id
        const refused = yield* Effect.flip(teams.updateMembers(org, id, { remove: [other!], add: [stranger] }))
        assert.strictEqual(refused._tag, "InvalidTeamMember")
        assert.isTrue(yield* ownTeam(other!))
        assert.isFalse(yield* ownTeam(owner!))
        const { id: elsewhere } = yield* organizations.create({ title: "Elsewhere" })
        assert.strictEqual((yield* Effect.flip(teams.get(elsewhere, id)))._tag, "TeamNotFound")
        yield* teams.remove(elsewhere, id)
        assert.strictEqual((yield* teams.get(org, id)).id, id)
      }))

    test("give their members what is granted to them, and take it back at once", () =>
      Effect.gen(function* () {
        const teams = yield* Teams
        const grants = yield* Grants
        const org = yield* organization
        const [guest] = yield* people(org, ["guest"])
        const { id: space } = yield* (yield* Spaces).create(org, {})
        const { id: collection } = yield* (yield* Collections).create(org, {})
        const { id: within } = yield* (yield* Spaces).create(org, { parent: collection })
        const { id: site } = yield* (yield* Sites).create(org, { title: "Site" })
        const sees = Effect.gen(function* () {
          const seen = [
            (yield* Spaces).get(space),
            (yield* Collections).get(collection),
            (yield* Spaces).get(within),
            (yield* Sites).get(org, site)
          ] as ReadonlyArray<Effect.Effect<unknown, unknown, Services>>
          return (yield* Effect.forEach(seen, (one) => Effect.result(one.pipe(as(guest!))))).map(
            ({ _tag }) => _tag === "Success"
          )
        })
        const targets: ReadonlyArray<GrantTarget> = [
          { kind: "space", id: space },
          { kind: "collection", id: collection },
          { kind: "site", id: site, organization: org }
        ]
        const { id } = yield* teams.create(org, { title: "Team", members: [guest!] })
        for (const target of targets) yield* grants.grant(target, { teams: [id], role: "read" })
        assert.deepStrictEqual(yield* sees, [true, true, true, true])
        yield* teams.removeMember(org, id, guest!)
        assert.deepStrictEqual(yield* sees, [false, false, false, false])
        yield* teams.putMember(org, id, guest!, {})
        yield* grants.remove(targets[1]!, "team", id)
        assert.deepStrictEqual(yield* sees, [true, false, false, true])
        const after = yield* (yield* Events).cursor("test")
        yield* teams.remove(org, id)
        assert.deepStrictEqual(yield* sees, [false, false, false, false])
        const { events } = yield* (yield* Events).read({ after })
        const held = { organization: org, holderKind: "team", holder: id } as const
        assert.sameDeepMembers(
          events.map(({ id: _, actor: __, createdAt: ___, ...event }) => event),
          [
            { type: "grant_removed", ...held, content: { kind: "space", id: space } },
            { type: "grant_removed", ...held, content: { kind: "site", id: site } },
            { type: "team_deleted", organization: org, team: id }
          ]
        )
        const storage = yield* Storage
        assert.strictEqual(yield* storage.repository(GrantTable).count({ holder: id }), 0)
        assert.strictEqual(yield* storage.repository(TeamMemberTable).count({ team: id }), 0)
        yield* teams.remove(org, id)
      }))

    test("are created with members of the organization, all or none", () =>
      Effect.gen(function* () {
        const teams = yield* Teams
        const { org, people } = yield* organizationMembers
        const create = teams.create(org, { title: "Writers", members: [people.read, people.read, people.guest] })
        assert.deepStrictEqual(yield* emitted(create), ["team_created"])
        const [created] = (yield* teams.list(org, {})).items
        assert.deepInclude(created, { title: "Writers", members: 2, spaces: 0 })
        assert.deepStrictEqual(
          yield* invalidPathsOf<TeamCreate, CurrentActor>(
            [
              { title: "" },
              { title: "a".repeat(65) },
              { title: "a\nb" },
              { title: "Team", members: [people.read, people.outsider, "unknown"] },
              { title: "Team", members: Array.from({ length: 1001 }, () => people.read) }
            ],
            (input) => teams.create(org, input)
          ),
          ["title", "title", "title", "body.members[1] body.members[2]", "members"]
        )
        assert.strictEqual((yield* teams.list(org, {})).count, 1)
      }))

    test("are visible to all members of their organization", () =>
      Effect.gen(function* () {
        const teams = yield* Teams
        const { org, people } = yield* organizationMembers
        const { id } = yield* teams.create(org, { title: "Writers" })
        for (const read of [teams.list(org, {}), teams.get(org, id), teams.listOfMember(org, people.read, {})]) {
          assert.deepStrictEqual(yield* outcomes(people, read), {
            ok: "host admin create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
      }))

    test("are renamed with one event, and none if the title is the same", () =>
      Effect.gen(function* () {
        const teams = yield* Teams
        const { org } = yield* organizationMembers
        const { id } = yield* teams.create(org, { title: "Writers" })
        const rename = teams.update(org, id, { title: "Editors" })
        assert.deepStrictEqual(yield* emitted(rename), ["team_updated"])
        assert.deepStrictEqual(yield* emitted(rename), [])
      }))
  })
}
