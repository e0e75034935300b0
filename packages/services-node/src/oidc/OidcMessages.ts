/** Sends requests to an identity provider and verifies its tokens. `NodeOidc` loads this module on first use. */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { FetchFailed } from "@lectern/core/fetch/GuardedFetch"
import { clockSkew } from "@lectern/core/sso/AssertionRules"
import {
  type Claims,
  IdentityProviderFailed,
  type OidcClient,
  type OidcProtocol,
  type VerifiedPerson
} from "@lectern/core/sso/OidcProtocol"
import { SignOnRefused } from "@lectern/core/sso/SignOnRecord"
import { createRemoteJWKSet, customFetch, jwtVerify, type JWTVerifyGetKey } from "jose"
import { Redacted } from "effect"
import * as client from "openid-client"
import { guardedFetch } from "./OidcFetch.ts"

/** Algorithms of signatures. All use a key pair, so the public key of a provider can't sign a token. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
] as const
const isAlgorithm = (name: string): boolean => (algorithms as ReadonlyArray<string>).includes(name)

/** Metadata of an identity provider, with its keys. */
export interface DiscoveredProvider {
  readonly metadata: client.ServerMetadata
  readonly fetch: client.CustomFetch
  /** Maximum time of a request (ms). */
  readonly timeout: number
  /** Keys of log-out tokens. */
  readonly keys: JWTVerifyGetKey
  /** Keys of ID tokens, which the library fetches. Replaced after each use. */
  jwksCache: Parameters<typeof client.setJwksCache>[1] | undefined
}

type Options<Method extends keyof OidcProtocol["Service"]> = Parameters<OidcProtocol["Service"][Method]>[0]

const refusal = (reason: SignOnRefused["reason"], message: string) =>
  new SignOnRefused({ reason, message: `The response of the identity provider was rejected. ${message}` })

const providerFailure = (message: string) =>
  new IdentityProviderFailed({ message: `The identity provider can't be used: ${message}` })

/** Returns an error and its causes. */
const chainOf = (error: unknown): ReadonlyArray<unknown> => {
  const chain: Array<unknown> = []
  for (let cause = error; cause instanceof Error && chain.length < 10; cause = cause.cause) chain.push(cause)
  return chain
}

/** Name of a failure in a message: an error code of OAuth 2.0, or undefined. */
const codeIn = (text: string): string | undefined => /^[\w-]{1,50}$/.exec(text)?.[0]

type Refusal = Parameters<typeof refusal>

const claimRefusals: Readonly<Record<string, Refusal>> = {
  iss: ["issuer", "It was issued by another identity provider"],
  aud: ["audience", "Its audience is another service"],
  azp: ["audience", "Its audience is another service"],
  nonce: ["request", "It belongs to another request"],
  sub: ["person", "Its parts are about different people"]
}
const notCurrent: Refusal = ["time", "It is not valid now: it has expired, or the clocks of the two servers differ"]
const notSigned: Refusal = ["signature", "It is not signed with a key of this identity provider, or was changed since"]
const weak: Refusal = ["algorithm", "It is signed or encrypted by means that are not accepted"]
const malformed: Refusal = ["malformed", "It is not OpenID Connect"]

const refusalsByCode: Readonly<Record<string, Refusal>> = {
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: notCurrent,
  OAUTH_KEY_SELECTION_FAILED: notSigned,
  OAUTH_UNSUPPORTED_OPERATION: weak,
  ERR_JWT_EXPIRED: notCurrent,
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: notSigned,
  ERR_JWKS_NO_MATCHING_KEY: notSigned,
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: notSigned,
  ERR_JOSE_ALG_NOT_ALLOWED: weak,
  ERR_JOSE_NOT_SUPPORTED: weak,
  ERR_JWS_INVALID: malformed,
  ERR_JWT_INVALID: malformed
}

/** Facts about a failure that the libraries attach to their errors. */
interface FailureDetails {
  readonly code?: string
  readonly claim?: string
  readonly cause?: {
    readonly claim?: string
    readonly attribute?: string
    readonly body?: { readonly issuer?: unknown }
  }
}

/** Converts an error of the libraries. Messages contain no data of the response except error codes. */
export const failureOf = (error: unknown): SignOnRefused | IdentityProviderFailed => {
  const chain = chainOf(error)
  for (const each of chain) {
    if (each instanceof SignOnRefused || each instanceof IdentityProviderFailed) return each
    if (each instanceof FetchFailed) return providerFailure(each.message)
    if (each instanceof client.AuthorizationResponseError) {
      const code = codeIn(each.error)
      return refusal("status", code === undefined ? "It says that it failed" : `It says that it failed: ${code}`)
    }
    if (each instanceof client.WWWAuthenticateChallengeError) {
      return providerFailure("it does not accept the client id and the client secret that are entered here")
    }
    if (each instanceof client.ResponseBodyError) {
      // The code was used before, has expired, or was made for another request.
      return each.error === "invalid_grant"
        ? refusal("status", "The identity provider does not accept its code. Start again")
        : providerFailure(`it answered ${codeIn(each.error) ?? "with an error"} to the request for a token`)
    }
  }
  for (const each of chain as ReadonlyArray<FailureDetails>) {
    const claim = each.claim ?? each.cause?.claim ?? each.cause?.attribute ?? ""
    if (claim === "issuer") return otherIssuer(each.cause?.body?.issuer)
    const known = refusalsByCode[each.code ?? ""] ?? (claim === "" ? undefined : (claimRefusals[claim] ?? notCurrent))
    if (known !== undefined) return refusal(...known)
  }
  const messages = (chain as ReadonlyArray<Error>).map(({ message }) => message).join("\n")
  if (messages.includes('JWT "alg"')) return refusal(...weak)
  if (messages.includes("signature verification failed")) return refusal(...notSigned)
  if (messages.includes('"iss" (issuer)')) return refusal(...claimRefusals["iss"]!)
  if (messages.includes("ID Token")) return refusal("assertion", "It holds no ID token, or an incomplete one")
  const isResponse = (chain as ReadonlyArray<FailureDetails>).some(({ code }) => code === "OAUTH_INVALID_RESPONSE")
  return isResponse ? refusal(...malformed) : providerFailure("its responses are not those of OpenID Connect")
}

const otherIssuer = (issuer: unknown) =>
  providerFailure(
    typeof issuer === "string"
      ? `its discovery document names the issuer ${issuer.slice(0, 200)}. Enter the issuer exactly so`
      : "its discovery document names no issuer"
  )

export interface DiscoveryOptions {
  readonly allowedHosts: AllowedHosts
  /** True if the host of the issuer may be private. */
  readonly isTrusted: boolean
  /** Maximum time of a request (ms). */
  readonly timeout: number
}

/** Fetches and checks the discovery document of an issuer. */
export const discover = async (
  issuer: string,
  { allowedHosts, isTrusted, timeout }: DiscoveryOptions
): Promise<DiscoveredProvider> => {
  const host = new URL(issuer).hostname
  const allowed = isTrusted ? new AllowedHosts([...allowedHosts.entries, host]) : allowedHosts
  const fetch = guardedFetch(allowed, timeout)
  const config = await client.discovery(new URL(issuer), "discovery", undefined, client.None(), {
    [client.customFetch]: fetch,
    timeout: timeout / 1000,
    execute: [client.allowInsecureRequests]
  })
  const { supportsPKCE: _, ...metadata } = config.serverMetadata()
  if (metadata.issuer !== issuer) {
    throw otherIssuer(metadata.issuer)
  }
  const { authorization_endpoint, token_endpoint, jwks_uri, id_token_signing_alg_values_supported = [] } = metadata
  if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined) {
    throw providerFailure("its discovery document lacks an endpoint")
  }
  // Browsers are sent to this URL.
  if (!/^https?:$/.test(URL.parse(authorization_endpoint)?.protocol ?? "")) {
    throw providerFailure("its discovery document has an invalid endpoint")
  }
  const supported = id_token_signing_alg_values_supported.filter(isAlgorithm)
  return {
    metadata: {
      ...metadata,
      id_token_signing_alg_values_supported: supported.length === 0 ? ["RS256"] : supported,
      userinfo_signing_alg_values_supported: supported.length === 0 ? ["RS256"] : supported
    },
    fetch,
    timeout,
    keys: createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: timeout,
      [customFetch]: (url, { headers, method }) =>
        fetch(url, { headers: Object.fromEntries(headers), method, body: undefined, redirect: "manual" })
    }),
    jwksCache: undefined
  }
}

const authentication = ({ clientSecret }: OidcClient, metadata: client.ServerMetadata): client.ClientAuth => {
  if (clientSecret === undefined) return client.None()
  const secret = Redacted.value(clientSecret)
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
  return methods.includes("client_secret_basic") ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
}

/** Returns the configuration of the library. `now`: time in ms since the epoch, which replaces the machine's. */
const configure = (
  { metadata, fetch, timeout, jwksCache }: DiscoveredProvider,
  registration: OidcClient,
  now: number
) => {
  const config = new client.Configuration(
    metadata,
    registration.clientID,
    {
      [client.clockSkew]: Math.round((now - Date.now()) / 1000),
      [client.clockTolerance]: clockSkew / 1000
    },
    authentication(registration, metadata)
  )
  config[client.customFetch] = fetch
  config.timeout = timeout / 1000
  // `OidcFetch` decides where `http` is allowed.
  client.allowInsecureRequests(config)
  client.enableNonRepudiationChecks(config)
  if (jwksCache !== undefined) client.setJwksCache(config, jwksCache)
  return config
}

export const authorizationUrl = async (
  { metadata }: DiscoveredProvider,
  { client: registration, scopes, state, nonce, verifier }: Options<"authorizationUrl">
): Promise<string> => {
  const config = new client.Configuration(metadata, registration.clientID, undefined, client.None())
  client.allowInsecureRequests(config)
  return client.buildAuthorizationUrl(config, {
    redirect_uri: registration.redirectURL,
    scope: scopes.join(" "),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256"
  }).href
}

export const exchange = async (
  provider: DiscoveredProvider,
  { client: registration, query, claimNames, now, state, nonce, verifier }: Options<"exchange">
): Promise<VerifiedPerson> => {
  const config = configure(provider, registration, now)
  const response = new URL(registration.redirectURL)
  response.search = query
  const tokens = await client.authorizationCodeGrant(config, response, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true
  })
  provider.jwksCache = client.getJwksCache(config)
  const claims: Claims = { ...tokens.claims()! }
  const idToken = tokens.id_token!
  const hasAll = claimNames.every((name) => claims[name] !== undefined)
  if (hasAll || provider.metadata.userinfo_endpoint === undefined) return { claims, idToken }
  const userInfo: Claims = { ...(await client.fetchUserInfo(config, tokens.access_token, String(claims["sub"]))) }
  return { claims, userInfo, idToken }
}

export const verifyLogout = async (
  { keys, metadata }: DiscoveredProvider,
  { client: registration, token, now }: Options<"verifyLogout">
): Promise<Claims> => {
  const { payload, protectedHeader } = await jwtVerify(token, keys, {
    algorithms: [...algorithms],
    issuer: metadata.issuer,
    audience: registration.clientID,
    clockTolerance: clockSkew / 1000,
    currentDate: new Date(now)
  })
  const type = protectedHeader.typ?.toLowerCase().replace(/^application\//, "")
  if (type !== undefined && type !== "logout+jwt" && type !== "jwt")
    throw refusal("malformed", "It is no log-out token")
  return payload
}

/** Returns the URL of the end of a session; undefined if the provider has none. */
export const endSessionUrl = (
  { metadata }: DiscoveredProvider,
  {
    clientID,
    idToken,
    returnURL
  }: Pick<Options<"endSessionUrl">, "idToken" | "returnURL"> & { readonly clientID: string }
): string | undefined => {
  const url = URL.parse(metadata.end_session_endpoint ?? "")
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  url.searchParams.set("client_id", clientID)
  url.searchParams.set("post_logout_redirect_uri", returnURL)
  if (idToken !== undefined) url.searchParams.set("id_token_hint", idToken)
  return url.href
}
