/** Signing on with processes for everyone: two servers over the same data, an identity provider, a browser. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, serve, type Server } from "./LecternProcess.ts"

const publicUrl = "https://docs.example.com"

let idp: ChildProcess
let known: { readonly url: string; readonly certificate: string }
let servers: ReadonlyArray<Server>

const organization = () => `/v1/orgs/${servers[0]!.ready.organization.id}`

beforeAll(async () => {
  const script = new URL("../../../packages/services-node/test/IdentityProviderProcess.ts", import.meta.url)
  idp = spawn(process.execPath, [fileURLToPath(script)], { stdio: ["ignore", "pipe", "inherit"] })
  const [line] = (await once(idp.stdout!, "data")) as [Buffer]
  known = JSON.parse(line.toString())
  const env = { LECTERN_PUBLIC_URL: publicUrl }
  const first = await begunServer({ env })
  servers = [first, await serve(first.ready.data, { env, token: first.token })]
})

afterAll(async () => {
  idp.kill("SIGKILL")
  await cleanUp()
})

/** Keeps cookies, and finds both servers behind the one name: as behind a proxy that takes turns. */
class Browser {
  readonly cookies = new Map<string, string>()

  async ask(url: string, { server = servers[0]!, form, accept = "text/html" }: BrowserOptions = {}): Promise<Response> {
    const isOurs = url.startsWith(publicUrl)
    const response = await fetch(isOurs ? server.url + url.slice(publicUrl.length) : url, {
      redirect: "manual",
      method: form === undefined ? "GET" : "POST",
      headers: {
        accept,
        ...(isOurs && form === undefined && { cookie: Array.from(this.cookies, ([k, v]) => `${k}=${v}`).join("; ") })
      },
      ...(form !== undefined && { body: new URLSearchParams(form) })
    })
    for (const cookie of response.headers.getSetCookie()) {
      assert.match(cookie, /^__Host-/)
      assert.match(cookie, /; Path=\/;.* HttpOnly; SameSite=Lax; Secure$/)
      const [name, value] = cookie.split(";")[0]!.split("=") as [string, string]
      this.cookies.set(name, value)
    }
    return response
  }

  /** Follows the start URL to the form that the identity provider answers with. */
  async begin(startURL: string): Promise<{ readonly action: string; readonly form: Record<string, string> }> {
    const started = await this.ask(startURL)
    assert.strictEqual(started.status, 302)
    const page = await (await this.ask(started.headers.get("location")!)).text()
    const [, action] = /action="([^"]*)"/.exec(page)!
    const [, SAMLResponse] = /value="([^"]*)"/.exec(page)!
    return { action: action!, form: { SAMLResponse: SAMLResponse! } }
  }
}

interface BrowserOptions {
  readonly server?: Server
  readonly form?: Record<string, string>
  readonly accept?: string
}

const makeProvider = async (email: string) => {
  const { status, body } = await servers[0]!.call("POST", `${organization()}/saml`, {
    label: "Company",
    ssoURL: `${known.url}/sso?as=${encodeURIComponent(email)}`,
    entityID: known.url,
    certificate: known.certificate,
    defaultRole: "comment"
  })
  assert.strictEqual(status, 201)
  return body
}

describe("Signing on at a server", () => {
  it("takes a browser through the identity provider and back, whichever server it meets", async () => {
    const [first, second] = servers as [Server, Server]
    const { service } = await makeProvider("ada@example.com")
    assert.strictEqual(service.acsURL.slice(0, publicUrl.length), publicUrl)
    const metadata = await (await new Browser().ask(service.entityID)).text()
    assert.include(metadata, `Location="${service.acsURL}"`)

    const browser = new Browser()
    const { action, form } = await browser.begin(`${service.startURL}?returnTo=/app`)
    assert.strictEqual(action, service.acsURL)
    const received = await browser.ask(action, { form, server: second })
    assert.strictEqual(received.status, 303)
    // The same once more, on either server, from anyone.
    for (const server of servers) {
      const replayed = await new Browser().ask(action, { form, server, accept: "application/json" })
      assert.strictEqual(replayed.status, 403)
      assert.match((await replayed.json()).error.message, /already used/)
    }
    const finish = received.headers.get("location")!
    // An attacker's own sign-on, opened in someone else's browser.
    const stranger = await new Browser().ask(finish)
    assert.strictEqual(stranger.status, 403)
    assert.match(stranger.headers.get("content-type") ?? "", /^text\/html/)
    assert.include(await stranger.text(), "This browser did not start this sign-on")
    const finished = await browser.ask(finish)
    assert.strictEqual(finished.status, 303)
    assert.strictEqual(finished.headers.get("location"), `${publicUrl}/app`)

    const token = browser.cookies.get("__Host-lectern_session")!
    for (const server of servers) {
      const me = await server.call("GET", "/v1/user", undefined, token)
      assert.deepInclude(me.body, { email: "ada@example.com", displayName: "Ada Lovelace" })
      const member = await server.call("GET", `${organization()}/members/${me.body.id}`, undefined, token)
      assert.deepInclude(member.body, { role: "comment", sso: true })
      assert.strictEqual((await server.call("GET", `${organization()}/saml`, undefined, token)).status, 403)
    }
    const logins = await second.call("GET", `${organization()}/sso`, undefined, token)
    assert.strictEqual(logins.body.items[0].startURL, service.startURL)
    assert.strictEqual((await first.call("POST", "/v1/orgs", { title: "Own" }, token)).status, 403)
  })

  it("shows the token where there is nowhere to return to, and ends the session with the provider", async () => {
    const [first, second] = servers as [Server, Server]
    const { id, service } = await makeProvider("bob@example.com")
    const browser = new Browser()
    const { action, form } = await browser.begin(service.startURL)
    const received = await browser.ask(action, { form })
    const page = await (await browser.ask(received.headers.get("location")!)).text()
    const token = /<code>(lectern_[\w-]{43})<\/code>/.exec(page)![1]!
    assert.strictEqual((await second.call("GET", "/v1/user", undefined, token)).status, 200)
    await first.call("DELETE", `${organization()}/saml/${id}`)
    for (const server of servers) {
      assert.strictEqual((await server.call("GET", "/v1/user", undefined, token)).status, 401)
    }
    assert.strictEqual((await browser.ask(service.startURL)).status, 404)
  })

  it("lets no organization's identity provider into another organization", async () => {
    const [first] = servers as [Server]
    const administrator = (await first.call("GET", "/v1/user")).body
    const { service } = await makeProvider(administrator.email)
    const mine = (await first.call("POST", "/v1/orgs", { title: "Elsewhere" })).body
    const browser = new Browser()
    const { action, form } = await browser.begin(service.startURL)
    const received = await browser.ask(action, { form })
    const answer = await browser.ask(received.headers.get("location")!, { accept: "application/json" })
    const session = (await answer.json()) as { token: string; user: string }
    assert.strictEqual(session.user, administrator.id)
    assert.strictEqual((await first.call("GET", `/v1/orgs/${mine.id}`)).status, 200)
    assert.strictEqual((await first.call("GET", `/v1/orgs/${mine.id}`, undefined, session.token)).status, 404)
    assert.strictEqual((await first.call("GET", "/v1/orgs", undefined, session.token)).body.count, 1)
  })
})
