/**
 * Client of an OpenID Connect identity provider: discovery by its issuer, code flow with PKCE and a nonce, and validation of
 * the signature of ID tokens.
 *
 * Limits: 10 seconds for a response; metadata of 100 providers cached for 10 minutes; a clock tolerance of one minute.
 */
import * as oauth from "oauth4webapi"

const timeout = 10_000
/** Accepted difference of the clocks of the provider and this machine, in seconds. */
const clockTolerance = 60
const cacheLifetime = 10 * 60_000
const maxProviders = 100

export interface Settings {
  readonly issuer: string
  readonly clientId: string
  /** Client secret. Empty for a public client, which is authenticated only by PKCE. */
  readonly clientSecret: string
  readonly redirectUri: string
}

/** Values of one attempt that are verified when the visitor returns. */
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

interface CachedProvider {
  readonly server: oauth.AuthorizationServer
  readonly keys: oauth.JWKSCacheInput
  readonly until: number
}

/** Cached providers by issuer, for all installations. */
const providers = new Map<string, CachedProvider>()

/** True if a URL is on this machine, so that plain HTTP is safe. */
const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)

/** True if a text is a valid issuer: an `https` URL, or an `http` URL on this machine. */
export const isIssuer = (text: string): boolean => {
  const url = URL.parse(text)
  return url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url))
}

const requestOptions = (issuer: URL) => ({
  [oauth.allowInsecureRequests]: isLoopback(issuer),
  signal: () => AbortSignal.timeout(timeout)
})

const find = async (issuer: URL): Promise<CachedProvider> => {
  const cachedProvider = providers.get(issuer.href)
  if (cachedProvider !== undefined && cachedProvider.until > Date.now()) return cachedProvider
  const response = await oauth.discoveryRequest(issuer, requestOptions(issuer))
  const server = await oauth.processDiscoveryResponse(issuer, response)
  const provider = { server, keys: {}, until: Date.now() + cacheLifetime }
  if (providers.size >= maxProviders) providers.clear()
  providers.set(issuer.href, provider)
  return provider
}

/**
 * Fetches the keys of a provider. Removes `alg` from Ed25519 keys: RFC 9864 renamed the algorithm, and the runtime rejects
 * keys with the other name.
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

/** Returns the URL at which a visitor signs on. */
export const authorization = async (
  { issuer, clientId, redirectUri }: Settings,
  { state, nonce, verifier }: Attempt,
  scope: string
): Promise<URL> => {
  const { server } = await find(new URL(issuer))
  const url = new URL(server.authorization_endpoint!)
  const fetchOptions = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope,
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256"
  }
  for (const [name, value] of Object.entries(fetchOptions)) url.searchParams.set(name, value)
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

/** Returns the claims of a visitor from the ID token, and from the user info endpoint if a requested claim is missing. */
export const claimsOf = async (
  settings: Settings,
  { state, nonce, verifier }: Attempt,
  callback: URL,
  claimNames: ReadonlyArray<string>
): Promise<{ readonly [name: string]: unknown }> => {
  const issuer = new URL(settings.issuer)
  const { server, keys } = await find(issuer)
  const client = { client_id: settings.clientId, [oauth.clockTolerance]: clockTolerance }
  const options = requestOptions(issuer)
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
  const claims = oauth.getValidatedIdTokenClaims(tokens)!
  if (claimNames.every((name) => Object.hasOwn(claims, name)) || server.userinfo_endpoint === undefined) return claims
  const userInfo = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  return { ...(await oauth.processUserInfoResponse(server, client, claims.sub, userInfo)), ...claims }
}

const maxReason = 1_000

/** Returns the details of an error response or an authentication challenge. */
const messagesOf = (error: Error): ReadonlyArray<string> => {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return [error.error, error.error_description ?? ""]
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return [
      `status ${error.status}`,
      ...error.cause.map((challenge) => `${challenge.scheme} ${JSON.stringify(challenge.parameters)}`)
    ]
  return []
}

/** Returns the reason of a failed sign-on in one line, without tokens, codes and secrets. */
export const reasonOf = (error: unknown): string => {
  const parts =
    error instanceof Error ? [error.message, ...messagesOf(error)] : ["something else than an error was thrown"]
  return parts
    .filter((part) => part !== "")
    .join("; ")
    .replace(/\s+/g, " ")
    .slice(0, maxReason)
}

/** Returns the URL at which a visitor signs off, or undefined if the provider has none. */
export const endOfSession = async ({ issuer, clientId }: Settings, comesBackTo: string): Promise<URL | undefined> => {
  const { server } = await find(new URL(issuer))
  if (server.end_session_endpoint === undefined) return undefined
  const url = new URL(server.end_session_endpoint)
  url.searchParams.set("client_id", clientId)
  url.searchParams.set("post_logout_redirect_uri", comesBackTo)
  return url
}
