import { assert, describe, it } from "@effect/vitest"
import { CurrentActor } from "@lectern/core/access/Actor"
import { EventId } from "@lectern/core/event/EventKind"
import { Events } from "@lectern/core/event/Events"
import { MemberTable } from "@lectern/core/organization/Member"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { UserTable } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { Effect, Layer, type Scope } from "effect"
import { onEach } from "../Adapters.ts"
import { adapters, organization, type Services } from "../Instances.ts"

const ada = { email: "ada@example.com", displayName: "Ada" }

const refused = (effect: Effect.Effect<unknown, { readonly _tag: string }, CurrentActor>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

for (const [name, services] of onEach(adapters)) {
  describe(`the host's own users (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("are made on first sight, however many ask at once, and are the same from then on", () =>
      Effect.gen(function* () {
        const { sync } = yield* Users
        const seen = yield* Effect.all([sync("42", ada), sync("42", ada), sync("42", ada)], {
          concurrency: 3
        })
        assert.strictEqual(new Set(seen.map(({ id }) => id)).size, 1)
        assert.deepInclude(seen[0], ada)
        const { id, displayName } = yield* sync("43", { email: "eve@example.com" })
        assert.notStrictEqual(id, seen[0]!.id)
        assert.strictEqual(displayName, "eve")
      }))

    test("follow their name and address, and organizations are told; what is the same writes nothing", () =>
      Effect.gen(function* () {
        const { sync } = yield* Users
        const storage = yield* Storage
        const { read } = yield* Events
        const here = yield* organization
        const { id } = yield* sync("42", ada)
        yield* (yield* Organizations).join(here, id, "read")
        const { after } = yield* read({ after: EventId.make("") })
        const before = yield* storage.generation
        assert.deepInclude(yield* sync("42", ada), { id, ...ada })
        assert.deepInclude(yield* sync("42", { email: ada.email }), { id, ...ada })
        assert.strictEqual(yield* storage.generation, before)
        const countess = { email: "Lovelace@example.com", displayName: "Ada Lovelace" }
        assert.deepInclude(yield* sync("42", countess), { id, ...countess })
        assert.deepInclude(yield* (yield* Users).get(id), countess)
        const { events } = yield* read({ after })
        assert.deepStrictEqual(
          events.map((event) => [event.type, event.organization]),
          [["member_updated", here]]
        )
      }))

    test("have names of one line, whatever the host has for them", () =>
      Effect.gen(function* () {
        const { sync } = yield* Users
        const { generation } = yield* Storage
        const { id } = yield* sync("42", { ...ada, displayName: " Ada\r\nLovelace\t" })
        const named = { id, displayName: "Ada Lovelace" }
        assert.deepInclude(yield* sync("42", { email: ada.email }), named)
        const before = yield* generation
        assert.deepInclude(yield* sync("42", { ...ada, displayName: "Ada Lovelace\n" }), named)
        assert.deepInclude(yield* sync("42", { ...ada, displayName: " \n " }), named)
        assert.strictEqual(yield* generation, before)
        assert.deepInclude(yield* sync("43", { email: "eve@example.com", displayName: "\t" }), {
          displayName: "eve"
        })
      }))

    test("take nobody's address, unless the host says that they are the same", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const { sync } = users
        const { id } = yield* users.create({ email: "Ada@Example.com" })
        assert.strictEqual(yield* refused(sync("42", ada)), "EmailInUse")
        const other = yield* sync("43", { email: "eve@example.com", displayName: "Eve" })
        assert.strictEqual(yield* refused(sync("43", ada)), "EmailInUse")
        assert.deepInclude(yield* users.get(other.id), { displayName: "Eve", email: "eve@example.com" })
        assert.deepInclude(yield* sync("42", { ...ada, adopt: true }), { id, ...ada })
        assert.strictEqual(yield* refused(sync("44", { ...ada, adopt: true })), "EmailInUse")
        assert.strictEqual((yield* sync("42", ada)).id, id)
      }))

    test("keep the address that sign-on finds them by", () =>
      Effect.gen(function* () {
        const { sync } = yield* Users
        const here = yield* organization
        const { id } = yield* sync("42", ada)
        yield* (yield* Organizations).join(here, id, "read")
        const storage = yield* Storage
        yield* storage.repository(MemberTable).update({ organization: here, user: id }, { sso: true })
        const moved = yield* sync("42", { email: "elsewhere@example.com", displayName: "Countess" })
        assert.deepInclude(moved, { id, email: ada.email, displayName: "Countess" })
      }))

    test("are bounded, and the host's alone to name", () =>
      Effect.gen(function* () {
        const { sync } = yield* Users
        const { id } = yield* sync("🙂".repeat(255), ada)
        for (const externalId of ["", "a".repeat(256), "a\nb", "a\u0000", "\ud800"]) {
          assert.strictEqual(yield* refused(sync(externalId, { email: "eve@example.com" })), "InvalidInput")
        }
        for (const profile of [
          { email: "nobody" },
          { ...ada, displayName: "" },
          { ...ada, displayName: "a".repeat(101) }
        ]) {
          assert.strictEqual(yield* refused(sync("43", profile)), "InvalidInput")
        }
        const asAda = Effect.provideService(CurrentActor, { type: "user", user: id })
        assert.strictEqual(yield* refused(sync("43", ada).pipe(asAda)), "Forbidden")
        assert.strictEqual(yield* (yield* Storage).repository(UserTable).count({}), 1)
      }))
  })
}
