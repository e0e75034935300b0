import { type Actor, CurrentActor, host } from "@lectern/core/access/Actor"
import { AuditEvents } from "@lectern/core/audit/AuditEvents"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Sessions } from "@lectern/core/token/Sessions"
import { Tokens } from "@lectern/core/token/Tokens"
import type { UserId } from "@lectern/core/user/User"
import { LastSeen } from "@lectern/core/user/LastSeen"
import { assert, describe } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"

const by = (actor: Actor) => Effect.provideService(CurrentActor, actor)

/** True if the secret of a session is accepted. */
const isValid = Effect.fnUntraced(function* (token: Redacted.Redacted) {
  return (yield* outcome((yield* Tokens).authenticate(Redacted.value(token)))) === "ok"
})

for (const [name, services] of onEach(adapters)) {
  describe(`Sessions (${name})`, () => {
    const rule = ruleOn(services)

    rule("are listed and ended by users only", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const sessions = yield* Sessions
        for (const use of [sessions.list({}), sessions.revoke("unknown"), sessions.revokeOthers]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            Forbidden: "host",
            ok: "admin create review edit comment read guest outsider"
          })
          assert.strictEqual(yield* outcome(use).pipe(by(host)), "Forbidden")
        }
      })
    )

    rule("end if an organization of their user demands a second factor that they lack", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people } = yield* members
        const organizations = yield* Organizations
        const sessions = yield* Sessions
        const demand = (organization: typeof org, requireSecondFactor: boolean) =>
          organizations.update(organization, { requireSecondFactor }).pipe(by(host))
        const start = (user: UserId, factor: { readonly factor?: true } = {}) =>
          Effect.map(sessions.start(user, { method: "password", ...factor }), ({ token }) => token)
        const tokens = {
          one: yield* start(people.read),
          both: yield* start(people.read, { factor: true }),
          guest: yield* start(people.guest),
          outsider: yield* start(people.outsider),
          api: (yield* (yield* Tokens).create(people.read)).token
        }
        const valid = Effect.gen(function* () {
          const names: Array<string> = []
          for (const [name, token] of Object.entries(tokens)) if (yield* isValid(token)) names.push(name)
          return names.join(" ")
        })
        assert.strictEqual(yield* valid, "one both guest outsider api")
        yield* demand(org, true)
        assert.strictEqual(yield* valid, "both outsider api")
        yield* demand(org, false)
        assert.strictEqual(yield* valid, "one both guest outsider api")
        yield* demand(elsewhere, true)
        assert.strictEqual(yield* valid, "one both guest api")
        // A new membership counts at once.
        yield* organizations.join(elsewhere, people.read, "read").pipe(by(host))
        assert.strictEqual(yield* valid, "both guest api")
      })
    )

    rule("act as their user, who sees how, where and when they started", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const sessions = yield* Sessions
        const { token, session } = yield* sessions.start(people.read, {
          method: "password",
          device: "Firefox on Linux",
          address: "192.0.2.1"
        })
        const actor = yield* (yield* Tokens).authenticate(Redacted.value(token))
        assert.deepStrictEqual(actor, { type: "user", user: people.read, token: session.id })
        yield* TestClock.adjust(1)
        yield* sessions.start(people.read, { method: "link" })
        const { items } = yield* sessions.list({}).pipe(by(actor))
        assert.deepStrictEqual(
          items.map(({ method, current, device }) => [method, current, device]),
          [
            ["link", false, undefined],
            ["password", true, "Firefox on Linux"]
          ]
        )
        assert.notInclude(JSON.stringify(items), Redacted.value(token))
        assert.strictEqual((yield* sessions.list({}).pipe(as(people.admin))).count, 0)
      })
    )

    rule("end 30 days after their start, and 14 days after their last request", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const sessions = yield* Sessions
        const tokens = yield* Tokens
        const idle = yield* sessions.start(people.read, { method: "link" })
        const used = yield* sessions.start(people.read, { method: "link" })
        for (let day = 0; day < 29; day++) {
          yield* TestClock.adjust("1 day")
          yield* tokens.authenticate(Redacted.value(used.token))
          yield* (yield* LastSeen).flush
          if (day === 12) assert.isTrue(yield* isValid(idle.token))
          yield* (yield* LastSeen).flush
        }
        // The use on day 13 moved the idle end to day 27.
        assert.isFalse(yield* isValid(idle.token))
        assert.isTrue(yield* isValid(used.token))
        assert.strictEqual((yield* sessions.list({}).pipe(as(people.read))).count, 1)
        yield* TestClock.adjust("1 day")
        assert.isFalse(yield* isValid(used.token))
        assert.strictEqual((yield* sessions.list({}).pipe(as(people.read))).count, 0)
      })
    )

    rule("end one by one, or all but the current one, and never those of other users", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const sessions = yield* Sessions
        const start = (user: UserId) => sessions.start(user, { method: "password" })
        const [first, second, third] = [yield* start(people.read), yield* start(people.read), yield* start(people.read)]
        const other = yield* start(people.edit)
        yield* sessions.revoke(first.session.id).pipe(as(people.edit))
        assert.isTrue(yield* isValid(first.token))
        yield* sessions.revoke(first.session.id).pipe(as(people.read))
        assert.isFalse(yield* isValid(first.token))
        const current = by({ type: "user", user: people.read, token: second.session.id })
        yield* sessions.revokeOthers.pipe(current)
        assert.deepStrictEqual(
          [yield* isValid(second.token), yield* isValid(third.token), yield* isValid(other.token)],
          [true, false, true]
        )
        yield* sessions.endAll(people.read)
        assert.isFalse(yield* isValid(second.token))
      })
    )

    rule("start with a new secret, and end the session that the browser had", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const sessions = yield* Sessions
        const planted = yield* sessions.start(people.guest, { method: "password" })
        const replaces = Redacted.value(planted.token)
        const { token } = yield* sessions.start(people.read, { method: "password", replaces })
        assert.notStrictEqual(Redacted.value(token), replaces)
        assert.isFalse(yield* isValid(planted.token))
        const apiToken = yield* (yield* Tokens).create(people.edit)
        yield* sessions.start(people.read, { method: "password", replaces: Redacted.value(apiToken.token) })
        assert.isTrue(yield* isValid(apiToken.token))
      })
    )

    rule("are limited to 100 per user", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const sessions = yield* Sessions
        const first = yield* sessions.start(people.read, { method: "link" })
        for (let i = 0; i < 100; i++) {
          yield* TestClock.adjust(1)
          yield* sessions.start(people.read, { method: "link" })
        }
        assert.isFalse(yield* isValid(first.token))
        assert.strictEqual((yield* sessions.list({}).pipe(as(people.read))).count, 100)
      })
    )

    rule("end when their user is no longer a member of any organization", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const { token } = yield* (yield* Sessions).start(people.read, { method: "password" })
        const both = yield* (yield* Sessions).start(people.admin, { method: "password" })
        yield* (yield* Members).remove(org, people.read).pipe(as(people.admin))
        assert.isFalse(yield* isValid(token))
        assert.isTrue(yield* isValid(both.token))
      })
    )

    rule("are recorded in the audit log", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const sessions = yield* Sessions
        const { session } = yield* sessions.start(people.read, { method: "password" })
        yield* sessions.revoke(session.id).pipe(as(people.read))
        const { items } = yield* (yield* AuditEvents).list(org, {}).pipe(as(people.admin))
        const recorded = items.filter(({ target }) => target.id === session.id)
        assert.sameMembers(
          recorded.map(({ action }) => action),
          ["token_created", "token_revoked"]
        )
        assert.strictEqual(recorded[0]?.payload?.["method"], "password")
      })
    )
  })
}
