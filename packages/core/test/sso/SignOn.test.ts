/** Signing on, up to the port that speaks SAML: here it takes assertions as JSON. */
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { type Actor, CurrentActor, host } from "@lectern/core/access/Actor"
import { TokenTable } from "@lectern/core/token/Token"
import { Tokens } from "@lectern/core/token/Tokens"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { MemberTable } from "@lectern/core/organization/Member"
import { Members } from "@lectern/core/organization/Members"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { SamlProtocol } from "@lectern/core/sso/SamlProtocol"
import { SamlProviders } from "@lectern/core/sso/SamlProviders"
import { SignOn } from "@lectern/core/sso/SignOn"
import { SignOnTicketTable, SignOnUseTable } from "@lectern/core/sso/SignOnRecord"
import { Storage } from "@lectern/core/storage/Storage"
import { Teams } from "@lectern/core/team/Teams"
import type { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Redacted, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { memoryLayer, onEach } from "../Adapters.ts"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"

const speaking = Layer.succeed(
  SamlProtocol,
  SamlProtocol.of({
    problemOf: () => Effect.undefined,
    metadata: ({ entityID }) => Effect.succeed(entityID),
    requestUrl: ({ ssoURL, requestId }) => Effect.succeed(`${ssoURL}?id=${requestId}`),
    verify: ({ response }) =>
      Effect.sync(() => {
        const { attributes = {}, ...said } = JSON.parse(response)
        return { ...said, attributes: new Map(Object.entries(attributes)) }
      })
  })
)

const lectern = Lectern.layer({ hasher: NodeHasher.layer, saml: speaking })
const adapters = {
  memory: lectern.pipe(Layer.provideMerge(memoryLayer)),
  sqlite: lectern.pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename }))))
  )
}
type Services = Layer.Success<(typeof adapters)["memory"]>

const by =
  (actor: Actor) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentActor, actor)
const byHost = by(host)

const found = (title: string) => Effect.flatMap(Organizations, ({ create }) => byHost(create({ title })))

const makeProvider = Effect.fnUntraced(function* (organization: OrganizationId, more: object = {}) {
  const providers = yield* SamlProviders
  const input = { label: "IdP", ssoURL: "https://idp.example.com/sso", entityID: "idp", certificate: "c", ...more }
  return yield* byHost(providers.create(organization, input))
})

type Provider = Effect.Success<ReturnType<typeof makeProvider>>

const begin = Effect.fnUntraced(function* (
  { id }: Provider,
  options: { returnTo?: string; browserState?: string } = {}
) {
  const { url, browserState } = yield* (yield* SignOn).begin(id, options)
  return { request: new URL(url).searchParams.get("id")!, browserState: Redacted.value(browserState) }
})

/** The identity provider's answer now. */
const answer = Effect.fnUntraced(function* ({ service }: Provider, request: string, more: object = {}) {
  const now = yield* Clock.currentTimeMillis
  const notOnOrAfter = new Date(now + 300_000).toISOString()
  return JSON.stringify({
    id: `_${request}`,
    issuer: "idp",
    nameID: "ada@example.com",
    confirmations: [
      {
        method: "urn:oasis:names:tc:SAML:2.0:cm:bearer",
        recipient: service.acsURL,
        inResponseTo: request,
        notOnOrAfter
      }
    ],
    audiences: [[service.entityID]],
    ...more
  })
})

const receive = Effect.fnUntraced(function* (provider: Provider, response: string) {
  return Redacted.value((yield* (yield* SignOn).receive(provider.id, response)).code)
})

/** All the way. */
const signOn = Effect.fnUntraced(function* (provider: Provider, more: object = {}) {
  const { request, browserState } = yield* begin(provider)
  const code = yield* receive(provider, yield* answer(provider, request, more))
  return yield* (yield* SignOn).finish(provider.id, { code, browserState })
})

const authenticate = (token: Redacted.Redacted) =>
  Effect.flatMap(Tokens, (tokens) => tokens.authenticate(Redacted.value(token)))

const reasonOf = <A, E, R>(step: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(step), (error) => (error as { readonly reason?: string; readonly _tag: string }).reason ?? "")

for (const [name, services] of onEach(adapters)) {
  describe(`Signing on (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () =>
        TestClock.setTime(Date.UTC(2026, 0, 1)).pipe(
          Effect.andThen(Effect.suspend(body)),
          Effect.provide(Layer.fresh(services))
        )
      )

    test("takes who comes for the first time in, and knows who comes again", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found("Acme")
        const team = yield* byHost((yield* Teams).create(organization, { title: "Team" }))
        const provider = yield* makeProvider(organization, { defaultTeam: team.id, defaultRole: "edit" })
        const first = yield* signOn(provider, { attributes: { displayName: ["Ada"] } })
        const members = yield* Members
        const member = yield* byHost(members.get(organization, first.user))
        assert.deepInclude(member, { role: "edit", sso: true, teams: 1 })
        assert.deepInclude(member.user, { displayName: "Ada", email: "ada@example.com" })
        yield* byHost(members.changeRole(organization, first.user, "read"))
        yield* byHost((yield* Teams).remove(organization, team.id))
        const again = yield* signOn(provider, { nameID: "ADA@example.com", attributes: { displayName: ["Eve"] } })
        assert.strictEqual(again.user, first.user)
        const known = yield* byHost(members.get(organization, first.user))
        assert.deepInclude(known, { role: "read", teams: 0 })
        assert.strictEqual(known.user.displayName, "Ada")
        const other = yield* signOn(provider, { nameID: "bob@example.com" })
        assert.notStrictEqual(other.user, first.user)
        const withGuests = yield* makeProvider(organization, { defaultRole: null })
        const guest = yield* signOn(withGuests, { nameID: "guest@example.com" })
        assert.isNull((yield* byHost(members.get(organization, guest.user))).role)
      }))

    test("gives a session in the one organization alone, whoever it says that someone is", () =>
      Effect.gen(function* () {
        const [mine, theirs] = [yield* found("Mine"), yield* found("Theirs")]
        const organizations = yield* Organizations
        const victim = (yield* (yield* Users).create({ email: "boss@example.com", displayName: "Boss" })).id
        yield* organizations.join(theirs.id, victim, "admin")
        const { token, user } = yield* signOn(yield* makeProvider(mine.id), {
          nameID: "boss@example.com",
          attributes: { displayName: ["Fool"] }
        })
        assert.strictEqual(user, victim)
        const actor = yield* authenticate(token)
        assert.deepInclude(actor, { type: "user", user: victim, organization: mine.id })
        const asSession = by(actor)
        assert.deepStrictEqual(
          (yield* asSession(organizations.list({}))).items.map(({ id }) => id),
          [mine.id]
        )
        assert.strictEqual((yield* Effect.flip(asSession(organizations.get(theirs.id))))._tag, "OrganizationNotFound")
        assert.strictEqual((yield* Effect.flip(asSession(organizations.create({ title: "New" }))))._tag, "Forbidden")
        assert.strictEqual((yield* asSession(organizations.get(mine.id))).id, mine.id)
        assert.strictEqual((yield* asSession((yield* Users).me)).displayName, "Boss")
        assert.strictEqual((yield* by({ type: "user", user: victim })(organizations.list({}))).count, 2)
      }))

    test("takes nothing twice, from nobody else, and nothing that is too old", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found("Acme")
        const provider = yield* makeProvider(organization)
        const other = yield* makeProvider(organization)
        const { finish } = yield* SignOn
        const { request, browserState } = yield* begin(provider)
        const response = yield* answer(provider, request)
        const code = yield* receive(provider, response)
        assert.strictEqual(yield* reasonOf(receive(provider, response)), "used")
        const secondAssertion = yield* answer(provider, request, { id: "_second" })
        assert.strictEqual(yield* reasonOf(receive(provider, secondAssertion)), "used")
        const secondRequest = yield* answer(provider, (yield* begin(provider)).request, { id: `_${request}` })
        assert.strictEqual(yield* reasonOf(receive(provider, secondRequest)), "used")

        const stranger = (yield* begin(provider)).browserState
        assert.strictEqual(yield* reasonOf(finish(provider.id, { code, browserState: stranger })), "browser")
        for (const wrong of [undefined, "", "x", `${"x".repeat(43)}.`, `${browserState}.x`, "x".repeat(5000)]) {
          assert.strictEqual(yield* reasonOf(finish(provider.id, { code, browserState: wrong })), "browser")
        }
        assert.strictEqual(yield* reasonOf(finish(other.id, { code, browserState })), "ended")
        assert.strictEqual(yield* reasonOf(finish(provider.id, { code: "x", browserState })), "ended")
        yield* finish(provider.id, { code, browserState })
        assert.strictEqual(yield* reasonOf(finish(provider.id, { code, browserState })), "ended")

        const elsewhere = yield* answer(provider, (yield* begin(other)).request)
        assert.strictEqual(yield* reasonOf(receive(provider, elsewhere)), "request")
        for (const made of ["_x", request.slice(0, -1), `${request}x`, request.replace("_", "")]) {
          assert.strictEqual(yield* reasonOf(receive(provider, yield* answer(provider, made))), "request")
        }

        const late = yield* begin(provider)
        yield* TestClock.adjust("15 minutes")
        const justInTime = yield* receive(provider, yield* answer(provider, late.request))
        yield* TestClock.adjust(119_999)
        yield* finish(provider.id, { code: justInTime, browserState: late.browserState })
        const tooLate = yield* begin(provider)
        yield* TestClock.adjust(15 * 60_000 + 1)
        assert.strictEqual(yield* reasonOf(receive(provider, yield* answer(provider, tooLate.request))), "request")
        const slow = yield* begin(provider)
        const slowCode = yield* receive(provider, yield* answer(provider, slow.request))
        yield* TestClock.adjust("2 minutes")
        assert.strictEqual(
          yield* reasonOf(finish(provider.id, { code: slowCode, browserState: slow.browserState })),
          "ended"
        )
      }))

    test("lets a browser finish what it has begun in two windows", () =>
      Effect.gen(function* () {
        const provider = yield* makeProvider((yield* found("Acme")).id)
        const { finish } = yield* SignOn
        const one = yield* begin(provider)
        const two = yield* begin(provider, { browserState: one.browserState, returnTo: "/here" })
        const first = yield* receive(provider, yield* answer(provider, one.request))
        const second = yield* receive(provider, yield* answer(provider, two.request))
        yield* finish(provider.id, { code: first, browserState: two.browserState })
        const { returnTo } = yield* finish(provider.id, { code: second, browserState: two.browserState })
        assert.strictEqual(returnTo, "http://127.0.0.1:4000/here")
      }))

    test("ends a session with what it stands on", () =>
      Effect.gen(function* () {
        const { id: organization } = yield* found("Acme")
        const providers = yield* SamlProviders
        const organizations = yield* Organizations
        const members = (yield* Storage).repository(MemberTable)
        const provider = yield* makeProvider(organization)
        const change = (patch: object) => byHost(providers.update(organization, provider.id, patch))
        const isOpen = (token: Redacted.Redacted) =>
          Effect.match(authenticate(token), { onSuccess: () => true, onFailure: () => false })
        const session = Effect.map(signOn(provider), ({ token }) => token)

        const lasting = yield* session
        yield* TestClock.adjust(12 * 3_600_000 - 1)
        assert.isTrue(yield* isOpen(lasting))
        yield* TestClock.adjust(1)
        assert.isFalse(yield* isOpen(lasting))
        const now = yield* Clock.currentTimeMillis
        const short = yield* signOn(provider, { sessionNotOnOrAfter: new Date(now + 60_000).toISOString() })
        assert.strictEqual(Date.parse(short.expiresAt), now + 60_000)

        const first = yield* session
        yield* change({ label: "New", ssoURL: "https://idp.example.com/new", certificate: "c", defaultRole: "read" })
        assert.isTrue(yield* isOpen(first))
        const begun = yield* begin(provider)
        const code = yield* receive(provider, yield* answer(provider, begun.request))
        const unanswered = yield* begin(provider)
        yield* change({ certificate: "d" })
        assert.isFalse(yield* isOpen(first))
        assert.strictEqual(
          yield* reasonOf((yield* SignOn).finish(provider.id, { code, browserState: begun.browserState })),
          "ended"
        )
        assert.strictEqual(yield* reasonOf(receive(provider, yield* answer(provider, unanswered.request))), "request")

        const second = yield* session
        yield* change({ entityID: null })
        assert.isFalse(yield* isOpen(second))
        assert.strictEqual((yield* Effect.flip(begin(provider)))._tag, "SamlProviderPending")
        yield* change({ entityID: "idp" })
        assert.isFalse(yield* isOpen(second))

        const third = yield* session
        const { user } = yield* signOn(provider)
        yield* byHost((yield* Members).remove(organization, user))
        assert.isFalse(yield* isOpen(third))
        yield* TestClock.adjust(1)
        yield* organizations.join(organization, user, "read")
        assert.isFalse(yield* isOpen(third))

        const fourth = yield* session
        yield* members.update({ organization, user: user as UserId }, { disabled: true })
        assert.isFalse(yield* isOpen(fourth))
        assert.strictEqual(yield* reasonOf(session), "person")
        yield* members.update({ organization, user: user as UserId }, { disabled: false })

        const fifth = yield* session
        const tokens = yield* Tokens
        for (const listed of yield* tokens.list(user)) {
          assert.strictEqual(listed.organization, organization)
          yield* tokens.revoke(listed.id)
        }
        assert.isFalse(yield* isOpen(fifth))

        const sixth = yield* session
        yield* byHost(providers.remove(organization, provider.id))
        assert.isFalse(yield* isOpen(sixth))
        assert.strictEqual((yield* Effect.flip(begin(provider)))._tag, "SamlProviderNotFound")
      }))

    test("returns to this server and nowhere else", () =>
      Effect.gen(function* () {
        const provider = yield* makeProvider((yield* found("Acme")).id)
        for (const place of ["/", "/a?b=c#d", "a", "http://127.0.0.1:4000/x", "?x", ""]) {
          yield* begin(provider, { returnTo: place })
        }
        const elsewhere = [
          "https://evil.example",
          "//evil.example",
          "/\\evil.example",
          "\\\\evil.example",
          "/\t/evil.example",
          "https:evil.example",
          "http://127.0.0.1:4001/",
          "https://127.0.0.1:4000/",
          "http://127.0.0.1:4000@evil.example/",
          "http://user@127.0.0.1:4000/",
          "javascript:alert(1)",
          "data:text/html,x",
          "http://[",
          `/${"x".repeat(2000)}`
        ]
        for (const place of elsewhere) {
          assert.strictEqual((yield* Effect.flip(begin(provider, { returnTo: place })))._tag, "InvalidInput", place)
        }
      }))

    test("forgets what has ended", () =>
      Effect.gen(function* () {
        const storage = yield* Storage
        const provider = yield* makeProvider((yield* found("Acme")).id)
        const { user } = yield* signOn(provider)
        yield* (yield* Tokens).create(user, { expires: { hours: 1 } })
        yield* receive(provider, yield* answer(provider, (yield* begin(provider)).request))
        const count = Effect.gen(function* () {
          yield* (yield* JobWorker).runDue
          return [
            yield* storage.repository(SignOnUseTable).count({}),
            yield* storage.repository(SignOnTicketTable).count({}),
            yield* storage.repository(TokenTable).count({})
          ]
        })
        assert.deepStrictEqual(yield* count, [4, 1, 2])
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual(yield* count, [0, 0, 2])
        yield* TestClock.adjust("13 hours")
        assert.deepStrictEqual(yield* count, [0, 0, 1])
      }))

    test("keeps the same of several answers once, however they come", () =>
      Effect.gen(function* () {
        const provider = yield* makeProvider((yield* found("Acme")).id)
        const { request } = yield* begin(provider)
        const response = yield* answer(provider, request)
        const results = yield* Effect.all(
          Array.from({ length: 20 }, () => Effect.result(receive(provider, response))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(({ _tag }) => _tag === "Success").length, 1)
      }))
  })
}
