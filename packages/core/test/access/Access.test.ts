import { Access } from "@lectern/core/access/Access"
import { type Actor, CurrentActor } from "@lectern/core/access/Actor"
import type { DefaultLevel } from "@lectern/core/access/Role"
import { Grants } from "@lectern/core/grant/Grants"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Spaces } from "@lectern/core/space/Spaces"
import { SpaceTable } from "@lectern/core/space/Space"
import { Storage } from "@lectern/core/storage/Storage"
import { UserId } from "@lectern/core/user/User"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, type People, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { disable } from "../organization/DisabledMember.ts"

/** Returns the level of each person on a space. Undefined for people who may not view it. */
const levelsOn = Effect.fnUntraced(function* (people: People, space: { readonly id: string }) {
  const access = yield* Access
  const [row] = yield* (yield* Storage).repository(SpaceTable).list({ where: { id: space.id as never } })
  const levels: Partial<Record<keyof People, string>> = {}
  for (const name of Object.keys(people) as ReadonlyArray<keyof People>) {
    const found = yield* access.on(row!).pipe(as(people[name]))
    if (found !== undefined) levels[name] = found.level
  }
  return levels
})

for (const [name, services] of onEach(adapters)) {
  describe(`Access (${name})`, () => {
    const rule = ruleOn(services)

    rule("of a member is the own role, and of a guest nothing", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const space = yield* (yield* Spaces).create(org, {})
        assert.deepStrictEqual(yield* levelsOn(people, space), {
          admin: "admin",
          create: "create",
          review: "review",
          edit: "edit",
          comment: "comment",
          read: "read"
        })
      })
    )

    rule("follows the default level of the content for members, apart from administrators", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const spaces = yield* Spaces
        const space = yield* spaces.create(org, {})
        const levels = Effect.fnUntraced(function* (defaultLevel: DefaultLevel) {
          yield* spaces.update(space.id, { defaultLevel })
          const { admin, guest, ...others } = yield* levelsOn(people, space)
          assert.deepStrictEqual([admin, guest], ["admin", undefined])
          return [...new Set(Object.values(others))]
        })
        assert.deepStrictEqual(yield* levels("edit"), ["edit"])
        assert.deepStrictEqual(yield* levels("admin"), ["admin"])
        assert.deepStrictEqual(yield* levels(null), [])
      })
    )

    rule("is the strongest of the granted role and the default level", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const space = yield* (yield* Spaces).create(org, {})
        const target = { kind: "space", id: space.id } as const
        yield* (yield* Grants).grant(target, { users: [people.guest, people.read, people.create], role: "review" })
        const { guest, read, create, comment } = yield* levelsOn(people, space)
        assert.deepStrictEqual([guest, read, create, comment], ["review", "review", "create", "comment"])
      })
    )

    rule("ends when a member is disabled", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const space = yield* (yield* Spaces).create(org, {})
        yield* disable(org, people.admin)
        assert.notProperty(yield* levelsOn(people, space), "admin")
      })
    )

    rule("is that of users in their organizations, and of the host everywhere", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people } = yield* members
        const { membership } = yield* Access
        const roleOf = (actor: Actor) =>
          membership(org).pipe(
            Effect.map((member) => member && `${member.role ?? "guest"}${member.admin ? " with all rights" : ""}`),
            Effect.provideService(CurrentActor, actor)
          )
        const user = people.admin
        assert.strictEqual(yield* roleOf({ type: "host" }), "admin with all rights")
        assert.strictEqual(yield* roleOf({ type: "user", user }), "admin with all rights")
        assert.strictEqual(yield* roleOf({ type: "user", user: people.guest }), "guest")
        assert.strictEqual(yield* roleOf({ type: "user", user, organization: org }), "admin with all rights")
        const others: ReadonlyArray<Actor> = [
          { type: "user", user, organization: elsewhere },
          { type: "user", user: people.outsider },
          { type: "user", user: UserId.make("unknown") },
          { type: "token", user, token: "t", scopes: ["organization:read"] },
          { type: "integration", integration: "sync" },
          { type: "installation", integration: "sync", installation: "i", organization: org },
          { type: "visitor", organization: org, site: "s", via: "open", claims: {}, kind: "" }
        ]
        for (const actor of others) assert.isUndefined(yield* roleOf(actor))
        assert.isUndefined(yield* membership(OrganizationId.make("unknown")))
      })
    )
  })
}
