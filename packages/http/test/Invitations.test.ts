/** An invitation waits for the consent of whom it is for, and tells nobody whether there is an account. */
import { host, CurrentActor } from "@lectern/core/access/Actor"
import { Invitations } from "@lectern/core/organization/Invitations"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Tokens } from "@lectern/core/token/Tokens"
import { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, onEachAdapter, type Person, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { foundOrganization } from "./Steps.ts"

const company = Effect.gen(function* () {
  const { call, users } = yield* Harness
  const { id } = yield* foundOrganization("Company", users.admin)
  const path = `/v1/orgs/${id}/invites`
  const invite = (body: unknown) => call("admin", "POST", path, body).pipe(answers(200, Shapes.InviteResult))
  const members = Effect.map(
    call("admin", "GET", `/v1/orgs/${id}/members?limit=1000`).pipe(answers(200, Shapes.listOf(Shapes.Member))),
    ({ items }) => items.map(({ id, role }) => [id, role] as const)
  )
  return { id, path, invite, members }
})

const mine = (person: Person | { readonly token: string }) =>
  Effect.flatMap(Harness, ({ call }) =>
    call(person, "GET", "/v1/user/invites?limit=1000").pipe(answers(200, Shapes.listOf(Shapes.Invitation)))
  )

onEachAdapter("Invitations", (it) => {
  it.effect("wait until they are accepted", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id, path, invite, members } = yield* company
      const { invites, ...result } = yield* invite({ emails: ["EDIT@example.com"], role: "review" })
      assert.deepStrictEqual(result, { users: [], invited: 1 })
      assert.lengthOf(yield* members, 1)
      yield* call("edit", "GET", `/v1/orgs/${id}`).pipe(refused(404))
      const waiting = (yield* mine("edit")).items.filter(({ organization }) => organization.id === id)
      assert.deepStrictEqual(waiting, invites)
      assert.deepInclude(waiting[0], { role: "review", organization: { id, title: "Company" } })
      const one = `${path}/${waiting[0]!.id}`
      assert.deepStrictEqual(yield* call("edit", "GET", one).pipe(answers(200, Shapes.Invitation)), waiting[0])
      // It is nobody else's: not its organization's administrator's either.
      for (const person of ["read", "outsider", "admin"] as const) yield* call(person, "POST", one).pipe(refused(404))
      assert.lengthOf(yield* members, 1)
      assert.strictEqual((yield* call("edit", "POST", one).pipe(has(200))).text, "{}")
      assert.sameDeepMembers(
        [...(yield* members)],
        [
          [users.admin, "admin"],
          [users.edit, "review"]
        ]
      )
      yield* call("edit", "POST", one).pipe(refused(404))
      assert.isFalse((yield* mine("edit")).items.some(({ organization }) => organization.id === id))
      // Who is a member already stays as it is.
      assert.deepStrictEqual(yield* invite({ emails: ["edit@example.com"], role: "admin" }), {
        users: [users.edit],
        invited: 0,
        invites: []
      })
      // Who was taken out can't come back by an invitation from before.
      yield* call("admin", "DELETE", `/v1/orgs/${id}/members/${users.edit}`).pipe(has(204))
      yield* call("edit", "POST", one).pipe(refused(404))
    })
  )

  it.effect("are declined by whom they are for, and taken back by who sent them", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path, invite, members } = yield* company
      const { invites } = yield* invite({ emails: ["edit@example.com", { email: "read@example.com", role: null }] })
      const [first, second] = invites.map(({ id }) => `${path}/${id}`)
      const list = call("admin", "GET", path).pipe(answers(200, Shapes.listOf(Shapes.Invitation)))
      assert.sameDeepMembers([...(yield* list).items], [...invites])
      yield* call("read", "DELETE", first!).pipe(refused(404))
      yield* call("edit", "DELETE", first!).pipe(has(204))
      yield* call("edit", "DELETE", first!).pipe(refused(404))
      yield* call("admin", "DELETE", first!).pipe(has(204))
      yield* call("admin", "DELETE", second!).pipe(has(204))
      yield* call("read", "POST", second!).pipe(refused(404))
      assert.strictEqual((yield* list).count, 0)
      assert.lengthOf(yield* members, 1)
    })
  )

  it.effect("look the same whether an address has an account or not", () =>
    Effect.gen(function* () {
      const { path, invite } = yield* company
      const { call } = yield* Harness
      const told = yield* invite({ emails: ["comment@example.com", "nobody-knows@example.com"], role: "comment" })
      const [known, unknown] = told.invites.map(({ id: _, email: __, urls: ___, ...rest }) => rest)
      assert.deepStrictEqual(known, unknown)
      assert.deepStrictEqual(told.users, [])
      const listed = yield* call("admin", "GET", path).pipe(has(200))
      assert.notMatch(listed.text, /displayName/)
      // Nor is an account made by inviting.
      assert.isUndefined(yield* (yield* Users).byEmail("nobody-knows@example.com").pipe(Effect.orDie))
      // Invited again, the last word counts, and nothing is new.
      const again = yield* invite({ emails: ["NOBODY-knows@example.com"], role: "edit" })
      assert.deepInclude(again, { users: [], invited: 0 })
      assert.deepStrictEqual(
        again.invites.map(({ id, role }) => [id, role]),
        [[told.invites[1]!.id, "edit"]]
      )
    })
  )

  it.effect("are there for whoever comes to have the address, and for no session of another organization", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const { path, invite } = yield* company
      const { invites } = yield* invite({ emails: ["late@example.com"] })
      const tokens = yield* Tokens
      const late = yield* (yield* Users).create({ email: "late@example.com" }).pipe(Effect.orDie)
      yield* (yield* Organizations).join(OrganizationId.make(organization), late.id, "read").pipe(Effect.orDie)
      const invitations = yield* Invitations
      const asSession = Effect.provideService(CurrentActor, { type: "user", user: late.id, organization })
      assert.strictEqual((yield* asSession(invitations.mine({})).pipe(Effect.orDie)).count, 0)
      const refusal = yield* asSession(
        invitations.accept(OrganizationId.make(invites[0]!.organization.id), invites[0]!.id)
      ).pipe(Effect.flip)
      assert.strictEqual(refusal._tag, "InvitationNotFound")
      const token = Redacted.value((yield* tokens.create(late.id).pipe(Effect.orDie)).token)
      assert.strictEqual((yield* mine({ token })).count, 1)
      yield* call({ token }, "POST", `${path}/${invites[0]!.id}`).pipe(has(200))
    })
  )

  it.effect("take in at once whom the host names, and who is at a domain that the host vouches for", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id, path, invite, members } = yield* company
      const asHost = Effect.provideService(CurrentActor, host)
      const direct = yield* asHost(
        (yield* Invitations).invite(OrganizationId.make(id), { emails: ["read@example.com"], role: "read" })
      ).pipe(Effect.orDie)
      assert.deepStrictEqual(direct, { users: [users.read], invited: 1, invites: [] })
      // What an administrator says of domains proves nothing.
      const claim = { emailDomains: ["Example.com", "own.example"] }
      yield* call("admin", "PATCH", `/v1/orgs/${id}`, claim).pipe(has(200))
      assert.lengthOf((yield* invite({ emails: ["review@example.com", "new@own.example"] })).invites, 2)
      yield* asHost((yield* Organizations).update(OrganizationId.make(id), { emailDomains: ["own.example"] })).pipe(
        Effect.orDie
      )
      yield* call("admin", "PATCH", `/v1/orgs/${id}`, claim).pipe(has(200))
      const own = yield* invite({ emails: ["new@OWN.example", "new@not-own.example", "edit@example.com"] })
      assert.deepInclude(own, { invited: 3 })
      assert.lengthOf(own.users, 1)
      assert.lengthOf(own.invites, 2)
      assert.sameMembers(
        (yield* members).map(([user]) => user),
        [users.admin, users.read, UserId.make(own.users[0]!)]
      )
      // Its invitation from before has been answered by that.
      const waiting = yield* call("admin", "GET", path).pipe(answers(200, Shapes.listOf(Shapes.Invitation)))
      assert.isFalse(waiting.items.some(({ email }) => email === "new@own.example"))
    })
  )

  it.effect("go to nobody where one of the addresses is none, or there are too many", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path, invite } = yield* company
      const addresses = (count: number, from = 0) =>
        Array.from({ length: count }, (_, i) => `many-${from + i}@example.com`)
      const wrong: ReadonlyArray<unknown> = [
        undefined,
        {},
        { emails: [] },
        { emails: "a@example.com" },
        { emails: addresses(101) },
        { emails: ["fine@example.com", "not an address"] },
        { emails: ["fine@example.com", "a@b@c"] },
        { emails: ["fine@example.com", `${"x".repeat(250)}@example.com`] },
        { emails: ["fine@example.com", { email: "b@example.com", role: "owner" }] },
        { emails: ["fine@example.com", { email: "b@example.com" }] },
        { emails: ["fine@example.com"], role: "guest" }
      ]
      for (const body of wrong) yield* call("admin", "POST", path, body).pipe(refused(400))
      const count = Effect.map(
        call("admin", "GET", `${path}?limit=10`).pipe(answers(200, Shapes.listOf(Shapes.Invitation))),
        (page) => page.count
      )
      assert.strictEqual(yield* count, 0)
      for (let i = 0; i < 10; i++) {
        assert.strictEqual((yield* invite({ emails: addresses(100, i * 100) })).invited, 100)
      }
      yield* call("admin", "POST", path, { emails: ["one-more@example.com"] }).pipe(refused(409))
      assert.strictEqual(yield* count, 1000)
    })
  )

  it.effect("come as links, which take in whoever has one until it expires or is taken back", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id, members } = yield* company
      const links = `/v1/orgs/${id}/link-invites`
      const made = (body: unknown, by: Person = "admin") =>
        call(by, "POST", links, body).pipe(answers(201, Shapes.InviteLink))
      const link = yield* made({ role: "review" })
      const [name, secret] = link.id.split(/_(.*)/s) as [string, string]
      assert.match(secret, /^[\w-]{43}$/)
      assert.strictEqual(Date.parse(link.expiresAt) - Date.parse(link.createdAt), 7 * 24 * 60 * 60 * 1000)
      // The secret is told once.
      const list = call("admin", "GET", links).pipe(answers(200, Shapes.listOf(Shapes.InviteLink)))
      assert.deepStrictEqual((yield* list).items, [{ ...link, id: name }])
      for (const named of [name, link.id]) {
        const shown = yield* call("admin", "GET", `${links}/${named}`).pipe(answers(200, Shapes.InviteLink))
        assert.deepStrictEqual(shown, { ...link, id: name })
      }
      const join = (by: Person, of = link.id) => call(by, "POST", `/v1/orgs/${id}/invites/${of}`)
      // Who has it sees what it gives; its name alone opens nothing.
      const seen = yield* call("edit", "GET", `${links}/${link.id}`).pipe(answers(200, Shapes.InviteLink))
      assert.deepInclude(seen, { id: name, role: "review", redundant: false })
      for (const wrong of [name, `${name}_`, `${name}_${"x".repeat(43)}`, `${name}_${secret}x`, `_${secret}`]) {
        yield* join("edit", wrong).pipe(refused(404))
        yield* call("edit", "GET", `${links}/${wrong}`).pipe(refused(404))
      }
      yield* call("outsider", "POST", `/v1/orgs/${(yield* Harness).elsewhere}/invites/${link.id}`).pipe(refused(404))
      yield* join("nobody").pipe(has(401))
      assert.strictEqual((yield* join("edit").pipe(has(200))).text, "{}")
      yield* join("read").pipe(has(200))
      const expected = [
        [users.admin, "admin"],
        [users.edit, "review"],
        [users.read, "review"]
      ]
      assert.sameDeepMembers([...(yield* members)], expected as never)
      // Who belongs to it stays as it is.
      yield* join("admin").pipe(has(200))
      assert.sameDeepMembers([...(yield* members)], expected as never)
      const redundant = call("edit", "GET", `${links}/${link.id}`).pipe(answers(200, Shapes.InviteLink))
      assert.isTrue((yield* redundant).redundant)
      const changed = yield* call("admin", "PATCH", `${links}/${name}`, { role: "create" }).pipe(
        answers(200, Shapes.InviteLink)
      )
      assert.deepStrictEqual(changed, { ...link, id: name, role: "create" })
      assert.isFalse((yield* redundant).redundant)
      yield* call("edit", "PATCH", `${links}/${name}`, { role: "admin" }).pipe(refused(403))
      yield* call("edit", "DELETE", `${links}/${link.id}`).pipe(refused(403))
      yield* call("admin", "DELETE", `${links}/${name}`).pipe(has(204))
      yield* call("admin", "DELETE", `${links}/${name}`).pipe(has(204))
      yield* join("comment").pipe(refused(404))
      yield* call("admin", "PATCH", `${links}/${name}`, { role: null }).pipe(refused(404))

      const now = Date.parse(link.createdAt)
      const at = (time: number) => new Date(time).toISOString()
      for (const expiresAt of ["soon", at(now - 1), at(now + 366 * 24 * 60 * 60 * 1000), 7]) {
        yield* call("admin", "POST", links, { role: "read", expiresAt }).pipe(refused(400))
      }
      const short = yield* made({ role: "read", expiresAt: at(now + 1000) })
      yield* TestClock.setTime(now + 1000)
      yield* join("comment", short.id).pipe(refused(404))
      assert.deepStrictEqual((yield* list).items, [])
    })
  )

  it.effect("come as links that work as long as their makers administer the organization, and it allows them", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      const { id } = yield* company
      const links = `/v1/orgs/${id}/link-invites`
      const join = (by: Person, link: string) => call(by, "POST", `/v1/orgs/${id}/invites/${link}`)
      const made = (by: Person) =>
        Effect.map(call(by, "POST", links, { role: "admin" }).pipe(answers(201, Shapes.InviteLink)), (link) => link.id)
      const mine = yield* made("admin")
      yield* join("edit", mine).pipe(has(200))
      const theirs = yield* made("edit")
      yield* call("admin", "DELETE", `/v1/orgs/${id}/members/${users.edit}`).pipe(has(204))
      for (const person of ["edit", "read"] as const) yield* join(person, theirs).pipe(refused(404))
      yield* call("admin", "PATCH", `/v1/orgs/${id}`, { inviteLinks: false }).pipe(has(200))
      yield* join("read", mine).pipe(refused(404))
      yield* call("admin", "POST", links, { role: "read" }).pipe(refused(409))
      yield* call("admin", "PATCH", `/v1/orgs/${id}`, { inviteLinks: true }).pipe(has(200))
      yield* join("read", mine).pipe(has(200))
    })
  )
})
