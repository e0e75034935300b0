/**
 * Docs sites on a running server over a real file: every page of real documentation is found by its
 * URL, another process's change counts at once, and what was acknowledged survives a kill. Without
 * the corpora Lectern's own manual is all the documentation there is.
 */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert } from "@effect/vitest"
import { afterEach, describe, it } from "vitest"
import { cleanUp, lecternJson, type Server, serve, temporaryFolder, visitorToken } from "./Lectern.ts"

const manual = resolve(import.meta.dirname, "../../../docs")
const corpus = resolve(import.meta.dirname, "../../../../shared/corpus")
const corpora = existsSync(corpus) ? ["brighter", "adobe-aep"].map((name) => join(corpus, name)) : []

if (corpora.length === 0) console.warn(`There are no corpora at ${corpus}: the manual alone is published`)

const sitesUrl = "https://docs.example.com"
const env = { LECTERN_SITES_URL: sitesUrl }
const connections = 8

interface Page {
  readonly id: string
  readonly type: string
  readonly path?: string
  readonly pages?: ReadonlyArray<Page>
}

const inPaths = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.flatMap((page) => [...(page.type === "link" ? [] : [page]), ...inPaths(page.pages ?? [])])

const ok = async (server: Server, method: string, path: string, body?: unknown, token?: string) => {
  const answer = await server.call(method, path, body, token)
  assert.isBelow(answer.status, 300, `${method} ${path}: ${JSON.stringify(answer.body)?.slice(0, 500)}`)
  return answer.body
}

const inParallel = async <A>(items: ReadonlyArray<A>, run: (item: A) => Promise<void>) => {
  const left = items.values()
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const item of left) await run(item)
    })
  )
}

/** A site of one organization, and what is asked of it. */
class Site {
  readonly server: Server
  readonly organization: string
  readonly id: string

  constructor(server: Server, organization: string, id: string) {
    this.server = server
    this.organization = organization
    this.id = id
  }

  static async make(server: Server, organization: string, input: unknown): Promise<Site> {
    const { id } = await ok(server, "POST", `/v1/orgs/${organization}/sites`, input)
    return new Site(server, organization, id)
  }

  /** The same site, asked of another server. */
  on(server: Server): Site {
    return new Site(server, this.organization, this.id)
  }

  call(method: string, path = "", body?: unknown) {
    return ok(this.server, method, `/v1/orgs/${this.organization}/sites/${this.id}${path}`, body)
  }

  /** Where a URL leads for who has this session; undefined for nowhere. */
  async at(url: string, jwtToken?: string) {
    const visitor = jwtToken === undefined ? {} : { jwtToken }
    const { status, body } = await this.server.call("POST", "/v1/urls/published", { url, visitor })
    if (status === 404) return undefined
    assert.strictEqual(status, 200, `${url}: ${JSON.stringify(body)}`)
    return body
  }
}

describe("docs sites", () => {
  afterEach(cleanUp)

  it("lead every page's canonical URL to that page", { timeout: 120_000 }, async () => {
    const data = temporaryFolder()
    const server = await serve(data, { env })
    const organization: string = server.ready.organization.id
    const spaces = await Promise.all(
      [manual, ...corpora].map(async (folder) => {
        const { space, problems } = await lecternJson(["import", folder, "--data", data])
        if (folder === manual) assert.deepStrictEqual(problems, [])
        return space.id as string
      })
    )
    const [handbook, ...others] = spaces as [string, ...Array<string>]
    const older = await ok(server, "POST", `/v1/spaces/${handbook}/duplicate`)
    const translated = await ok(server, "POST", `/v1/spaces/${handbook}/duplicate`)

    const site = await Site.make(server, organization, { title: "All of it", spaces: [handbook, older.id] })
    const names = ["Manual", "Reference", ...others.map((_, i) => `Corpus ${i + 1}`)]
    const sections: Array<string> = []
    for (const [i, title] of names.entries()) {
      const spaceId = [handbook, translated.id, ...others][i]
      sections.push((await site.call("POST", "/sections", { spaceId, title })).id)
    }
    await site.call("POST", "/section-groups", { title: "More", sections: sections.slice(-1) })
    const [first, ...rest] = sections as [string, ...Array<string>]
    // Where their names are those of pages and of each other, only the whole path tells them apart.
    for (const [i, path] of ["reference", "concepts", "guides"].entries()) {
      if (rest[i] !== undefined) await site.call("PATCH", `/sections/${rest[i]}`, { path })
    }
    const { siteSpaces } = (await site.call("GET", "/sections")).items.find(({ id }: any) => id === first)
    assert.lengthOf(siteSpaces, 2)
    await site.call("PATCH", `/site-spaces/${siteSpaces[1].id}`, { path: "self-hosting" })
    await site.call("POST", "/publish")

    let pages = 0
    const base = `${sitesUrl}/all-of-it/`
    for (const section of (await site.call("GET", "/sections")).items) {
      for (const siteSpace of section.siteSpaces) {
        const place = { site: site.id, siteSection: section.id, siteSpace: siteSpace.id, space: siteSpace.space.id }
        const tree = await ok(server, "GET", `/v1/spaces/${place.space}/content/pages`)
        await inParallel(inPaths(tree.pages), async ({ id, type, path }) => {
          const named = await site.at(`${base}${section.path}/${siteSpace.path}/${path}`)
          assert.isDefined(named, `${section.path}/${siteSpace.path}/${path} leads nowhere`)
          const found = await site.at(named.canonicalUrl)
          assert.deepInclude(found, { ...place, page: id, pathname: `/${path}` }, named.canonicalUrl)
          assert.strictEqual(found.canonicalUrl, named.canonicalUrl)
          const read = await ok(
            server,
            "GET",
            `/v1/spaces/${found.space}/content/page/${found.page}`,
            undefined,
            found.apiToken
          )
          assert.include(read, { id, type })
          pages++
        })
      }
    }
    console.info(`${pages} pages of ${names.length} sections were found by their URLs`)
    assert.isAbove(pages, 3 * 30)
  })

  it("follow what another process changes, from the next request on", { timeout: 60_000 }, async () => {
    const data = temporaryFolder()
    const server = await serve(data, { env })
    const other = await serve(data, { env, token: server.token })
    const { organization, space } = server.ready
    const site = await Site.make(server, organization.id, { title: "Shared", spaces: [space.id] })
    const elsewhere = site.on(other)
    const base = `${sitesUrl}/shared/`
    assert.isUndefined(await site.at(base))

    await elsewhere.call("POST", "/publish")
    const published = await site.at(`${base}concepts/pages`)
    const read = () =>
      server.call("GET", `/v1/spaces/${space.id}/content/page/${published.page}`, undefined, published.apiToken)
    assert.strictEqual((await read()).status, 200)

    await elsewhere.call("POST", "/unpublish")
    assert.isUndefined(await site.at(`${base}concepts/pages`))
    assert.strictEqual((await read()).status, 404)

    await elsewhere.call("POST", "/publish")
    await elsewhere.call("PATCH", "", { visibility: "share-link" })
    assert.isUndefined(await site.at(base))
    const link = await elsewhere.call("POST", "/share-links", { name: "For a friend" })
    const shared = await site.at(link.urls.published)
    assert.strictEqual(shared.space, space.id)
    await elsewhere.call("PATCH", `/share-links/${link.id}`, { active: false })
    assert.isUndefined(await site.at(link.urls.published))

    await elsewhere.call("PATCH", "", { visibility: "public", basename: "renamed" })
    assert.deepStrictEqual(await site.at(`${base}concepts/pages`), {
      target: "content",
      redirect: `${sitesUrl}/renamed/concepts/pages`
    })
    await ok(other, "DELETE", `/v1/spaces/${space.id}`)
    assert.isUndefined(await site.at(`${sitesUrl}/renamed/concepts/pages`))
    assert.deepStrictEqual((await site.call("GET", "/site-spaces")).items, [])
  })

  it("let in who signs on again, whatever they had before", { timeout: 60_000 }, async () => {
    const server = await serve(temporaryFolder(), { env })
    const { organization, space } = server.ready
    const input = { title: "Signed", visibility: "visitor-auth", spaces: [space.id] }
    const site = await Site.make(server, organization.id, input)
    await site.call("POST", "/publish")
    const fallbackURL = "https://app.example.com/sign-on"
    const { privateKey } = await site.call("PATCH", "/publishing/auth", { fallbackURL })
    const url = `${sitesUrl}/signed/concepts?theme=dark`
    const signOn = `${fallbackURL}?location=${encodeURIComponent("/signed/concepts?theme=dark")}`

    const { session } = await site.at(`${url}&jwt_token=${visitorToken(privateKey)}`)
    assert.strictEqual((await site.at(url, session.value)).pathname, "/concepts")
    const renewed = (await site.call("POST", "/publishing/auth/regenerate")).privateKey
    assert.deepStrictEqual(await site.at(url, session.value), { target: "external", redirect: signOn })
    assert.deepStrictEqual(await site.at(`${url}&jwt_token=${visitorToken(privateKey)}`), {
      target: "external",
      redirect: signOn
    })
    assert.strictEqual(
      (await site.at(`${url}&jwt_token=${visitorToken(renewed)}`, session.value)).pathname,
      "/concepts"
    )
    const again = (await site.at(`${url}&jwt_token=${visitorToken(renewed)}`)).session.value
    assert.strictEqual((await site.at(`${url}&jwt_token=${visitorToken(privateKey)}`, again)).pathname, "/concepts")
  })

  it("keep a structure that was acknowledged when the server is killed", { timeout: 120_000 }, async () => {
    const data = temporaryFolder()
    let server = await serve(data, { env })
    const { token } = server
    const { organization, space } = server.ready
    let site = await Site.make(server, organization.id, { title: "Killed" })
    await site.call("POST", "/publish")

    for (let round = 1; round <= 4; round++) {
      const section = await site.call("POST", "/sections", { spaceId: space.id, title: `Round ${round}` })
      server.child.kill("SIGKILL")
      await server.finished

      server = await serve(data, { env, token })
      site = site.on(server)
      const { items } = await site.call("GET", "/sections")
      assert.deepStrictEqual(
        items.map(({ path }: any) => path),
        Array.from({ length: round }, (_, i) => `round-${i + 1}`)
      )
      assert.strictEqual((await site.at(`${sitesUrl}/killed/round-${round}/`)).siteSection, section.id)
    }
    assert.strictEqual((await server.signal("SIGTERM")).code, 0)
  })
})
