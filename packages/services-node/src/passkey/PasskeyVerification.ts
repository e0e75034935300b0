/** Verifies responses of passkeys. `NodePasskeys` loads this module on first use. Functions throw for refused responses. */
import type { ExpectedResponse, VerifiedAssertion, VerifiedCreation } from "@lectern/sign-in/passkey/PasskeyProtocol"
import type { AssertionResponse, CreationResponse } from "@lectern/sign-in/passkey/PasskeyResponse"
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server"
import { decodeAttestationObject, decodeClientDataJSON } from "@simplewebauthn/server/helpers"

/** COSE numbers of Ed25519, ES256 and RS256. */
const algorithms = [-8, -7, -257]

export const verifyCreation = async (
  response: CreationResponse,
  { challenge, origin, domain }: ExpectedResponse
): Promise<VerifiedCreation> => {
  const { clientDataJSON, attestationObject } = response.response
  requireOwnFrame(clientDataJSON)
  requireNoCertificates(attestationObject)
  const { registrationInfo, verified } = await verifyRegistrationResponse({
    response: {
      id: response.id,
      rawId: response.rawId,
      type: response.type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {}
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: domain,
    expectedType: "webauthn.create",
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms
  })
  if (!verified) throw new Error("The attestation of the passkey is wrong")
  const { credential, credentialBackedUp } = registrationInfo
  if (credential.id !== response.id) throw new Error("The passkey has two ids")
  return {
    credential: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    isSynced: credentialBackedUp
  }
}

export const verifyAssertion = async (
  response: AssertionResponse,
  {
    challenge,
    origin,
    domain,
    publicKey,
    needsPerson
  }: ExpectedResponse & {
    readonly publicKey: string
    readonly needsPerson: boolean
  }
): Promise<VerifiedAssertion> => {
  const { clientDataJSON, authenticatorData, signature } = response.response
  requireOwnFrame(clientDataJSON)
  const { authenticationInfo, verified } = await verifyAuthenticationResponse({
    response: {
      id: response.id,
      rawId: response.rawId,
      type: response.type,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {}
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: domain,
    expectedType: "webauthn.get",
    requireUserVerification: needsPerson,
    // The service compares the counter in the transaction that stores it. With 0 the library compares nothing.
    credential: { id: response.id, publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")), counter: 0 }
  })
  if (!verified) throw new Error("The signature of the passkey is wrong")
  return {
    counter: authenticationInfo.newCounter,
    isPersonVerified: authenticationInfo.userVerified,
    isSynced: authenticationInfo.credentialBackedUp
  }
}

/** Rejects responses that were created in a frame of another origin. */
const requireOwnFrame = (clientDataJSON: string) => {
  const { crossOrigin } = decodeClientDataJSON(clientDataJSON)
  if (crossOrigin === true) throw new Error("The passkey was used in a frame of another origin")
}

const requireNoCertificates = (attestationObject: string) => {
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, "base64url")))
  const format = attestation.get("fmt")
  const isSelfSigned = format === "packed" && attestation.get("attStmt").get("x5c") === undefined
  if (format !== "none" && !isSelfSigned) throw new Error(`Unexpected attestation ${String(format).slice(0, 50)}`)
}
