/** Transfers to another organization: what goes along, what is dropped, and who may. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createCollection, createSpace, createTeam, getSpace, join, openChangeRequest } from "./Steps.ts"

/** Another organization of the administrator's, in which the one with the role `create` is a guest. */
const createTarget = Effect.gen(function* () {
  const { call, users } = yield* Harness
  const { id } = yield* call("admin", "POST", "/v1/orgs", { title: "Target" }).pipe(answers(201, Shapes.Organization))
  yield* join(id, users.create, null)
  return id
})

const grant = Effect.fnUntraced(function* (path: string, to: Record<string, unknown>) {
  const { call } = yield* Harness
  yield* call("admin", "POST", `${path}/permissions`, { ...to, role: "comment" }).pipe(has(204))
})

const granted = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Harness
  const users = yield* call("admin", "GET", `${path}/permissions/users`).pipe(
    answers(200, Shapes.listOf(Shapes.UserPermission))
  )
  const teams = yield* call("admin", "GET", `${path}/permissions/teams`).pipe(
    answers(200, Shapes.listOf(Shapes.TeamPermission))
  )
  return { users: users.items.map(({ user }) => user.id), teams: teams.items.map(({ team }) => team.id) }
})

onEachAdapter("Transfers", (it) => {
  it.effect("takes all that is in a collection along, in its order", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const target = yield* createTarget
      const around = yield* createCollection()
      const outer = yield* createCollection({ parent: around.id, title: "Outer" })
      const inner = yield* createCollection({ parent: outer.id })
      const last = yield* createSpace({ parent: outer.id })
      const first = yield* createSpace({ parent: outer.id })
      const deep = yield* createSpace({ parent: inner.id })
      const trashed = yield* createSpace({ parent: inner.id })
      yield* call("admin", "DELETE", `/v1/spaces/${trashed.id}`).pipe(has(204))
      yield* call("admin", "POST", `/v1/spaces/${first.id}/move`, {
        position: { before: { type: "space", space: last.id } }
      }).pipe(has(200))
      const request = yield* openChangeRequest(deep.id, { subject: "Along" })
      const team = yield* createTeam
      const contents = [`/v1/collections/${outer.id}`, `/v1/collections/${inner.id}`, `/v1/spaces/${deep.id}`]
      for (const path of contents) {
        yield* grant(path, { users: [users.create, users.review, users.guest] })
        yield* grant(path, { teams: [team] })
      }
      const moved = yield* call("admin", "POST", `/v1/collections/${outer.id}/transfer`, { organization: target }).pipe(
        answers(200, Shapes.Collection)
      )
      assert.deepInclude(moved, { id: outer.id, title: "Outer", organization: target })
      assert.isUndefined(moved.parent)
      for (const path of contents) {
        assert.deepStrictEqual(yield* granted(path), { users: [users.create], teams: [] })
        for (const person of ["review", "guest", "read"] as const) {
          yield* call(person, "GET", path).pipe(refused(404))
        }
        yield* call("create", "GET", path).pipe(has(200))
      }
      const inside = yield* call("admin", "GET", `/v1/collections/${outer.id}/spaces`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      assert.deepStrictEqual(
        inside.items.map(({ id }) => id),
        [first.id, last.id]
      )
      for (const { id } of [first, last, deep, trashed]) {
        assert.deepInclude(yield* getSpace(id), { organization: target, visibility: "in-collection" })
      }
      const requests = (of: string) =>
        call("admin", "GET", `/v1/orgs/${of}/change-requests?status=all&limit=1000`).pipe(
          answers(200, Shapes.listOf(Shapes.ChangeRequest))
        )
      assert.deepStrictEqual(
        (yield* requests(target)).items.map(({ id }) => id),
        [request.id]
      )
      assert.isFalse((yield* requests(organization)).items.some(({ id }) => id === request.id))
      const collections = (of: string) =>
        call("admin", "GET", `/v1/orgs/${of}/collections?limit=1000`).pipe(
          answers(200, Shapes.listOf(Shapes.Collection))
        )
      assert.sameMembers(
        (yield* collections(target)).items.map(({ id }) => id),
        [outer.id, inner.id]
      )
      assert.isTrue((yield* collections(organization)).items.some(({ id }) => id === around.id))
      const restored = yield* call("admin", "POST", `/v1/spaces/${trashed.id}/restore`).pipe(answers(200, Shapes.Space))
      assert.deepInclude(restored, { organization: target, parent: inner.id })
      // A team of the organization it left means nothing here.
      yield* call("admin", "POST", `/v1/spaces/${deep.id}/permissions`, { teams: [team], role: "read" }).pipe(
        refused(400)
      )
    })
  )

  it.effect("hands over a single space, out of its collection, with those who are members there", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const target = yield* createTarget
      const { id: parent } = yield* createCollection()
      const space = yield* createSpace({ parent })
      const path = `/v1/spaces/${space.id}`
      yield* grant(path, { users: [users.create, users.review] })
      yield* grant(path, { teams: [yield* createTeam] })
      const moved = yield* call("admin", "POST", `${path}/transfer`, { organization: target }).pipe(
        answers(200, Shapes.Space)
      )
      assert.deepInclude(moved, { organization: target, visibility: "private" })
      assert.isFalse("parent" in moved)
      assert.deepStrictEqual(yield* granted(path), { users: [users.create], teams: [] })
      yield* call("review", "GET", path).pipe(refused(404))
      const back = yield* call("admin", "POST", `${path}/transfer`, { organization: target }).pipe(
        answers(200, Shapes.Space)
      )
      assert.deepStrictEqual(back, moved)
    })
  )

  it.effect("takes an administrator on both sides", () =>
    Effect.gen(function* () {
      const { call, elsewhere, organization, users } = yield* Harness
      const target = yield* createTarget
      const things = [`/v1/spaces/${(yield* createSpace()).id}`, `/v1/collections/${(yield* createCollection()).id}`]
      for (const path of things) {
        const transfer = (by: Parameters<typeof call>[0], to: unknown) =>
          call(by, "POST", `${path}/transfer`, { organization: to })
        yield* transfer("admin", elsewhere).pipe(refused(404))
        yield* transfer("admin", "no-such-organization").pipe(refused(404))
        yield* transfer("admin", null).pipe(refused(400))
        yield* call("admin", "POST", `${path}/transfer`).pipe(refused(400))
        yield* join(target, users.edit, "admin")
        // Admin on the content and of the target, but not of the organization that it leaves.
        yield* call("admin", "POST", `${path}/permissions`, { users: [users.edit], role: "admin" }).pipe(has(204))
        yield* transfer("edit", target).pipe(refused(403))
        // Admin here, and a mere member there.
        yield* call("admin", "PATCH", `/v1/orgs/${target}/members/${users.admin}`, { role: "create" }).pipe(has(200))
        yield* transfer("admin", target).pipe(refused(403))
        yield* call("edit", "PATCH", `/v1/orgs/${target}/members/${users.admin}`, { role: "admin" }).pipe(has(200))
        const shown = yield* call("admin", "GET", path).pipe(has(200))
        assert.strictEqual(JSON.parse(shown.text).organization, organization)
        const same = yield* transfer("admin", organization).pipe(has(200))
        assert.deepStrictEqual(JSON.parse(same.text), JSON.parse(shown.text))
      }
    })
  )
})
