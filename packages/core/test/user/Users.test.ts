import { CurrentActor } from "@lectern/core/access/Actor"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { UserId, type UserCreate, type UserPatch } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"
import { disable } from "../organization/DisabledMember.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Users (${name})`, () => {
    const rule = ruleOn(services)

    rule("are created with the name before the @ of their address by default", () =>
      Effect.gen(function* () {
        const users = yield* Users
        assert.deepInclude(yield* users.create({ email: "Ada@Example.com" }), {
          object: "user",
          displayName: "Ada",
          email: "Ada@Example.com"
        })
        const { displayName } = yield* users.create({ email: `${"é".repeat(200)}@example.com` })
        assert.strictEqual(displayName, "é".repeat(100))
        assert.strictEqual((yield* users.create({ email: "b@example.com", displayName: "Bob" })).displayName, "Bob")
      })
    )

    rule("have an address of their own, ignoring case", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const create = outcome(users.create({ email: "ada@example.com" }))
        const results = yield* Effect.all([create, create], { concurrency: "unbounded" })
        assert.sameMembers(results, ["ok", "EmailInUse"])
        assert.strictEqual(yield* outcome(users.create({ email: "ADA@example.com" })), "EmailInUse")
        assert.strictEqual((yield* users.byEmail("ADA@EXAMPLE.COM"))?.displayName, "ada")
        assert.isUndefined(yield* users.byEmail("eve@example.com"))
      })
    )

    rule("have valid addresses, names and pictures", () =>
      Effect.gen(function* () {
        const users = yield* Users
        assert.deepStrictEqual(
          yield* invalidPathsOf<UserCreate, never>(
            [
              { email: "ada" },
              { email: "a b@example.com" },
              { email: `${"a".repeat(251)}@b.c` },
              { email: "ada@example.com", displayName: "" },
              { email: "ada@example.com", displayName: "a".repeat(101) },
              { email: "ada@example.com", displayName: "a\nb" }
            ],
            (input) => users.create(input)
          ),
          ["email", "email", "email", "displayName", "displayName", "displayName"]
        )
        const { id } = yield* users.create({ email: "ada@example.com" })
        assert.deepStrictEqual(
          yield* invalidPathsOf<UserPatch, CurrentActor>(
            [{ displayName: "" }, { photoURL: "javascript:alert(1)" }, { photoURL: `https://a.b/${"a".repeat(2048)}` }],
            (patch) => users.update(id, patch)
          ),
          ["displayName", "photoURL", "photoURL"]
        )
      })
    )

    rule("are visible to themselves and to members of a common organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people } = yield* members
        const users = yield* Users
        const get = users.get(people.guest)
        assert.deepStrictEqual(yield* outcomes(people, get), {
          ok: "host admin create review edit comment read guest",
          UserNotFound: "outsider"
        })
        yield* (yield* Organizations).join(elsewhere, people.guest, null)
        assert.strictEqual(yield* outcome(get).pipe(as(people.outsider)), "ok")
        yield* disable(org, people.read)
        assert.strictEqual(yield* outcome(get).pipe(as(people.read)), "UserNotFound")
        assert.strictEqual(yield* outcome(users.get(people.read)).pipe(as(people.edit)), "ok")
        assert.strictEqual(yield* outcome(users.get(UserId.make("unknown"))), "UserNotFound")
      })
    )

    rule("are visible to a session only in its organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people } = yield* members
        const users = yield* Users
        yield* (yield* Organizations).join(elsewhere, people.read, "read")
        const inSession = (organization: string) =>
          Effect.provideService(CurrentActor, { type: "user", user: people.read, organization })
        assert.strictEqual(yield* outcome(users.get(people.outsider)).pipe(inSession(elsewhere)), "ok")
        assert.strictEqual(yield* outcome(users.get(people.outsider)).pipe(inSession(org)), "UserNotFound")
      })
    )

    rule("read themselves as the current user, which the host is not", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const { me, updateMe } = yield* Users
        assert.strictEqual((yield* me.pipe(as(people.read))).id, people.read)
        assert.strictEqual((yield* updateMe({ displayName: "Reader" }).pipe(as(people.read))).displayName, "Reader")
        assert.strictEqual(yield* outcome(me), "UserNotFound")
        assert.strictEqual(yield* outcome(updateMe({ displayName: "Host" })), "UserNotFound")
        assert.strictEqual(yield* outcome(me).pipe(as(UserId.make("unknown"))), "UserNotFound")
      })
    )

    rule("are changed by themselves and by the host", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const users = yield* Users
        const update = (actor: string) => users.update(people.read, { displayName: `By ${actor}` })
        assert.deepStrictEqual(yield* outcomes(people, update), {
          ok: "host read",
          Forbidden: "admin create review edit comment guest",
          UserNotFound: "outsider"
        })
        const session = { type: "user", user: people.read, organization: org } as const
        assert.strictEqual(yield* Effect.provideService(outcome(update("session")), CurrentActor, session), "Forbidden")
        assert.strictEqual((yield* users.get(people.read)).displayName, "By read")
      })
    )

    rule("notify each of their organizations of a change, and write nothing without one", () =>
      Effect.gen(function* () {
        const { elsewhere, people } = yield* members
        const users = yield* Users
        const { generation } = yield* Storage
        yield* (yield* Organizations).join(elsewhere, people.read, "read")
        const update = users.update(people.read, { displayName: "Ada", photoURL: "https://example.com/ada.png" })
        assert.deepStrictEqual(yield* emitted(update), ["member_updated", "member_updated"])
        const before = yield* generation
        assert.deepInclude(yield* update, { displayName: "Ada", photoURL: "https://example.com/ada.png" })
        assert.strictEqual(yield* generation, before)
        const { photoURL } = yield* users.update(people.read, { photoURL: null })
        assert.isUndefined(photoURL)
      })
    )

    rule("are presented by id, also if they no longer exist", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const users = yield* Users
        const gone = UserId.make("gone")
        const presented = yield* users.present([people.read, gone, people.read])
        assert.strictEqual(presented.size, 2)
        assert.strictEqual(presented.get(people.read)?.displayName, "read")
        assert.deepInclude(presented.get(gone), { id: gone, displayName: "Unknown user" })
        assert.notProperty(presented.get(gone), "email")
      })
    )

    rule("have a language for mails, which only they see", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const users = yield* Users
        const change = users.updateMe({ language: "pt-br" }).pipe(as(people.read))
        assert.deepStrictEqual(yield* emitted(change), [])
        assert.strictEqual((yield* users.me.pipe(as(people.read))).language, "pt-br")
        assert.isUndefined((yield* users.get(people.read).pipe(as(people.admin))).language)
        assert.isUndefined((yield* users.updateMe({ language: null }).pipe(as(people.read))).language)
        assert.deepStrictEqual(
          yield* invalidPathsOf<UserPatch, never>([{ language: "tlh" as "en" }], (input) =>
            users.update(people.read, input).pipe(as(people.read))
          ),
          ["language"]
        )
      })
    )
  })
}
