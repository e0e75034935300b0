/** Tokens of a user, by its own hand: never wider and never longer than what they were made with. */
import { Ids } from "@lectern/core/identity/Ids"
import { assert, type Vitest } from "@effect/vitest"
import { Clock, Effect, type Schema } from "effect"
import { TestClock } from "effect/testing"
import { answers, type Caller, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace } from "../Steps.ts"

const path = "/v1/user/tokens"

const create = Effect.fnUntraced(function* (by: Caller, body: object = {}) {
  return yield* (yield* Harness).call(by, "POST", path, body).pipe(answers(201, Shapes.MadeToken))
})

const list = Effect.fnUntraced(function* (by: Caller) {
  return yield* (yield* Harness).call(by, "GET", path).pipe(answers(200, Shapes.listOf(Shapes.Token)))
})

const iso = (millis: number) => new Date(millis).toISOString()

export const tokenOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("makes a token that is shown once, lists and revokes it", () =>
    Effect.gen(function* () {
      const { call, users } = yield* Harness
      yield* TestClock.adjust("1 second")
      const { token, ...made } = yield* create("comment", { name: "CI", scopes: ["user:read", "space:content:read"] })
      assert.match(token, /^lectern_[\w-]{43}$/)
      assert.deepInclude(made, { name: "CI", user: users.comment, scopes: ["user:read", "space:content:read"] })
      assert.notProperty(made, "expiresAt")
      const one = yield* call("comment", "GET", `${path}/${made.id}`).pipe(has(200))
      assert.deepStrictEqual(JSON.parse(one.text), made)
      const all = yield* call("comment", "GET", path).pipe(has(200))
      assert.notInclude(all.text + one.text, token.slice(8))
      assert.deepStrictEqual((yield* list("comment")).items[0], made)
      yield* call({ token }, "GET", "/v1/user").pipe(has(200))
      for (const other of ["admin", "outsider"] as const) {
        yield* call(other, "GET", `${path}/${made.id}`).pipe(refused(404))
        yield* call(other, "DELETE", `${path}/${made.id}`).pipe(has(204))
      }
      yield* call({ token }, "GET", "/v1/user").pipe(has(200))
      yield* call("comment", "DELETE", `${path}/${made.id}`).pipe(has(204))
      yield* call({ token }, "GET", "/v1/user").pipe(has(401))
      yield* call("comment", "DELETE", `${path}/${made.id}`).pipe(has(204))
      assert.property((yield* list("comment")).items[0], "revokedAt")
      yield* TestClock.adjust("1 minute")
      const [used] = (yield* list("comment")).items
      assert.match(used?.lastUsedAt ?? "", /T\d\d:00:00\.000Z$/)
    })
  )

  it.effect("makes none that is wider or lives longer, and revokes with one what was made with it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const now = yield* Clock.currentTimeMillis
      const scopes = ["user:write", "space:content:write", "site:metadata:read"]
      const parent = yield* create("edit", { scopes, expiresAt: iso(now + 60_000) })
      const wider = [["organization:read"], ["space:content:write", "site:metadata:write"], ["access:write"]]
      for (const wanted of wider) {
        const { message } = yield* call(parent, "POST", path, { scopes: wanted }).pipe(refused(403))
        assert.match(message, /no wider than .* lacks /)
      }
      yield* call(parent, "POST", path, { expiresAt: iso(now + 60_001) }).pipe(refused(403))
      const same = yield* create(parent)
      assert.deepInclude(same, { scopes, expiresAt: iso(now + 60_000), madeWith: parent.id })
      // What writes reads, too.
      const narrow = yield* create(same, { scopes: ["space:content:read", "user:write"], expiresAt: iso(now + 30_000) })
      yield* call(narrow, "POST", path, { scopes: ["space:content:write"] }).pipe(refused(403))
      const deep = yield* create(narrow)
      const beside = yield* create("edit")
      yield* call("edit", "DELETE", `${path}/${same.id}`).pipe(has(204))
      for (const gone of [same, narrow, deep]) yield* call(gone, "GET", "/v1/user").pipe(has(401))
      for (const good of [parent, beside]) yield* call(good, "GET", "/v1/user").pipe(has(200))
      yield* TestClock.adjust("61 seconds")
      yield* call(parent, "GET", "/v1/user").pipe(has(401))
    })
  )

  it.effect("holds what parts of a body do to the scopes that those take", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const metadata = yield* create("admin", { scopes: ["space:metadata:write"] })
      const both = yield* create("admin", { scopes: ["space:metadata:write", "access:write"] })
      yield* call(metadata, "PATCH", `/v1/spaces/${id}`, { title: "New" }).pipe(has(200))
      for (const body of [{ visibility: "public" }, { defaultLevel: "admin" }, { access: "inherit" }]) {
        const { message } = yield* call(metadata, "PATCH", `/v1/spaces/${id}`, body).pipe(refused(403))
        assert.include(message, "access:write")
        yield* call(both, "PATCH", `/v1/spaces/${id}`, body).pipe(has(200))
      }
      yield* call(metadata, "POST", `/v1/spaces/${id}/move`, { access: "inherit" }).pipe(refused(403))
      yield* call(metadata, "POST", `/v1/spaces/${id}/permissions`, { users: ["x"], role: "admin" }).pipe(refused(403))
      // A scope gives nothing that the user has not.
      const reader = yield* create("read", { scopes: ["space:metadata:write", "access:write"] })
      yield* call(reader, "PATCH", `/v1/spaces/${id}`, { title: "Mine" }).pipe(refused(403))
    })
  )

  it.effect("refuses what no token can be, and more tokens than anyone needs", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const now = yield* Clock.currentTimeMillis
      const wrong: ReadonlyArray<Schema.Json> = [
        { name: "" },
        { name: "x".repeat(101) },
        { scopes: [] },
        { scopes: ["everything"] },
        { scopes: ["user:read", "user:read"] },
        { expiresAt: iso(now) },
        { expiresAt: "tomorrow" },
        { expiresAt: "2030-02-30T12:00:00Z" },
        { expiresAt: "9999-12-31T00:00:00Z" },
        { expiresAt: null }
      ]
      for (const body of wrong) {
        const { issues } = yield* call("guest", "POST", path, body).pipe(refused(400))
        assert.isNotEmpty(issues, JSON.stringify(body))
      }
      const never = yield* call("guest", "POST", path, { expiresAt: "9999-12-31T00:00:00Z" }).pipe(refused(400))
      assert.include(never.issues?.[0]?.message, "within 100 years")
      const until = "2027-01-31T12:00:00+02:00"
      assert.strictEqual((yield* create("guest", { expiresAt: until })).expiresAt, "2027-01-31T10:00:00.000Z")
      const { count } = yield* list("guest")
      for (let i = count; i < 100; i++) yield* create("guest")
      yield* call("guest", "POST", path, {}).pipe(refused(409))
      const [newest] = (yield* list("guest")).items
      yield* call("guest", "DELETE", `${path}/${newest!.id}`).pipe(has(204))
      yield* create("guest")
      yield* call("guest", "GET", `${path}/${yield* (yield* Ids).next}`).pipe(refused(404))
      yield* call("nobody", "POST", path, {}).pipe(has(401))
    })
  )
}
