/** Members: found, sorted and paged; invited, changed and taken out; never without an administrator. */
import type { Role } from "@lectern/core/access/Role"
import { MemberTable } from "@lectern/core/organization/Member"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Storage } from "@lectern/core/storage/Storage"
import { TeamMemberTable } from "@lectern/core/team/TeamMember"
import { Tokens } from "@lectern/core/token/Tokens"
import { TokenScope } from "@lectern/core/token/TokenScope"
import { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as DiscussionShapes from "./DiscussionShapes.ts"
import * as Shapes from "./Shapes.ts"
import { createCollection, createMember, createSpace, createTeam, join, openChangeRequest } from "./Steps.ts"

/** An organization of the administrator's with members that join one after the other. */
const company = Effect.fnUntraced(function* (names: ReadonlyArray<readonly [name: string, role: Role | null]>) {
  const { call } = yield* Harness
  const { id } = yield* call("admin", "POST", "/v1/orgs", { title: "Company" }).pipe(answers(201, Shapes.Organization))
  const users: Array<string> = []
  for (const [name, role] of names) {
    yield* TestClock.adjust("1 minute")
    const directory = yield* Users
    const email = `${name}@docs.test`
    const user = (yield* directory.byEmail(email)) ?? (yield* directory.create({ email }))
    yield* join(id, user.id, role)
    users.push(user.id)
  }
  return { id, path: `/v1/orgs/${id}/members`, users }
}, Effect.orDie)

const list = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Harness
  return yield* call("admin", "GET", path).pipe(answers(200, Shapes.listOf(Shapes.Member)))
})

const setDisabled = Effect.fnUntraced(function* (organization: string, user: string, disabled: boolean) {
  yield* (yield* Storage).repository(MemberTable).update({ organization, user }, { disabled }).pipe(Effect.orDie)
})

onEachAdapter("Members", (it) => {
  it.effect("finds them by role, by part of the name or address, in any case and with any accents", () =>
    Effect.gen(function* () {
      const { path } = yield* company([
        ["Zoe", "edit"],
        ["bob", "edit"],
        ["Ana", null]
      ])
      const names = (query: string) =>
        Effect.map(list(path + query), ({ count, items }) => {
          assert.strictEqual(count, items.length)
          return items.map(({ user }) => user.displayName)
        })
      assert.deepStrictEqual(yield* names(""), ["admin", "Zoe", "bob", "Ana"])
      assert.deepStrictEqual(yield* names("?order=desc"), ["Ana", "bob", "Zoe", "admin"])
      assert.deepStrictEqual(yield* names("?sort=joinedAt&order=asc"), ["admin", "Zoe", "bob", "Ana"])
      assert.deepStrictEqual(yield* names("?sort=name"), ["admin", "Ana", "bob", "Zoe"])
      assert.deepStrictEqual(yield* names("?sort=name&order=desc"), ["Zoe", "bob", "Ana", "admin"])
      assert.deepStrictEqual(yield* names("?role=edit"), ["Zoe", "bob"])
      assert.deepStrictEqual(yield* names("?role=guest"), ["Ana"])
      assert.deepStrictEqual(yield* names("?role=review"), [])
      assert.deepStrictEqual(yield* names("?search=AN"), ["Ana"])
      assert.deepStrictEqual(yield* names("?search=ZO%C3%8B"), ["Zoe"])
      assert.deepStrictEqual(yield* names("?search=bOb%40"), ["bob"])
      assert.deepStrictEqual(yield* names("?search=docs.TEST&role=edit&sort=name"), ["bob", "Zoe"])
      assert.deepStrictEqual(yield* names("?search=%25"), [])
      const { call } = yield* Harness
      for (const query of ["?role=owner", "?sort=email", "?order=up", `?search=${"x".repeat(101)}`]) {
        yield* call("admin", "GET", path + query).pipe(refused(400))
      }
    })
  )

  it.effect("tells the hour when each was last there, since it joined, and sorts by it", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id, path } = yield* company([])
      yield* join(id, users.edit, "edit")
      const newcomer = yield* list(path)
      const seen = (items: (typeof newcomer)["items"]) =>
        Object.fromEntries(items.map(({ user, lastSeenAt }) => [user.displayName, lastSeenAt]))
      yield* TestClock.adjust("3 hours")
      yield* call("edit", "GET", "/v1/user").pipe(has(200))
      yield* TestClock.adjust("2 minutes")
      const now = (yield* Clock.currentTimeMillis) - 120_000
      const { items } = yield* list(`${path}?sort=lastSeenAt&order=desc`)
      assert.strictEqual(seen(items)["edit"], new Date(now - (now % 3_600_000)).toISOString())
      assert.deepStrictEqual(
        items.map(({ user }) => user.displayName),
        ["edit", "admin"]
      )
      yield* join(id, users.outsider, "read")
      assert.isUndefined(seen((yield* list(path)).items)["outsider"])
    })
  )

  for (const query of [
    "sort=lastSeenAt&order=desc",
    "sort=joinedAt&order=asc",
    "sort=joinedAt&order=desc",
    "sort=name&order=asc",
    "sort=name&order=desc"
  ]) {
    it.effect(`pages through them once each: ${query}`, () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { path } = yield* company(
          ["eve", "Dan", "cai", "Bea", "abe", "Eve"].map((name, i) => [`${name}${i % 2}`, "read"] as const)
        )
        const all = (yield* list(`${path}?${query}`)).items.map(({ id }) => id)
        assert.strictEqual(all.length, 7)
        for (const limit of [1, 2, 3, 7]) {
          const seen: Array<string> = []
          let cursor = ""
          do {
            const { count, items, next } = yield* list(`${path}?${query}&limit=${limit}${cursor}`)
            assert.strictEqual(count, 7)
            seen.push(...items.map(({ id }) => id))
            cursor = next === undefined ? "" : `&page=${encodeURIComponent(next.page)}`
          } while (cursor !== "")
          assert.deepStrictEqual(seen, all)
        }
        const { next } = yield* list(`${path}?${query}&limit=1`)
        yield* call("admin", "GET", `${path}?role=read&${query}&page=${encodeURIComponent(next!.page)}`).pipe(
          refused(400)
        )
      })
    )
  }

  it.effect("changes a role, which counts at once, and leaves the rest of the member alone", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const path = `/v1/orgs/${organization}/members/${users.comment}`
      const before = yield* call("read", "GET", path).pipe(answers(200, Shapes.Member))
      const patch = (role: unknown) => call("admin", "PATCH", path, { role })
      const space = yield* createSpace()
      const sees = (status: number) => call("comment", "GET", `/v1/spaces/${space.id}`).pipe(has(status))
      assert.deepStrictEqual(yield* patch(null).pipe(answers(200, Shapes.Member)), { ...before, role: null })
      yield* sees(404)
      yield* setDisabled(organization, users.comment, true)
      const changed = yield* patch("edit").pipe(answers(200, Shapes.Member))
      assert.deepStrictEqual(changed, { ...before, role: "edit", disabled: true })
      yield* sees(404)
      yield* setDisabled(organization, users.comment, false)
      yield* sees(200)
      for (const role of ["guest", "owner", 1]) yield* patch(role).pipe(refused(400))
      yield* call("admin", "PATCH", path).pipe(refused(400))
      assert.deepStrictEqual(yield* patch("comment").pipe(answers(200, Shapes.Member)), before)
      yield* call("admin", "PATCH", `/v1/orgs/${organization}/members/nobody`, { role: "read" }).pipe(refused(404))
      yield* call("admin", "PATCH", `/v1/orgs/${organization}/members/${users.outsider}`, { role: "read" }).pipe(
        refused(404)
      )
    })
  )

  it.effect("lists the spaces of a member with its role on each, to itself and to administrators", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id, path } = yield* company([])
      const [editor, guest] = [users.edit, users.guest]
      yield* join(id, editor, "edit").pipe(Effect.orDie)
      yield* join(id, guest, null).pipe(Effect.orDie)
      const { id: collection } = yield* call("admin", "POST", `/v1/orgs/${id}/collections`, {}).pipe(
        answers(201, Shapes.Collection)
      )
      const made = (body: object) =>
        Effect.map(
          call("admin", "POST", `/v1/orgs/${id}/spaces`, body).pipe(answers(201, Shapes.Space)),
          (one) => one.id
        )
      const within = yield* made({ parent: collection })
      const open = yield* made({})
      const closed = yield* made({})
      yield* call("admin", "PATCH", `/v1/spaces/${closed}`, { defaultLevel: null }).pipe(has(200))
      const give = (content: string, user: string, role: string) =>
        call("admin", "POST", `/v1/${content}/permissions`, { users: [user], role }).pipe(has(204))
      yield* give(`collections/${collection}`, guest, "comment")
      yield* give(`spaces/${closed}`, editor, "admin")

      const Spaces = Shapes.listOf(DiscussionShapes.SpaceOfMember)
      const spacesOf = (person: "admin" | "edit" | "guest", user: string, query = "") =>
        call(person, "GET", `${path}/${user}/spaces${query}`)
      const told = (person: "admin" | "edit" | "guest", user: string) =>
        Effect.map(spacesOf(person, user).pipe(answers(200, Spaces)), ({ count, items }) => {
          assert.strictEqual(count, items.length)
          return Object.fromEntries(items.map(({ permission, space }) => [space.id, permission]))
        })
      const ofEditor = { [within]: "edit", [open]: "edit", [closed]: "admin" }
      for (const person of ["admin", "edit"] as const) assert.deepStrictEqual(yield* told(person, editor), ofEditor)
      for (const person of ["admin", "guest"] as const) {
        assert.deepStrictEqual(yield* told(person, guest), { [within]: "comment" })
      }
      // A space is shown as whoever asks sees it.
      const [shown] = (yield* spacesOf("admin", guest).pipe(answers(200, Spaces))).items
      assert.isTrue(shown!.space.permissions.admin)

      const first = yield* spacesOf("admin", editor, "?limit=1").pipe(answers(200, Spaces))
      const cursor = encodeURIComponent(first.next!.page)
      assert.lengthOf((yield* spacesOf("admin", editor, `?limit=1&page=${cursor}`).pipe(answers(200, Spaces))).items, 1)
      yield* spacesOf("admin", guest, `?page=${cursor}`).pipe(refused(400))

      yield* spacesOf("edit", guest).pipe(refused(403))
      yield* spacesOf("guest", editor).pipe(refused(403))
      yield* spacesOf("admin", "nobody").pipe(refused(404))
      yield* call("outsider", "GET", `${path}/${editor}/spaces`).pipe(refused(404))
      yield* setDisabled(id, editor, true)
      assert.deepStrictEqual(yield* told("admin", editor), {})
      yield* spacesOf("edit", editor).pipe(refused(404))
    })
  )

  it.effect("takes grants and places in teams away with the member", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const [user, team, space] = [yield* createMember, yield* createTeam, yield* createSpace()]
      const storage = yield* Storage
      yield* storage
        .repository(TeamMemberTable)
        .insert({ organization: OrganizationId.make(organization), team, user: UserId.make(user), role: "member" })
        .pipe(Effect.orDie)
      const permissions = `/v1/spaces/${space.id}/permissions`
      yield* call("admin", "POST", permissions, { users: [user], role: "edit" }).pipe(has(204))
      const path = `/v1/orgs/${organization}/members/${user}`
      const shown = yield* call("admin", "GET", path).pipe(answers(200, Shapes.Member))
      assert.deepInclude(shown, { spaces: 1, teams: 1 })
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "DELETE", path).pipe(has(204))
      yield* call("admin", "GET", path).pipe(refused(404))
      const granted = yield* call("admin", "GET", `${permissions}/users`).pipe(
        answers(200, Shapes.listOf(Shapes.UserPermission))
      )
      assert.deepStrictEqual(granted, { count: 0, items: [] })
      assert.strictEqual(yield* storage.repository(TeamMemberTable).count({ user }).pipe(Effect.orDie), 0)
      // Who comes back begins anew.
      yield* join(organization, user, "read")
      assert.deepInclude(yield* call("admin", "GET", path).pipe(answers(200, Shapes.Member)), { spaces: 0, teams: 0 })
    })
  )

  it.effect("counts the spaces that what was granted to it by name reaches", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const user = yield* createMember
      const { id: outer } = yield* createCollection()
      const { id: inner } = yield* createCollection({ parent: outer })
      const { id: space } = yield* createSpace({ parent: inner })
      const path = `/v1/orgs/${organization}/members`
      const counts = Effect.fnUntraced(function* (spaces: number) {
        const shown = yield* call("admin", "GET", `${path}/${user}`).pipe(answers(200, Shapes.Member))
        assert.strictEqual(shown.spaces, spaces)
        const listed = (yield* list(`${path}?limit=1000`)).items.find(({ id }) => id === user)
        assert.deepStrictEqual(listed, shown)
      })
      const give = (content: string) =>
        call("admin", "POST", `/v1/${content}/permissions`, { users: [user], role: "read" }).pipe(has(204))
      yield* counts(0)
      yield* give(`collections/${outer}`)
      yield* counts(1)
      yield* give(`spaces/${space}`)
      yield* createSpace({ parent: outer })
      yield* counts(2)
      yield* call("admin", "DELETE", `/v1/spaces/${space}`).pipe(has(204))
      yield* counts(1)
    })
  )

  it.effect("asks who has left for no review", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const user = yield* createMember
      yield* call("admin", "PATCH", `/v1/orgs/${organization}/members/${user}`, { role: "review" }).pipe(has(200))
      const { id: space } = yield* createSpace()
      const { number } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}/change-requests/${number}/requested-reviewers`
      yield* call("admin", "POST", path, { users: [user] }).pipe(has(200))
      const asked = Effect.map(
        call("admin", "GET", path).pipe(answers(200, Shapes.listOf(DiscussionShapes.RequestedReviewer))),
        ({ count }) => count
      )
      assert.strictEqual(yield* asked, 1)
      yield* call("admin", "DELETE", `/v1/orgs/${organization}/members/${user}`).pipe(has(204))
      assert.strictEqual(yield* asked, 0)
    })
  )

  it.effect("lets anyone leave, with a token that may remove members", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const path = `/v1/orgs/${organization}/members`
      const bystander = `${path}/${yield* createMember}`
      for (const role of [null, "read", "comment", "edit", "review", "create"] as const) {
        const user = yield* createMember
        yield* call("admin", "PATCH", `${path}/${user}`, { role }).pipe(has(200))
        const tokenWith = Effect.fnUntraced(function* (scopes: ReadonlyArray<TokenScope>) {
          const { token } = yield* (yield* Tokens).create(UserId.make(user), { scopes }).pipe(Effect.orDie)
          return { token: Redacted.value(token) }
        })
        const narrow = yield* tokenWith(TokenScope.literals.filter((scope) => scope !== "organization:write"))
        yield* call(narrow, "DELETE", `${path}/${user}`).pipe(refused(403))
        const leaving = yield* tokenWith(["organization:write"])
        yield* call(leaving, "DELETE", bystander).pipe(refused(403))
        yield* call(leaving, "DELETE", `${path}/${users.admin}`).pipe(refused(403))
        yield* call(leaving, "DELETE", `${path}/${user}`).pipe(has(204))
        yield* call("admin", "GET", `${path}/${user}`).pipe(refused(404))
        yield* call(leaving, "DELETE", `${path}/${user}`).pipe(refused(404))
      }
      yield* call("admin", "GET", bystander).pipe(has(200))
      // Who is disabled stays so: it could come in anew otherwise.
      yield* setDisabled(organization, users.comment, true)
      yield* call("comment", "DELETE", `${path}/${users.comment}`).pipe(refused(404))
      yield* setDisabled(organization, users.comment, false)
    })
  )

  it.effect("keeps the last administrator, whoever asks, and counts none that is disabled", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id, path } = yield* company([])
      const self = `${path}/${users.admin}`
      const stays = Effect.gen(function* () {
        yield* call("admin", "PATCH", self, { role: "create" }).pipe(refused(409))
        yield* call("admin", "PATCH", self, { role: null }).pipe(refused(409))
        yield* call("admin", "DELETE", self).pipe(refused(409))
        yield* call("admin", "PATCH", self, { role: "admin" }).pipe(has(200))
        assert.strictEqual((yield* call("admin", "GET", self).pipe(answers(200, Shapes.Member))).role, "admin")
      })
      yield* stays
      yield* join(id, users.edit, "admin")
      yield* setDisabled(id, users.edit, true)
      yield* stays
      // An invitation does not let in who was disabled.
      yield* call("admin", "POST", `/v1/orgs/${id}/invites`, { emails: ["edit@example.com"] }).pipe(has(200))
      yield* stays
      yield* setDisabled(id, users.edit, false)
      yield* call("edit", "PATCH", self, { role: "read" }).pipe(has(200))
      yield* call("admin", "PATCH", self, { role: "admin" }).pipe(refused(403))
      yield* call("edit", "DELETE", `${path}/${users.edit}`).pipe(refused(409))
      yield* call("edit", "DELETE", self).pipe(has(204))
      yield* call("admin", "GET", `/v1/orgs/${id}`).pipe(refused(404))
    })
  )
})
