import { type OidcProviderCreate, OidcProviderTable } from "@lectern/core/sso/OidcProvider"
import { OidcProviders } from "@lectern/core/sso/OidcProviders"
import { SamlProviders } from "@lectern/core/sso/SamlProviders"
import { maxProviders } from "@lectern/core/sso/SignOnProvider"
import { Storage } from "@lectern/core/storage/Storage"
import { Teams } from "@lectern/core/team/Teams"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"

const active = { issuer: "https://idp.example", clientID: "lectern" }
const administrators = {
  ok: "host admin",
  Forbidden: "create review edit comment read guest",
  OrganizationNotFound: "outsider"
}

const ready = Effect.map(Effect.all([members, OidcProviders]), ([fixture, providers]) => ({ ...fixture, providers }))

for (const [name, services] of onEach(adapters)) {
  describe(`OidcProviders (${name})`, () => {
    const rule = ruleOn(services)

    rule("are pending until the issuer and the client id are set, and offered to sign in with then", () =>
      Effect.gen(function* () {
        const { org, providers } = yield* ready
        const { logins } = yield* SamlProviders
        const { id, status, service, defaultRole } = yield* providers.create(org, { label: "Acme" })
        assert.deepStrictEqual([status, defaultRole], ["pending", "read"])
        for (const url of Object.values(service)) assert.include(url, id)
        assert.deepStrictEqual((yield* logins(org)).items, [])
        assert.strictEqual((yield* providers.update(org, id, active)).status, "active")
        assert.deepStrictEqual(
          (yield* logins(org)).items.map(({ label }) => label),
          ["Acme"]
        )
        const { status: after, ...rest } = yield* providers.update(org, id, { clientID: null })
        assert.strictEqual(after, "pending")
        assert.notProperty(rest, "clientID")
      })
    )

    rule("seal the client secret, and remove it with its issuer", () =>
      Effect.gen(function* () {
        const { org, providers } = yield* ready
        const table = (yield* Storage).repository(OidcProviderTable)
        const { id, hasClientSecret } = yield* providers.create(org, {
          label: "Acme",
          ...active,
          clientSecret: "secret"
        })
        assert.isTrue(hasClientSecret)
        const secret = Effect.map(table.get({ id }), (row) => row?.clientSecret)
        const before = yield* secret
        assert.notInclude(JSON.stringify(yield* table.get({ id })), 'secret"')
        yield* providers.update(org, id, { clientSecret: "secret", label: "Renamed" })
        assert.strictEqual(yield* secret, before)
        yield* providers.update(org, id, { clientSecret: "other" })
        assert.notStrictEqual(yield* secret, before)
        assert.isFalse((yield* providers.update(org, id, { issuer: "https://evil.example" })).hasClientSecret)
        assert.isUndefined(yield* secret)
      })
    )

    rule("are managed by administrators", () =>
      Effect.gen(function* () {
        const { org, people, providers } = yield* ready
        const { id } = yield* providers.create(org, { label: "Acme" })
        for (const operation of [
          providers.list(org, {}),
          providers.get(org, id),
          providers.create(org, { label: "More" }),
          providers.create(org, { label: "More", issuer: "https://idp.example" }),
          providers.update(org, id, { label: "Renamed" }),
          providers.remove(org, id)
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, operation), administrators)
        }
      })
    )

    rule("add new members to a team of the organization, which may be deleted later", () =>
      Effect.gen(function* () {
        const { org, elsewhere, providers } = yield* ready
        const teams = yield* Teams
        const { id: team } = yield* teams.create(org, { title: "Team" })
        const { id: foreign } = yield* teams.create(elsewhere, { title: "Foreign" })
        const { id, defaultTeam } = yield* providers.create(org, { label: "Acme", defaultTeam: team })
        assert.strictEqual(defaultTeam?.id, team)
        for (const wrong of [foreign, "missing"]) {
          const patch = { defaultTeam: wrong }
          assert.strictEqual(yield* outcome(providers.update(org, id, patch)), "InvalidDefaultTeam")
          assert.strictEqual(yield* outcome(providers.create(org, { label: "X", ...patch })), "InvalidDefaultTeam")
        }
        yield* teams.remove(org, team)
        assert.notProperty(yield* providers.get(org, id), "defaultTeam")
        assert.strictEqual(yield* outcome(providers.update(org, id, { label: "Renamed" })), "ok")
      })
    )

    rule("name teams of the organization for groups, which may be deleted later", () =>
      Effect.gen(function* () {
        const { org, elsewhere, providers } = yield* ready
        const teams = yield* Teams
        const { id: team } = yield* teams.create(org, { title: "Team" })
        const { id: foreign } = yield* teams.create(elsewhere, { title: "Foreign" })
        const groups = [{ group: "staff", teams: [team] }]
        const { id } = yield* providers.create(org, { label: "Acme", groups })
        for (const wrong of [foreign, "missing"]) {
          const patch = { groups: [{ group: "staff", teams: [wrong] }] }
          assert.strictEqual(yield* outcome(providers.update(org, id, patch)), "InvalidInput")
          assert.strictEqual(yield* outcome(providers.create(org, { label: "X", ...patch })), "InvalidInput")
        }
        yield* teams.remove(org, team)
        const more = [...groups, { group: "leads" }]
        assert.deepStrictEqual((yield* providers.update(org, id, { groups: more })).groups, more)
      })
    )

    rule("are found in their organization only", () =>
      Effect.gen(function* () {
        const { org, elsewhere, providers } = yield* ready
        const { id } = yield* providers.create(org, { label: "Acme" })
        assert.strictEqual(yield* outcome(providers.get(elsewhere, id)), "OidcProviderNotFound")
        assert.strictEqual(yield* outcome(providers.update(elsewhere, id, {})), "OidcProviderNotFound")
        yield* providers.remove(elsewhere, id)
        assert.strictEqual((yield* providers.get(org, id)).id, id)
      })
    )

    rule("reject invalid input", () =>
      Effect.gen(function* () {
        const { org, providers } = yield* ready
        const { id } = yield* providers.create(org, { label: "x".repeat(30) })
        for (const input of [
          { label: "" },
          { label: "x".repeat(31) },
          { issuer: "javascript:alert(1)" },
          { issuer: "https://user@idp.example/" },
          { issuer: "https://idp.example/?tenant=1" },
          { clientID: "x".repeat(1_025) },
          { clientSecret: "a\u0000b" },
          { scopes: ["email"] },
          { groups: [{ group: "a" }, { group: "a" }] },
          { defaultRole: "owner" }
        ] as ReadonlyArray<Partial<OidcProviderCreate>>) {
          assert.strictEqual(yield* outcome(providers.create(org, { label: "Acme", ...input })), "InvalidInput")
          assert.strictEqual(yield* outcome(providers.update(org, id, input)), "InvalidInput")
        }
        assert.strictEqual((yield* providers.list(org, {})).count, 1)
      })
    )

    rule("emit an event for each change, and none without a change", () =>
      Effect.gen(function* () {
        const { org, providers } = yield* ready
        assert.deepStrictEqual(yield* emitted(providers.create(org, { label: "A" })), ["oidc_provider_created"])
        const { id } = (yield* providers.list(org, {})).items[0]!
        const update = providers.update(org, id, { ...active, defaultRole: null })
        assert.deepStrictEqual(yield* emitted(update), ["oidc_provider_updated"])
        assert.deepStrictEqual(yield* emitted(update), [])
        const remove = providers.remove(org, id)
        assert.deepStrictEqual(yield* emitted(remove), ["oidc_provider_deleted"])
        assert.deepStrictEqual(yield* emitted(remove), [])
      })
    )

    rule("are listed oldest first, and are at most 100", () =>
      Effect.gen(function* () {
        const { org, providers } = yield* ready
        const { id } = yield* providers.create(org, { label: "First" })
        yield* TestClock.adjust("1 second")
        yield* providers.create(org, { label: "Second" })
        const first = yield* providers.list(org, { limit: 1 })
        const rest = yield* providers.list(org, { limit: 1, page: first.next!.page })
        assert.deepStrictEqual(
          [...first.items, ...rest.items].map(({ label }) => label),
          ["First", "Second"]
        )
        const table = (yield* Storage).repository(OidcProviderTable)
        const [row] = yield* table.list({ where: { id } })
        for (let i = 2; i < maxProviders; i++) yield* table.insert({ ...row!, id: `x${i}` as typeof id })
        assert.strictEqual(yield* outcome(providers.create(org, { label: "Late" })), "TooManyOidcProviders")
      })
    )
  })
}
