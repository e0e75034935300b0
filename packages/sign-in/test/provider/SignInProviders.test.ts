import { CurrentActor, host } from "@lectern/core/access/Actor"
import { Organizations } from "@lectern/core/organization/Organizations"
import type { LecternOptions } from "@lectern/core/Lectern"
import { OidcProviders } from "@lectern/core/sso/OidcProviders"
import { SamlProviders } from "@lectern/core/sso/SamlProviders"
import { SignInProviders } from "@lectern/sign-in/provider/SignInProviders"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { instance } from "../Browser.ts"

const byHost = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provideService(effect, CurrentActor, host)

const found = (title: string) => Effect.flatMap(Organizations, ({ create }) => byHost(create({ title })))

/** An organization with an active provider of each protocol, and a pending one. */
const make = Effect.gen(function* () {
  const { id } = yield* found("Acme")
  const oidc = yield* OidcProviders
  const saml = yield* SamlProviders
  const company = yield* byHost(
    oidc.create(id, { label: "Company", issuer: "https://idp.example.com", clientID: "lectern" })
  )
  yield* byHost(oidc.create(id, { label: "Pending" }))
  const active = { ssoURL: "https://idp.example.com/sso", entityID: "idp", certificate: "certificate" }
  const office = yield* byHost(saml.create(id, { label: "Office", ...active }))
  return {
    id,
    company: { label: "Company", path: `/oidc/${company.id}/start`, isOfServer: false },
    office: { label: "Office", path: `/saml/${office.id}/start`, isOfServer: false }
  }
})

const list = (organization?: string) => Effect.flatMap(SignInProviders, (providers) => providers.list(organization))

describe("SignInProviders", () => {
  const test = (name: string, body: () => Effect.Effect<unknown, unknown, any>, options: LecternOptions = {}) =>
    it.effect(
      name,
      () => body().pipe(Effect.scoped, Effect.provide(instance({}, options))) as Effect.Effect<unknown, unknown>
    )

  test("lists the active providers of the only organization, or of the one that is named", () =>
    Effect.gen(function* () {
      const { id, company, office } = yield* make
      assert.deepStrictEqual(yield* list(), [company, office])
      const other = yield* found("Other")
      assert.deepStrictEqual(yield* list(), [])
      assert.deepStrictEqual(yield* list(id), [company, office])
      assert.deepStrictEqual(yield* list(other.id), [])
    }))

  test(
    "lists those of the ways that are on",
    () =>
      Effect.gen(function* () {
        const { office } = yield* make
        assert.deepStrictEqual(yield* list(), [office])
      }),
    { signInWays: ["password", "saml"] }
  )
})
