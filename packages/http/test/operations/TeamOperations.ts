/** Teams and their members over HTTP. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as DiscussionShapes from "../DiscussionShapes.ts"
import { answers, Harness, has, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createCollection, createSpace, createTeam } from "../Steps.ts"

export const teamOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("makes a team, fills it, lets its owner manage it, and deletes it", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const teams = `/v1/orgs/${organization}/teams`
      const team = yield* call("admin", "PUT", teams, { title: "Écrivains", members: [users.read, users.guest] }).pipe(
        answers(201, Shapes.Team)
      )
      assert.deepInclude(team, { title: "Écrivains", members: 2, spaces: 0 })
      const path = `${teams}/${team.id}`
      const get = (by: "admin" | "read" | "guest") => call(by, "GET", path).pipe(answers(200, Shapes.Team))
      assert.deepStrictEqual((yield* get("read")).permissions, { admin: false, view: true })

      yield* call("admin", "PUT", `${path}/members/${users.read}`, { role: "owner" }).pipe(has(204))
      assert.deepStrictEqual((yield* get("read")).permissions, { admin: true, view: true })
      const ownTeam = Effect.map(
        call("read", "GET", `/v1/orgs/${organization}`).pipe(answers(200, Shapes.Organization)),
        ({ permissions }) => permissions.ownTeam
      )
      assert.isTrue(yield* ownTeam)
      yield* call("read", "PUT", `${path}/members`, {
        add: [users.comment, users.edit],
        memberships: { [users.guest]: { role: "owner" } },
        remove: [users.edit]
      }).pipe(has(204))
      const members = yield* call("guest", "GET", `${path}/members`).pipe(
        answers(200, Shapes.listOf(DiscussionShapes.TeamMember))
      )
      assert.sameDeepMembers(
        members.items.map(({ organization: { id }, team: { role } }) => [id, role]),
        [
          [users.read, "owner"],
          [users.comment, "member"],
          [users.guest, "owner"]
        ]
      )
      const teamsOf = (user: string, query = "") =>
        Effect.map(
          call("guest", "GET", `/v1/orgs/${organization}/members/${user}/teams?limit=1000${query}`).pipe(
            answers(200, Shapes.listOf(DiscussionShapes.MembershipOfTeam))
          ),
          ({ items }) => items.flatMap((one) => (one.team.id === team.id ? [one.member.role] : []))
        )
      assert.deepStrictEqual(yield* teamsOf(users.read), ["owner"])
      assert.deepStrictEqual(yield* teamsOf(users.comment, "&title=ECRI"), ["member"])
      assert.deepStrictEqual(yield* teamsOf(users.comment, "&title=Readers"), [])
      assert.deepStrictEqual(yield* teamsOf(users.edit), [])
      yield* call("admin", "GET", `/v1/orgs/${organization}/members/${users.outsider}/teams`).pipe(refused(404))
      yield* call("outsider", "GET", `/v1/orgs/${organization}/members/${users.read}/teams`).pipe(refused(404))

      yield* call("read", "DELETE", `${path}/members/${users.guest}`).pipe(has(204))
      yield* call("read", "DELETE", `${path}/members/${users.guest}`).pipe(has(204))
      yield* call("read", "PATCH", path, { title: "Authors" }).pipe(answers(200, Shapes.Team))
      yield* call("read", "DELETE", path).pipe(refused(403))

      const { id: space } = yield* createSpace()
      yield* call("admin", "POST", `/v1/spaces/${space}/permissions`, { teams: [team.id], role: "edit" }).pipe(has(204))
      assert.deepInclude(yield* get("admin"), { title: "Authors", members: 2, spaces: 1 })
      const found = (query: string) =>
        Effect.map(
          call("guest", "GET", `${teams}?${query}`).pipe(answers(200, Shapes.listOf(Shapes.Team))),
          ({ items }) => items.some(({ id }) => id === team.id)
        )
      assert.isTrue(yield* found("title=AUTHÔR"))
      assert.isFalse(yield* found("title=writers"))
      assert.isTrue(yield* found(`owner=${users.read}&limit=1000`))
      assert.isFalse(yield* found(`owner=${users.comment}`))

      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
      assert.isFalse(yield* ownTeam)
    })
  )

  it.effect("lists the spaces of a member, and hears that it is there", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const { id } = yield* createSpace()
      const of = (user: string) => `/v1/orgs/${organization}/members/${user}/spaces?limit=1000`
      const { items } = yield* call("read", "GET", of(users.read)).pipe(
        answers(200, Shapes.listOf(DiscussionShapes.SpaceOfMember))
      )
      assert.strictEqual(items.find(({ space }) => space.id === id)?.permission, "read")
      yield* call("read", "GET", of(users.edit)).pipe(refused(403))
      assert.deepStrictEqual(
        yield* call("read", "POST", `/v1/orgs/${organization}/ping`).pipe(answers(200, Schema.Struct({}))),
        {}
      )
      yield* call("outsider", "POST", `/v1/orgs/${organization}/ping`).pipe(refused(404))
    })
  )

  it.effect("counts the spaces that its grants reach, each once, wherever it is shown", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const id = yield* createTeam
      const { id: outer } = yield* createCollection()
      const { id: inner } = yield* createCollection({ parent: outer })
      const { id: space } = yield* createSpace({ parent: inner })
      yield* createSpace()
      const give = (content: string, role: string | null) =>
        call("admin", "POST", `/v1/${content}/permissions`, { teams: [id], role }).pipe(has(204))
      const move = (content: string, body: unknown) => call("admin", "POST", `/v1/${content}/move`, body).pipe(has(200))
      const counts = Effect.fnUntraced(function* (spaces: number) {
        const teams = `/v1/orgs/${organization}/teams`
        const team = yield* call("admin", "GET", `${teams}/${id}`).pipe(answers(200, Shapes.Team))
        assert.strictEqual(team.spaces, spaces)
        const listed = yield* call("admin", "GET", `${teams}?limit=1000`).pipe(answers(200, Shapes.listOf(Shapes.Team)))
        assert.deepStrictEqual(
          listed.items.find((one) => one.id === id),
          team
        )
        const granted = yield* call("admin", "GET", `/v1/collections/${outer}/permissions/teams`).pipe(
          answers(200, Shapes.listOf(Shapes.TeamPermission))
        )
        for (const { team: shown } of granted.items) assert.deepStrictEqual(shown, team)
      })
      yield* counts(0)
      yield* give(`collections/${outer}`, "read")
      yield* counts(1)
      yield* give(`collections/${inner}`, "edit")
      yield* give(`spaces/${space}`, "edit")
      yield* counts(1)
      const { id: added } = yield* createSpace({ parent: outer })
      yield* counts(2)
      yield* call("admin", "DELETE", `/v1/spaces/${added}`).pipe(has(204))
      yield* counts(1)
      yield* call("admin", "POST", `/v1/spaces/${added}/restore`, {}).pipe(has(200))
      yield* counts(2)
      yield* move(`spaces/${added}`, { parent: null })
      yield* counts(1)
      // It stays as closed as it was at the top, until it is opened.
      yield* move(`spaces/${added}`, { parent: outer })
      yield* counts(1)
      yield* call("admin", "PATCH", `/v1/spaces/${added}`, { access: "inherit" }).pipe(has(200))
      yield* counts(2)
      for (const content of [`spaces/${space}`, `collections/${inner}`]) yield* give(content, null)
      yield* counts(2)
      yield* move(`collections/${inner}`, { parent: null })
      yield* counts(1)
      yield* give(`collections/${outer}`, null)
      yield* counts(0)
    })
  )

  it.effect("refuses teams that can't be", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const teams = `/v1/orgs/${organization}/teams`
      for (const input of [
        {},
        { title: "" },
        { title: "x".repeat(65) },
        { title: null },
        { title: "X", members: "all" }
      ]) {
        yield* call("admin", "PUT", teams, input).pipe(refused(400))
      }
      const { issues } = yield* call("admin", "PUT", teams, { title: "X", members: [users.read, users.outsider] }).pipe(
        refused(400)
      )
      assert.strictEqual(issues?.[0]?.path, "body.members[1]")
      const { id } = yield* call("admin", "PUT", teams, { title: "🦉".repeat(64) }).pipe(answers(201, Shapes.Team))
      const path = `${teams}/${id}`
      for (const input of [{}, { title: "" }, { title: null }])
        yield* call("admin", "PATCH", path, input).pipe(refused(400))
      for (const input of [{ add: [users.outsider] }, { memberships: { x: { role: "member" } } }, { add: "all" }]) {
        yield* call("admin", "PUT", `${path}/members`, input).pipe(refused(400))
      }
      yield* call("admin", "PUT", `${path}/members/${users.outsider}`, {}).pipe(refused(404))
      yield* call("admin", "PUT", `${path}/members/${users.read}`, { role: "boss" }).pipe(refused(400))
      yield* call("outsider", "GET", path).pipe(refused(404))
    })
  )
}
