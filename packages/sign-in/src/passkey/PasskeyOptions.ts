/**
 * Options for `navigator.credentials` as JSON, which a script of the page passes to the browser, and the domain that
 * passkeys of this server are bound to.
 *
 * A passkey is discoverable, so that people sign in without their address, and verifies the person, so that it is
 * enough on its own. No attestation is requested: any authenticator is welcome. Algorithms: Ed25519, ES256, RS256.
 */
import type { PasskeyRow } from "@lectern/core/sign-in/Passkey"
import type { UserRow } from "@lectern/core/user/User"
import { Base64Url } from "effect/encoding"
import { challengeLifetime } from "./PasskeyChallenges.ts"

/** COSE numbers of Ed25519, ES256 and RS256. */
const algorithms = [-8, -7, -257]

type Credential = Pick<PasskeyRow, "credential" | "transports">

/** `PublicKeyCredentialCreationOptionsJSON`. */
export interface CreationOptions {
  readonly challenge: string
  readonly rp: { readonly id: string; readonly name: string }
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly pubKeyCredParams: ReadonlyArray<{ readonly type: "public-key"; readonly alg: number }>
  readonly excludeCredentials: ReadonlyArray<CredentialDescriptor>
  readonly authenticatorSelection: {
    readonly residentKey: "required"
    readonly requireResidentKey: true
    readonly userVerification: "required"
  }
  readonly attestation: "none"
  readonly timeout: number
}

/** `PublicKeyCredentialRequestOptionsJSON`. */
export interface RequestOptions {
  readonly challenge: string
  readonly rpId: string
  /** Passkeys that may answer. Empty if any passkey of this domain may. */
  readonly allowCredentials: ReadonlyArray<CredentialDescriptor>
  readonly userVerification: "required" | "preferred"
  readonly timeout: number
}

interface CredentialDescriptor {
  readonly type: "public-key"
  readonly id: string
  readonly transports: ReadonlyArray<string>
}

const descriptorOf = ({ credential, transports }: Credential): CredentialDescriptor => ({
  type: "public-key",
  id: credential,
  transports
})

export const creationOptions = (options: {
  readonly challenge: string
  readonly domain: string
  readonly user: Pick<UserRow, "id" | "email" | "displayName">
  readonly passkeys: ReadonlyArray<Credential>
}): CreationOptions => ({
  challenge: Base64Url.encode(options.challenge),
  rp: { id: options.domain, name: "Lectern" },
  user: {
    id: Base64Url.encode(options.user.id),
    name: options.user.email,
    displayName: options.user.displayName
  },
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  excludeCredentials: options.passkeys.map(descriptorOf),
  authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
  attestation: "none",
  timeout: challengeLifetime
})

export const requestOptions = (options: {
  readonly challenge: string
  readonly domain: string
  /** Passkeys that may answer. Undefined if any passkey of this domain may sign its owner in. */
  readonly passkeys: ReadonlyArray<Credential> | undefined
}): RequestOptions => ({
  challenge: Base64Url.encode(options.challenge),
  rpId: options.domain,
  allowCredentials: options.passkeys?.map(descriptorOf) ?? [],
  userVerification: options.passkeys === undefined ? "required" : "preferred",
  timeout: challengeLifetime
})

/**
 * Returns the domain that passkeys of a server are bound to. Undefined if browsers create no passkeys there: at an IP
 * address, and over plain HTTP except on `localhost`.
 */
export const passkeyDomain = (publicUrl: string): string | undefined => {
  const { protocol, hostname } = new URL(publicUrl)
  if (hostname === "localhost" || hostname.endsWith(".localhost")) return hostname
  if (protocol !== "https:" || hostname.startsWith("[") || /^[\d.]+$/.test(hostname)) return undefined
  return hostname
}
