/** Readers of sites at a real port: with their cookies, through redirects, until they sign off. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import Database from "better-sqlite3"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, type Server, visitorToken } from "./LecternProcess.ts"
import { Site } from "./PublishedSites.ts"

/** A browser, as far as cookies and redirects go. */
const browser = () => {
  const cookies = new Map<string, { readonly value: string; readonly path: string }>()
  const ask = async (url: string, headers: Record<string, string> = {}) => {
    const { pathname } = new URL(url)
    const sent = Array.from(cookies)
      .filter(([, { path }]) => pathname.startsWith(path))
      .map(([name, { value }]) => `${name}=${value}`)
    const response = await fetch(url, {
      redirect: "manual",
      headers: { accept: "text/html", ...(sent.length > 0 && { cookie: sent.join("; ") }), ...headers }
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = "", path = "/"] = /^([^=]+)=([^;]*);.*\bPath=([^;]+)/.exec(cookie) ?? []
      if (cookie.includes("Max-Age=0")) cookies.delete(name)
      else cookies.set(name, { value, path })
    }
    return { status: response.status, headers: response.headers, text: await response.text(), url }
  }
  /** Goes on to where it is sent within the site. */
  const go = async (url: string): Promise<Awaited<ReturnType<typeof ask>>> => {
    const answer = await ask(url)
    const location = answer.headers.get("location")
    if (location === null) return answer
    const to = new URL(location, url)
    return to.origin === new URL(url).origin ? go(to.href) : { ...answer, url: to.href }
  }
  return { ask, go, cookies }
}

/** Bytes of an answer, without what is each time another. */
const told = ({ status, text, headers }: Awaited<ReturnType<ReturnType<typeof browser>["ask"]>>) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== "x-request-id" && name !== "date")
})

describe("readers of a site", () => {
  let server: Server
  let site: Site
  let base: string
  let none: ReturnType<typeof told>

  beforeAll(async () => {
    server = await begunServer()
    const { organization, space } = server.ready
    site = await Site.make(server, organization.id, { title: "Readers", spaces: [space.id] })
    base = `${server.url}/sites/readers/`
    none = told(await browser().ask(`${server.url}/sites/nobody-has-this/`))
    assert.strictEqual(none.status, 404)
  })
  afterAll(cleanUp)

  const opened = async (visibility: string) => {
    await site.call("PATCH", "", { visibility })
    await site.call("POST", "/publish")
  }

  it("who are members see it in a preview before anyone else does", async () => {
    const { url } = await site.call("GET", "/publishing/preview?target=/concepts/pages")
    const member = browser()
    const page = await member.go(url)
    assert.deepStrictEqual([page.status, page.url], [200, `${base}~/preview/concepts/pages`])
    assert.include(page.text, `<aside class="preview"`)
    assert.strictEqual(page.headers.get("x-robots-tag"), "noindex")
    assert.strictEqual(page.headers.get("cache-control"), "private, no-store")
    assert.strictEqual((await member.go(page.url)).status, 200)
    assert.deepStrictEqual(told(await member.ask(base)), none)
    assert.deepStrictEqual(told(await browser().ask(page.url)), none)
  })

  it("who are anyone read a public one, compressed and asked for again", async () => {
    await opened("public")
    const reader = browser()
    const page = await reader.go(`${base}Concepts/Pages/`)
    assert.deepStrictEqual([page.status, page.url], [200, `${base}concepts/pages`])
    assert.strictEqual(page.headers.get("content-encoding"), "gzip")
    const asked = (etag: string | null) => reader.ask(page.url, { "if-none-match": etag! })
    let again = await asked(page.headers.get("etag"))
    // Until its code is coloured, it is drawn anew.
    while (again.status === 200) again = await asked(again.headers.get("etag"))
    assert.strictEqual(again.status, 304)
    const missing = await reader.ask(`${base}old/pages`)
    assert.strictEqual(missing.status, 404)
    assert.include(missing.text, `class="site-header"`)
    assert.match(missing.text, /<ul class="suggestions"><li><a href="[^"]*\/sites\/readers\//)
    assert.strictEqual(reader.cookies.size, 0)
  })

  it("come in by a share link for as long as it is open", async () => {
    await opened("share-link")
    const link = await site.call("POST", "/share-links", { name: "Friends" })
    const friend = browser()
    const page = await friend.go(`${link.urls.published}concepts/pages`)
    assert.strictEqual(page.status, 200)
    assert.include(page.text, `href="${new URL(link.urls.published).pathname}concepts/spaces"`)
    assert.deepStrictEqual(told(await browser().ask(`${base}concepts/pages`)), none)
    await site.call("PATCH", `/share-links/${link.id}`, { active: false })
    assert.deepStrictEqual(told(await friend.ask(page.url)), none)
  })

  it("sign on by a token, are remembered, and sign off", async () => {
    await opened("visitor-auth")
    const visitor = browser()
    assert.deepStrictEqual(told(await visitor.ask(`${base}concepts/pages`)), none)
    const fallbackURL = "https://app.example.com/sign-on"
    const logoutURL = "https://app.example.com/sign-off"
    const { privateKey } = await site.call("PATCH", "/publishing/auth", { fallbackURL, logoutURL })
    const away = await visitor.go(`${base}concepts/pages`)
    assert.strictEqual(away.url, `${fallbackURL}?location=${encodeURIComponent("/sites/readers/concepts/pages")}`)
    const page = await visitor.go(`${base}concepts/pages?jwt_token=${visitorToken(privateKey)}`)
    assert.deepStrictEqual([page.status, page.url], [200, `${base}concepts/pages`])
    assert.deepStrictEqual([...visitor.cookies.keys()], ["lectern-visitor"])
    assert.strictEqual(page.headers.get("cache-control"), "private, no-cache")
    assert.include(page.text, `href="/sites/readers/~sign-off"`)
    assert.strictEqual((await visitor.go(page.url)).status, 200)
    const off = await visitor.ask(`${base}~sign-off`)
    assert.deepStrictEqual([off.status, off.headers.get("location")], [303, logoutURL])
    assert.strictEqual(visitor.cookies.size, 0)
    assert.isTrue((await visitor.go(page.url)).url.startsWith(fallbackURL))
  })

  it("are told in a page that it can't be read, and programs in theirs", async () => {
    await opened("public")
    const file = join(server.ready.data, "lectern.db")
    const db = new Database(file)
    db.pragma("wal_checkpoint(TRUNCATE)")
    db.close()
    writeFileSync(file, readFileSync(file).subarray(0, 8192))
    const reader = browser()
    const page = await reader.ask(`${base}guides/git`, { "accept-language": "de-AT,de;q=0.9" })
    assert.strictEqual(page.status, 503)
    assert.match(page.headers.get("content-type")!, /text\/html/)
    assert.include(page.text, "Diese Website kann gerade nicht angezeigt werden")
    assert.strictEqual(page.headers.get("cache-control"), "no-store")
    assert.notInclude(page.text, server.ready.data)
    const program = await reader.ask(`${base}guides/git`, { accept: "application/json" })
    assert.deepStrictEqual([program.status, JSON.parse(program.text).error.code], [503, 503])
  })
})
