/** Providers of the whole server: who may come in, what the session is valid for, and how it ends. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { AuditEvents } from "@lectern/core/audit/AuditEvents"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Invitations } from "@lectern/core/organization/Invitations"
import { OidcProviders } from "@lectern/core/sso/OidcProviders"
import { OidcSessionTable } from "@lectern/core/sso/OidcSession"
import { OidcSignOn } from "@lectern/core/sso/OidcSignOn"
import { SamlProviders } from "@lectern/core/sso/SamlProviders"
import { ServerProvider, ServerProviderList } from "@lectern/core/sso/ServerProvider"
import { SignOn } from "@lectern/core/sso/SignOn"
import { Storage } from "@lectern/core/storage/Storage"
import { Tokens } from "@lectern/core/token/Tokens"
import { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adaptersWith, instance, type Instance } from "../Instances.ts"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { arrive, begin, finish, isOpen, issuer, logout, reasonOf, signOn, speaking } from "./SpokenOidc.ts"

const configured = Schema.decodeUnknownSync(ServerProvider)({
  id: "company",
  title: "Company",
  issuer,
  clientID: "lectern",
  clientSecret: "secret"
})
const open: ServerProvider = { ...configured, id: "open", newUsers: true, emailDomains: ["example.com"] }
const options = { oidc: speaking, oidcProviders: [configured, open] }
const company = { id: "company" }

const byHost = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, CurrentActor, host)
const found = (title: string) => Effect.flatMap(Organizations, ({ create }) => byHost(create({ title })))
const ada = Effect.flatMap(Users, ({ create }) => create({ email: "ada@example.com", displayName: "Ada" }))

/** Invites a stranger, who gets no membership before consenting. */
const invite = Effect.fnUntraced(function* (email: string) {
  const { id } = yield* found("Acme")
  const administrator = yield* (yield* Users).create({ email: "boss@example.com" })
  yield* (yield* Organizations).join(id, administrator.id, "admin")
  yield* (yield* Invitations)
    .invite(id, { emails: [email], role: "edit" })
    .pipe(Effect.provideService(CurrentActor, { type: "user", user: administrator.id }))
  return id
})

for (const [name, services] of onEach(adaptersWith(options))) {
  describe(`providers of the server (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, any>) =>
      it.effect(
        title,
        () =>
          TestClock.setTime(Date.UTC(2026, 0, 1)).pipe(
            Effect.andThen(Effect.suspend(body)),
            Effect.provide(Layer.fresh(services))
          ) as Effect.Effect<void, unknown>
      )

    test("sign in an existing user everywhere, with the audit record of a session", () =>
      Effect.gen(function* () {
        const user = yield* ada
        const organizations = yield* Effect.forEach(["One", "Two"], found)
        for (const { id } of organizations) yield* (yield* Organizations).join(id, user.id, "read")
        const session = yield* signOn(company, { email: "ADA@example.com", name: "Other" })
        assert.deepInclude(session, { user: user.id, email: "ADA@example.com" })
        assert.notProperty(session, "organization")
        const actor = yield* (yield* Tokens).authenticate(Redacted.value(session.token))
        assert.strictEqual(actor.type, "user")
        assert.notProperty(actor, "organization")
        assert.strictEqual((yield* byHost((yield* Users).get(user.id))).displayName, "Ada")
        for (const { id } of organizations) {
          const { items } = yield* byHost((yield* AuditEvents).list(id, {}))
          const record = items.find(({ action }) => action === "token_created")
          assert.deepInclude(record?.payload, { user: user.id, method: "oidc" })
        }
      }))

    test("admit nobody without an account and an invitation", () =>
      Effect.gen(function* () {
        const organization = yield* invite("grace@example.com")
        assert.strictEqual(yield* reasonOf(signOn(company)), "person")
        assert.isUndefined(yield* (yield* Users).byEmail("ada@example.com"))
        assert.strictEqual(
          yield* reasonOf(signOn(company, { email: "grace@example.com", email_verified: false })),
          "person"
        )
        const { user } = yield* signOn(company, { email: "Grace@example.com", name: "Grace" })
        const { items } = yield* (yield* Organizations)
          .list({})
          .pipe(Effect.provideService(CurrentActor, { type: "user", user }))
        assert.deepStrictEqual(
          items.map(({ id }) => id),
          [organization]
        )
        assert.strictEqual((yield* byHost((yield* Users).get(user))).displayName, "Grace")
      }))

    test("leave the invitations of an existing user to that user", () =>
      Effect.gen(function* () {
        const { id: user } = yield* ada
        yield* invite("ada@example.com")
        yield* signOn(company)
        const { items } = yield* (yield* Invitations)
          .mine({})
          .pipe(Effect.provideService(CurrentActor, { type: "user", user }))
        assert.strictEqual(items.length, 1)
      }))

    test("admit new users of the allowed domains, if they are configured so", () =>
      Effect.gen(function* () {
        const { user } = yield* signOn(open)
        assert.strictEqual((yield* (yield* Users).byEmail("ada@example.com"))?.id, user)
        assert.strictEqual(yield* reasonOf(signOn(open, { email: "ada@example.org" })), "person")
      }))

    test("are not confused with each other and with those of organizations", () =>
      Effect.gen(function* () {
        yield* ada
        const { id: organization } = yield* found("Acme")
        const stored = yield* byHost(
          (yield* OidcProviders).create(organization, {
            label: "IdP",
            issuer,
            clientID: "lectern",
            clientSecret: "secret"
          })
        )
        const begun = yield* begin(company)
        assert.strictEqual(yield* reasonOf(finish(open, begun)), "request")
        assert.strictEqual(yield* reasonOf(finish(stored, begun)), "request")
        assert.strictEqual(yield* reasonOf(finish(company, yield* begin(stored))), "request")
        yield* finish(company, begun)
        assert.strictEqual(yield* reasonOf(finish(company, begun)), "used")
        assert.strictEqual(yield* reasonOf(begin({ id: "none" })), "OidcProviderNotFound")
      }))

    test("end their sessions on a log-out", () =>
      Effect.gen(function* () {
        yield* ada
        const first = yield* signOn(company, { sid: "1" })
        const second = yield* signOn(company, { sid: "2" })
        const other = yield* signOn(open, { sid: "1" })
        yield* logout(company, { sid: "1" })
        assert.isFalse(yield* isOpen(first.token))
        assert.isTrue(yield* isOpen(second.token))
        assert.isTrue(yield* isOpen(other.token))
        assert.include(yield* (yield* OidcSignOn).signOut(Redacted.value(second.token)), `${issuer}/end`)
        assert.isFalse(yield* isOpen(second.token))
      }))

    test("wait for a second factor, which a log-out ends", () =>
      Effect.gen(function* () {
        const { id: user } = yield* ada
        const service = yield* OidcSignOn
        const due = { ticket: Redacted.make("ticket"), seconds: 600, path: "/factor" }
        let resumes = ""
        yield* service.useFactors((_, value) => Effect.sync(() => ((resumes = value), due)))
        const waiting = yield* arrive(company, yield* begin(company, { returnTo: "/docs" }), { sid: "1" })
        assert.deepInclude(waiting, { factor: due })
        assert.notProperty(waiting, "token")
        assert.match((waiting as { returnTo: string }).returnTo, /\/docs$/)
        const { token, session } = yield* service.resume(resumes, user, {})
        assert.deepInclude(session, { user, method: "oidc", factor: true })
        assert.isTrue(yield* isOpen(token))
        assert.strictEqual(yield* reasonOf(service.resume(resumes, user, {})), "ended")
        yield* logout(company, { sid: "1" })
        assert.isFalse(yield* isOpen(token))

        yield* arrive(company, yield* begin(company), { sid: "2" })
        yield* logout(company, { jti: "2", sid: "2" })
        assert.strictEqual(yield* reasonOf(service.resume(resumes, user, {})), "ended")
        yield* arrive(company, yield* begin(company))
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* reasonOf(service.resume(resumes, user, {})), "ended")
        assert.strictEqual(yield* reasonOf(service.resume("none", user, {})), "ended")
        assert.strictEqual(yield* (yield* Storage).repository(OidcSessionTable).count({}), 1)
      }))
  })
}

it.effect("a session ends when the configuration names another issuer, or no such provider", () =>
  Effect.gen(function* () {
    const storage = SqliteStorage.layer({ filename: yield* temporaryFile })
    const at = <A>(oidcProviders: ReadonlyArray<ServerProvider>, body: Effect.Effect<A, unknown, Instance>) =>
      Effect.provide(body, instance(storage, { oidc: speaking, oidcProviders }))
    const token = yield* at(
      [configured],
      Effect.map(Effect.andThen(ada, signOn(company)), ({ token }) => token)
    )
    const isValid = (...providers: ReadonlyArray<ServerProvider>) => at(providers, isOpen(token))
    assert.isTrue(yield* isValid({ ...configured, title: "New", clientSecret: Redacted.make("new") }))
    assert.isFalse(yield* isValid({ ...configured, issuer: "https://other.example.com" }))
    assert.isFalse(yield* isValid({ ...configured, clientID: "other" }))
    assert.isFalse(yield* isValid(open))
    assert.isFalse(yield* isValid())
  }).pipe(Effect.scoped)
)

it.effect("ways that are off have no start and no end", () =>
  Effect.gen(function* () {
    const { id: organization } = yield* found("Acme")
    const active = { ssoURL: "https://idp.example.com/sso", entityID: "idp", certificate: "certificate" }
    const saml = yield* byHost((yield* SamlProviders).create(organization, { label: "Office", ...active }))
    const signOns = yield* SignOn
    const browserState = undefined
    for (const step of [
      begin(company),
      (yield* OidcSignOn).finish("company", { query: "", browserState }),
      (yield* OidcSignOn).resume("x", UserId.make("x"), {}),
      signOns.begin(saml.id, {}),
      signOns.receive(saml.id, "x"),
      signOns.finish(saml.id, { code: "x", browserState })
    ]) {
      const failure = yield* Effect.flip(step as Effect.Effect<unknown, { _tag: string; message: string }>)
      if (failure._tag === "SignOnRefused") continue
      assert.match(failure._tag, /NotFound$/)
      assert.match(failure.message, /^Sign-in with (SAML|OpenID Connect) is off on this server$/)
    }
    const { items } = yield* byHost((yield* SamlProviders).logins(organization))
    assert.deepStrictEqual(items, [])
  }).pipe(Effect.provide(Layer.fresh(adaptersWith({ ...options, signInWays: ["password"] }).memory)))
)

it("a configuration has limits", () => {
  const decode = Schema.decodeUnknownSync(ServerProviderList)
  const valid = { id: "a", title: "A", issuer, clientID: "x" }
  assert.deepStrictEqual(decode([valid]), [valid])
  for (const wrong of [
    [valid, valid],
    [{ ...valid, id: "" }],
    [{ ...valid, id: "a".repeat(21) }],
    [{ ...valid, id: "A/b" }],
    [{ ...valid, title: "" }],
    [{ ...valid, issuer: "idp" }],
    [{ ...valid, scopes: ["email"] }],
    [{ id: "a" }],
    Array.from({ length: 21 }, (_, i) => ({ ...valid, id: `a${i}` }))
  ]) {
    assert.throws(() => decode(wrong))
  }
})
