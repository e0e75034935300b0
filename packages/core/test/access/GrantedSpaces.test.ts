/**
 * How many spaces the grants of teams and members reach, against what is seen one by one: a guest that
 * is in one team and has nothing else sees exactly what that team's grants reach.
 */
import { Access, grantedOn } from "@lectern/core/access/Access"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Grants } from "@lectern/core/grant/Grants"
import { Collections } from "@lectern/core/collection/Collections"
import { Members } from "@lectern/core/organization/Members"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Teams } from "@lectern/core/team/Teams"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fc from "fast-check"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters, type Instance, organization, type Services, twoOnOneFile } from "../Instances.ts"
import { runs } from "../Runs.ts"
import { makeWorld, step, type Step, take, type World } from "./AccessWorld.ts"

/** A guest that is in the world's team and has nothing else. */
const makeWitness = Effect.fnUntraced(function* ({ here, team, users }: World) {
  const { id } = yield* (yield* Users).create({ email: `witness-${users.admin}@example.com`.toLowerCase() })
  yield* (yield* Organizations).join(here, id, null)
  yield* (yield* Teams).putMember(here, team, id, {})
  return id
})

/** The spaces that what was granted to a user by name reaches, one by one. */
const grantedByName = Effect.fnUntraced(function* (organization: OrganizationId, user: UserId) {
  const { facts } = (yield* (yield* Access).membership(organization))!
  const rows = yield* (yield* Storage).repository(SpaceTable).list({ where: { organization } })
  const alone = { user, role: null, admin: false, facts: { ...facts, teams: new Map() } }
  return rows.filter((row) => row.deletedAt === undefined && grantedOn(alone, row) !== undefined).length
})

const agree = Effect.fnUntraced(function* ({ here, there, team, things }: World, witness: UserId, when: string) {
  const [teams, spaces, grants] = [yield* Teams, yield* Spaces, yield* Grants]
  const known = yield* teams.get(here, team)
  const seen = yield* spaces.list(here, { limit: 1000 }).pipe(as(witness))
  assert.strictEqual(known.spaces, seen.items.length, `the team ${when}`)
  assert.deepStrictEqual((yield* teams.list(here, {})).items, [known])
  const permissions = yield* Effect.result(grants.listTeams(things[4]!, {}))
  if (permissions._tag === "Success") {
    for (const one of permissions.success.items) assert.deepStrictEqual(one.team, known)
  }
  for (const organization of [here, there]) {
    for (const { id, spaces } of (yield* (yield* Members).list(organization, {})).items) {
      assert.strictEqual(spaces, yield* grantedByName(organization, id), `${id} ${when}`)
    }
  }
})

const atOnce = fc.array(step, { minLength: 1, maxLength: 4 })

/** A step of the administrator's on the thing at this place of the world. */
const on = (kind: Step["kind"], thing: number): Step => ({
  kind,
  thing,
  by: "admin",
  to: 0,
  who: "guest",
  level: "inherit",
  role: "read",
  opens: false,
  team: true
})

/** Seldom met by chance: the copy of a space in the trash, and a translation of a space that a team is granted. */
const examples: Array<[Array<Array<Step>>]> = [
  [[[on("duplicate", 1)], [on("remove", 10)], [on("restore", 10)]]],
  [[[on("translate", 3)], [on("run", 0)], [on("remove", 10)]]],
  [[[on("translate", 3)], [on("run", 0)], [on("remove", 3)]]]
]

for (const [name, services] of onEach(adapters)) {
  describe(`Granted spaces (${name})`, () => {
    it.effect("are those that the grants reach, whatever is made, moved and thrown away at once", () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Services>()
        const property = fc.asyncProperty(fc.array(atOnce, { maxLength: 10 }), (rounds) =>
          Effect.gen(function* () {
            const world = yield* makeWorld
            const witness = yield* makeWitness(world)
            for (const [i, steps] of rounds.entries()) {
              const outcomes = yield* Effect.forEach(
                steps,
                (one) => Effect.result(take(world, one).pipe(as(world.users.admin))),
                { concurrency: "unbounded" }
              )
              for (const outcome of outcomes) {
                const done = outcome._tag === "Success" ? outcome.success : undefined
                if (done && "collection" in done) world.things.push({ kind: "collection", id: done.collection!.id })
                if (done && "made" in done) world.things.push({ kind: "space", id: done.made!.id })
              }
              yield* agree(world, witness, `after ${i}: ${JSON.stringify(steps)}`)
            }
          }).pipe(Effect.provideService(CurrentActor, host), Effect.runPromiseWith(context))
        )
        yield* Effect.promise(() => fc.assert(property, { ...runs(25, 250), examples }))
      }).pipe(Effect.provide(Layer.fresh(services)))
    )
  })
}

describe("Granted spaces", () => {
  it.effect("are counted at once, whichever of two instances on one file moved them", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoOnOneFile
      const by = <A, E>(at: typeof one, effect: Effect.Effect<A, E, Instance | CurrentActor>) =>
        effect.pipe(as("host"), Effect.provide(at!))
      const org = yield* by(one, organization)
      const create = (parent?: string) =>
        Collections.use((collections) =>
          collections.create(org, parent === undefined ? {} : { parent: parent as never })
        )
      const outer = yield* by(one, create())
      const inner = yield* by(one, create(outer.id))
      const team = yield* by(
        one,
        Teams.use((teams) => teams.create(org, { title: "Team" }))
      )
      const give = Grants.use((grants) =>
        grants.grant({ kind: "collection", id: outer.id }, { teams: [team.id], role: "read" })
      )
      yield* by(one, give)
      const count = (at: typeof one) =>
        by(
          at,
          Effect.map(
            Teams.use((teams) => teams.get(org, team.id)),
            ({ spaces }) => spaces
          )
        )
      const both = Effect.all([count(one), count(two)])
      assert.deepStrictEqual(yield* both, [0, 0])
      const space = yield* by(
        two,
        Spaces.use((spaces) => spaces.create(org, { parent: inner.id }))
      )
      assert.deepStrictEqual(yield* both, [1, 1])
      for (const [at, act, reached] of [
        [one, Spaces.use((spaces) => spaces.move(space.id, { parent: null })), 0],
        [two, Spaces.use((spaces) => spaces.move(space.id, { parent: inner.id, access: "inherit" })), 1],
        [one, Spaces.use((spaces) => spaces.remove(space.id)), 0],
        [two, Spaces.use((spaces) => spaces.restore(space.id)), 1],
        [one, Collections.use((collections) => collections.move(inner.id, { parent: null })), 0]
      ] as const) {
        yield* by(at, act as Effect.Effect<unknown, unknown, Instance | CurrentActor>)
        assert.deepStrictEqual(yield* both, [reached, reached])
      }
    }).pipe(Effect.scoped)
  )
})
