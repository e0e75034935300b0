/**
 * An identity provider, as OpenID Connect speaks with it: found by its issuer, asked with PKCE and a
 * nonce, and believed where its ID token is signed with a key that it shows.
 *
 * Limits: 10 seconds for each of its answers; what it says of itself is kept for 10 minutes, of 100 of them. Clocks
 * may differ by a minute.
 */
import * as oauth from "oauth4webapi"

const patience = 10_000
/** In seconds. */
const clockTolerance = 60
const keptFor = 10 * 60_000
const maxKept = 100

export interface Settings {
  readonly issuer: string
  readonly clientId: string
  /** Empty where the client has none, and PKCE alone proves it. */
  readonly clientSecret: string
  readonly redirectUri: string
}

/** Values that a visitor's browser brings to the provider and back. */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export const attempt = (): Attempt => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier()
})

interface Kept {
  readonly server: oauth.AuthorizationServer
  readonly keys: oauth.JWKSCacheInput
  readonly until: number
}

/** By issuer, for all sites that sign on here. */
const kept = new Map<string, Kept>()

/** Tells whether a URL is on this machine, where nobody listens in. */
const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** Tells whether a text can be the URL of a provider: by `https`, or on this machine. */
export const isIssuer = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url))
}

const asked = (issuer: URL) => ({
  [oauth.allowInsecureRequests]: isLoopback(issuer),
  signal: () => AbortSignal.timeout(patience)
})

const find = async (issuer: URL): Promise<Kept> => {
  const known = kept.get(issuer.href)
  if (known !== undefined && known.until > Date.now()) return known
  const response = await oauth.discoveryRequest(issuer, asked(issuer))
  const server = await oauth.processDiscoveryResponse(issuer, response)
  const found = { server, keys: {}, until: Date.now() + keptFor }
  if (kept.size >= maxKept) kept.clear()
  kept.set(issuer.href, found)
  return found
}

/**
 * Keys of a provider. Those on Ed25519 are good for one algorithm, of which RFC 9864 says another name than providers
 * had for it before: the runtime refuses a key with that, so they come without any.
 */
const fetchKeys = async (
  url: string,
  { method, headers, redirect, signal }: oauth.CustomFetchOptions<"GET", undefined>
) => {
  const response = await fetch(url, { method, headers, redirect, ...(signal && { signal }) })
  if (!response.ok) return response
  const text = await response.text()
  return new Response(withoutNames(text), { status: response.status, headers: response.headers })
}

const withoutNames = (text: string): string => {
  try {
    const set = JSON.parse(text)
    for (const key of set.keys) if (key.crv === "Ed25519") delete key.alg
    return JSON.stringify(set)
  } catch {
    return text
  }
}

/** URL at which a visitor signs on. */
export const authorization = async (
  { issuer, clientId, redirectUri }: Settings,
  { state, nonce, verifier }: Attempt,
  scope: string
): Promise<URL> => {
  const { server } = await find(new URL(issuer))
  const url = new URL(server.authorization_endpoint!)
  const asking = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256"
  }
  for (const [name, value] of Object.entries(asking)) url.searchParams.set(name, value)
  return url
}

const authentication = (
  { clientSecret }: Settings,
  { token_endpoint_auth_methods_supported }: oauth.AuthorizationServer
) => {
  if (clientSecret === "") return oauth.None()
  const methods = token_endpoint_auth_methods_supported ?? ["client_secret_basic"]
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret)
}

/**
 * Claims of the visitor who came back: from the ID token, and, if a wanted one is not in it, from the
 * provider's user info.
 */
export const claimsOf = async (
  settings: Settings,
  { state, nonce, verifier }: Attempt,
  callback: URL,
  wanted: ReadonlyArray<string>
): Promise<{ readonly [name: string]: unknown }> => {
  const issuer = new URL(settings.issuer)
  const { server, keys } = await find(issuer)
  const client = { client_id: settings.clientId, [oauth.clockTolerance]: clockTolerance }
  const options = asked(issuer)
  const answer = oauth.validateAuthResponse(server, client, callback, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication(settings, server),
    answer,
    settings.redirectUri,
    verifier,
    options
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true
  })
  await oauth.validateApplicationLevelSignature(server, response, {
    ...options,
    [oauth.customFetch]: fetchKeys,
    [oauth.jwksCache]: keys
  })
  const said = oauth.getValidatedIdTokenClaims(tokens)!
  if (wanted.every((name) => Object.hasOwn(said, name)) || server.userinfo_endpoint === undefined) return said
  const more = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  return { ...(await oauth.processUserInfoResponse(server, client, said.sub, more)), ...said }
}

const maxReason = 1_000

/** Parts of what a provider said of an error, or of a challenge of its. */
const saidIn = (error: Error): ReadonlyArray<string> => {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return [error.error, error.error_description ?? ""]
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return [`status ${error.status}`, ...error.cause.map((one) => `${one.scheme} ${JSON.stringify(one.parameters)}`)]
  return []
}

/** Reason why a visitor could not be signed on, on one line: nothing of a token, a code or a secret is in it. */
export const reasonOf = (error: unknown): string => {
  const parts = error instanceof Error ? [error.message, ...saidIn(error)] : ["something else than an error was thrown"]
  return parts
    .filter((part) => part !== "")
    .join("; ")
    .replace(/\s+/g, " ")
    .slice(0, maxReason)
}

/** URL at which a visitor signs off, and comes back from; undefined where the provider has none. */
export const endOfSession = async ({ issuer, clientId }: Settings, comesBackTo: string): Promise<URL | undefined> => {
  const { server } = await find(new URL(issuer))
  if (server.end_session_endpoint === undefined) return undefined
  const url = new URL(server.end_session_endpoint)
  url.searchParams.set("client_id", clientId)
  url.searchParams.set("post_logout_redirect_uri", comesBackTo)
  return url
}
