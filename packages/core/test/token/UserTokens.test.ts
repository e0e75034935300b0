import { type Actor, CurrentActor, host } from "@lectern/core/access/Actor"
import type { TokenCreate } from "@lectern/core/token/Token"
import { Sessions } from "@lectern/core/token/Sessions"
import { Tokens } from "@lectern/core/token/Tokens"
import { UserTokens } from "@lectern/core/token/UserTokens"
import { assert, describe } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"

const by = (actor: Actor) => Effect.provideService(CurrentActor, actor)

/** Returns the actor of a new token of a user, as in a request with this token. */
const requestWith = Effect.fnUntraced(function* (...args: Parameters<Tokens["Service"]["create"]>) {
  const { info } = yield* (yield* Tokens).create(...args)
  const { user, id: token, scopes } = info
  return by({ type: "user", user, token, ...(scopes && { scopes }) })
})

for (const [name, services] of onEach(adapters)) {
  describe(`UserTokens (${name})`, () => {
    const rule = ruleOn(services)

    rule("are managed by users only", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        for (const use of [tokens.list({}), tokens.create({}), tokens.revoke("unknown")]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            Forbidden: "host",
            ok: "admin create review edit comment read guest outsider"
          })
          const actors: ReadonlyArray<Actor> = [
            host,
            { type: "integration", integration: "sync" },
            { type: "token", user: people.read, token: "t", scopes: ["user:write"] }
          ]
          for (const actor of actors) assert.strictEqual(yield* outcome(use).pipe(by(actor)), "Forbidden")
        }
      })
    )

    rule("belong to one user each, newest first", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        const first = yield* tokens.create({ name: "First" }).pipe(as(people.read))
        yield* TestClock.adjust(1)
        const second = yield* tokens.create({ name: "Second" }).pipe(as(people.read))
        const names = (user: typeof people.read) =>
          Effect.map(tokens.list({}).pipe(as(user)), ({ items }) => items.map((token) => token.name))
        assert.deepStrictEqual(yield* names(people.read), ["Second", "First"])
        assert.deepStrictEqual(yield* names(people.admin), [])
        assert.strictEqual((yield* tokens.get(first.id).pipe(as(people.read))).name, "First")
        assert.strictEqual(yield* outcome(tokens.get(second.id)).pipe(as(people.admin)), "TokenNotFound")
        yield* tokens.revoke(second.id).pipe(as(people.admin))
        assert.notProperty(yield* tokens.get(second.id).pipe(as(people.read)), "revokedAt")
      })
    )

    rule("return their secret once", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        const { token, ...created } = yield* tokens.create({}).pipe(as(people.read))
        assert.deepInclude(yield* (yield* Tokens).authenticate(token), { user: people.read, token: created.id })
        assert.deepStrictEqual(yield* tokens.get(created.id).pipe(as(people.read)), created)
      })
    )

    rule("have at most the scopes of the token that creates them", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        const request = yield* requestWith(people.read, { scopes: ["user:write", "space:content:write"] })
        const scopes = (input: TokenCreate) =>
          tokens
            .create(input)
            .pipe(Effect.match({ onSuccess: (token) => token.scopes, onFailure: ({ _tag }) => _tag }), request)
        assert.deepStrictEqual(yield* scopes({}), ["user:write", "space:content:write"])
        assert.deepStrictEqual(yield* scopes({ scopes: ["space:content:read"] }), ["space:content:read"])
        assert.strictEqual(yield* scopes({ scopes: ["user:read", "audit:read"] }), "Forbidden")
      })
    )

    rule("live at most as long as the token that creates them", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        const request = yield* requestWith(people.read, { expires: { days: 1 } })
        const expiresAt = (input: TokenCreate) =>
          tokens
            .create(input)
            .pipe(Effect.match({ onSuccess: (token) => token.expiresAt, onFailure: ({ _tag }) => _tag }), request)
        assert.strictEqual(yield* expiresAt({}), "1970-01-02T00:00:00.000Z")
        assert.strictEqual(yield* expiresAt({ expiresAt: "1970-01-01T12:00:00Z" }), "1970-01-01T12:00:00.000Z")
        assert.strictEqual(yield* expiresAt({ expiresAt: "1970-01-02T00:00:01Z" }), "Forbidden")
      })
    )

    rule("are not created with a token that was revoked meanwhile, nor in chains of more than ten", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        const create = (token: string) => tokens.create({}).pipe(by({ type: "user", user: people.read, token }))
        const { info } = yield* (yield* Tokens).create(people.read)
        let last = info.id
        for (let depth = 1; depth <= 10; depth++) last = (yield* create(last)).id
        assert.strictEqual(yield* outcome(create(last)), "Forbidden")
        yield* tokens.revoke(info.id).pipe(as(people.read))
        assert.strictEqual(yield* outcome(create(info.id)), "Forbidden")
      })
    )

    rule("of a session belong to its organization, and are invisible to other sessions", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people } = yield* members
        const tokens = yield* UserTokens
        const session = { method: "saml", signOn: { organization: org, provider: "idp", trust: "t" } } as const
        const { info } = yield* (yield* Tokens).create(people.read, { session })
        const inSession = by({ type: "user", user: people.read, token: info.id, organization: org })
        const created = yield* tokens.create({}).pipe(inSession)
        assert.deepInclude(created, { organization: org, madeWith: info.id })
        const free = yield* tokens.create({}).pipe(as(people.read))
        assert.strictEqual((yield* tokens.list({}).pipe(inSession)).count, 1)
        assert.strictEqual(yield* outcome(tokens.get(free.id)).pipe(inSession), "TokenNotFound")
        const other = by({ type: "user", user: people.read, organization: elsewhere })
        assert.strictEqual((yield* tokens.list({}).pipe(other)).count, 0)
        assert.strictEqual((yield* tokens.list({}).pipe(as(people.read))).count, 2)
      })
    )

    rule("created in a session without an organization outlive it", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        const { session } = yield* (yield* Sessions).start(people.read, { method: "password" })
        const created = yield* tokens.create({}).pipe(by({ type: "user", user: people.read, token: session.id }))
        assert.notProperty(created, "expiresAt")
        assert.notProperty(created, "madeWith")
        yield* (yield* Sessions).endAll(people.read)
        assert.deepInclude(yield* (yield* Tokens).authenticate(created.token), { user: people.read })
      })
    )

    rule("are limited to 100 valid ones per user", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        const create = tokens.create({ expiresAt: "1970-01-01T01:00:00Z" }).pipe(as(people.read))
        const { id } = yield* create
        for (let i = 1; i < 100; i++) yield* create
        assert.strictEqual(yield* outcome(create), "TooManyTokens")
        yield* tokens.revoke(id).pipe(as(people.read))
        assert.strictEqual(yield* outcome(create), "ok")
        assert.strictEqual(yield* outcome(create), "TooManyTokens")
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* outcome(tokens.create({})).pipe(as(people.read)), "ok")
      })
    )

    rule("reject invalid names, scopes and times", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        assert.deepStrictEqual(
          yield* invalidPathsOf<TokenCreate, CurrentActor>(
            [
              { name: "" },
              { name: "a".repeat(101) },
              { scopes: [] },
              { scopes: ["user:read", "user:read"] },
              { scopes: ["everything" as "user:read"] },
              { expiresAt: "1970-01-01T00:00:00Z" },
              { expiresAt: "2070-01-01T00:00:00Z" },
              { expiresAt: "tomorrow" }
            ],
            (input) => tokens.create(input)
          ).pipe(as(people.read)),
          ["name", "name", "scopes", "scopes", "scopes[0]", "expiresAt", "expiresAt", "expiresAt"]
        )
        assert.strictEqual((yield* tokens.list({}).pipe(as(people.read))).count, 0)
      })
    )

    rule("end with the token of their creation", () =>
      Effect.gen(function* () {
        const { people } = yield* members
        const tokens = yield* UserTokens
        const { token, info } = yield* (yield* Tokens).create(people.read)
        const authenticate = (secret: string) => outcome(Effect.flatMap(Tokens, (all) => all.authenticate(secret)))
        const created = yield* tokens.create({}).pipe(by({ type: "user", user: people.read, token: info.id }))
        assert.strictEqual(yield* authenticate(created.token), "ok")
        yield* tokens.revoke(info.id).pipe(as(people.read))
        assert.strictEqual(yield* authenticate(created.token), "Unauthorized")
        assert.strictEqual(yield* authenticate(Redacted.value(token)), "Unauthorized")
      })
    )
  })
}
