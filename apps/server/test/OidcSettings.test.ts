/** The setting with the OpenID Connect providers of the server: its form, and its messages, which contain no secret. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { oidcProviders } from "../src/settings/OidcSettings.ts"

const parse = (text: string) =>
  oidcProviders({ oidcProviders: Redacted.make(text) } as Parameters<typeof oidcProviders>[0])

const company = { id: "company", title: "Company", issuer: "https://idp.example.com", clientID: "lectern" }

describe("LECTERN_OIDC_PROVIDERS", () => {
  it.effect("is a JSON list, with redacted secrets", () =>
    Effect.gen(function* () {
      const [provider] = yield* parse(JSON.stringify([{ ...company, clientSecret: "secret" }]))
      assert.deepInclude(provider, company)
      assert.strictEqual(Redacted.value(provider!.clientSecret!), "secret")
      assert.notInclude(String(JSON.stringify(provider)), '"secret"')
      assert.deepStrictEqual(yield* parse("[]"), [])
    })
  )

  it.effect("names the first problem, without the text of the setting", () =>
    Effect.gen(function* () {
      for (const [text, problem] of [
        ["{", "JSON"],
        ['"the secret"', "rray"],
        [JSON.stringify([{ ...company, secret: "the secret" }]), "[0].secret: Unknown field"],
        [JSON.stringify([{ ...company, id: "A" }]), "[0].id: Expected lower-case letters"],
        [JSON.stringify([{ ...company, clientSecret: 1 }]), "[0].clientSecret"],
        [JSON.stringify([{ ...company, clientSecret: "the secret\n" }]), "[0].clientSecret"],
        [JSON.stringify([company, company]), "Expected each id once"]
      ] as const) {
        const { message } = yield* Effect.flip(parse(text))
        assert.match(message, /^LECTERN_OIDC_PROVIDERS can't be used\. /)
        assert.include(message, problem)
        assert.notInclude(message, "the secret")
      }
    })
  )
})
