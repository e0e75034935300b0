/**
 * Lists and single reads agree: whatever the levels and grants, a list shows exactly what its reader
 * may open, with the rights that opening it shows.
 */
import type { Role } from "@lectern/core/access/Role"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Storage } from "@lectern/core/storage/Storage"
import { TeamMemberTable } from "@lectern/core/team/TeamMember"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { Harness, has, onEachAdapter } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createCollection, createSpace, createTeam, openChangeRequest } from "./Steps.ts"
import { runs } from "../../core/test/Runs.ts"

const ladder = ["read", "comment", "edit", "review", "create", "admin"] as const
const readers = ["guest", "read", "edit", "create", "admin"] as const
const roles = { guest: null, read: "read", edit: "edit", create: "create", admin: "admin" } as const

interface Thing {
  readonly object: "space" | "collection"
  readonly id: string
  readonly parent: string | undefined
}

const pathOf = ({ object, id }: Thing) => `/v1/${object}s/${id}`

/** Collections within collections, with spaces beside them on every level, each with a change request. */
const makeTree = Effect.gen(function* () {
  const collections: Array<Thing> = []
  const within = Effect.fnUntraced(function* (parent: string | undefined) {
    const { id } = yield* createCollection(parent === undefined ? {} : { parent })
    collections.push({ object: "collection", id, parent })
    return id
  })
  const outer = yield* within(undefined)
  const inner = yield* within(outer)
  yield* within(inner)
  yield* within(undefined)
  const spaces: Array<Thing> = []
  const changeRequests = new Map<string, string>()
  for (const parent of [undefined, undefined, ...collections.map(({ id }) => id)]) {
    const { id } = yield* createSpace(parent === undefined ? {} : { parent })
    spaces.push({ object: "space", id, parent })
    changeRequests.set(id, (yield* openChangeRequest(id)).id)
  }
  return { things: [...collections, ...spaces], changeRequests }
})

type Tree = Effect.Success<typeof makeTree>

const state = (things: number) =>
  fc.array(
    fc.record({
      level: fc.constantFrom<Role | "inherit" | null>("inherit", "inherit", null, null, "read", "review"),
      grant: fc.option(
        fc.record({
          to: fc.constantFrom("guest" as const, "read" as const, "create" as const, "team" as const),
          role: fc.constantFrom<Role>("read", "edit", "admin")
        }),
        { freq: 2 }
      )
    }),
    { minLength: things, maxLength: things }
  )
type State = ReturnType<typeof state> extends fc.Arbitrary<infer A> ? A : never

/** A reader's level on a thing, by the rule. Of the readers, the editor is in the team. */
const expected = (tree: Tree, state: State, reader: (typeof readers)[number], thing: Thing): Role | undefined => {
  const role = roles[reader]
  if (role === "admin") return "admin"
  const given: Array<Role | null> = []
  let byDefault: Role | null | undefined
  for (let at: Thing | undefined = thing; at !== undefined;) {
    const { grant, level } = state[tree.things.indexOf(at)]!
    if (grant !== null && (grant.to === reader || (grant.to === "team" && reader === "edit"))) given.push(grant.role)
    if (byDefault === undefined && level !== "inherit") byDefault = level
    const { parent }: Thing = at
    at = tree.things.find(({ id }) => id === parent)
  }
  if (role !== null) given.push(byDefault === undefined ? role : byDefault)
  return ladder.findLast((one) => given.includes(one))
}

const setUp = Effect.fnUntraced(function* (tree: Tree, team: string, state: State) {
  const { call, users } = yield* Harness
  for (const [i, { grant, level }] of state.entries()) {
    const path = pathOf(tree.things[i]!)
    yield* call("admin", "PATCH", path, { defaultLevel: level }).pipe(has(200))
    const nobody = { users: [users.guest, users.read, users.create], role: null }
    yield* call("admin", "POST", `${path}/permissions`, nobody).pipe(has(204))
    yield* call("admin", "POST", `${path}/permissions`, { teams: [team], role: null }).pipe(has(204))
    if (grant === null) continue
    const to = grant.to === "team" ? { teams: [team] } : { users: [users[grant.to]] }
    yield* call("admin", "POST", `${path}/permissions`, { ...to, role: grant.role }).pipe(has(204))
  }
})

const Any = Shapes.listOf(Shapes.Space)

const check = Effect.fnUntraced(function* (tree: Tree, state: State, reader: (typeof readers)[number]) {
  const { call, organization } = yield* Harness
  const own = new Set([...tree.things.map(({ id }) => id), ...tree.changeRequests.values()])
  const list = Effect.fnUntraced(function* (path: string) {
    const { text } = yield* call(reader, "GET", `${path}${path.includes("?") ? "&" : "?"}limit=1000`).pipe(has(200))
    const { count, items }: { count: number; items: ReadonlyArray<(typeof Any.Type.items)[number]> } = JSON.parse(text)
    assert.strictEqual(count, items.length)
    return items.filter(({ id }) => own.has(id))
  })
  const ids = (items: ReadonlyArray<{ readonly id: string }>) => items.map(({ id }) => id)
  const opened = new Map<string, Thing>()
  const listed = [
    ...(yield* list(`/v1/orgs/${organization}/collections`)),
    ...(yield* list(`/v1/orgs/${organization}/spaces`))
  ]
  for (const thing of tree.things) {
    const { status, text } = yield* call(reader, "GET", pathOf(thing))
    const level = expected(tree, state, reader, thing)
    assert.strictEqual(status, level === undefined ? 404 : 200, `${reader} asks for ${pathOf(thing)}`)
    if (level === undefined) continue
    opened.set(thing.id, thing)
    const shown = JSON.parse(text)
    const least = (role: Role) => ladder.indexOf(level) >= ladder.indexOf(role)
    assert.include(
      shown.permissions,
      thing.object === "space"
        ? { comment: least("comment"), edit: least("edit"), review: least("review"), admin: least("admin") }
        : { view: true, create: least("create"), admin: least("admin") }
    )
    assert.deepStrictEqual(
      listed.find(({ id }) => id === thing.id),
      shown,
      `${reader} lists ${pathOf(thing)} as it is shown`
    )
  }
  assert.sameMembers(ids(listed), [...opened.keys()])
  const top = yield* list(`/v1/orgs/${organization}/collections?nested=false`)
  const openedWhere = (object: string, parent: string | undefined) =>
    [...opened.values()].filter((thing) => thing.object === object && thing.parent === parent)
  assert.sameMembers(ids(top), ids(openedWhere("collection", undefined)))
  for (const thing of opened.values()) {
    if (thing.object === "space") continue
    assert.sameMembers(ids(yield* list(`${pathOf(thing)}/spaces`)), ids(openedWhere("space", thing.id)))
  }
  const requests = yield* list(`/v1/orgs/${organization}/change-requests?status=all`)
  const seen = [...tree.changeRequests].filter(([space]) => opened.has(space))
  assert.sameMembers(
    ids(requests),
    seen.map(([, id]) => id)
  )
  for (const [space, id] of tree.changeRequests) {
    const path = `/v1/spaces/${space}/change-requests/${id}`
    yield* call(reader, "GET", path).pipe(has(opened.has(space) ? 200 : 404))
  }
})

onEachAdapter("Visibility", (it) => {
  it.effect("is the same in lists as in single reads, whatever the levels and grants", () =>
    Effect.gen(function* () {
      const { organization, users } = yield* Harness
      const tree = yield* makeTree
      const team = yield* createTeam
      yield* (yield* Storage)
        .repository(TeamMemberTable)
        .insert({ organization: OrganizationId.make(organization), team, user: users.edit, role: "member" })
        .pipe(Effect.orDie)
      const context = yield* Effect.context<Harness>()
      const property = fc.asyncProperty(state(tree.things.length), (state) =>
        Effect.gen(function* () {
          yield* setUp(tree, team, state)
          for (const reader of readers) yield* check(tree, state, reader)
        }).pipe(Effect.runPromiseWith(context))
      )
      yield* Effect.promise(() => fc.assert(property, { ...runs(12, 50), endOnFailure: true }))
    })
  )
})
