/** Passkeys by the library. `packages/sign-in` tests the rules with it. */
import { assert, describe, it } from "@effect/vitest"
import { PasskeyProtocol } from "@lectern/sign-in/passkey/PasskeyProtocol"
import { creationOptions } from "@lectern/sign-in/passkey/PasskeyOptions"
import { parseCreation } from "@lectern/sign-in/passkey/PasskeyResponse"
import { UserId } from "@lectern/core/user/User"
import { Effect } from "effect"
import {
  certificateAttestation,
  type Forgery,
  SoftwareAuthenticator
} from "../../sign-in/test/SoftwareAuthenticator.ts"
import { NodePasskeys } from "../src/passkey/NodePasskeys.ts"

const options = creationOptions({
  challenge: "challenge",
  domain: "localhost",
  user: { id: UserId.make("ada"), email: "ada@example.com", displayName: "Ada" },
  passkeys: []
})

const verify = Effect.fnUntraced(function* (forgery: Forgery = {}) {
  const response = yield* parseCreation(new SoftwareAuthenticator().create(options, forgery))
  const expected = { challenge: options.challenge, origin: "http://localhost:4000", domain: "localhost" }
  return yield* (yield* PasskeyProtocol).verifyCreation(response, expected)
})

describe("NodePasskeys", () => {
  it.effect("returns the public key of a new passkey", () =>
    Effect.gen(function* () {
      const { counter, isSynced, publicKey } = yield* verify()
      assert.deepStrictEqual({ counter, isSynced }, { counter: 0, isSynced: true })
      assert.match(publicKey, /^[\w-]{90,}$/)
    }).pipe(Effect.provide(NodePasskeys.layer))
  )

  it.effect("refuses certificates before it reads them, since they name URLs to fetch", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(verify({ attestation: certificateAttestation(Buffer.alloc(300)) }))
      assert.strictEqual(refusal.message, "Unexpected attestation packed")
    }).pipe(Effect.provide(NodePasskeys.layer))
  )

  it.effect("says which value of a response is wrong, for the log", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.flip(verify({ origin: "https://evil.example" }))
      assert.include(refusal.message, "origin")
      assert.strictEqual(refusal.reason, "verification")
    }).pipe(Effect.provide(NodePasskeys.layer))
  )
})
