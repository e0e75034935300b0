/** Signing on by OpenID Connect in a real browser: a server, a provider, and a person who comes and leaves. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { type OidcServer, startOidcServer } from "../../../packages/services-node/test/OidcServer.ts"
import { browserOfFile, patience } from "../../../packages/site/test/Chromium.ts"
import { begunServer, cleanUp, type Server, temporaryFolder } from "./LecternProcess.ts"

const browser = browserOfFile()
const secret = "a secret of the client that is long enough"

let server: Server
let provider: OidcServer

beforeAll(async () => {
  provider = await startOidcServer()
  const company = {
    id: "company",
    title: "Company",
    issuer: provider.issuer,
    clientID: "company",
    clientSecret: secret
  }
  const file = join(temporaryFolder(), "providers.json")
  writeFileSync(file, JSON.stringify([company]))
  server = await begunServer({
    env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1", LECTERN_OIDC_PROVIDERS_FILE: file }
  })
})
afterAll(async () => {
  await provider.close()
  await cleanUp()
})

describe("Signing on by OpenID Connect in a browser", () => {
  it("takes a person to the provider and back, and out again", async () => {
    const organization = `/v1/orgs/${server.ready.organization.id}`
    const { status, body } = await server.call("POST", `${organization}/oidc`, {
      label: "Company",
      issuer: provider.issuer,
      clientID: "lectern",
      clientSecret: secret,
      defaultRole: "comment"
    })
    assert.strictEqual(status, 201)
    const { service } = body
    provider.register({
      client_id: "lectern",
      client_secret: secret,
      redirect_uris: [service.redirectURL],
      post_logout_redirect_uris: [service.postLogoutRedirectURL],
      scope: "openid email profile groups"
    })
    const context = await browser().newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(patience)

    await page.goto(service.startURL)
    assert.strictEqual(await page.innerText("h1"), "You are signed on")
    assert.match(await page.innerText("code"), /^lectern_[\w-]{43}$/)

    await page.goto(`${service.startURL}?returnTo=/healthz`)
    assert.strictEqual(page.url(), `${server.url}/healthz`)
    const cookie = (await context.cookies()).find(({ name }) => name === "lectern_session")!
    assert.deepInclude(cookie, { httpOnly: true, sameSite: "Lax", path: "/" })
    const me = await server.call("GET", "/v1/user", undefined, cookie.value)
    assert.deepInclude(me.body, { email: "ada@example.com", displayName: "Ada Lovelace" })

    await page.goto(`${server.url}/-/sign-out`)
    await page.click("main button")
    await page.waitForURL(service.postLogoutRedirectURL)
    assert.strictEqual(await page.innerText("h1"), "You are signed out")
    assert.isUndefined((await context.cookies()).find(({ name }) => name === "lectern_session"))
    assert.strictEqual((await server.call("GET", "/v1/user", undefined, cookie.value)).status, 401)

    // The provider asks again, and refuses.
    provider.account = undefined
    await page.goto(service.startURL)
    assert.strictEqual(await page.innerText("h1"), "Sign-on failed")
    assert.include(await page.innerText("p"), "access_denied")
    await context.close()
  })

  it("takes an invited person to the provider of the server, and in", async () => {
    const url = (name: string) => `${server.url}/oidc/company/${name}`
    provider.register({
      client_id: "company",
      client_secret: secret,
      redirect_uris: [url("callback")],
      scope: "openid email profile groups"
    })
    provider.account = { sub: "grace", email: "grace@example.com", email_verified: true, name: "Grace Hopper" }
    const context = await browser().newContext({ locale: "en" })
    const page = await context.newPage()
    page.setDefaultTimeout(patience)
    const signIn = async () => {
      await page.goto(`${server.url}/-/sign-in?to=/-/account/tokens`)
      await page.click("a:text-is('Continue with Company')")
    }
    await signIn()
    assert.strictEqual(await page.innerText("h1"), "Sign-on failed")
    assert.include(await page.innerText("p"), "There is no account for grace@example.com here")

    const { organization } = server.ready
    const invite = { emails: ["grace@example.com"], role: "edit" }
    assert.strictEqual((await server.call("POST", `/v1/orgs/${organization.id}/invites`, invite)).status, 200)
    await signIn()
    await page.waitForURL(`${server.url}/-/account/tokens`)
    await page.goto(`${server.url}/-/account`)
    assert.include(await page.innerText("main"), "grace@example.com")
    const { value } = (await context.cookies()).find(({ name }) => name === "lectern_session")!
    const { body } = await server.call("GET", `/v1/orgs/${organization.id}`, undefined, value)
    assert.strictEqual(body.id, organization.id)
    await context.close()
  })
})
