/** One site at a path of a host, on the origin of each request. */
import { createHmac } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import { InvalidInput } from "@lectern/core/schema/Input"
import { type SiteHandler, siteHandler } from "@lectern/site/fetch"

const development = "http://localhost:3300/help"
const production = "https://acme.com/help"

const get = async ({ fetch }: SiteHandler, url: string, init: RequestInit = {}) => {
  const response = await fetch(new Request(url, { redirect: "manual", ...init }))
  return response && { status: response.status, headers: response.headers, text: await response.text() }
}

/** Returns the URLs that a page refers to. */
const urlsIn = (text: string, base: string): ReadonlyArray<URL> =>
  Array.from(text.matchAll(/ (?:href|src|action|data-[\w-]+)="([^"]*)"/g), ([, url]) => url!)
    .filter((url) => /^(?:https?:|\/)/.test(url))
    .map((url) => new URL(url.replaceAll("&amp;", "&"), base))

describe("A mounted site", () => {
  let lectern: MemoryLectern.MemoryLectern
  let organization: string
  let guide: string
  let site: string
  let other: string
  let otherUrl: string
  let help: SiteHandler
  let reset: () => Promise<void>

  const publish = async (title: string, spaces: ReadonlyArray<string>) => {
    const { id } = await lectern.sites.create(organization, { title, spaces })
    const { urls } = await lectern.sites.publish(organization, id)
    return { id, url: urls.published! }
  }

  beforeAll(async () => {
    lectern = await MemoryLectern.open({ rerunBodies: true })
    organization = (await lectern.organizations.create({ title: "Acme" })).id
    const space = async (title: string, pages: Readonly<Record<string, string>>) => {
      const { id } = await lectern.spaces.create(organization, { title })
      await lectern.content.live.write(
        id,
        Object.entries(pages).map(([title, markdown]) => ({
          operation: "insert_page" as const,
          title,
          document: { markdown }
        }))
      )
      return id
    }
    guide = await space("Guide", { Welcome: "It is good that you are here.", Install: "Plug it in." })
    const labs = await space("Labs", { Glow: "It glows in the dark." })
    const docs = await publish("Docs", [guide])
    site = docs.id
    await lectern.sites.sections.create(organization, site, { spaceId: guide, title: "Guide" })
    await lectern.sites.sections.create(organization, site, { spaceId: labs, title: "Labs" })
    const blog = await publish("Blog", [labs])
    other = blog.id
    otherUrl = blog.url
    help = await siteHandler(lectern, { site, at: "/help" })
    reset = await lectern.checkpoint()
  })

  afterAll(() => lectern.close())

  it.each([development, production])("has all of its URLs below %s", async (base) => {
    const { origin } = new URL(base)
    for (const path of ["", "/", "/install", "/install/", "/labs", "/labs/glow", "/~search?q=glows", "/missing"]) {
      const page = await get(help, base + path)
      assert.strictEqual(page?.status, path === "/missing" ? 404 : 200, path)
      const urls = urlsIn(page!.text, base)
      assert.isAbove(urls.length, 5)
      const outside = urls.filter(({ href }) => href !== `${base}` && !href.startsWith(`${base}/`))
      assert.deepStrictEqual(
        outside.map(({ href }) => href),
        [],
        path
      )
      if (path === "/install") assert.include(page!.text, `<link rel="canonical" href="${base}/install">`)
      if (path === "/~search?q=glows") assert.include(page!.text, "/help/labs/")
    }
    const files = urlsIn((await get(help, base))!.text, base).filter(({ pathname }) => /\.(?:css|js)$/.test(pathname))
    assert.isAtLeast(files.length, 2)
    for (const { href } of files) assert.strictEqual((await get(help, href))?.status, 200, href)
    for (const name of ["sitemap.xml", "llms.txt", "llms-full.txt", "robots.txt", "install.md"]) {
      const file = await get(help, `${base}/${name}`)
      assert.strictEqual(file?.status, 200, name)
      const urls = file!.text.match(/https?:\/\/[^\s<>)"]+/g) ?? []
      assert.deepStrictEqual(
        urls.filter((url) => new URL(url).origin !== origin && !url.includes("sitemaps.org")),
        []
      )
      if (name !== "install.md") assert.include(file!.text, `${base}/`, name)
    }
    assert.include((await get(help, `${base}/llms.txt`))!.text, `${base}/labs`)
  })

  it("has the files of its pages below its path, without the API", async () => {
    const base64 = Buffer.from("0123456789").toString("base64")
    await lectern.content.live.write(guide, [
      { operation: "insert_page", title: "Log", document: { markdown: "[Log](/files/log)" } },
      { operation: "insert_files", files: [{ name: "log.txt", contentType: "text/plain", base64, ref: "log" }] }
    ])
    const page = await get(help, `${production}/log`)
    const url = urlsIn(page!.text, production).find(({ pathname }) => pathname.startsWith("/help/~files/"))!
    assert.include((await get(help, `${production}/log.md`))?.text, `${production}/~files/`)
    const whole = await get(help, url.href)
    assert.deepInclude(whole, { status: 200, text: "0123456789" })
    assert.strictEqual(whole!.headers.get("content-security-policy"), "default-src 'none'; sandbox")
    assert.strictEqual(whole!.headers.get("content-type"), "text/plain")
    const etag = whole!.headers.get("etag")!
    assert.strictEqual((await get(help, url.href, { headers: { "if-none-match": etag } }))?.status, 304)
    const part = await get(help, url.href, { headers: { range: "bytes=2-4" } })
    assert.deepInclude(part, { status: 206, text: "234" })
    assert.strictEqual(part!.headers.get("content-range"), "bytes 2-4/10")
    assert.strictEqual((await get(help, url.href, { headers: { range: "bytes=20-" } }))?.status, 416)
    assert.strictEqual((await get(help, url.href.replace("signature=", "signature=x")))?.status, 404)
    assert.strictEqual((await get(help, `${production}/~files/v1/spaces`))?.status, 404)
    const blog = await siteHandler(lectern, { site: other, at: "/help" })
    assert.strictEqual((await get(blog, url.href))?.status, 404, "a file of another site")
    await lectern.sites.unpublish(organization, site)
    assert.strictEqual((await get(help, url.href))?.status, 404)
    await reset()
  })

  it("is not at other paths, and no other site is at its path", async () => {
    for (const path of ["/", "/helpful", "/hel", "/sites/docs/install", "/~lectern/site.css"])
      assert.isUndefined(await get(help, `https://acme.com${path}`), path)
    assert.isUndefined(await get(help, otherUrl))
    const { url } = await lectern.sites.previews.url(organization, other, {})
    const { searchParams } = new URL(url)
    assert.strictEqual((await get(help, `${production}/preview/${other}?${searchParams}`))?.status, 404)
  })

  it("is at the whole URL, whichever origin a proxy requests", async () => {
    const proxied = await siteHandler(lectern, { site, at: `${production}/` })
    const page = await get(proxied, "http://10.0.0.7:3000/help/install")
    assert.include(page?.text, `<link rel="canonical" href="${production}/install">`)
    assert.isUndefined(await get(proxied, "http://10.0.0.7:3000/install"))
    assert.strictEqual((await proxied.page(`${production}/install`))?.page.title, "Install")
    assert.isUndefined(await proxied.page("https://acme.com/install"))
    assert.isUndefined(await proxied.page("no URL"))
  })

  it("can be the whole host", async () => {
    const root = await siteHandler(lectern, { site, at: "/" })
    assert.include((await get(root, "https://acme.com/install"))?.text, `href="https://acme.com/install"`)
    assert.strictEqual((await get(root, "https://acme.com/"))?.status, 200)
  })

  it("has its own pages, also while other sites are at equal URLs", async () => {
    const blog = await siteHandler(lectern, { site: other, at: "/help" })
    const all = await siteHandler(lectern)
    for (const _ of [1, 2]) {
      assert.include((await get(help, `${production}/install`))?.text, "Plug it in.")
      assert.include((await get(blog, `${production}/glow`))?.text, `<link rel="canonical" href="${production}/">`)
      assert.include((await get(all, `${otherUrl}glow`))?.text, `<link rel="canonical" href="${otherUrl}">`)
      assert.isUndefined(await get(all, `${production}/install`))
    }
  })

  it("shows changes at once", async () => {
    const url = `${production}/install`
    assert.include((await get(help, url))?.text, "Docs")
    await lectern.sites.update(organization, site, { title: "Manual" })
    assert.include((await get(help, url))?.text, "Manual")
    await lectern.sites.unpublish(organization, site)
    assert.isUndefined(await get(help, url))
    await reset()
    assert.strictEqual((await get(help, url))?.status, 200)
  })

  it("ignores the other addresses of the site", async () => {
    await lectern.sites.update(organization, site, { basename: "elsewhere" })
    assert.include((await get(help, `${production}/install`))?.text, `href="${production}/install"`)
    await reset()
  })

  it("has redirects and former paths below its path", async () => {
    await lectern.sites.redirects.create(organization, site, {
      source: "/old",
      destination: { kind: "external", url: "https://elsewhere.example/new" }
    })
    const { items } = await lectern.sites.sections.list(organization, site, {})
    const section = items.find(({ title }) => title === "Labs")
    await lectern.sites.sections.update(organization, site, section!.id, { path: "research" })
    assert.strictEqual((await get(help, `${production}/old`))?.headers.get("location"), "https://elsewhere.example/new")
    assert.strictEqual((await get(help, `${production}/labs/glow`))?.headers.get("location"), "/help/research/glow")
    await reset()
  })

  it("admits visitors with a session for its path, with and without a slash at the end", async () => {
    await lectern.sites.update(organization, site, { visibility: "visitor-auth" })
    await lectern.sites.visitorAuth.update(organization, site, { fallbackURL: "https://acme.com/login" })
    const { privateKey } = await lectern.sites.visitorAuth.get(organization, site)
    const away = await get(help, `${production}/install`)
    assert.strictEqual(away?.headers.get("location"), "https://acme.com/login?location=%2Fhelp%2Finstall")
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const claims = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ exp: Math.floor(Date.now() / 1000) + 3600 })}`
    const token = `${claims}.${createHmac("sha256", privateKey).update(claims).digest("base64url")}`
    const back = await get(help, `${production}?jwt_token=${token}`)
    assert.strictEqual(back?.headers.get("location"), "/help")
    const [cookie = ""] = back!.headers.getSetCookie()
    assert.include(cookie.split("; "), "Path=/help")
    assert.include(cookie.split("; "), "Secure")
    const signedIn = await get(help, production, { headers: { cookie: cookie.split(";")[0]! } })
    assert.strictEqual(signedIn?.status, 200)
    assert.include(signedIn!.text, `"/help/~sign-off"`)
    const invalid = await get(help, `${production}/install?jwt_token=x`)
    assert.strictEqual(invalid?.status, 403)
    assert.include(invalid!.text, `href="/help/~lectern/`)
    await reset()
  })

  it("admits readers with a share link below its path", async () => {
    await lectern.sites.update(organization, site, { visibility: "share-link" })
    const { urls } = await lectern.sites.shareLinks.create(organization, site, { name: "Auditors" })
    const key = new URL(urls.published).pathname.split("/").at(-2)
    assert.isUndefined(await get(help, `${production}/install`))
    const page = await get(help, `${production}/${key}/labs/glow`)
    assert.include(page?.text, `"/help/${key}/labs/`)
    await reset()
  })

  it("shows previews below its path", async () => {
    const { number, id } = await lectern.changeRequests.create(guide, {})
    await lectern.changeRequests.content.write(guide, id, [
      { operation: "insert_page", title: "Draft", document: { markdown: "Words to come." } }
    ])
    const { items } = await lectern.sites.siteSpaces.list(organization, site, {})
    const siteSpace = items.find(({ space }) => space.id === guide)!.id
    const { url } = await lectern.sites.previews.url(organization, site, { target: `/~/changes/${number}/`, siteSpace })
    const begin = production + url.slice(url.indexOf("/~/"))
    const opened = await get(help, begin)
    const location = opened?.headers.get("location")
    assert.match(location ?? "", /^\/help\/~\/changes\/[^/]+\/(?:guide\/)?$/)
    const [cookie = ""] = opened!.headers.getSetCookie()
    assert.match(cookie, /Path=\/help\/~\/changes\/[^/;]+;/)
    const preview = new URL("draft", new URL(location!, production)).href
    const page = await get(help, preview, { headers: { cookie: cookie.split(";")[0]! } })
    assert.include(page?.text, "Words to come.")
    assert.strictEqual(page?.headers.get("x-robots-tag"), "noindex")
    assert.strictEqual((await get(help, preview))?.status, 404)
    await reset()
  })

  it("redirects to no other slash than frameworks do", async () => {
    for (const normalize of [
      (path: string) => path.replace(/\/$/, "") || "/",
      (path: string) => path.replace(/\/?$/, "/")
    ]) {
      for (const path of ["/help", "/help/", "/help/install", "/help/labs/glow/"]) {
        const page = await get(help, `https://acme.com${normalize(path)}`)
        assert.strictEqual(page?.status, 200, path)
      }
    }
  })

  it.each([
    "help",
    "//evil.example/help",
    "ftp://acme.com/help",
    "http:///help",
    "/\\evil.example",
    "/a;b",
    "/help?a=1",
    ""
  ])("is not at %j", async (at) => {
    const error: unknown = await siteHandler(lectern, { site, at }).catch((error: unknown) => error)
    assert.instanceOf(error, InvalidInput)
  })
})
