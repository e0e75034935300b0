/** An identity provider that lies: each part of its responses can be replaced. */
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose"

export interface Keys {
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}

export const makeKeys = (alg = "RS256"): Promise<Keys> => generateKeyPair(alg, { extractable: true })

export interface FakeOidcServer {
  readonly issuer: string
  readonly keys: Keys
  /** Fields in addition to those of the discovery document, or in place of them. */
  discovery: object
  /** Returns the response of the token endpoint for its form. */
  token: (form: URLSearchParams) => Promise<object>
  userInfo: object | undefined
  /** Responds in place of the usual response of a path. */
  respond: ((path: string, response: ServerResponse) => boolean) | undefined
  /** Paths of the requests so far. */
  readonly requests: Array<string>
  /** Signs claims with the key of the provider. Default header: RS256. */
  readonly sign: (claims: JWTPayload, header?: object, key?: CryptoKey) => Promise<string>
  readonly close: () => Promise<void>
}

export const startFakeOidcServer = async (): Promise<FakeOidcServer> => {
  const keys = await makeKeys()
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "key", use: "sig", alg: "RS256" }
  const json = (response: ServerResponse, body: object, status = 200) => {
    response.writeHead(status, { "content-type": "application/json" })
    response.end(JSON.stringify(body))
  }
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, "http://x").pathname
    fake.requests.push(path)
    if (fake.respond?.(path, response) === true) return
    if (path === "/.well-known/openid-configuration") {
      return json(response, {
        issuer: fake.issuer,
        authorization_endpoint: `${fake.issuer}/authorize`,
        token_endpoint: `${fake.issuer}/token`,
        userinfo_endpoint: `${fake.issuer}/userinfo`,
        jwks_uri: `${fake.issuer}/jwks`,
        end_session_endpoint: `${fake.issuer}/end`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
        authorization_response_iss_parameter_supported: true,
        ...fake.discovery
      })
    }
    if (path === "/jwks") return json(response, { keys: [jwk] })
    if (path === "/userinfo") return json(response, fake.userInfo ?? {}, fake.userInfo === undefined ? 401 : 200)
    if (path !== "/token") return json(response, {}, 404)
    let body = ""
    for await (const chunk of request) body += String(chunk)
    json(response, await fake.token(new URLSearchParams(body)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const fake: FakeOidcServer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    discovery: {},
    token: () => Promise.resolve({}),
    userInfo: undefined,
    respond: undefined,
    requests: [],
    sign: (claims, header = {}, key = keys.privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "key", ...header }).sign(key),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
  return fake
}
