/** Restricted content stays restricted after moves, until an administrator opens it. Each response states the access. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSite, ofSite, publishSite } from "./SiteSteps.ts"
import { createCollection, createSpace, getSpace } from "./Steps.ts"

/** A collection that nobody sees by default, with a space in it. */
const closed = Effect.gen(function* () {
  const { call } = yield* Harness
  const { id: collection } = yield* createCollection()
  yield* call("admin", "PATCH", `/v1/collections/${collection}`, { defaultLevel: null }).pipe(has(200))
  const { id: space } = yield* createSpace({ parent: collection })
  const path = `/v1/spaces/${space}`
  yield* call("read", "GET", path).pipe(refused(404))
  return { collection, space, path }
})

const kept = { defaultLevel: null, access: "kept" } as const
const open = { defaultLevel: "read", access: "inherit" } as const

onMemory("Preserved access", (it) => {
  it.effect("of a space that is restored after its collection was deleted", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { collection, path } = yield* closed
      yield* call("admin", "DELETE", `/v1/collections/${collection}`).pipe(has(204))
      const restored = yield* call("admin", "POST", `${path}/restore`).pipe(answers(200, Shapes.Space))
      assert.deepInclude(restored, kept)
      yield* call("read", "GET", path).pipe(refused(404))
      yield* call("admin", "DELETE", path).pipe(has(204))
      const opened = yield* call("admin", "POST", `${path}/restore`, { access: "inherit" }).pipe(
        answers(200, Shapes.Space)
      )
      assert.deepInclude(opened, open)
      yield* call("read", "GET", path).pipe(has(200))
    })
  )

  it.effect("of content that any member moves to the top level", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { collection, space, path } = yield* closed
      const grant = { users: [users.create], role: "create" }
      yield* call("admin", "POST", `${path}/permissions`, grant).pipe(has(204))
      yield* call("create", "POST", `${path}/move`, { parent: null, access: "inherit" }).pipe(refused(403))
      const moved = yield* call("create", "POST", `${path}/move`, { parent: null }).pipe(answers(200, Shapes.Space))
      assert.deepInclude(moved, kept)
      yield* call("read", "GET", path).pipe(refused(404))
      // Back where it was it needs no ceiling.
      const back = yield* call("admin", "POST", `${path}/move`, { parent: collection }).pipe(answers(200, Shapes.Space))
      assert.deepInclude(back, { defaultLevel: null, access: "inherit" })
      yield* call("admin", "POST", `${path}/move`, { parent: null }).pipe(has(200))
      yield* call("admin", "PATCH", path, { defaultLevel: "inherit" }).pipe(has(200))
      assert.deepInclude(yield* getSpace(space), open)
    })
  )

  it.effect("of a collection with its content", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { collection: outer } = yield* closed
      const { id: inner } = yield* createCollection({ parent: outer })
      const { id: space } = yield* createSpace({ parent: inner })
      const shared = yield* createCollection()
      yield* call("admin", "POST", `/v1/collections/${shared.id}/permissions`, {
        users: [users.guest],
        role: "read"
      }).pipe(has(204))
      const seenBy = (person: "read" | "guest", status: number) =>
        Effect.forEach([`/v1/collections/${inner}`, `/v1/spaces/${space}`], (path) =>
          call(person, "GET", path).pipe(has(status))
        )
      const move = (body: unknown) =>
        call("admin", "POST", `/v1/collections/${inner}/move`, body).pipe(answers(200, Shapes.Collection))
      assert.deepInclude(yield* move({ parent: null }), kept)
      yield* seenBy("read", 404)
      // Nor do those see it to whom the new place was granted.
      assert.deepInclude(yield* move({ parent: shared.id }), kept)
      yield* seenBy("guest", 404)
      assert.deepInclude(yield* move({ access: "inherit" }), open)
      yield* seenBy("guest", 200)
      yield* seenBy("read", 200)
    })
  )

  it.effect("of content that is transferred", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path } = yield* closed
      const { id } = yield* call("admin", "POST", "/v1/orgs", { title: "Target" }).pipe(
        answers(201, Shapes.Organization)
      )
      const handed = yield* call("admin", "POST", `${path}/transfer`, { organization: id }).pipe(
        answers(200, Shapes.Space)
      )
      assert.deepInclude(handed, kept)
      const { collection } = yield* closed
      const taken = yield* call("admin", "POST", `/v1/collections/${collection}/transfer`, {
        organization: id,
        access: "inherit"
      }).pipe(answers(200, Shapes.Collection))
      assert.deepInclude(taken, open)
    })
  )

  it.effect("of a default level other than none", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { collection, path } = yield* closed
      yield* call("admin", "PATCH", `/v1/collections/${collection}`, { defaultLevel: "comment" }).pipe(has(200))
      yield* call("admin", "POST", `${path}/move`, { parent: null }).pipe(has(200))
      const may = (person: "read" | "create") =>
        Effect.map(call(person, "GET", path).pipe(answers(200, Shapes.Space)), ({ permissions }) => permissions)
      assert.deepInclude(yield* may("create"), { comment: true, edit: false })
      assert.deepInclude(yield* may("read"), { view: true, comment: false })
    })
  )

  it.effect("requires admin on a space to add it to a published site, and to publish a site with it", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const [shown, other] = [yield* createSpace(), yield* createSpace()]
      const { id: site } = yield* createSite([shown.id])
      const grant = { users: [users.create], role: "admin" }
      yield* ofSite(site, "POST", "/permissions", grant).pipe(has(204))
      const asMaker = (method: "POST" | "PATCH", path: string, body?: unknown) =>
        Effect.flatMap(Harness, ({ organization }) =>
          call("create", method, `/v1/orgs/${organization}/sites/${site}${path}`, body)
        )
      // Nobody reads it yet.
      yield* asMaker("POST", "/site-spaces", { spaceId: other.id }).pipe(has(201))
      yield* asMaker("POST", "/publish").pipe(refused(403))
      yield* publishSite(site)
      const third = yield* createSpace()
      const { items } = yield* ofSite(site, "GET", "/site-spaces").pipe(answers(200, Shapes.listOf(Shapes.SiteSpace)))
      const showing = [
        asMaker("POST", "/site-spaces", { spaceId: third.id }),
        asMaker("POST", "/sections", { spaceId: third.id }),
        asMaker("PATCH", `/site-spaces/${items[0]!.id}`, { spaceId: third.id })
      ]
      for (const call of showing) yield* call.pipe(refused(403))
      yield* call("admin", "POST", `/v1/spaces/${third.id}/permissions`, grant).pipe(has(204))
      yield* asMaker("POST", "/site-spaces", { spaceId: third.id }).pipe(has(201))
    })
  )

  it.effect("prevents a default administrator from granting roles on other content", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id: collection } = yield* createCollection()
      const { id: space } = yield* createSpace({ parent: collection })
      const path = `/v1/collections/${collection}`
      yield* call("admin", "PATCH", path, { defaultLevel: "admin" }).pipe(has(200))
      const grant = { users: [users.read], role: "read" }
      yield* call("read", "POST", `${path}/permissions`, grant).pipe(has(204))
      yield* call("admin", "PATCH", `/v1/spaces/${space}`, { defaultLevel: null }).pipe(has(200))
      yield* call("comment", "POST", `${path}/permissions`, { ...grant, users: [users.comment] }).pipe(refused(403))
      yield* call("comment", "GET", `/v1/spaces/${space}`).pipe(refused(404))
    })
  )
})
