import type { CurrentActor } from "@lectern/core/access/Actor"
import { Collections } from "@lectern/core/collection/Collections"
import type { GrantTo } from "@lectern/core/grant/Grant"
import { Grants, type GrantTarget } from "@lectern/core/grant/Grants"
import { Members } from "@lectern/core/organization/Members"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Teams } from "@lectern/core/team/Teams"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"
import { disable } from "../organization/DisabledMember.ts"

/** A space in a collection, and a site. `targets` are all three. */
const contents = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const { id: collection } = yield* (yield* Collections).create(org, {})
  const { id: space } = yield* (yield* Spaces).create(org, { parent: collection })
  const { id: site } = yield* (yield* Sites).create(org, { title: "Docs" })
  const targets: ReadonlyArray<GrantTarget> = [
    { kind: "space", id: space },
    { kind: "collection", id: collection },
    { kind: "site", id: site, organization: org }
  ]
  return { org, elsewhere, people, grants: yield* Grants, space, collection, site, targets, inSpace: targets[0]! }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Grants (${name})`, () => {
    const rule = ruleOn(services)

    rule("are managed by administrators of the content", () =>
      Effect.gen(function* () {
        const { people, grants, targets } = yield* contents
        for (const [target, absent] of [
          [targets[0]!, "SpaceNotFound"],
          [targets[1]!, "CollectionNotFound"],
          [targets[2]!, "SiteNotFound"]
        ] as const) {
          yield* grants.grant(target, { users: [people.guest], role: "admin" })
          for (const use of [
            grants.listUsers(target, {}),
            grants.listTeams(target, {}),
            grants.aggregate(target, {}),
            grants.grant(target, { users: [people.edit], role: "comment" }),
            grants.change(target, "user", people.edit, "edit"),
            grants.remove(target, "user", people.edit)
          ]) {
            assert.deepInclude(yield* outcomes(people, use), {
              Forbidden: "create review edit comment read",
              [absent]: "outsider"
            })
          }
        }
      })
    )

    rule("give users and teams a role on the content, which replaces the previous one", () =>
      Effect.gen(function* () {
        const { org, people, grants, targets } = yield* contents
        const { id: team } = yield* (yield* Teams).create(org, { title: "Team" })
        for (const target of targets) {
          yield* grants.grant(target, { users: [people.guest], role: "read" })
          yield* grants.grant(target, { teams: [team], role: "comment" })
          const again = grants.grant(target, { users: [people.guest, people.guest, people.read], role: "review" })
          assert.deepStrictEqual(yield* emitted(again), ["grant_changed", "grant_changed"])
          const users = (yield* grants.listUsers(target, {})).items
          assert.sameDeepMembers(
            users.map(({ user, permission }) => [user.id, permission]),
            [
              [people.guest, "review"],
              [people.read, "review"]
            ]
          )
          const teams = (yield* grants.listTeams(target, {})).items
          assert.deepStrictEqual(
            teams.map((item) => [item.team.id, item.permission]),
            [[team, "comment"]]
          )
        }
      })
    )

    rule("are revoked by null, by change and by removal, each with one event", () =>
      Effect.gen(function* () {
        const { people, grants, inSpace } = yield* contents
        const revocations: ReadonlyArray<Effect.Effect<void, { readonly _tag: string }, CurrentActor>> = [
          grants.grant(inSpace, { users: [people.guest], role: null }),
          grants.change(inSpace, "user", people.guest, null),
          grants.remove(inSpace, "user", people.guest)
        ]
        for (const revoke of revocations) {
          yield* grants.grant(inSpace, { users: [people.guest], role: "read" })
          assert.deepStrictEqual(yield* emitted(revoke), ["grant_removed"])
          assert.strictEqual((yield* grants.listUsers(inSpace, {})).count, 0)
        }
        assert.deepStrictEqual(yield* emitted(revocations[0]!), [])
        assert.deepStrictEqual(yield* emitted(revocations[2]!), [])
        assert.strictEqual(yield* outcome(revocations[1]!), "GrantNotFound")
      })
    )

    rule("are for members and teams of the organization, all or none", () =>
      Effect.gen(function* () {
        const { elsewhere, people, grants, targets } = yield* contents
        const { id: team } = yield* (yield* Teams).create(elsewhere, { title: "Team" })
        for (const target of targets) {
          assert.deepStrictEqual(
            yield* invalidPathsOf<GrantTo, CurrentActor>(
              [
                { users: [people.read, people.outsider], role: "read" },
                { teams: [team, "unknown"], role: "read" },
                { users: [people.read], teams: [team], role: "read" },
                { role: "read" },
                { users: [], role: "read" },
                { users: [people.read], role: "owner" as "admin" }
              ],
              (to) => grants.grant(target, to)
            ),
            ["body.users[1]", "body.teams[0] body.teams[1]", "", "", "users", "role"]
          )
          assert.strictEqual((yield* grants.listUsers(target, {})).count, 0)
        }
      })
    )

    rule("take effect at once, on the content and on everything in it", () =>
      Effect.gen(function* () {
        const { people, grants, space, collection, targets } = yield* contents
        const [, inCollection] = targets
        const spaces = yield* Spaces
        const permissions = Effect.map(spaces.get(space).pipe(as(people.guest)), ({ permissions }) =>
          (["view", "comment", "edit", "admin"] as const).filter((permission) => permissions[permission]).join(" ")
        )
        assert.strictEqual(yield* outcome(spaces.get(space)).pipe(as(people.guest)), "SpaceNotFound")
        yield* grants.grant(inCollection!, { users: [people.guest], role: "comment" })
        assert.strictEqual(yield* permissions, "view comment")
        yield* grants.grant({ kind: "space", id: space }, { users: [people.guest], role: "edit" })
        assert.strictEqual(yield* permissions, "view comment edit")
        yield* grants.remove({ kind: "space", id: space }, "user", people.guest)
        yield* grants.remove({ kind: "collection", id: collection }, "user", people.guest)
        assert.strictEqual(yield* outcome(spaces.get(space)).pipe(as(people.guest)), "SpaceNotFound")
      })
    )

    rule("never lower the role of a member", () =>
      Effect.gen(function* () {
        const { people, grants, space, inSpace } = yield* contents
        yield* grants.grant(inSpace, { users: [people.edit, people.admin], role: "read" })
        const { permissions } = yield* (yield* Spaces).get(space).pipe(as(people.edit))
        assert.isTrue(permissions.edit)
        assert.isTrue((yield* (yield* Spaces).get(space).pipe(as(people.admin))).permissions.admin)
      })
    )

    rule("are aggregated for all users with access, by their effective role", () =>
      Effect.gen(function* () {
        const { org, people, grants, inSpace } = yield* contents
        yield* grants.grant(inSpace, { users: [people.guest, people.read], role: "review" })
        yield* disable(org, people.edit)
        const roles = (filter: Parameters<typeof grants.aggregate>[1]) =>
          Effect.map(
            grants.aggregate(inSpace, filter),
            ({ items }) => new Map(items.map(({ user, permission }) => [user.displayName, permission]))
          )
        assert.deepStrictEqual(
          yield* roles({}),
          new Map([
            ["admin", "admin"],
            ["create", "create"],
            ["review", "review"],
            ["comment", "comment"],
            ["read", "review"],
            ["guest", "review"]
          ])
        )
        assert.deepStrictEqual([...(yield* roles({ role: "review" })).keys()].sort(), ["guest", "read", "review"])
      })
    )

    rule("state on a site where the role of a user comes from", () =>
      Effect.gen(function* () {
        const { org, people, grants, site, targets } = yield* contents
        const onSite = targets[2]!
        const { id: team } = yield* (yield* Teams).create(org, { title: "Team", members: [people.comment] })
        yield* grants.grant(onSite, { users: [people.read], role: "edit" })
        yield* grants.grant(onSite, { teams: [team], role: "review" })
        const { items } = yield* grants.aggregate(onSite, {})
        const origins = new Map(items.map(({ user, origin }) => [user.displayName, origin]))
        assert.deepStrictEqual(origins.get("read"), { type: "site", site, reason: "member" })
        assert.deepStrictEqual(origins.get("comment"), { type: "site", site, reason: "team" })
        assert.deepStrictEqual(origins.get("edit"), { type: "organization", organization: org })
      })
    )

    rule("on a collection do not open content that the actor does not administer", () =>
      Effect.gen(function* () {
        const { people, grants, space, collection } = yield* contents
        const target = { kind: "collection", id: collection } as const
        yield* (yield* Collections).update(collection, { defaultLevel: "admin" })
        yield* (yield* Spaces).update(space, { defaultLevel: null })
        const grant = outcome(grants.grant(target, { users: [people.guest], role: "read" }))
        assert.strictEqual(yield* grant.pipe(as(people.edit)), "Forbidden")
        assert.strictEqual(yield* grant.pipe(as(people.admin)), "ok")
        assert.strictEqual(
          yield* outcome(grants.change(target, "user", people.guest, "edit")).pipe(as(people.edit)),
          "Forbidden"
        )
        assert.strictEqual(yield* outcome(grants.remove(target, "user", people.guest)).pipe(as(people.edit)), "ok")
      })
    )

    rule("are written all or none, and are undone with their transaction", () =>
      Effect.gen(function* () {
        const { people, grants, space, inSpace } = yield* contents
        const storage = yield* Storage
        const grant = grants.grant(inSpace, { users: [people.guest], role: "read" })
        const undone = Effect.flip(storage.transaction(Effect.andThen(grant, Effect.fail("undone" as const))))
        assert.deepStrictEqual(yield* emitted(undone), [])
        assert.strictEqual(yield* outcome((yield* Spaces).get(space)).pipe(as(people.guest)), "SpaceNotFound")
        const concurrent = Effect.all([grant, grants.remove(inSpace, "user", people.guest), grant], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(yield* emitted(concurrent), ["grant_changed", "grant_removed", "grant_changed"])
      })
    )

    rule("end when the user leaves the organization", () =>
      Effect.gen(function* () {
        const { org, people, grants, targets } = yield* contents
        for (const target of targets) yield* grants.grant(target, { users: [people.guest], role: "read" })
        yield* (yield* Members).remove(org, people.guest)
        for (const target of targets) assert.strictEqual((yield* grants.listUsers(target, {})).count, 0)
      })
    )
  })
}
