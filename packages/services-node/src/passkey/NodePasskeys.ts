/**
 * Implements `PasskeyProtocol` with `@simplewebauthn/server`. The library is loaded at the first use of a passkey, so a
 * server without passkeys never loads it.
 *
 * Accepted are Ed25519, ES256 and RS256. Attestations with certificates are refused, since Lectern requests no
 * attestation, and the library would fetch the revocation lists that their certificates name.
 */
import { PasskeyProtocol } from "@lectern/sign-in/passkey/PasskeyProtocol"
import { PasskeyRefused, refused } from "@lectern/sign-in/passkey/PasskeyRefused"
import { Effect, Layer } from "effect"

const verification = Effect.promise(() => import("./PasskeyVerification.ts"))

/** Turns every failure of the library into a refusal: it throws for each response that it doesn't accept. */
const verified = <A>(verify: () => Promise<A>): Effect.Effect<A, PasskeyRefused> =>
  Effect.tryPromise({
    try: verify,
    catch: (thrown) => refused("verification", thrown instanceof Error ? thrown.message : String(thrown))
  })

const layer = Layer.succeed(
  PasskeyProtocol,
  PasskeyProtocol.of({
    isAvailable: true,
    verifyCreation: (response, expected) =>
      Effect.flatMap(verification, ({ verifyCreation }) => verified(() => verifyCreation(response, expected))),
    verifyAssertion: (response, expected) =>
      Effect.flatMap(verification, ({ verifyAssertion }) => verified(() => verifyAssertion(response, expected)))
  })
)

export const NodePasskeys = { layer }
