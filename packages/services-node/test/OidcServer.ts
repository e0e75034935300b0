/**
 * A real OpenID Connect provider on loopback. It signs in its current account at once, without asking, and knows the
 * clients that are registered with it.
 */
import { generateKeyPairSync } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { type Adapter, type AdapterPayload, type ClientMetadata, Provider } from "oidc-provider"

export interface Account {
  readonly sub: string
  readonly [claim: string]: unknown
}

export interface OidcServer {
  readonly issuer: string
  /** Account that signs in next. Undefined: the provider refuses the sign-in. */
  account: Account | undefined
  readonly register: (client: ClientMetadata) => void
  /** Delivers log-out tokens in place of a request. */
  deliver: (url: string, form: string) => Promise<number>
  readonly close: () => Promise<void>
}

export interface OidcServerOptions {
  /** True if ID tokens contain all claims. Otherwise the user info does. Default: true. */
  readonly claimsInIdToken?: boolean
}

export const startOidcServer = async ({ claimsInIdToken = true }: OidcServerOptions = {}): Promise<OidcServer> => {
  const clients = new Map<string, ClientMetadata>()
  const accounts = new Map<string, Account>()
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })

  const oidcServer: OidcServer = {
    issuer,
    account: { sub: "ada", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" },
    register: (client) => void clients.set(client.client_id, client),
    deliver: () => Promise.resolve(200),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }

  const provider = new Provider(issuer, {
    adapter: (name: string) => (name === "Client" ? clientAdapter(clients) : new MemoryAdapter()),
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), kid: "key", use: "sig", alg: "RS256" } as never] },
    cookies: { keys: ["a key of the test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
    scopes: ["openid", "email", "profile", "groups"],
    conformIdTokenClaims: !claimsInIdToken,
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        // The user agrees at once.
        logoutSource: (ctx, form) => {
          const agreement = form.replace("</form>", '<input type="hidden" name="logout" value="yes"></form>')
          ctx.body = `<!doctype html>${agreement}<script>document.forms[0].submit()</script>`
        }
      }
    },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => Promise.resolve(accounts.get(id) ?? { sub: id }) }),
    loadExistingGrant: async (ctx) => {
      const { client, session } = ctx.oidc
      const grant = new ctx.oidc.provider.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
      grant.addOIDCScope("openid email profile groups")
      await grant.save()
      return grant
    },
    fetch: async (url, options) => {
      const status = await oidcServer.deliver(String(url), String(options?.body))
      return new Response(null, { status })
    }
  })
  const callback = provider.callback()
  handle = async (request, response) => {
    if (!request.url!.startsWith("/interaction/")) return callback(request, response)
    const { account } = oidcServer
    if (account === undefined) {
      return provider.interactionFinished(request, response, { error: "access_denied" })
    }
    accounts.set(account.sub, account)
    await provider.interactionFinished(request, response, { login: { accountId: account.sub } })
  }
  return oidcServer
}

class MemoryAdapter implements Adapter {
  static readonly #rows = new Map<string, AdapterPayload>()
  async upsert(id: string, payload: AdapterPayload) {
    MemoryAdapter.#rows.set(id, payload)
  }
  async find(id: string) {
    return MemoryAdapter.#rows.get(id)
  }
  async findByUid(uid: string) {
    return [...MemoryAdapter.#rows.values()].find((row) => row.uid === uid)
  }
  async findByUserCode() {
    return undefined
  }
  async consume(id: string) {
    MemoryAdapter.#rows.get(id)!.consumed = 1
  }
  async destroy(id: string) {
    MemoryAdapter.#rows.delete(id)
  }
  async revokeByGrantId(grantId: string) {
    for (const [id, row] of MemoryAdapter.#rows) if (row.grantId === grantId) MemoryAdapter.#rows.delete(id)
  }
}

const clientAdapter = (clients: ReadonlyMap<string, ClientMetadata>): Adapter => {
  const adapter = new MemoryAdapter()
  adapter.find = async (id) => clients.get(id) as AdapterPayload | undefined
  return adapter
}

/** A browser: keeps cookies by origin, follows nothing by itself. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>()

  header(origin: string): string {
    return Array.from(this.#cookies.get(origin) ?? [], ([name, value]) => `${name}=${value}`).join("; ")
  }

  keep(origin: string, headers: Headers): void {
    const cookies = this.#cookies.get(origin) ?? new Map<string, string>()
    this.#cookies.set(origin, cookies)
    for (const text of headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (/max-age=0/i.test(text) || value === "") cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  /** Follows redirects of a provider until one leads elsewhere, and returns that URL. */
  async visit(start: string): Promise<string> {
    const { origin } = new URL(start)
    for (let url = start, i = 0; i < 10; i++) {
      const response = await fetch(url, { redirect: "manual", headers: { cookie: this.header(origin) } })
      this.keep(origin, response.headers)
      const location = response.headers.get("location")
      if (location === null) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
      url = new URL(location, url).href
      if (new URL(url).origin !== origin) return url
    }
    throw new Error("The provider redirects without end")
  }
}
