/** Collections: what they say of themselves, how deep they nest, and what becomes of the spaces in them. */
import { GrantTable } from "@lectern/core/grant/Grant"
import { Storage } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, type Person, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createCollection, createSpace, getSpace, openChangeRequest } from "./Steps.ts"

const listed = Effect.fnUntraced(function* (query = "", by: Person = "admin") {
  const { call, organization } = yield* Harness
  const { items } = yield* call(by, "GET", `/v1/orgs/${organization}/collections?limit=1000${query}`).pipe(
    answers(200, Shapes.listOf(Shapes.Collection))
  )
  return items.map(({ id }) => id)
})

/** A chain of collections, each in the one before. */
const chain = Effect.fnUntraced(function* (depth: number) {
  const ids: Array<string> = []
  for (let i = 0; i < depth; i++) {
    const parent = ids.at(-1)
    ids.push((yield* createCollection(parent === undefined ? {} : { parent })).id)
  }
  return ids
})

onEachAdapter("Collections", (it) => {
  it.effect("nests 10 deep, and no deeper by any way", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const ids = yield* chain(10)
      const deepest = ids.at(-1)
      const before = yield* listed()
      yield* call("admin", "POST", `/v1/orgs/${organization}/collections`, { parent: deepest }).pipe(refused(409))
      const pair = yield* chain(2)
      const move = (id: string | undefined, parent: string | undefined) =>
        call("admin", "POST", `/v1/collections/${id}/move`, { parent })
      yield* move(pair[1], deepest).pipe(refused(409))
      yield* move(pair[0], ids[8]).pipe(refused(409))
      assert.sameMembers(yield* listed(), [...before, ...pair])
      yield* move(pair[0], ids[7]).pipe(has(200))
      assert.strictEqual((yield* createSpace({ parent: deepest })).parent, deepest)
    })
  )

  it.effect("takes titles of 50 characters and descriptions of 100, counted as people count", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { id, title } = yield* createCollection({ title: "🎉".repeat(50) })
      assert.strictEqual(title, "🎉".repeat(50))
      const path = `/v1/collections/${id}`
      const description = "é".repeat(100)
      const patched = yield* call("admin", "PATCH", path, { title: "T".repeat(50), description }).pipe(
        answers(200, Shapes.Collection)
      )
      assert.deepInclude(patched, { title: "T".repeat(50), description })
      const wrong = [
        [{ title: "T".repeat(51) }, "body.title"],
        [{ title: null }, "body.title"],
        [{ description: "🎉".repeat(101) }, "body.description"],
        [{ description: null }, "body.description"],
        [{ defaultLevel: "guest" }, "body.defaultLevel"],
        [{ title: "Fine", defaultLevel: 1 }, "body.defaultLevel"]
      ] as const
      for (const [body, place] of wrong) {
        const { issues } = yield* call("admin", "PATCH", path, body).pipe(refused(400))
        assert.isTrue(
          issues?.some((issue) => issue.path.startsWith(place)),
          JSON.stringify(issues)
        )
      }
      for (const body of [{ title: "🎉".repeat(51) }, { parent: 1 }]) {
        yield* call("admin", "POST", `/v1/orgs/${organization}/collections`, body).pipe(refused(400))
      }
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, Shapes.Collection)), patched)
      const renamed = yield* call("admin", "PATCH", path, { title: "" }).pipe(answers(200, Shapes.Collection))
      assert.strictEqual(renamed.title, "Untitled")
      assert.strictEqual(renamed.description, description)
    })
  )

  it.effect("reads back the default level that what it stands in comes to", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [outer = "", inner = ""] = yield* chain(2)
      const space = yield* createSpace({ parent: inner })
      const set = (path: string, defaultLevel: string | null) =>
        call("admin", "PATCH", path, { defaultLevel }).pipe(has(200))
      const levels = Effect.gen(function* () {
        const shown = []
        for (const id of [outer, inner]) {
          const collection = yield* call("admin", "GET", `/v1/collections/${id}`).pipe(answers(200, Shapes.Collection))
          shown.push(collection.defaultLevel)
        }
        return [...shown, (yield* getSpace(space.id)).defaultLevel]
      })
      assert.deepStrictEqual(yield* levels, ["read", "read", "read"])
      yield* set(`/v1/orgs/${organization}`, null)
      yield* call("admin", "PATCH", `/v1/orgs/${organization}`, { defaultRole: "comment" }).pipe(has(200))
      assert.deepStrictEqual(yield* levels, ["comment", "comment", "comment"])
      yield* set(`/v1/collections/${outer}`, "edit")
      assert.deepStrictEqual(yield* levels, ["edit", "edit", "edit"])
      yield* set(`/v1/collections/${inner}`, null)
      assert.deepStrictEqual(yield* levels, ["edit", null, null])
      yield* set(`/v1/spaces/${space.id}`, "review")
      assert.deepStrictEqual(yield* levels, ["edit", null, "review"])
      yield* set(`/v1/collections/${inner}`, "inherit")
      yield* set(`/v1/spaces/${space.id}`, "inherit")
      assert.deepStrictEqual(yield* levels, ["edit", "edit", "edit"])
      yield* call("admin", "PATCH", `/v1/orgs/${organization}`, { defaultRole: "read" }).pipe(has(200))
    })
  )

  it.effect("answers who takes its own access away by a change", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const collection = yield* createCollection()
      const space = yield* createSpace()
      for (const path of [`/v1/collections/${collection.id}`, `/v1/spaces/${space.id}`]) {
        yield* call("admin", "PATCH", path, { defaultLevel: "admin" }).pipe(has(200))
        const closed = yield* call("read", "PATCH", path, { defaultLevel: null }).pipe(has(200))
        const { defaultLevel, permissions } = JSON.parse(closed.text)
        assert.isNull(defaultLevel)
        assert.deepStrictEqual(new Set(Object.values(permissions)), new Set([false]))
        yield* call("read", "GET", path).pipe(refused(404))
      }
    })
  )

  it.effect("lists those at the top, or all, in their order, and only those that are seen", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const one = yield* createCollection({ title: "One" })
      const two = yield* createCollection({ title: "Two" })
      const inside = yield* createCollection({ parent: one.id })
      const hidden = yield* createCollection({ parent: two.id })
      yield* call("admin", "PATCH", `/v1/collections/${two.id}`, { defaultLevel: null }).pipe(has(200))
      const own = [one.id, two.id, inside.id, hidden.id]
      const ofOwn = (ids: ReadonlyArray<string>) => ids.filter((id) => own.includes(id))
      assert.deepStrictEqual(ofOwn(yield* listed("&nested=false")), [one.id, two.id])
      assert.sameMembers(ofOwn(yield* listed()), own)
      assert.deepStrictEqual(yield* listed("&nested=true"), yield* listed())
      yield* call("admin", "POST", `/v1/collections/${two.id}/move`, {
        position: { before: { type: "collection", collection: one.id } }
      }).pipe(has(200))
      assert.deepStrictEqual(ofOwn(yield* listed("&nested=false")), [two.id, one.id])
      assert.sameMembers(ofOwn(yield* listed("", "create")), [one.id, inside.id])
      assert.deepStrictEqual(ofOwn(yield* listed("", "guest")), [])
      yield* call("admin", "GET", `/v1/collections/${one.id}/spaces?nested=1`).pipe(has(200))
      yield* call("create", "GET", `/v1/collections/${hidden.id}/spaces`).pipe(refused(404))
    })
  )

  it.effect("removes a collection with those in it; its spaces come back from the trash at the top", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const [outer = "", inner = ""] = yield* chain(2)
      const top = yield* createSpace({ parent: outer })
      const nested = yield* createSpace({ parent: inner })
      const early = yield* createSpace({ parent: inner })
      const beside = yield* createSpace()
      yield* call("admin", "DELETE", `/v1/spaces/${early.id}`).pipe(has(204))
      const request = yield* openChangeRequest(nested.id)
      for (const path of [`/v1/collections/${outer}`, `/v1/collections/${inner}`]) {
        yield* call("admin", "POST", `${path}/permissions`, { users: [users.guest], role: "read" }).pipe(has(204))
      }
      yield* call("create", "DELETE", `/v1/collections/${outer}`).pipe(refused(403))
      yield* call("admin", "DELETE", `/v1/collections/${outer}`).pipe(has(204))
      yield* call("admin", "DELETE", `/v1/collections/${outer}`).pipe(has(204))
      for (const id of [outer, inner]) {
        yield* call("admin", "GET", `/v1/collections/${id}`).pipe(refused(404))
        yield* call("admin", "GET", `/v1/collections/${id}/spaces`).pipe(refused(404))
        yield* call("admin", "GET", `/v1/collections/${id}/permissions/users`).pipe(refused(404))
      }
      const grants = (yield* Storage).repository(GrantTable)
      assert.strictEqual(yield* grants.count({ content: { in: [outer, inner] } }).pipe(Effect.orDie), 0)
      const { organization } = beside
      const all = yield* call("admin", "GET", `/v1/orgs/${organization}/spaces?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      const left = new Set(all.items.map(({ id }) => id))
      for (const { id } of [top, nested, early]) {
        assert.isFalse(left.has(id))
        assert.isString((yield* getSpace(id)).deletedAt)
        yield* call("read", "GET", `/v1/spaces/${id}`).pipe(refused(404))
        const restored = yield* call("admin", "POST", `/v1/spaces/${id}/restore`).pipe(answers(200, Shapes.Space))
        assert.isUndefined(restored.parent)
        assert.isUndefined(restored.deletedAt)
        assert.strictEqual(restored.visibility, "private")
        // What was granted on the collection went with it.
        yield* call("guest", "GET", `/v1/spaces/${id}`).pipe(refused(404))
      }
      assert.isTrue(left.has(beside.id))
      yield* call("read", "GET", `/v1/spaces/${nested.id}/change-requests/${request.number}`).pipe(has(200))
    })
  )

  it.effect("takes a space back into the collection that it lay in, where that is still there", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const [outer = "", inner = ""] = yield* chain(2)
      const first = yield* createSpace({ parent: inner })
      const second = yield* createSpace({ parent: inner })
      yield* call("admin", "DELETE", `/v1/spaces/${first.id}`).pipe(has(204))
      // An administrator of the space alone may not put it where it may not create.
      yield* call("admin", "POST", `/v1/spaces/${first.id}/restore`).pipe(has(200))
      yield* call("admin", "POST", `/v1/spaces/${first.id}/permissions`, { users: [users.read], role: "admin" }).pipe(
        has(204)
      )
      yield* call("read", "DELETE", `/v1/spaces/${first.id}`).pipe(has(204))
      yield* call("read", "GET", `/v1/spaces/${first.id}`).pipe(has(200))
      yield* call("read", "POST", `/v1/spaces/${first.id}/restore`).pipe(refused(403))
      const restored = yield* call("admin", "POST", `/v1/spaces/${first.id}/restore`).pipe(answers(200, Shapes.Space))
      assert.strictEqual(restored.parent, inner)
      assert.strictEqual(restored.visibility, "in-collection")
      const { items } = yield* call("read", "GET", `/v1/collections/${inner}/spaces`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      assert.deepStrictEqual(
        items.map(({ id }) => id),
        [second.id, first.id]
      )
      const none = yield* call("read", "GET", `/v1/collections/${outer}/spaces`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      assert.deepStrictEqual(none, { count: 0, items: [] })
    })
  )

  it.effect("copies a space into its own collection, closed but for who made the copy", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id: parent } = yield* createCollection()
      const space = yield* createSpace({ parent })
      yield* call("admin", "PATCH", `/v1/spaces/${space.id}`, { visibility: "public" }).pipe(has(200))
      yield* call("admin", "POST", `/v1/collections/${parent}/permissions`, {
        users: [users.guest],
        role: "read"
      }).pipe(has(204))
      const path = `/v1/spaces/${space.id}/duplicate`
      const copy = yield* call("create", "POST", path).pipe(answers(201, Shapes.Space))
      assert.deepInclude(copy, { parent, visibility: "in-collection", defaultLevel: null, access: "kept" })
      assert.isTrue(copy.permissions.admin)
      for (const person of ["read", "review", "guest"] as const) {
        yield* call(person, "GET", `/v1/spaces/${copy.id}`).pipe(refused(404))
      }
      // To have it as open as its place takes an administrator of what is shown.
      yield* call("create", "POST", path, { access: "inherit" }).pipe(refused(403))
      yield* call("create", "POST", path, { access: "everyone" }).pipe(refused(400))
      const open = yield* call("admin", "POST", path, { access: "inherit" }).pipe(answers(201, Shapes.Space))
      assert.deepInclude(open, { defaultLevel: "read", access: "inherit" })
      for (const person of ["read", "guest"] as const) {
        yield* call(person, "GET", `/v1/spaces/${open.id}`).pipe(has(200))
      }
      yield* call("create", "PATCH", `/v1/spaces/${copy.id}`, { access: "inherit" }).pipe(has(200))
      yield* call("guest", "GET", `/v1/spaces/${copy.id}`).pipe(has(200))
      yield* call("review", "POST", `/v1/spaces/${(yield* createSpace({ parent })).id}/duplicate`).pipe(refused(403))
    })
  )
})
