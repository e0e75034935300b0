/** Signing on by OpenID Connect, up to the port: here a code is the claims of its ID token as JSON. */
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { Members } from "@lectern/core/organization/Members"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { OidcProviders } from "@lectern/core/sso/OidcProviders"
import { OidcSessionTable } from "@lectern/core/sso/OidcSession"
import { OidcSignOn } from "@lectern/core/sso/OidcSignOn"
import { SignOnUseTable } from "@lectern/core/sso/SignOnRecord"
import { Storage } from "@lectern/core/storage/Storage"
import { Teams } from "@lectern/core/team/Teams"
import { Tokens } from "@lectern/core/token/Tokens"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { memoryLayer, onEach } from "../Adapters.ts"
import { begin, finish, isOpen, issuer, logout, reasonOf, signOn, speaking } from "./SpokenOidc.ts"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"

const lectern = Lectern.layer({ hasher: NodeHasher.layer, oidc: speaking })
const adapters = {
  memory: lectern.pipe(Layer.provideMerge(memoryLayer)),
  sqlite: lectern.pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename }))))
  )
}
type Services = Layer.Success<(typeof adapters)["memory"]>

const byHost = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, CurrentActor, host)

const found = Effect.flatMap(Organizations, ({ create }) => byHost(create({ title: "Acme" })))

const makeProvider = Effect.fnUntraced(function* (organization: OrganizationId, more: object = {}) {
  const input = { label: "IdP", issuer, clientID: "lectern", clientSecret: "secret", ...more }
  return yield* byHost((yield* OidcProviders).create(organization, input))
})

for (const [name, services] of onEach(adapters)) {
  describe(`OidcSignOn (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () =>
        TestClock.setTime(Date.UTC(2026, 0, 1)).pipe(
          Effect.andThen(Effect.suspend(body)),
          Effect.provide(Layer.fresh(services))
        )
      )

    test("takes who comes for the first time in, for this organization", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found
        const team = yield* byHost((yield* Teams).create(organization, { title: "Team" }))
        const provider = yield* makeProvider(organization, { defaultTeam: team.id, defaultRole: "edit" })
        const first = yield* signOn(provider, { name: "Ada" })
        const member = yield* byHost((yield* Members).get(organization, first.user))
        assert.deepInclude(member, { role: "edit", sso: true, teams: 1 })
        assert.deepInclude(member.user, { displayName: "Ada", email: "ada@example.com" })
        const actor = yield* (yield* Tokens).authenticate(Redacted.value(first.token))
        assert.deepInclude(actor, { type: "user", user: first.user, organization })
        assert.strictEqual((yield* signOn(provider, { email: "ADA@example.com" })).user, first.user)
      }))

    test("makes other secrets for each request, which only this browser can use", () =>
      Effect.gen(function* () {
        const provider = yield* makeProvider((yield* found).id)
        const one = yield* begin(provider)
        const two = yield* begin(provider, { browserState: one.browserState })
        const values = [one, two].flatMap(({ state, nonce, verifier }) => [state, nonce, verifier])
        assert.strictEqual(new Set(values).size, 6)
        for (const { nonce, verifier } of [one, two]) {
          assert.match(nonce, /^[\w-]{43}$/)
          assert.match(verifier, /^[\w-]{43}$/)
        }
        // Both windows of one browser can finish.
        yield* finish(provider, one)
        yield* finish(provider, { ...two, browserState: one.browserState })
      }))

    test("takes nothing twice, from another browser, for another provider, or too late", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found
        const provider = yield* makeProvider(organization)
        const other = yield* makeProvider(organization)
        const begun = yield* begin(provider)
        const stranger = yield* begin(provider)
        assert.strictEqual(
          yield* reasonOf(finish(provider, { ...begun, browserState: stranger.browserState })),
          "browser"
        )
        assert.strictEqual(yield* reasonOf(finish(provider, { ...begun, browserState: "x" })), "browser")
        assert.strictEqual(yield* reasonOf(finish(other, begun)), "request")
        assert.strictEqual(yield* reasonOf(finish(provider, { ...begun, state: `${begun.state}x` })), "request")
        assert.strictEqual(yield* reasonOf(finish(provider, { ...begun, nonce: stranger.nonce })), "request")
        yield* finish(provider, begun)
        assert.strictEqual(yield* reasonOf(finish(provider, begun)), "used")
        const late = yield* begin(provider)
        yield* TestClock.adjust(15 * 60_000 + 1)
        assert.strictEqual(yield* reasonOf(finish(provider, late)), "request")
        const changed = yield* begin(provider)
        yield* byHost((yield* OidcProviders).update(organization, provider.id, { clientID: "other" }))
        assert.strictEqual(yield* reasonOf(finish(provider, changed)), "request")
      }))

    test("refuses what the claims do not allow", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found
        const provider = yield* makeProvider(organization, { emailDomains: ["example.com"] })
        const members = Effect.flatMap(Members, (service) => byHost(service.list(organization, {})))
        const before = (yield* members).count
        for (const [more, reason] of [
          [{ iss: "https://other.example.com" }, "issuer"],
          [{ aud: "other" }, "audience"],
          [{ email_verified: false }, "person"],
          [{ email: "ada@example.org" }, "person"],
          [{ exp: 1 }, "time"]
        ] as const) {
          assert.strictEqual(yield* reasonOf(signOn(provider, more)), reason)
        }
        assert.strictEqual((yield* members).count, before)
        assert.strictEqual(yield* reasonOf(begin(provider, { returnTo: "https://evil.example" })), "InvalidInput")
        assert.strictEqual(yield* reasonOf(begin({ id: "none" as never })), "OidcProviderNotFound")
        const pending = yield* byHost((yield* OidcProviders).create(organization, { label: "Pending" }))
        assert.strictEqual(yield* reasonOf(begin(pending)), "OidcProviderPending")
      }))

    test("gives the teams and the role of the groups at each sign-in, and no others", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found
        const teams = yield* Teams
        const [writers, leads, own] = yield* Effect.forEach(["Writers", "Leads", "Own"], (title) =>
          byHost(teams.create(organization, { title }))
        )
        const members = yield* Members
        const provider = yield* makeProvider(organization, {
          defaultRole: "read",
          groupsClaim: "groups",
          groups: [
            { group: "staff", role: "edit", teams: [writers!.id] },
            { group: "leads", role: "admin", teams: [leads!.id] }
          ]
        })
        const rightsWith = Effect.fnUntraced(function* (groups: ReadonlyArray<string>) {
          const { user } = yield* signOn(provider, { groups })
          const { role } = yield* byHost(members.get(organization, user))
          const { items } = yield* byHost(teams.listOfMember(organization, user, {}))
          return [role, items.map(({ team }) => team.title).toSorted()] as const
        })
        const { user } = yield* signOn(provider)
        assert.deepStrictEqual(yield* rightsWith([]), ["read", []])
        assert.deepStrictEqual(yield* rightsWith(["staff", "other"]), ["edit", ["Writers"]])
        yield* byHost(teams.putMember(organization, own!.id, user, {}))
        // The only administrator keeps the role, and teams that no group names stay.
        assert.deepStrictEqual(yield* rightsWith(["leads"]), ["admin", ["Leads", "Own"]])
        assert.deepStrictEqual(yield* rightsWith(["staff"]), ["admin", ["Own", "Writers"]])
        const boss = yield* signOn(provider, { email: "boss@example.com", sub: "boss", groups: ["leads"] })
        assert.strictEqual((yield* byHost(members.get(organization, boss.user))).role, "admin")
        assert.deepStrictEqual(yield* rightsWith(["staff"]), ["edit", ["Own", "Writers"]])
        // What an administrator gave by hand lasts until the next sign-in.
        yield* byHost(members.changeRole(organization, user, "create"))
        assert.deepStrictEqual(yield* rightsWith([]), ["read", ["Own"]])
        assert.strictEqual(yield* reasonOf(signOn(provider, { _claim_names: { groups: "x" } })), "groups")
        yield* byHost(teams.remove(organization, writers!.id))
        assert.deepStrictEqual(yield* rightsWith(["staff"]), ["edit", ["Own"]])
      }))

    test("ends the sessions that the identity provider names", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found
        const provider = yield* makeProvider(organization)
        const other = yield* makeProvider(organization)
        const first = yield* signOn(provider, { sid: "1" })
        const second = yield* signOn(provider, { sid: "2" })
        const elsewhere = yield* signOn(other, { sid: "1" })
        const eve = yield* signOn(provider, { sub: "eve", email: "eve@example.com", sid: "3" })
        yield* logout(provider, { sid: "1" })
        assert.isFalse(yield* isOpen(first.token))
        for (const { token } of [second, elsewhere, eve]) assert.isTrue(yield* isOpen(token))
        // The same token again, and tokens of and for others.
        assert.strictEqual(yield* reasonOf(logout(provider, { sid: "2" })), "used")
        assert.strictEqual(yield* reasonOf(logout(provider, { jti: "2", iss: "https://other.example.com" })), "issuer")
        assert.strictEqual(yield* reasonOf(logout(provider, { jti: "2", aud: "other", sid: "2" })), "audience")
        yield* logout(provider, { jti: "3", sub: "eve", sid: "2" })
        assert.isTrue(yield* isOpen(second.token))
        yield* logout(provider, { jti: "4", sub: "ada" })
        assert.isFalse(yield* isOpen(second.token))
        for (const { token } of [elsewhere, eve]) assert.isTrue(yield* isOpen(token))

        const { frontchannelLogout } = yield* OidcSignOn
        const front = (session?: string, from = issuer) => frontchannelLogout(provider.id, { issuer: from, session })
        assert.strictEqual(yield* reasonOf(front("3", "https://other.example.com")), "issuer")
        assert.strictEqual(yield* reasonOf(front()), "malformed")
        yield* front("4")
        assert.isTrue(yield* isOpen(eve.token))
        assert.strictEqual(yield* front("3"), issuer)
        assert.isFalse(yield* isOpen(eve.token))
      }))

    test("signs out here and at the identity provider, with the ID token of the session", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found
        const provider = yield* makeProvider(organization)
        const begun = yield* begin(provider)
        const { token } = yield* finish(provider, begun)
        const { signOut } = yield* OidcSignOn
        const secret = Redacted.value(token)
        assert.isUndefined(yield* signOut(""))
        assert.isUndefined(yield* signOut("x"))
        assert.isTrue(yield* isOpen(token))
        const url = yield* signOut(secret)
        assert.strictEqual(url, `${issuer}/end token ${begun.verifier} ${provider.service.postLogoutRedirectURL}`)
        assert.isFalse(yield* isOpen(token))
        assert.isUndefined(yield* signOut(secret))
      }))

    test("ends with the provider, and forgets what has ended", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found
        const providers = yield* OidcProviders
        const provider = yield* makeProvider(organization)
        const { token } = yield* signOn(provider)
        yield* byHost(providers.update(organization, provider.id, { label: "New", clientSecret: "secret" }))
        assert.isTrue(yield* isOpen(token))
        yield* byHost(providers.update(organization, provider.id, { clientID: "new" }))
        assert.isFalse(yield* isOpen(token))
        const storage = yield* Storage
        const rows = Effect.all([
          storage.repository(SignOnUseTable).count({}),
          storage.repository(OidcSessionTable).count({})
        ])
        const { runDue } = yield* JobWorker
        yield* runDue
        assert.deepStrictEqual(yield* rows, [1, 1])
        yield* TestClock.adjust("13 hours")
        yield* runDue
        assert.deepStrictEqual(yield* rows, [0, 0])
      }))
  })
}
