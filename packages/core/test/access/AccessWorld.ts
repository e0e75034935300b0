/**
 * Random worlds for the laws of access: two organizations with users of every role, who take steps on collections and
 * spaces. The levels of all users on everything are compared after each step.
 */
import { CurrentActor } from "@lectern/core/access/Actor"
import { Grants, type GrantTarget } from "@lectern/core/grant/Grants"
import type { DefaultLevel, Role } from "@lectern/core/access/Role"
import type { CollectionId } from "@lectern/core/collection/Collection"
import { Collections } from "@lectern/core/collection/Collections"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Members } from "@lectern/core/organization/Members"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { isReadableOnSite } from "@lectern/core/publishing/Admission"
import { type SiteId, SiteTable } from "@lectern/core/site/Site"
import { SiteSections } from "@lectern/core/site/SiteSections"
import { SiteSpaces } from "@lectern/core/site/SiteSpaces"
import { Sites } from "@lectern/core/site/Sites"
import { siteSpaces } from "@lectern/core/site/SiteStructure"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { Teams } from "@lectern/core/team/Teams"
import { Translations } from "@lectern/core/translation/Translations"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import * as fc from "fast-check"
import type { Services } from "../Instances.ts"

const names = ["admin", "keeper", "maker", "owner", "reader", "guest", "outsider"] as const
type Name = (typeof names)[number]

/** Roles in the organization `here`. `outsider` is a member of `there` only. */
const roles: Readonly<Record<Exclude<Name, "outsider">, Role | null>> = {
  admin: "admin",
  keeper: "read",
  maker: "create",
  owner: "comment",
  reader: "read",
  guest: null
}

const levels: ReadonlyArray<DefaultLevel> = ["inherit", null, null, "read", "edit", "create", "admin"]
const granted: ReadonlyArray<Role> = ["read", "create", "admin"]

const kinds = [
  "make space",
  "make collection",
  "move",
  "move",
  "move",
  "move",
  "remove",
  "restore",
  "restore",
  "duplicate",
  "transfer",
  "level",
  "level",
  "open",
  "grant",
  "grant",
  "grant",
  "revoke",
  "team",
  "role",
  "make site",
  "put on site",
  "section of site",
  "publish",
  "translate",
  "run"
] as const
type Kind = (typeof kinds)[number]

export const step = fc.record({
  kind: fc.constantFrom<Kind>(...kinds),
  by: fc.constantFrom<Name>(...names, "maker", "keeper", "maker"),
  thing: fc.nat(30),
  to: fc.nat(30),
  who: fc.constantFrom<Name>(...names),
  level: fc.constantFrom(...levels),
  role: fc.constantFrom(...granted),
  opens: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  team: fc.boolean()
})
export type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

type Thing =
  | { readonly kind: "space"; readonly id: SpaceId }
  | { readonly kind: "collection"; readonly id: CollectionId }

/** Level of each user on each thing, by `<name> <id>`: 0 (no access) to 4 (administers). */
type Levels = ReadonlyMap<string, number>

export interface World {
  readonly here: OrganizationId
  readonly there: OrganizationId
  readonly team: string
  readonly users: Readonly<Record<Name, UserId>>
  readonly things: Array<Thing>
  readonly sites: Array<SiteId>
  readonly translations: Array<string>
}

let worlds = 0

export const makeWorld = Effect.gen(function* () {
  const [organizations, users, teams] = [yield* Organizations, yield* Users, yield* Teams]
  worlds++
  const here = (yield* organizations.create({ title: "Here" })).id
  const there = (yield* organizations.create({ title: "There" })).id
  const made = yield* Effect.forEach(names, (name) =>
    Effect.map(users.create({ email: `${name}-${worlds}@example.com` }), ({ id }) => [name, id] as const)
  )
  const people = Object.fromEntries(made) as World["users"]
  for (const [name, role] of Object.entries(roles)) {
    yield* organizations.join(here, people[name as Name], role)
  }
  yield* organizations.join(there, people.admin, "admin")
  yield* organizations.join(there, people.outsider, "read")
  yield* organizations.join(there, people.keeper, "create")
  const { id: team } = yield* teams.create(here, { title: "Team", members: [people.keeper] })
  yield* (yield* Teams).putMember(here, team, people.owner, { role: "owner" })
  const world: World = { here, there, team, users: people, things: [], sites: [], translations: [] }
  for (const parent of [undefined, undefined, 0, 2, 4]) {
    const input = parent === undefined ? {} : { parent: world.things[parent]!.id as CollectionId }
    const { id } = yield* (yield* Collections).create(here, input)
    world.things.push({ kind: "collection", id })
    world.things.push({ kind: "space", id: (yield* (yield* Spaces).create(here, { parent: id })).id })
  }
  const grants = yield* Grants
  const collection = (at: number) => ({ kind: "collection", id: world.things[at]!.id as CollectionId }) as const
  for (const [at, defaultLevel] of [
    [0, null],
    [2, "edit"],
    [4, null]
  ] as const) {
    yield* (yield* Collections).update(collection(at).id, { defaultLevel })
  }
  yield* grants.grant(collection(0), { users: [people.maker], role: "create" })
  yield* grants.grant(collection(2), { teams: [team], role: "create" })
  yield* grants.grant(collection(4), { users: [people.keeper], role: "admin" })
  yield* grants.grant(collection(6), { users: [people.guest], role: "read" })
  return world
})

const pick = <A>(items: ReadonlyArray<A>, at: number): A | undefined =>
  items.length === 0 ? undefined : items[at % items.length]

const as = (world: World, name: Name) =>
  Effect.provideService(CurrentActor, { type: "user" as const, user: world.users[name] })

/** Returns the levels of all users on all things, from the permissions that the services report to each user. */
const levelsNow = Effect.fnUntraced(function* (world: World) {
  const [spaces, collections] = [yield* Spaces, yield* Collections]
  const found = new Map<string, number>()
  for (const name of names) {
    const listed = new Set<string>()
    const restorable = new Set<string>()
    for (const organization of [world.here, world.there]) {
      const mine = yield* Effect.result(spaces.list(organization, { limit: 1000 }).pipe(as(world, name)))
      if (Result.isSuccess(mine)) for (const { id } of mine.success.items) listed.add(id)
      const deleted = yield* Effect.result(spaces.listDeleted(organization, { limit: 1000 }).pipe(as(world, name)))
      if (Result.isSuccess(deleted)) for (const { space } of deleted.success.items) restorable.add(space.id)
    }
    for (const { kind, id } of world.things) {
      if (kind === "space") {
        const seen = yield* Effect.result(spaces.get(id).pipe(as(world, name)))
        const may = Result.isSuccess(seen) ? seen.success.permissions : undefined
        found.set(`${name} ${id}`, [may?.view, may?.comment, may?.review, may?.admin].filter(Boolean).length)
        const active = Result.isSuccess(seen) && seen.success.deletedAt === undefined
        assert.strictEqual(listed.has(id), active, `${name} lists ${id}`)
        assert.strictEqual(restorable.has(id), Result.isSuccess(seen) && !active, `${name} finds ${id} in the trash`)
      } else {
        const seen = yield* Effect.result(collections.get(id).pipe(as(world, name)))
        const may = Result.isSuccess(seen) ? seen.success.permissions : undefined
        found.set(`${name} ${id}`, [may?.view, may?.create, may?.admin, may?.admin].filter(Boolean).length)
      }
    }
  }
  return found as Levels
})

/** Returns the ids of all spaces that visitors of a published site may read. */
const publishedNow = Effect.fnUntraced(function* ({ here }: World) {
  const storage = yield* Storage
  const spaces = storage.repository(SpaceTable)
  const shown = new Set<string>()
  for (const site of yield* storage.repository(SiteTable).list({ where: { organization: here } })) {
    if (!site.published) continue
    for (const { siteSpace } of siteSpaces(site.structure)) {
      const space = yield* spaces.get({ id: siteSpace.space })
      if (space !== undefined && isReadableOnSite(space, site.visibility)) shown.add(siteSpace.space)
    }
  }
  return shown
})

/**
 * Takes a step as the current actor. Returns the created space or collection, and its origin if it is a copy (`of`) or
 * a translation (`from`).
 */
export const take = Effect.fnUntraced(function* (
  world: World,
  { kind, thing: at, to, who, level, role, opens, team }: Step
) {
  const [spaces, collections, sites] = [yield* Spaces, yield* Collections, yield* Sites]
  const thing = pick(world.things, at)
  if (thing === undefined) return undefined
  const space = thing.kind === "space" ? thing.id : undefined
  const target = pick([null, ...world.things.filter((one) => one.kind === "collection")], to)
  const parent = target?.id ?? null
  const asks = opens ? { access: "inherit" as const } : {}
  const holder = team ? { teams: [world.team] } : { users: [world.users[who]] }
  const content: GrantTarget = thing
  const site = pick(world.sites, to)
  switch (kind) {
    case "make space":
      return { made: yield* spaces.create(world.here, parent === null ? {} : { parent }) }
    case "make collection":
      return { collection: yield* collections.create(world.here, parent === null ? {} : { parent }) }
    case "move":
      yield* thing.kind === "space"
        ? spaces.move(thing.id, { parent, ...asks })
        : collections.move(thing.id, { parent, ...asks })
      return undefined
    case "remove":
      yield* thing.kind === "space" ? spaces.remove(thing.id) : collections.remove(thing.id)
      return undefined
    case "restore":
      if (space !== undefined) yield* spaces.restore(space, asks)
      return undefined
    case "duplicate": {
      if (space === undefined) return undefined
      const made = yield* spaces.duplicate(space, asks)
      return { made, of: space, isHere: made.organization === world.here }
    }
    case "transfer": {
      const organization = opens ? world.here : world.there
      yield* thing.kind === "space"
        ? spaces.transfer(thing.id, organization)
        : collections.transfer(thing.id, organization)
      return undefined
    }
    case "level":
      yield* thing.kind === "space"
        ? spaces.update(thing.id, { defaultLevel: level })
        : collections.update(thing.id, { defaultLevel: level })
      return undefined
    case "open":
      yield* thing.kind === "space"
        ? spaces.update(thing.id, { access: "inherit" })
        : collections.update(thing.id, { access: "inherit" })
      return undefined
    case "grant":
      yield* (yield* Grants).grant(content, { ...holder, role })
      return undefined
    case "revoke":
      yield* (yield* Grants).grant(content, { ...holder, role: null })
      return undefined
    case "team":
      yield* (yield* Teams).putMember(world.here, world.team, world.users[who], { role: "member" })
      return undefined
    case "role":
      yield* (yield* Members).changeRole(world.here, world.users[who], who === "admin" ? "admin" : role)
      return undefined
    case "make site":
      world.sites.push((yield* sites.create(world.here, space === undefined ? {} : { spaces: [space] })).id)
      return undefined
    case "put on site":
      if (site && space) yield* (yield* SiteSpaces).add(world.here, site, { spaceId: space })
      return undefined
    case "section of site":
      if (site && space) yield* (yield* SiteSections).create(world.here, site, { spaceId: space })
      return undefined
    case "publish":
      if (site && team) {
        yield* (yield* Grants).grant({ kind: "site", id: site, organization: world.here }, { ...holder, role: "admin" })
      } else if (site) yield* sites.publish(world.here, site)
      return undefined
    case "translate":
      if (space === undefined) return undefined
      world.translations.push(
        (yield* (yield* Translations).create(world.here, { source: { space }, language: "de" })).id
      )
      return undefined
    case "run": {
      const id = pick(world.translations, at)
      if (id === undefined) return undefined
      const translations = yield* Translations
      yield* translations.run(world.here, id)
      yield* (yield* JobWorker).runDue
      const { result, source } = yield* translations.get(world.here, id)
      if (result === undefined || world.things.some((one) => one.id === result.space)) return undefined
      return { made: { id: result.space }, from: source!.space }
    }
  }
})

/** Steps that change only the location of a thing. They raise nobody's level, unless the step requests it (`opens`). */
const relocations: ReadonlySet<Kind> = new Set(["move", "remove", "restore"])

/**
 * Asserts the laws of access after each step. A user's level on a thing rises only if the actor of the step administers
 * the thing. A relocation raises nobody's level, unless the step requests it (`opens`).
 */
export const obey = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const world = yield* makeWorld
  let before = yield* levelsNow(world)
  let published: ReadonlySet<string> = new Set()
  /** Users that became admins of `here`, in addition to `admin`. They see everything in it. */
  const admins = new Set<string>()
  /** Levels before the removal, for things in the trash. Cleared by every step that may change access. */
  const trashed = new Map<string, Levels>()
  for (const one of steps) {
    const outcome = yield* Effect.result(take(world, one).pipe(as(world, one.by)))
    const failure = Result.isFailure(outcome) ? outcome.failure : undefined
    if (failure?._tag === "StorageError") return yield* failure
    const done = Result.isSuccess(outcome) ? outcome.success : undefined
    if (done && "collection" in done) world.things.push({ kind: "collection", id: done.collection!.id })
    if (done && "made" in done) world.things.push({ kind: "space", id: done.made!.id })
    const after = yield* levelsNow(world)
    if (one.kind === "role" && Result.isSuccess(outcome)) {
      if (one.role === "admin" || one.who === "admin") admins.add(one.who)
      else admins.delete(one.who)
    }
    const says = JSON.stringify({ ...one, thing: pick(world.things, one.thing) })
    const mayShow = (id: string) => before.get(`${one.by} ${id}`) === 4
    const ownsTheTeam = one.kind === "team"
    for (const [key, level] of after) {
      const [name, id = ""] = key.split(" ")
      const had = before.get(key)
      if (had === undefined) {
        const isAdmin = name === "admin" || (done?.isHere === true && admins.has(name!))
        if (done && "of" in done && level > 0 && name !== one.by && !isAdmin) {
          assert.isTrue(one.opens && mayShow(done.of!), `${name} sees a copy: ${says}`)
        }
        if (done && "from" in done) {
          assert.isAtMost(level, after.get(`${name} ${done.from!}`)!, `${name} sees a translation: ${says}`)
        }
      } else if (level > had && !ownsTheTeam) {
        assert.isTrue(mayShow(id), `${name} has ${level} of ${id} instead of ${had}: ${says}`)
        const least = one.kind === "restore" ? trashed.get(id)?.get(key) : had
        if (relocations.has(one.kind) && !one.opens && least !== undefined) {
          assert.isAtMost(level, least, `${name} has ${level} of ${id} by a new place: ${says}`)
        }
      }
    }
    if (!relocations.has(one.kind)) trashed.clear()
    for (const { id } of world.things) {
      if (one.kind === "remove" && (after.get(`reader ${id}`) ?? 0) < before.get(`reader ${id}`)!)
        trashed.set(id, before)
    }
    const shown = yield* publishedNow(world)
    for (const id of shown) {
      if (!published.has(id)) assert.isTrue(mayShow(id), `visitors see ${id}: ${says}`)
    }
    published = shown
    before = after
  }
})

/**
 * Checks the laws for random lists of steps. Each list runs on a fresh instance, so that the data of earlier lists does
 * not slow it down.
 */
export const laws = (
  runs: { readonly numRuns: number; readonly seed?: number },
  length: number,
  instance: Layer.Layer<Services, unknown>
) => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: length }), (steps) =>
    Effect.runPromise(obey(steps).pipe(Effect.provide(Layer.fresh(instance))))
  )
  return Effect.promise(() => fc.assert(property, { ...runs, endOnFailure: true }))
}
