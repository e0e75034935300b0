/**
 * Port for WebAuthn: verifies responses of passkeys. `Passkeys` decides everything that needs rows: whether the
 * challenge was made here, whose passkey it is, and whether its counter is acceptable.
 *
 * Signatures and attestations need a library: `@lectern/services-node` contains the adapter. The default adapter
 * verifies nothing, and `isAvailable` is false.
 *
 * Adapters must guarantee: the type, the challenge and the origin of the client data, and the domain of the
 * authenticator data are the expected ones; a frame of another origin is refused; the person was present, and verified
 * if required; no response causes an outgoing request.
 */
import { Context, Effect, Layer } from "effect"
import type { AssertionResponse, CreationResponse } from "./PasskeyResponse.ts"
import { type PasskeyRefused, refused } from "./PasskeyRefused.ts"

/** Expected values of a response. */
export interface ExpectedResponse {
  /** Challenge as in the client data, in base64url. */
  readonly challenge: string
  /** Origin of this server, such as `https://docs.example.com`. */
  readonly origin: string
  /** Domain of this server, such as `docs.example.com`. */
  readonly domain: string
}

export interface VerifiedCreation {
  /** Id of the credential in base64url. */
  readonly credential: string
  /** Public key as COSE, in base64url. */
  readonly publicKey: string
  readonly counter: number
  readonly isSynced: boolean
}

export interface VerifiedAssertion {
  readonly counter: number
  /** True if the authenticator checked a PIN, a finger or a face. */
  readonly isPersonVerified: boolean
  readonly isSynced: boolean
}

export class PasskeyProtocol extends Context.Service<
  PasskeyProtocol,
  {
    /** False without an adapter. Then no passkeys can be added or used. */
    readonly isAvailable: boolean
    /** Verifies a new passkey. The person must be verified. */
    readonly verifyCreation: (
      response: CreationResponse,
      expected: ExpectedResponse
    ) => Effect.Effect<VerifiedCreation, PasskeyRefused>
    /** Verifies a use of a passkey. Does not compare the counter. */
    readonly verifyAssertion: (
      response: AssertionResponse,
      expected: ExpectedResponse & {
        readonly publicKey: string
        /** True if the person must be verified. */
        readonly needsPerson: boolean
      }
    ) => Effect.Effect<VerifiedAssertion, PasskeyRefused>
  }
>()("@lectern/sign-in/passkey/PasskeyProtocol") {
  static readonly layer = Layer.sync(PasskeyProtocol, () => {
    const unavailable = Effect.fail(
      refused("verification", "This instance of Lectern has no passkeys: its host provides no PasskeyProtocol")
    )
    return PasskeyProtocol.of({
      isAvailable: false,
      verifyCreation: () => unavailable,
      verifyAssertion: () => unavailable
    })
  })
}
