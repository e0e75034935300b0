/** Docs sites on a running server over a real file, as tests make them and ask for them. */
import { resolve } from "node:path"
import { assert } from "@effect/vitest"
import { begunServer, lecternJson, type Server } from "./LecternProcess.ts"

export const manual = resolve(import.meta.dirname, "../../../docs")

export const sitesUrl = "https://docs.example.com"
export const env = { LECTERN_SITES_URL: sitesUrl }
const connections = 8

interface Page {
  readonly id: string
  readonly type: string
  readonly path?: string
  readonly pages?: ReadonlyArray<Page>
}

const inPaths = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.flatMap((page) => [...(page.type === "link" ? [] : [page]), ...inPaths(page.pages ?? [])])

export const ok = async (server: Server, method: string, path: string, body?: unknown, token?: string) => {
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
export class Site {
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

  /** Target of a URL for the holder of this session; undefined for none. */
  async at(url: string, jwtToken?: string) {
    const visitor = jwtToken === undefined ? {} : { jwtToken }
    const { status, body } = await this.server.call("POST", "/v1/urls/published", { url, visitor })
    if (status === 404) return undefined
    assert.strictEqual(status, 200, `${url}: ${JSON.stringify(body)}`)
    return body
  }
}

/** Publishes the manual and these folders in one site, and asks for each page by its URL. */
export const findsEveryPage = async (...corpora: ReadonlyArray<string>): Promise<void> => {
  const folders = [manual, ...corpora]
  const server = await begunServer({ env })
  const { data } = server.ready
  const organization: string = server.ready.organization.id
  const spaces = await Promise.all(
    folders.map(async (folder) => {
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
}
