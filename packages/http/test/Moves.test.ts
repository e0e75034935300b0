/** Moves: into collections and out of them, among siblings of both kinds, and what is no place to move to. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createCollection, createSpace, getSpace, join } from "./Steps.ts"

interface Thing {
  readonly object: "space" | "collection"
  readonly id: string
}

const reference = ({ object, id }: Thing) => ({ type: object, [object]: id })
const path = ({ object, id }: Thing) => `/v1/${object}s/${id}`

const move = Effect.fnUntraced(function* (thing: Thing, body?: unknown) {
  const { call } = yield* Harness
  return yield* call("admin", "POST", `${path(thing)}/move`, body)
})

/** Spaces and collections in one collection, by turns: they share one order. */
const mixed = Effect.gen(function* () {
  const { id: parent } = yield* createCollection()
  const a = yield* createSpace({ parent })
  const b = yield* createCollection({ parent })
  const c = yield* createSpace({ parent })
  const d = yield* createCollection({ parent })
  return { parent, things: [a, b, c, d] as const }
})

/** Asserts the order of spaces and collections in a collection: in the lists of both, and by their positions. */
const standsIn = Effect.fnUntraced(function* (parent: string, things: ReadonlyArray<Thing>) {
  const { call, organization } = yield* Harness
  const spaces = yield* call("admin", "GET", `/v1/collections/${parent}/spaces`).pipe(
    answers(200, Shapes.listOf(Shapes.Space))
  )
  const collections = yield* call("admin", "GET", `/v1/orgs/${organization}/collections?limit=1000`).pipe(
    answers(200, Shapes.listOf(Shapes.Collection))
  )
  const ids = (kind: string) => things.filter(({ object }) => object === kind).map(({ id }) => id)
  assert.deepStrictEqual(
    spaces.items.map(({ id }) => id),
    ids("space")
  )
  assert.deepStrictEqual(
    collections.items.filter((item) => item.parent === parent).map(({ id }) => id),
    ids("collection")
  )
  const members = [...collections.items.filter((item) => item.parent === parent), ...spaces.items]
  assert.deepStrictEqual(
    members.toSorted((one, other) => (one.position! < other.position! ? -1 : 1)).map(({ id }) => id),
    things.map(({ id }) => id)
  )
})

onEachAdapter("Moves", (it) => {
  it.effect("puts spaces and collections beside one another", () =>
    Effect.gen(function* () {
      const { parent, things } = yield* mixed
      const [a, b, c, d] = things
      yield* standsIn(parent, [a, b, c, d])
      yield* move(d, { position: { before: reference(a) } }).pipe(has(200))
      yield* standsIn(parent, [d, a, b, c])
      yield* move(a, { position: { after: reference(b) } }).pipe(has(200))
      yield* standsIn(parent, [d, b, a, c])
      yield* move(c, { position: { after: reference(d), before: reference(b) } }).pipe(has(200))
      yield* standsIn(parent, [d, c, b, a])
      yield* move(d, {}).pipe(has(200))
      yield* standsIn(parent, [c, b, a, d])
      yield* move(c).pipe(has(200))
      yield* standsIn(parent, [b, a, d, c])
      yield* move(c, { position: {} }).pipe(has(200))
      yield* standsIn(parent, [b, a, d, c])
    })
  )

  it.effect("changes nothing where the thing stands already", () =>
    Effect.gen(function* () {
      const { parent, things } = yield* mixed
      const [a, b, c, d] = things
      const before = yield* getSpace(c.id)
      const same = [
        { position: { after: reference(b) } },
        { position: { before: reference(d) } },
        { position: { after: reference(b), before: reference(d) } },
        { parent, position: { after: reference(b) } },
        { position: { before: reference(c) } },
        { position: { after: reference(c) } },
        { position: { after: reference(b), before: reference(c) } }
      ]
      for (const body of same) yield* move(c, body).pipe(has(200))
      assert.deepStrictEqual(yield* getSpace(c.id), before)
      yield* move(d, {}).pipe(has(200))
      yield* move(b, { position: { after: reference(a), before: reference(c) } }).pipe(has(200))
      yield* standsIn(parent, things)
    })
  )

  it.effect("refuses neighbours that are none, and what is no sibling", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { parent, things } = yield* mixed
      const [a, b, c, d] = things
      const elsewhere = yield* createSpace()
      const trashed = yield* createSpace({ parent })
      yield* call("admin", "DELETE", path(trashed)).pipe(has(204))
      const nobody: Thing = { object: "space", id: "no-such-space" }
      const wrong: ReadonlyArray<unknown> = [
        { before: reference(a), after: reference(b) },
        { before: reference(c), after: reference(a) },
        { before: reference(a), after: reference(a) },
        { before: reference(d), after: reference(a) },
        { before: reference(c), after: reference(d) },
        { before: reference(elsewhere) },
        { after: reference(trashed) },
        { after: reference(nobody) },
        { after: reference({ object: "collection", id: parent }) },
        { after: reference({ object: "collection", id: a.id }) },
        { before: { type: "site-section", id: a.id } },
        { before: { type: "space" } },
        { before: null },
        "first"
      ]
      for (const position of wrong) {
        for (const thing of [c, d]) {
          // Beside itself, `d` behind `c` is where it is.
          yield* move(thing, { position }).pipe(refused(400))
        }
      }
      yield* standsIn(parent, things)
      // A sibling there is none here: the reference is looked for where the thing goes.
      yield* move(a, { parent: null, position: { before: reference(b) } }).pipe(refused(400))
      yield* move(a, { parent: null, position: { before: reference(elsewhere) } }).pipe(has(200))
    })
  )

  it.effect("has no neighbours but those that whoever moves something sees", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { parent, things } = yield* mixed
      const [a, b, c, d] = things
      for (const unseen of [b, c]) {
        yield* call("admin", "PATCH", path(unseen), { defaultLevel: null }).pipe(has(200))
      }
      const moved = yield* createSpace({ parent })
      const place = (position: unknown) => call("create", "POST", `${path(moved)}/move`, { position })
      for (const unseen of [b, c]) yield* place({ after: reference(unseen) }).pipe(refused(400))
      yield* place({ after: reference(d), before: reference(a) }).pipe(refused(400))
      yield* place({ after: reference(a), before: reference(d) }).pipe(has(200))
      yield* standsIn(parent, [a, moved, b, c, d])
      // It is where it stands already.
      yield* place({ after: reference(a), before: reference(d) }).pipe(has(200))
      yield* standsIn(parent, [a, moved, b, c, d])
    })
  )

  it.effect("refuses parents that are none", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [outer, space] = [yield* createCollection(), yield* createSpace()]
      const inner = yield* createCollection({ parent: outer.id })
      const target = yield* call("admin", "POST", "/v1/orgs", { title: "Target" }).pipe(
        answers(201, Shapes.Organization)
      )
      const theirs = yield* call("admin", "POST", `/v1/orgs/${target.id}/collections`).pipe(
        answers(201, Shapes.Collection)
      )
      for (const parent of [theirs.id, "no-such-collection", space.id, "", 1, {}]) {
        for (const thing of [space, inner]) yield* move(thing, { parent }).pipe(refused(400))
      }
      for (const parent of [theirs.id, "no-such-collection"]) {
        for (const kind of ["spaces", "collections"]) {
          yield* call("admin", "POST", `/v1/orgs/${outer.organization}/${kind}`, { parent }).pipe(refused(400))
        }
      }
      yield* move(outer, { parent: outer.id }).pipe(refused(409))
      yield* move(outer, { parent: inner.id }).pipe(refused(409))
      assert.strictEqual((yield* getSpace(space.id)).parent, undefined)
    })
  )

  it.effect("treats a collection of another organization as none, whatever one may do there", () =>
    Effect.gen(function* () {
      const { call, elsewhere, users } = yield* Harness
      const theirs = yield* call("outsider", "POST", `/v1/orgs/${elsewhere}/collections`).pipe(
        answers(201, Shapes.Collection)
      )
      yield* join(elsewhere, users.create, "read")
      const space = yield* createSpace()
      yield* call("create", "GET", path(theirs)).pipe(has(200))
      yield* call("create", "POST", `${path(space)}/move`, { parent: theirs.id }).pipe(refused(400))
      yield* call("outsider", "DELETE", `/v1/orgs/${elsewhere}/members/${users.create}`).pipe(has(204))
    })
  )

  it.effect("turns what is seen through a collection private when it leaves", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [one, two] = [yield* createCollection(), yield* createCollection()]
      const space = yield* createSpace()
      const show = (body: unknown) => call("admin", "PATCH", path(space), body)
      yield* show({ visibility: "in-collection" }).pipe(refused(400))
      yield* show({ visibility: "in-collection", title: "Not stored" }).pipe(refused(400))
      assert.strictEqual((yield* getSpace(space.id)).title, "Untitled")
      const into = (parent: string | null) => move(space, { parent }).pipe(answers(200, Shapes.Space))
      assert.deepInclude(yield* into(one.id), { parent: one.id, visibility: "private" })
      yield* show({ visibility: "in-collection" }).pipe(has(200))
      assert.deepInclude(yield* into(two.id), { parent: two.id, visibility: "in-collection" })
      assert.deepInclude(yield* into(null), { visibility: "private" })
      yield* into(two.id)
      yield* show({ visibility: "public" }).pipe(has(200))
      const out = yield* into(null)
      assert.strictEqual(out.visibility, "public")
      assert.isFalse("parent" in out)
    })
  )

  it.effect("takes `create` on the thing and on where it goes, and answers who loses sight of it", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id: closed } = yield* createCollection()
      yield* call("admin", "PATCH", `/v1/collections/${closed}`, { defaultLevel: null }).pipe(has(200))
      const [space, inner] = [yield* createSpace({ parent: closed }), yield* createCollection({ parent: closed })]
      for (const thing of [space, inner]) {
        yield* call("admin", "PATCH", path(thing), { defaultLevel: null }).pipe(has(200))
      }
      for (const user of [users.create, users.edit]) {
        yield* call("admin", "POST", `/v1/collections/${closed}/permissions`, { users: [user], role: "create" }).pipe(
          has(204)
        )
      }
      const beside = yield* createSpace()
      yield* call("edit", "POST", `${path(beside)}/move`, { parent: closed }).pipe(refused(403))
      for (const thing of [space, inner]) {
        yield* call("edit", "POST", `${path(thing)}/move`, { parent: null }).pipe(refused(403))
        const moved = yield* call("create", "POST", `${path(thing)}/move`, { parent: null }).pipe(has(200))
        assert.isFalse(JSON.parse(moved.text).permissions.view)
        yield* call("create", "GET", path(thing)).pipe(refused(404))
      }
    })
  )
})
