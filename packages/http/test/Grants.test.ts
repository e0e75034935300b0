/** Grants on spaces and collections: given, replaced, taken back, listed, and counted together. */
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Storage } from "@lectern/core/storage/Storage"
import { TeamMemberTable } from "@lectern/core/team/TeamMember"
import { UserId } from "@lectern/core/user/User"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createCollection, createMember, createSpace, createTeam } from "./Steps.ts"

const Users = Shapes.listOf(Shapes.UserPermission)
const Teams = Shapes.listOf(Shapes.TeamPermission)

const granted = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Harness
  const users = yield* call("admin", "GET", `${path}/users?limit=1000`).pipe(answers(200, Users))
  const teams = yield* call("admin", "GET", `${path}/teams?limit=1000`).pipe(answers(200, Teams))
  assert.strictEqual(users.count, users.items.length)
  assert.strictEqual(teams.count, teams.items.length)
  return Object.fromEntries([
    ...users.items.map(({ permission, user }) => [user.id, permission]),
    ...teams.items.map(({ permission, team }) => [team.id, permission])
  ])
})

const joinTeam = Effect.fnUntraced(function* (team: string, user: string) {
  const { organization } = yield* Harness
  yield* (yield* Storage)
    .repository(TeamMemberTable)
    .insert({ organization: OrganizationId.make(organization), team, user: UserId.make(user), role: "member" })
    .pipe(Effect.orDie)
})

const kinds = ["space", "collection"] as const

const create = Effect.fnUntraced(function* (kind: (typeof kinds)[number], input = {}) {
  const { id } = kind === "space" ? yield* createSpace(input) : yield* createCollection(input)
  return { content: `/v1/${kind}s/${id}`, path: `/v1/${kind}s/${id}/permissions` }
})

onEachAdapter("Grants", (it) => {
  for (const kind of kinds) {
    it.effect(`gives roles on a ${kind}, each in place of the one before`, () =>
      Effect.gen(function* () {
        const { call, users } = yield* Harness
        const { content, path } = yield* create(kind)
        const team = yield* createTeam
        yield* joinTeam(team, users.guest)
        const give = (body: unknown) => call("admin", "POST", path, body).pipe(has(204))
        const guestMay = Effect.map(call("guest", "GET", content), ({ status, text }): ReadonlyArray<string> =>
          status === 200
            ? Object.entries(JSON.parse(text).permissions).flatMap(([name, may]) => (may === true ? [name] : []))
            : [`${status}`]
        )
        yield* give({ users: [users.guest, users.read, users.guest], role: "read" })
        assert.deepStrictEqual(yield* granted(path), { [users.guest]: "read", [users.read]: "read" })
        yield* give({ users: [users.guest], role: "review" })
        yield* give({ teams: [team], role: "create" })
        assert.deepStrictEqual(yield* granted(path), {
          [users.guest]: "review",
          [users.read]: "read",
          [team]: "create"
        })
        assert.include(yield* guestMay, kind === "space" ? "merge" : "create")
        // Less is given in place of more, and null takes back.
        yield* give({ teams: [team], role: null })
        yield* give({ users: [users.guest], role: "read" })
        assert.notInclude(yield* guestMay, kind === "space" ? "merge" : "create")
        yield* give({ users: [users.guest, users.read, users.create], role: null })
        assert.deepStrictEqual(yield* granted(path), {})
        assert.deepStrictEqual(yield* guestMay, ["404"])
      })
    )

    it.effect(`stores nothing on a ${kind} where one of those named does not belong`, () =>
      Effect.gen(function* () {
        const { call, elsewhere, users } = yield* Harness
        const { path } = yield* create(kind)
        const team = yield* createTeam
        const wrong: ReadonlyArray<readonly [unknown, string?]> = [
          [{ users: [users.guest, users.outsider], role: "read" }, "body.users[1]"],
          [{ users: ["nobody"], role: "read" }, "body.users[0]"],
          [{ users: [team], role: "read" }, "body.users[0]"],
          [{ users: [users.outsider], role: null }, "body.users[0]"],
          [{ teams: [team, "no-such-team"], role: "read" }, "body.teams[1]"],
          [{ teams: [users.guest], role: "read" }, "body.teams[0]"],
          [{ teams: [elsewhere], role: "read" }, "body.teams[0]"],
          [{ users: ["\ud800"], role: "read" }],
          [{ users: [users.guest], teams: [team], role: "read" }],
          [{ users: [], role: "read" }],
          [{ role: "read" }],
          [{ users: [users.guest] }],
          [{ users: [users.guest], role: "owner" }],
          [{ users: [users.guest], role: "inherit" }],
          [{ users: Array.from({ length: 1001 }, () => users.guest), role: "read" }],
          [undefined]
        ]
        for (const [body, place] of wrong) {
          const { issues } = yield* call("admin", "POST", path, body).pipe(refused(400))
          if (place !== undefined)
            assert.deepStrictEqual(
              issues?.map((issue) => issue.path),
              [place]
            )
        }
        assert.deepStrictEqual(yield* granted(path), {})
      })
    )

    it.effect(`changes and removes single grants on a ${kind}`, () =>
      Effect.gen(function* () {
        const { call, users } = yield* Harness
        const { path } = yield* create(kind)
        const team = yield* createTeam
        for (const [one, to] of [
          [`${path}/users/${users.guest}`, { users: [users.guest] }],
          [`${path}/teams/${team}`, { teams: [team] }]
        ] as const) {
          yield* call("admin", "PATCH", one, { role: "read" }).pipe(refused(404))
          yield* call("admin", "DELETE", one).pipe(has(204))
          yield* call("admin", "POST", path, { ...to, role: "comment" }).pipe(has(204))
          yield* call("admin", "PATCH", one, { role: "edit" }).pipe(has(204))
          assert.deepStrictEqual(Object.values(yield* granted(path)), ["edit"])
          for (const body of [undefined, {}, { role: "owner" }, { role: 1 }]) {
            yield* call("admin", "PATCH", one, body).pipe(refused(400))
          }
          assert.deepStrictEqual(Object.values(yield* granted(path)), ["edit"])
          yield* call("admin", "PATCH", one, { role: null }).pipe(has(204))
          assert.deepStrictEqual(yield* granted(path), {})
          yield* call("admin", "PATCH", one, { role: null }).pipe(refused(404))
          yield* call("admin", "POST", path, { ...to, role: "comment" }).pipe(has(204))
          yield* call("admin", "DELETE", one).pipe(has(204))
          yield* call("admin", "DELETE", one).pipe(has(204))
          assert.deepStrictEqual(yield* granted(path), {})
        }
        // A user is no team, and the other way round.
        yield* call("admin", "POST", path, { users: [users.guest], role: "read" }).pipe(has(204))
        yield* call("admin", "PATCH", `${path}/teams/${users.guest}`, { role: "admin" }).pipe(refused(404))
        yield* call("admin", "DELETE", `${path}/teams/${users.guest}`).pipe(has(204))
        assert.deepStrictEqual(yield* granted(path), { [users.guest]: "read" })
      })
    )

    it.effect(`tells of everyone what it may in all on a ${kind}`, () =>
      Effect.gen(function* () {
        const { call, users } = yield* Harness
        const around = yield* createCollection()
        const { content, path } = yield* create(kind, { parent: around.id })
        const team = yield* createTeam
        const member = yield* createMember
        yield* joinTeam(team, users.read)
        const everyone = (query = "") =>
          Effect.map(
            call("admin", "GET", `${path}/aggregate?limit=1000${query}`).pipe(answers(200, Users)),
            ({ count, items }) => {
              assert.strictEqual(count, items.length)
              return Object.fromEntries(items.map(({ permission, user }): [string, string] => [user.id, permission]))
            }
          )
        yield* call("admin", "PATCH", content, { defaultLevel: null }).pipe(has(200))
        assert.deepStrictEqual(yield* everyone(), { [users.admin]: "admin" })
        yield* call("admin", "POST", `/v1/collections/${around.id}/permissions`, {
          users: [users.guest, users.comment],
          role: "edit"
        }).pipe(has(204))
        yield* call("admin", "POST", path, { teams: [team], role: "review" }).pipe(has(204))
        yield* call("admin", "POST", path, { users: [users.comment, users.read], role: "read" }).pipe(has(204))
        const some = {
          [users.admin]: "admin",
          [users.guest]: "edit",
          [users.comment]: "edit",
          [users.read]: "review"
        }
        assert.deepStrictEqual(yield* everyone(), some)
        assert.deepStrictEqual(yield* everyone("&role=edit"), { [users.guest]: "edit", [users.comment]: "edit" })
        assert.deepStrictEqual(yield* everyone("&role=comment"), {})
        yield* call("admin", "PATCH", content, { defaultLevel: "comment" }).pipe(has(200))
        const all = yield* everyone()
        assert.deepInclude(all, { ...some, [users.create]: "comment", [member]: "comment" })
        // What it tells is what they may.
        const shown = yield* call("read", "GET", content).pipe(has(200))
        assert.include(JSON.parse(shown.text).permissions, { view: true, admin: false })
        yield* call("admin", "GET", `${path}/aggregate?role=guest`).pipe(refused(400))
      })
    )
  }

  it.effect("pages through what was granted", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { path } = yield* create("space")
      const people = [users.read, users.comment, users.edit, users.guest, users.review]
      yield* call("admin", "POST", path, { users: people, role: "edit" }).pipe(has(204))
      for (const list of [`${path}/users`, `${path}/aggregate`]) {
        const all = yield* call("admin", "GET", list).pipe(answers(200, Users))
        const seen: Array<string> = []
        let cursor = ""
        do {
          const { count, items, next } = yield* call("admin", "GET", `${list}?limit=2${cursor}`).pipe(
            answers(200, Users)
          )
          assert.strictEqual(count, all.count)
          seen.push(...items.map(({ user }) => user.id))
          cursor = next === undefined ? "" : `&page=${encodeURIComponent(next.page)}`
        } while (cursor !== "")
        assert.deepStrictEqual(
          seen,
          all.items.map(({ user }) => user.id)
        )
      }
    })
  )
})
