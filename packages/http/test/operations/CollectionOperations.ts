/** Collections, members, and what is granted to whom: each operation once, with its status and shape. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createCollection, createMember, createSpace, createTeam } from "../Steps.ts"

export const collectionOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("makes, lists, shows, changes and removes collections", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const bare = yield* createCollection()
      assert.deepInclude(bare, { title: "Untitled", organization, defaultLevel: "read" })
      assert.isUndefined(bare.parent)
      const inner = yield* createCollection({ title: "Inner", parent: bare.id })
      assert.strictEqual(inner.parent, bare.id)
      const path = `/v1/collections/${bare.id}`
      assert.deepStrictEqual(yield* call("admin", "GET", path).pipe(answers(200, Shapes.Collection)), bare)
      const patch = { title: "Guides", description: "All of them", defaultLevel: "comment" } as const
      assert.deepInclude(yield* call("admin", "PATCH", path, patch).pipe(answers(200, Shapes.Collection)), patch)
      const list = yield* call("read", "GET", `/v1/orgs/${organization}/collections?limit=1000`).pipe(
        answers(200, Shapes.listOf(Shapes.Collection))
      )
      assert.isTrue(list.items.some(({ id, title }) => id === bare.id && title === "Guides"))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      for (const { id } of [bare, inner]) yield* call("admin", "GET", `/v1/collections/${id}`).pipe(has(404))
    })
  )

  it.effect("moves spaces and collections, and lists the spaces of one", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const [outer, inner] = [yield* createCollection(), yield* createCollection()]
      const [one, two] = [yield* createSpace(), yield* createSpace()]
      const into = (space: string, body: unknown) =>
        call("admin", "POST", `/v1/spaces/${space}/move`, body).pipe(answers(200, Shapes.Space))
      assert.strictEqual((yield* into(one.id, { parent: outer.id })).parent, outer.id)
      yield* into(two.id, { parent: outer.id, position: { before: { type: "space", space: one.id } } })
      const list = yield* call("read", "GET", `/v1/collections/${outer.id}/spaces`).pipe(
        answers(200, Shapes.listOf(Shapes.Space))
      )
      assert.deepStrictEqual(
        list.items.map(({ id }) => id),
        [two.id, one.id]
      )
      assert.isUndefined((yield* into(one.id, { parent: null })).parent)
      const moved = yield* call("admin", "POST", `/v1/collections/${inner.id}/move`, { parent: outer.id }).pipe(
        answers(200, Shapes.Collection)
      )
      assert.strictEqual(moved.parent, outer.id)
      yield* call("admin", "POST", `/v1/collections/${outer.id}/move`, { parent: inner.id }).pipe(has(409))
    })
  )

  it.effect("transfers spaces and collections to another organization", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const target = yield* call("admin", "POST", "/v1/orgs", { title: "Target" }).pipe(
        answers(201, Shapes.Organization)
      )
      const body = { organization: target.id }
      const [space, collection] = [yield* createSpace(), yield* createCollection()]
      const inside = yield* createSpace()
      yield* call("admin", "POST", `/v1/spaces/${inside.id}/move`, { parent: collection.id }).pipe(has(200))
      const transferred = yield* call("admin", "POST", `/v1/spaces/${space.id}/transfer`, body).pipe(
        answers(200, Shapes.Space)
      )
      assert.strictEqual(transferred.organization, target.id)
      const taken = yield* call("admin", "POST", `/v1/collections/${collection.id}/transfer`, body).pipe(
        answers(200, Shapes.Collection)
      )
      assert.strictEqual(taken.organization, target.id)
      for (const { id } of [space, inside]) {
        const shown = yield* call("admin", "GET", `/v1/spaces/${id}`).pipe(answers(200, Shapes.Space))
        assert.strictEqual(shown.organization, target.id)
        yield* call("create", "GET", `/v1/spaces/${id}`).pipe(has(404))
      }
    })
  )

  it.effect("invites people, who accept or decline", () =>
    Effect.gen(function* () {
      const { call, elsewhere, users } = yield* Harness
      const path = `/v1/orgs/${elsewhere}/invites`
      const emails = ["read@example.com", "edit@example.com"]
      const { invites } = yield* call("outsider", "POST", path, { emails }).pipe(answers(200, Shapes.InviteResult))
      const waiting = yield* call("outsider", "GET", path).pipe(answers(200, Shapes.listOf(Shapes.Invitation)))
      assert.sameDeepMembers([...waiting.items], [...invites])
      const mine = yield* call("read", "GET", "/v1/user/invites").pipe(answers(200, Shapes.listOf(Shapes.Invitation)))
      assert.deepStrictEqual(mine.items, invites.slice(0, 1))
      const one = `${path}/${invites[0]?.id}`
      yield* call("read", "GET", one).pipe(answers(200, Shapes.Invitation))
      assert.strictEqual((yield* call("read", "POST", one).pipe(has(200))).text, "{}")
      yield* call("edit", "DELETE", `${path}/${invites[1]?.id}`).pipe(has(204))
      yield* call("outsider", "DELETE", `/v1/orgs/${elsewhere}/members/${users.read}`).pipe(has(204))
    })
  )

  it.effect("makes, shows, changes and takes back links that invite", () =>
    Effect.gen(function* () {
      const { call, elsewhere } = yield* Harness
      const path = `/v1/orgs/${elsewhere}/link-invites`
      const { id } = yield* call("outsider", "POST", path, { role: "read" }).pipe(answers(201, Shapes.InviteLink))
      const [name = ""] = id.split("_")
      const { items } = yield* call("outsider", "GET", path).pipe(answers(200, Shapes.listOf(Shapes.InviteLink)))
      const one = call("outsider", "GET", `${path}/${name}`).pipe(answers(200, Shapes.InviteLink))
      assert.deepStrictEqual(items, [yield* one])
      yield* call("outsider", "PATCH", `${path}/${name}`, { role: "edit" }).pipe(answers(200, Shapes.InviteLink))
      assert.deepInclude(yield* one, { id: name, role: "edit" })
      yield* call("outsider", "DELETE", `${path}/${name}`).pipe(has(204))
    })
  )

  it.effect("lists, shows, changes and removes members", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const path = `/v1/orgs/${organization}/members`
      const list = yield* call("guest", "GET", `${path}?limit=1000`).pipe(answers(200, Shapes.listOf(Shapes.Member)))
      assert.strictEqual(list.items.find(({ id }) => id === users.guest)?.role, null)
      const member = yield* createMember
      const shown = yield* call("read", "GET", `${path}/${member}`).pipe(answers(200, Shapes.Member))
      assert.deepInclude(shown, { id: member, role: "read", disabled: false })
      const changed = yield* call("admin", "PATCH", `${path}/${member}`, { role: "create" }).pipe(
        answers(200, Shapes.Member)
      )
      assert.strictEqual(changed.role, "create")
      yield* call("admin", "DELETE", `${path}/${member}`).pipe(has(204))
      yield* call("admin", "DELETE", `${path}/${member}`).pipe(has(204))
      yield* call("admin", "GET", `${path}/${member}`).pipe(has(404))
      yield* call("admin", "PATCH", `${path}/${users.admin}`, { role: "read" }).pipe(has(409))
    })
  )

  for (const kind of ["spaces", "collections"] as const) {
    it.effect(`grants a role on ${kind} to users and teams, and takes it back`, () =>
      Effect.gen(function* () {
        const { call, users } = yield* Harness
        const { id } = kind === "spaces" ? yield* createSpace() : yield* createCollection()
        const team = yield* createTeam
        const content = `/v1/${kind}/${id}`
        const path = `${content}/permissions`
        yield* call("guest", "GET", content).pipe(has(404))
        yield* call("admin", "POST", path, { users: [users.guest], role: "edit" }).pipe(has(204))
        yield* call("admin", "POST", path, { teams: [team], role: "read" }).pipe(has(204))
        yield* call("guest", "GET", content).pipe(has(200))
        const given = yield* call("admin", "GET", `${path}/users`).pipe(
          answers(200, Shapes.listOf(Shapes.UserPermission))
        )
        assert.deepStrictEqual(
          given.items.map(({ permission, user }) => [permission, user.id]),
          [["edit", users.guest]]
        )
        const teams = yield* call("admin", "GET", `${path}/teams`).pipe(
          answers(200, Shapes.listOf(Shapes.TeamPermission))
        )
        assert.strictEqual(teams.items[0]?.team.id, team)
        const all = yield* call("admin", "GET", `${path}/aggregate?limit=1000`).pipe(
          answers(200, Shapes.listOf(Shapes.UserPermission))
        )
        assert.strictEqual(all.items.find(({ user }) => user.id === users.guest)?.permission, "edit")
        yield* call("admin", "PATCH", `${path}/users/${users.guest}`, { role: "read" }).pipe(has(204))
        yield* call("admin", "PATCH", `${path}/teams/${team}`, { role: "comment" }).pipe(has(204))
        yield* call("guest", "PATCH", content, { title: "X" }).pipe(has(403))
        yield* call("admin", "DELETE", `${path}/teams/${team}`).pipe(has(204))
        yield* call("admin", "DELETE", `${path}/users/${users.guest}`).pipe(has(204))
        yield* call("admin", "DELETE", `${path}/users/${users.guest}`).pipe(has(204))
        yield* call("guest", "GET", content).pipe(has(404))
      })
    )
  }
}
