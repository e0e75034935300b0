/**
 * Facts about access in memory are never anything but the facts in the store. After random writes, alone,
 * together, and rolled back, an instance that has kept facts all along says the same as one that has just
 * begun. Over SQLite a second instance writes to the same file.
 */
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { Access } from "@lectern/core/access/Access"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Grants } from "@lectern/core/grant/Grants"
import type { DefaultLevel, Role } from "@lectern/core/access/Role"
import { Tokens } from "@lectern/core/token/Tokens"
import { type CollectionId, CollectionTable } from "@lectern/core/collection/Collection"
import { Collections } from "@lectern/core/collection/Collections"
import { MemberTable } from "@lectern/core/organization/Member"
import { Members } from "@lectern/core/organization/Members"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { TeamTable } from "@lectern/core/team/Team"
import { TeamMemberTable } from "@lectern/core/team/TeamMember"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { type Context, Effect, Layer, Redacted, type Scope } from "effect"
import * as fc from "fast-check"
import { type Instance, instance, twoOnOneFile } from "../Instances.ts"
import { runs } from "../Runs.ts"

/** All that is in the world of one run. */
interface World {
  readonly organizations: ReadonlyArray<OrganizationId>
  readonly users: ReadonlyArray<UserId>
  readonly teams: ReadonlyArray<string>
  readonly collections: Array<CollectionId>
  readonly tokens: Array<{ readonly id: string; readonly token: string }>
}

const role = fc.constantFrom<Role | null>(null, "read", "edit", "create", "admin")
const level = fc.constantFrom<DefaultLevel>("inherit", null, "read", "admin")

const step = fc.record({
  kind: fc.constantFrom(
    "join",
    "leave",
    "disable",
    "team",
    "grant",
    "collection",
    "move",
    "remove",
    "level",
    "transfer",
    "defaultRole",
    "token",
    "revoke"
  ),
  organization: fc.nat(1),
  user: fc.nat(2),
  one: fc.nat(7),
  other: fc.nat(7),
  role,
  level,
  flag: fc.boolean()
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** Several steps are one transaction, which is kept or rolled back. */
const act = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  rolledBack: fc.boolean(),
  by: fc.nat(1)
})

const take = Effect.fnUntraced(function* (world: World, step: Step) {
  const storage = yield* Storage
  const collections = yield* Collections
  const organization = world.organizations[step.organization]!
  const user = world.users[step.user]!
  const team = world.teams[step.organization]!
  const picked = (at: number) => world.collections[at % Math.max(world.collections.length, 1)]
  const collection = picked(step.one)
  switch (step.kind) {
    case "join":
      return yield* (yield* Organizations).join(organization, user, step.role)
    case "leave":
      return yield* (yield* Members).remove(organization, user)
    case "disable":
      return yield* storage.repository(MemberTable).update({ organization, user }, { disabled: step.flag })
    case "team": {
      const teamMembers = storage.repository(TeamMemberTable)
      yield* teamMembers.remove({ team, user })
      if (step.flag) yield* teamMembers.insert({ organization, team, user, role: "member" })
      return
    }
    case "grant":
      if (collection === undefined) return
      return yield* (yield* Grants).grant(
        { kind: "collection", id: collection },
        { ...(step.flag ? { users: [user] } : { teams: [team] }), role: step.role }
      )
    case "collection": {
      const parent = step.flag ? collection : undefined
      const made = yield* collections.create(organization, parent === undefined ? {} : { parent })
      world.collections.push(made.id)
      return
    }
    case "move":
      if (collection === undefined) return
      return yield* collections.move(collection, { parent: step.flag ? picked(step.other)! : null })
    case "remove":
      if (collection === undefined || !step.flag) return
      return yield* collections.remove(collection)
    case "level":
      if (collection === undefined) return
      return yield* collections.update(collection, { defaultLevel: step.level })
    case "transfer":
      if (collection === undefined) return
      return yield* collections.transfer(collection, organization)
    case "defaultRole":
      return yield* (yield* Organizations).update(organization, { defaultRole: step.role })
    case "token": {
      const { info, token } = yield* (yield* Tokens).create(user)
      world.tokens.push({ id: info.id, token: Redacted.value(token) })
      return
    }
    case "revoke": {
      const token = world.tokens[step.one % Math.max(world.tokens.length, 1)]
      if (token === undefined) return
      return yield* (yield* Tokens).revoke(token.id)
    }
  }
})

/** An instance's answers about everyone, everything, and every token that was ever made. */
const says = Effect.fnUntraced(function* (world: World) {
  const access = yield* Access
  const tokens = yield* Tokens
  const rows = yield* (yield* Storage).repository(CollectionTable).list({ where: {} })
  const contents = rows.filter(({ organization }) => world.organizations.includes(organization))
  const said: Array<unknown> = []
  for (const user of world.users) {
    for (const organization of world.organizations) {
      const member = yield* access
        .membership(organization)
        .pipe(Effect.provideService(CurrentActor, { type: "user", user }))
      said.push([user, organization, member?.role, member?.facts])
    }
    for (const content of contents) {
      const seen = yield* access.on(content).pipe(Effect.provideService(CurrentActor, { type: "user", user }))
      said.push([user, content.id, seen?.level])
    }
  }
  for (const { token } of world.tokens) {
    said.push([
      token,
      yield* tokens.authenticate(token).pipe(Effect.catchTag("Unauthorized", () => Effect.succeed("refused")))
    ])
  }
  return said
})

/** Access over the same store, with nothing kept yet: made outside of transactions, since services read the store. */
const begun = Layer.build(Layer.fresh(Tokens.layer.pipe(Layer.provideMerge(Access.layer))))

const agree = Effect.fnUntraced(function* (world: World, when: string, other: Context.Context<Access | Tokens>) {
  const said = yield* says(world)
  const fresh = yield* says(world).pipe(Effect.provide(other))
  assert.deepStrictEqual(said, fresh, when)
})

class RolledBack {
  readonly _tag = "RolledBack"
}

const begin = Effect.gen(function* () {
  const storage = yield* Storage
  const organizations = yield* Organizations
  const users = yield* Users
  const made = { organizations: new Array<OrganizationId>(), users: new Array<UserId>(), teams: new Array<string>() }
  for (const title of ["Here", "There"]) {
    const { id, createdAt } = yield* organizations.create({ title })
    made.organizations.push(id)
    made.teams.push(`team-${id}`)
    yield* storage.repository(TeamTable).insert({ id: `team-${id}`, organization: id, title: "Team", createdAt })
  }
  for (const name of ["a", "b", "c"]) {
    made.users.push((yield* users.create({ email: `${name}-${made.organizations[0]}@example.com` })).id)
  }
  for (const organization of made.organizations) {
    for (const [i, role] of ([null, "edit", "create"] as const).entries()) {
      yield* organizations.join(organization, made.users[i]!, role)
    }
  }
  const world: World = { ...made, collections: [], tokens: [] }
  const collections = yield* Collections
  const [here, there] = made.organizations
  const outer = yield* collections.create(here!, {})
  const inner = yield* collections.create(here!, { parent: outer.id })
  world.collections.push(outer.id, inner.id, (yield* collections.create(there!, {})).id)
  return world
})

const holds = (instances: Effect.Effect<ReadonlyArray<Context.Context<Instance>>, unknown, Scope.Scope>) =>
  Effect.gen(function* () {
    const all = yield* instances
    const services = yield* Effect.context<never>()
    const on = <A, E>(at: number, effect: Effect.Effect<A, E, Instance | CurrentActor | Scope.Scope>) =>
      effect.pipe(Effect.provideService(CurrentActor, host), Effect.provide(all[at % all.length]!))
    const property = fc.asyncProperty(fc.array(act, { maxLength: 12 }), (acts) =>
      Effect.gen(function* () {
        const world = yield* on(0, begin)
        for (const [i, { steps, rolledBack, by }] of acts.entries()) {
          const others = yield* on(
            by,
            Effect.forEach(steps, () => begun)
          )
          const counts = [world.collections.length, world.tokens.length] as const
          const body = Effect.gen(function* () {
            // A body may run again, so it starts with what was made before it.
            world.collections.length = counts[0]
            world.tokens.length = counts[1]
            for (const [n, step] of steps.entries()) {
              // What a rule refuses is rolled back alone.
              yield* Effect.result(take(world, step))
              yield* agree(world, `inside of ${i}, ${step.kind}`, others[n]!)
            }
            if (rolledBack) return yield* Effect.fail(new RolledBack())
          })
          yield* on(
            by,
            Storage.use((storage) => storage.transaction(body))
          ).pipe(
            Effect.catchIf(
              (error) => error instanceof RolledBack,
              () => Effect.void
            )
          )
          for (const at of all.keys()) {
            const when = `after ${i}, instance ${at}`
            yield* on(
              at,
              Effect.flatMap(begun, (other) => agree(world, when, other))
            )
          }
        }
      }).pipe(Effect.scoped, Effect.runPromiseWith(services))
    )
    yield* Effect.promise(() => fc.assert(property, runs(25, 200)))
  }).pipe(Effect.scoped)

describe("AccessFacts", () => {
  it.effect("are what stands in the store (memory)", () =>
    holds(Effect.map(Layer.build(instance(MemoryStorage.testLayer)), (context) => [context]))
  )

  it.effect("are what stands in the store, whoever wrote it (two instances on one SQLite file)", () =>
    holds(twoOnOneFile)
  )

  it.effect("end a token at once that another instance revokes", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoOnOneFile
      const world = yield* begin.pipe(Effect.provideService(CurrentActor, host), Effect.provide(one!))
      const { info, token } = yield* Tokens.use((tokens) => tokens.create(world.users[0]!)).pipe(Effect.provide(one!))
      const asked = (context: Context.Context<Instance>) =>
        Tokens.use((tokens) => tokens.authenticate(Redacted.value(token))).pipe(Effect.provide(context))
      for (const context of [one!, two!, one!]) {
        assert.deepStrictEqual(yield* asked(context), { type: "user", user: world.users[0]!, token: info.id })
      }
      yield* Tokens.use((tokens) => tokens.revoke(info.id)).pipe(Effect.provide(two!))
      for (const context of [one!, two!]) {
        assert.strictEqual((yield* Effect.flip(asked(context)))._tag, "Unauthorized")
      }
    }).pipe(Effect.scoped)
  )

  it.effect("forget a token that was made in what was rolled back", () =>
    Effect.gen(function* () {
      const world = yield* begin.pipe(Effect.provideService(CurrentActor, host))
      const tokens = yield* Tokens
      let made = ""
      const body = Effect.gen(function* () {
        made = Redacted.value((yield* tokens.create(world.users[0]!)).token)
        yield* tokens.authenticate(made)
        return yield* Effect.fail(new RolledBack())
      })
      yield* Effect.flip((yield* Storage).transaction(body))
      assert.strictEqual((yield* Effect.flip(tokens.authenticate(made)))._tag, "Unauthorized")
    }).pipe(Effect.provide(instance(MemoryStorage.testLayer)))
  )
})
