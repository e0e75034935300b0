/** Visitors of a site who sign on with an identity provider, through the integration of the catalogue. */
import { afterAll, assert, beforeAll, describe, it, vi } from "@effect/vitest"
import { catalogue, configure, env, installOnSite } from "./CatalogueSteps.ts"
import { IdentityProvider } from "./IdentityProvider.ts"
import { begunServer, cleanUp, type Server } from "./LecternProcess.ts"

const name = "lectern-openid-connect"

let server: Server
let provider: IdentityProvider
let login: string
let logout: string
let published: string

/** Answer to a browser, without following its redirect. */
const visit = async (url: string, cookie = "") => {
  const response = await fetch(url, { redirect: "manual", headers: { cookie } })
  const [set = ""] = response.headers.getSetCookie()
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    set,
    cookie: set.split(";")[0]!,
    text: await response.text()
  }
}

/** Goes to the provider and back; the URL to come back with, and the cookie that it takes. */
const begin = async (location = "") => {
  const there = await visit(`${login}?location=${encodeURIComponent(location)}`)
  assert.strictEqual(there.status, 302, there.text)
  const back = await visit(there.location)
  assert.strictEqual(back.status, 302, back.text)
  return { callback: back.location, cookie: there.cookie, set: there.set }
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString())

beforeAll(async () => {
  provider = await IdentityProvider.open()
  server = await begunServer({ env })
  await catalogue(server)
  const { issuer, client } = provider
  const state = {
    issuer,
    client: client.id,
    secret: client.secret,
    scope: "email groups",
    claims: "email, groups phone"
  }
  const { site, at, on } = await installOnSite(server, name, state, "visitor-auth")
  const auth = await server.call("PATCH", `${at}/publishing/auth`, { backend: "integration" })
  assert.strictEqual(auth.status, 200, JSON.stringify(auth.body))
  const screen = await configure(server, name, {}, site)
  const { body } = await server.call("GET", on)
  provider.redirectUri = `${body.urls.publicEndpoint}/callback`
  // Who sets it up is told what to tell the provider, and no secret.
  assert.include(JSON.stringify(screen), provider.redirectUri)
  assert.notInclude(JSON.stringify(screen), client.secret)
  const { urls } = (await server.call("GET", `${at}/published`)).body.site
  published = urls.published
  login = urls.login
  logout = urls.logout
})

afterAll(async () => {
  await cleanUp()
  await provider.close()
})

describe("OpenID Connect", () => {
  it("signs a visitor on, back at the page that was wanted, with the claims that were chosen", async () => {
    const nobody = await server.call("POST", "/v1/urls/published", { url: `${published}quick-start` })
    assert.strictEqual(new URL(nobody.body.redirect).pathname, new URL(login).pathname)
    const { callback, cookie, set } = await begin("quick-start")
    const path = new URL(provider.redirectUri).pathname.replace("/callback", "")
    assert.sameMembers(set.split("; ").slice(1), [`Path=${path}`, "Max-Age=600", "HttpOnly", "SameSite=Lax"])
    const back = await visit(callback, `other=1; ${cookie}`)
    assert.strictEqual(back.status, 302, back.text)
    assert.match(back.set, /^sign-on-[\w-]+=; .*Max-Age=0/)
    const to = new URL(back.location)
    assert.strictEqual(to.origin + to.pathname, `${published}quick-start`)
    const told = claimsOf(to.searchParams.get("jwt_token")!)
    assert.deepStrictEqual(Object.keys(told).sort(), ["email", "exp", "groups", "iat"])
    assert.strictEqual(told.exp - told.iat, 7200)
    const { status, body } = await server.call("POST", "/v1/urls/published", { url: to.href })
    assert.strictEqual(status, 200)
    const { claims } = claimsOf(body.apiToken)
    assert.deepStrictEqual(claims, { email: "ada@example.com", groups: ["beta"] })
  })

  it("signs a reader of the site on, as a browser goes, and off", async () => {
    const away = await visit(`${published}quick-start`)
    assert.strictEqual(away.status, 307, away.text)
    assert.strictEqual(new URL(away.location).searchParams.get("location"), "quick-start")
    const there = await visit(away.location)
    const back = await visit((await visit(there.location)).location, there.cookie)
    const arrived = await visit(back.location)
    assert.deepStrictEqual([arrived.status, arrived.location], [307, new URL(`${published}quick-start`).pathname])
    assert.match(arrived.set, /^lectern-visitor=.*HttpOnly/)
    const page = await visit(`${published}quick-start`, arrived.cookie)
    assert.strictEqual(page.status, 200)
    assert.match(page.text, /<h1>Quick start<\/h1>.*>Sign off<\/a>/s)
    const off = await visit(`${published}~sign-off`, arrived.cookie)
    assert.deepStrictEqual([off.status, off.location], [303, logout])
    assert.match(off.set, /^lectern-visitor=; Max-Age=0/)
    assert.strictEqual(new URL((await visit(off.location)).location).pathname, "/logout")
  })

  it("believes a key on Ed25519 by either name of its algorithm", async () => {
    for (const algorithm of ["EdDSA", "Ed25519"] as const) {
      provider.algorithm = algorithm
      const { callback, cookie } = await begin()
      const back = await visit(callback, cookie)
      assert.strictEqual(back.status, 302, `${algorithm}: ${back.text}`)
    }
    provider.algorithm = "RS256"
  })

  it("lets nobody in whom the provider did not sign on, here and now", async () => {
    const refused = async (callback: string, cookie: string, why: string) => {
      const { status, location, text } = await visit(callback, cookie)
      assert.deepStrictEqual([status, location], [403, ""], why)
      assert.include(text, "You are not signed on", why)
      assert.include(text, "/~/visitor-auth/login?location=", why)
      // Of the whole page: links on a light ground would have the colour for a dark one.
      assert.match(text, /<html [^>]*style="color-scheme: light dark"/)
    }
    const { callback, cookie } = await begin()
    await refused(callback, "", "another browser")
    const changed = cookie.replace(/.(?=.{9}$)/, (character) => (character === "A" ? "B" : "A"))
    await refused(callback, changed, "a cookie that was changed")
    const other = await begin()
    await refused(callback, other.cookie, "the cookie of another attempt")
    await refused(callback, `${cookie.split("=")[0]}=${other.cookie.split("=")[1]}`, "one attempt for another")
    const denied = new URL(callback)
    denied.searchParams.delete("code")
    denied.searchParams.set("error", "access_denied")
    await refused(denied.href, cookie, "the provider said no")
    const elsewhere = new URL(callback)
    elsewhere.searchParams.set("iss", "https://evil.example")
    await refused(elsewhere.href, cookie, "another issuer")
    assert.strictEqual((await visit(callback, cookie)).status, 302)
    await refused(callback, cookie, "once more")

    const now = Math.floor(Date.now() / 1000)
    for (const [why, forge] of [
      ["a nonce", (_: object, claims: Record<string, unknown>) => (claims["nonce"] = "other")],
      ["an audience", (_: object, claims: Record<string, unknown>) => (claims["aud"] = "other")],
      ["an issuer", (_: object, claims: Record<string, unknown>) => (claims["iss"] = "https://evil.example")],
      ["a time", (_: object, claims: Record<string, unknown>) => (claims["exp"] = now - 3600)],
      ["a clock that is far ahead", (_: object, claims: Record<string, unknown>) => (claims["nbf"] = now + 120)],
      ["no signature", (header: Record<string, unknown>) => (header["alg"] = "none")],
      ["a weak signature", (header: Record<string, unknown>) => (header["alg"] = "HS256")]
    ] as const) {
      provider.forge = forge
      const attempt = await begin()
      await refused(attempt.callback, attempt.cookie, why)
    }
    // Clocks may differ by a minute, as they may for other tokens.
    provider.forge = (_, claims) => Object.assign(claims, { iat: now + 50, nbf: now + 50 })
    const early = await begin()
    assert.strictEqual((await visit(early.callback, early.cookie)).status, 302)
    provider.forge = () => {}
    provider.hasOtherKey = true
    const attempt = await begin()
    await refused(attempt.callback, attempt.cookie, "another key")
    provider.hasOtherKey = false
    // What holds an attempt is no token of a visitor.
    const held = attempt.cookie.split("=")[1]!
    const shown = await server.call("POST", "/v1/urls/published", { url: `${published}?jwt_token=${held}` })
    assert.notProperty(shown.body, "apiToken")
  })

  it("begins no more at once than a browser can send along, and keeps of the wanted place what it can keep", async () => {
    const cookies = new Map<string, string>()
    const open = async () => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
      assert.isAtMost(cookie.length, 8 * 1024)
      const there = await fetch(`${login}?location=quick-start`, { redirect: "manual", headers: { cookie } })
      assert.strictEqual(there.status, 302, await there.text())
      for (const set of there.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set) as unknown as [string, string, string]
        cookies.delete(name)
        if (!set.includes("Max-Age=0")) cookies.set(name, value)
      }
      return there.headers.get("location")!
    }
    const tabs: Array<string> = []
    for (let i = 0; i < 40; i++) tabs.push(await open())
    assert.isAbove(cookies.size, 10)
    const shown = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    for (const tab of tabs.slice(-10)) {
      const back = await visit((await visit(tab)).location, shown)
      assert.strictEqual(back.status, 302, back.text)
    }
    for (const [wanted, kept] of [
      [`quick-start?q=${"x".repeat(2000)}`, `quick-start?q=${"x".repeat(2000)}`],
      [`quick-start?q=${"x".repeat(3500)}`, "quick-start"],
      ["x".repeat(3500), ""]
    ] as const) {
      const { callback, cookie } = await begin(wanted)
      assert.isAtMost(cookie.length, 4096)
      const { location } = await visit(callback, cookie)
      assert.strictEqual(location.split(/[?&]jwt_token=/)[0], published + kept)
    }
    const { callback, cookie } = await begin()
    const denied = await visit(callback.replace(/code=[^&]*/, "error=access_denied"), cookie)
    assert.strictEqual(denied.status, 403)
    assert.match(denied.set, new RegExp(`^${cookie.split("=")[0]}=; .*Max-Age=0`))
  })

  it("says in its events why, as the provider does", async () => {
    /** Waits until an event of those that came last holds this, as what was answered is recorded a moment later. */
    const logged = (wanted: RegExp) =>
      vi.waitFor(async () => {
        const { body } = await server.call("GET", `/v1/integrations/${name}/events?limit=5`)
        const all = await Promise.all(
          (body.items as ReadonlyArray<{ readonly id: string }>).map(({ id }) =>
            server.call("GET", `/v1/integrations/${name}/events/${id}`)
          )
        )
        const logs = JSON.stringify(all.map(({ body }) => body.trace.logs))
        assert.match(logs, wanted)
        return logs
      }, 30_000)
    const { callback, cookie } = await begin()
    const denied = new URL(callback)
    denied.searchParams.delete("code")
    denied.searchParams.set("error", "access_denied")
    denied.searchParams.set("error_description", "Not for you")
    assert.strictEqual((await visit(denied.href, cookie)).status, 403)
    await logged(/"The provider was not believed: [^"]*; access_denied; Not for you"/)
    const { secret } = provider.client
    provider.client.secret = "another"
    assert.strictEqual((await visit(callback, cookie)).status, 403)
    provider.client.secret = secret
    const said = await logged(/"The provider was not believed: [^"]*; invalid_client"/)
    assert.notInclude(said, new URL(callback).searchParams.get("code")!)
    provider.forge = (_, claims) => (claims["groups"] = Array.from({ length: 200 }, (_, i) => `a group ${i}`))
    const many = await begin()
    assert.strictEqual((await visit(many.callback, many.cookie)).status, 302)
    provider.forge = () => {}
    await logged(/"The claims are larger than what a site keeps of them, 2\.5 KiB: [^"]*"/)
  })

  it("signs a visitor off at the provider, and tells whom it can't sign on", async () => {
    const out = new URL((await visit(`${logout}?location=/`)).location)
    assert.strictEqual(out.origin + out.pathname, `${provider.issuer}/logout`)
    assert.strictEqual(out.searchParams.get("post_logout_redirect_uri"), published)
    const nowhere = new URL(login).pathname.replace("/~/visitor-auth/login", "/other")
    assert.strictEqual((await visit(new URL(nowhere, login).href)).status, 404)
  })
})
