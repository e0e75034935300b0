import { AuditEvents } from "@lectern/core/audit/AuditEvents"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { TokenTable } from "@lectern/core/token/Token"
import { Tokens } from "@lectern/core/token/Tokens"
import { UserTokens } from "@lectern/core/token/UserTokens"
import { CurrentActor } from "@lectern/core/access/Actor"
import { UserId } from "@lectern/core/user/User"
import { assert, describe } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { members, outcome, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`Tokens (${name})`, () => {
    const rule = ruleOn(services)

    rule("authenticate their user", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* Tokens
        const { token, info } = yield* tokens.create(people.read)
        assert.match(Redacted.value(token), /^lectern_[\w-]{43}$/)
        assert.deepStrictEqual(yield* tokens.authenticate(Redacted.value(token)), {
          type: "user",
          user: people.read,
          token: info.id
        })
      })
    )

    rule("with scopes are actors without rights until a scope is chosen", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* Tokens
        const { token, info } = yield* tokens.create(people.admin, { scopes: ["organization:read"] })
        const actor = yield* tokens.authenticate(Redacted.value(token))
        assert.deepStrictEqual(actor, {
          type: "token",
          user: people.admin,
          token: info.id,
          scopes: ["organization:read"]
        })
        const { items } = yield* (yield* Organizations).list({}).pipe(Effect.provideService(CurrentActor, actor))
        assert.deepStrictEqual(items, [])
      })
    )

    rule("can be chosen by an operator", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* Tokens
        const chosen = "a-token-of-at-least-32-characters"
        yield* tokens.create(people.read, { token: Redacted.make(chosen) })
        assert.deepInclude(yield* tokens.authenticate(chosen), { type: "user", user: people.read })
      })
    )

    rule("are stored as hashes, and listed without secrets", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* Tokens
        const { token, info } = yield* tokens.create(people.read, { name: "Deploy" })
        const rows = yield* (yield* Storage).repository(TokenTable).list({ where: {} })
        assert.notInclude(JSON.stringify(rows), Redacted.value(token))
        assert.deepInclude(info, { object: "token", user: people.read, name: "Deploy" })
        assert.deepStrictEqual(yield* tokens.list(people.read), [info])
        assert.notProperty(info, "hash")
      })
    )

    rule("are rejected alike if they are missing, unknown, expired or revoked", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* Tokens
        const expired = yield* tokens.create(people.read, { expires: { hours: 1 } })
        const revoked = yield* tokens.create(people.read)
        assert.strictEqual(yield* outcome(tokens.authenticate(Redacted.value(expired.token))), "ok")
        yield* TestClock.adjust("1 hour")
        yield* tokens.revoke(revoked.info.id)
        const messages = yield* Effect.forEach(
          ["", "unknown", "a.b.c", Redacted.value(expired.token), Redacted.value(revoked.token)],
          (token) => Effect.map(Effect.flip(tokens.authenticate(token)), ({ _tag, message }) => `${_tag}: ${message}`)
        )
        assert.strictEqual(new Set(messages).size, 1)
        assert.match(messages[0]!, /^Unauthorized: /)
      })
    )

    rule("are revoked at once, with all tokens that were created with them", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* Tokens
        const userTokens = yield* UserTokens
        const { info, token } = yield* tokens.create(people.read)
        const withToken = (secret: string) =>
          Effect.flatMap(tokens.authenticate(secret), (actor) =>
            Effect.provideService(userTokens.create({}), CurrentActor, actor)
          )
        const child = yield* withToken(Redacted.value(token))
        const grandchild = yield* withToken(child.token)
        const other = yield* tokens.create(people.read)
        yield* TestClock.adjust(1)
        const { revokedAt } = yield* tokens.revoke(info.id)
        for (const secret of [Redacted.value(token), child.token, grandchild.token]) {
          assert.strictEqual(yield* outcome(tokens.authenticate(secret)), "Unauthorized")
        }
        assert.strictEqual(yield* outcome(tokens.authenticate(Redacted.value(other.token))), "ok")
        yield* TestClock.adjust(1)
        assert.strictEqual((yield* tokens.revoke(info.id)).revokedAt, revokedAt)
        assert.strictEqual(yield* outcome(tokens.revoke("unknown")), "TokenNotFound")
      })
    )

    rule("need an existing user", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        assert.strictEqual(yield* outcome(tokens.create(UserId.make("unknown"))), "UserNotFound")
        assert.deepStrictEqual(yield* tokens.list(UserId.make("unknown")), [])
      })
    )

    rule("are recorded in the audit log of each organization of their user", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people } = yield* members
        const tokens = yield* Tokens
        const audit = yield* AuditEvents
        yield* (yield* Organizations).join(elsewhere, people.read, "read")
        const { info } = yield* tokens.create(people.read, { name: "Deploy", scopes: ["user:read"] })
        yield* tokens.revoke(info.id)
        yield* tokens.revoke(info.id)
        for (const organization of [org, elsewhere]) {
          const { items } = yield* audit.list(organization, { target: info.id })
          assert.deepStrictEqual(
            items.map(({ action }) => action),
            ["token_revoked", "token_created"]
          )
          assert.deepInclude(items[0], { target: { type: "token", id: info.id, label: "Deploy" } })
        }
      })
    )

    rule("are removed 30 days after they expire or are revoked", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* Tokens
        const worker = yield* JobWorker
        yield* tokens.create(people.read, { expires: { days: 1 } })
        yield* tokens.revoke((yield* tokens.create(people.read)).info.id)
        yield* tokens.create(people.read)
        const count = Effect.gen(function* () {
          yield* worker.runDue
          return (yield* tokens.list(people.read)).length
        })
        yield* TestClock.adjust("29 days")
        assert.strictEqual(yield* count, 3)
        yield* TestClock.adjust("3 days")
        assert.strictEqual(yield* count, 1)
      })
    )
  })
}
