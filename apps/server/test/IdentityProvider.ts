/** An identity provider on the loopback that speaks OpenID Connect, strict, or wrong in the way that it is told to be. */
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { listen, type Loopback } from "./Loopback.ts"

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const pair = () => generateKeyPairSync("rsa", { modulusLength: 2048 })

/** Both names of the algorithm of a key on Ed25519, the latter of RFC 9864. */
const edwards = ["EdDSA", "Ed25519"] as const

type Claims = Record<string, unknown>

interface Asked {
  readonly challenge: string
  readonly nonce: string
  readonly redirectUri: string
}

const textOf = async (request: IncomingMessage) => {
  let text = ""
  for await (const chunk of request) text += chunk
  return text
}

export class IdentityProvider {
  readonly client = { id: "docs site", secret: "s3cret: +/%" }
  /** Of whoever signs on: what the ID token says, and what is said beside it. */
  readonly said: Claims = { sub: "ada", email: "ada@example.com" }
  readonly beside: Claims = { groups: ["beta"] }
  readonly issuer: string
  /** Forges the ID token. */
  forge: (header: Claims, claims: Claims) => void = () => {}
  /** Name of the algorithm that it signs by. */
  algorithm: "RS256" | (typeof edwards)[number] = "RS256"
  /** Signs with a key that it doesn't show. */
  hasOtherKey = false
  redirectUri = ""
  readonly close: Loopback["close"]
  readonly #keys = pair()
  readonly #others = pair()
  readonly #edwards = generateKeyPairSync("ed25519")
  readonly #codes = new Map<string, Asked>()

  private constructor({ url, close }: Loopback) {
    this.issuer = url
    this.close = close
  }

  static async open(): Promise<IdentityProvider> {
    let provider: IdentityProvider
    const server = createServer((request, response) => {
      void textOf(request).then((body) => {
        const answer = provider.#answer(new URL(request.url!, provider.issuer), request, body)
        if (answer instanceof URL) return response.writeHead(302, { location: answer.href }).end()
        response.writeHead("error" in answer ? 400 : 200, { "content-type": "application/json" })
        return response.end(JSON.stringify(answer))
      })
    })
    provider = new IdentityProvider(await listen(server))
    return provider
  }

  #answer(url: URL, { headers }: IncomingMessage, body: string): object {
    switch (url.pathname) {
      case "/.well-known/openid-configuration":
        return {
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          userinfo_endpoint: `${this.issuer}/userinfo`,
          jwks_uri: `${this.issuer}/keys`,
          end_session_endpoint: `${this.issuer}/logout`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
          id_token_signing_alg_values_supported: ["RS256", ...edwards]
        }
      case "/keys":
        return {
          keys: [
            { ...this.#keys.publicKey.export({ format: "jwk" }), kid: "RS256", use: "sig", alg: "RS256" },
            ...edwards.map((alg) => ({
              ...this.#edwards.publicKey.export({ format: "jwk" }),
              kid: alg,
              use: "sig",
              alg
            }))
          ]
        }
      case "/authorize":
        return this.#authorize(url.searchParams)
      case "/token":
        return this.#token(new URLSearchParams(body), headers.authorization ?? "")
      case "/userinfo":
        return headers.authorization === "Bearer access" ? { ...this.said, ...this.beside } : { error: "invalid_token" }
      default:
        return { error: "not_found" }
    }
  }

  #authorize(asked: URLSearchParams): object {
    const of = (name: string) => asked.get(name) ?? ""
    const isRight =
      of("client_id") === this.client.id &&
      of("redirect_uri") === this.redirectUri &&
      of("response_type") === "code" &&
      of("scope").split(" ").includes("openid") &&
      of("code_challenge_method") === "S256" &&
      of("nonce") !== ""
    if (!isRight) return { error: "invalid_request" }
    const code = randomUUID()
    this.#codes.set(code, { challenge: of("code_challenge"), nonce: of("nonce"), redirectUri: of("redirect_uri") })
    const back = new URL(of("redirect_uri"))
    back.searchParams.set("code", code)
    back.searchParams.set("state", of("state"))
    return back
  }

  #token(asked: URLSearchParams, authorization: string): object {
    const { id, secret } = this.client
    const encoded = [id, secret].map((text) => new URLSearchParams({ a: text }).toString().slice(2)).join(":")
    const [, credentials = ""] = authorization.split(" ")
    const decoded = (text: string) => decodeURIComponent(text.replaceAll("+", " "))
    if (decoded(Buffer.from(credentials, "base64").toString()) !== decoded(encoded)) return { error: "invalid_client" }
    const code = asked.get("code") ?? ""
    const known = this.#codes.get(code)
    this.#codes.delete(code)
    const challenge = createHash("sha256")
      .update(asked.get("code_verifier") ?? "")
      .digest("base64url")
    if (known?.challenge !== challenge || known.redirectUri !== asked.get("redirect_uri"))
      return { error: "invalid_grant" }
    return { access_token: "access", token_type: "Bearer", expires_in: 60, id_token: this.#idToken(known.nonce) }
  }

  #idToken(nonce: string): string {
    const now = Math.floor(Date.now() / 1000)
    const header = { alg: this.algorithm, kid: this.algorithm }
    const claims = { iss: this.issuer, aud: this.client.id, iat: now, exp: now + 60, nonce, ...this.said }
    this.forge(header, claims)
    const text = `${part(header)}.${part(claims)}`
    const signature = () => {
      if (this.algorithm !== "RS256") return sign(null, Buffer.from(text), this.#edwards.privateKey)
      return sign("sha256", Buffer.from(text), (this.hasOtherKey ? this.#others : this.#keys).privateKey)
    }
    return `${text}.${(header.alg as string) === "none" ? "" : signature().toString("base64url")}`
  }
}
