/** The reference of one API as pages of their own: front page, tags, search, and forms to call operations. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as MemoryLectern from "../../adapter-memory/src/MemoryLectern.ts"
import { referenceHandler } from "../src/reference.ts"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import { specOf } from "./ApiSpecs.ts"

const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`

const operation = (tag: string, operationId: string, summary: string) => ({
  tags: [tag],
  operationId,
  summary,
  description: `${summary}: ${hostile}`,
  responses: { 200: { description: "Fine" } }
})

const document = specOf(
  {
    "/pets": { get: operation("Pets", "pets.list", "List pets"), post: operation("Pets", "pets.create", "Add a pet") },
    "/pets/{id}": { delete: operation("Pets", "pets.remove", "Remove a pet") },
    "/owners": { get: operation("Owners", "owners.list", "List owners") }
  },
  {},
  {
    info: { title: "Shop", version: "1", description: `All of it. ${hostile}` },
    tags: [{ name: "Pets", description: "Animals" }, { name: "Owners" }],
    servers: [{ url: "https://shop.test" }]
  }
)

const origin = "https://shop.test"

const made = async (lectern: MemoryLectern.MemoryLectern) => {
  const { fetch } = await referenceHandler(lectern, {
    url: `${origin}/docs`,
    specUrl: `${origin}/openapi.json`,
    spec: async () => JSON.stringify(document),
    introduction: "## Requests"
  })
  return async (path: string, init?: RequestInit): Promise<Response> => {
    assert.isUndefined(await fetch(new Request(`${origin}/docsets`)))
    return (await fetch(new Request(new URL(path, origin), init)))!
  }
}

const read = async (response: Response) => ({
  status: response.status,
  headers: response.headers,
  text: await response.text()
})

describe("The reference of an API", () => {
  const browser = browserOfFile()
  let lectern: MemoryLectern.MemoryLectern
  beforeAll(async () => {
    lectern = await MemoryLectern.open()
  })
  afterAll(() => lectern.close())

  it("has a front page, and a page for each tag with its operations", async () => {
    const ask = await made(lectern)
    for (const path of ["/docs", "/docs/"]) {
      const front = await read(await ask(path))
      assert.strictEqual(front.status, 200)
      assert.match(front.text, /<h1[^>]*>Shop/)
      assert.include(front.text, `href="/docs/pets"`)
      assert.include(front.text, "Requests")
      assert.notMatch(front.text, /<script>alert|<[^>]*\son\w+=/)
    }
    const pets = await read(await ask("/docs/pets"))
    assert.strictEqual(pets.status, 200)
    for (const id of ["pets.list", "pets.create", "pets.remove"]) {
      assert.include(pets.text, `id="${id}"`)
      assert.include(pets.text, `href="#${id}"`)
    }
    assert.notInclude(pets.text, "owners.list")
    assert.match(pets.text, /<span class="api-method delete">DEL<\/span><span>Remove a pet/)
    assert.notMatch(pets.text, /<script>alert|<[^>]*\son\w+=/)
    const policy = pets.headers.get("content-security-policy")!
    assert.include(policy, "frame-ancestors 'none'")
    assert.match(policy, /connect-src 'self' https:\/\/shop\.test/)
    assert.strictEqual((await ask("/docs/nothing")).status, 404)
    assert.strictEqual((await ask("/docs/pets/more")).status, 404)
  })

  it("responds with 304 to readers who have the page, and with 405 to other methods", async () => {
    const ask = await made(lectern)
    const etag = (await read(await ask("/docs/pets"))).headers.get("etag")!
    const again = await read(await ask("/docs/pets", { headers: { "if-none-match": etag } }))
    assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", etag])
    assert.include(again.headers.get("content-security-policy"), "frame-ancestors 'none'")
    assert.strictEqual((await ask("/docs/owners", { headers: { "if-none-match": etag } })).status, 200)
    for (const method of ["POST", "PUT", "DELETE"]) {
      const refused = await ask("/docs/pets", { method })
      assert.deepStrictEqual([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"])
    }
  })

  it("finds operations by their titles, paths and descriptions, titles first", async () => {
    const ask = await made(lectern)
    const found = async (query: string) =>
      Array.from(
        (await read(await ask(`/docs/~search?part=results&q=${encodeURIComponent(query)}`))).text.matchAll(
          /href="([^"]+)"/g
        ),
        ([, url]) => url
      )
    assert.deepStrictEqual(await found("remove"), ["/docs/pets#pets.remove"])
    assert.deepStrictEqual(await found("LIST owners"), ["/docs/owners#owners.list"])
    assert.deepStrictEqual(await found("delete /pets/"), ["/docs/pets#pets.remove"])
    assert.deepStrictEqual(await found("nothing"), [])
    assert.deepStrictEqual(await found(""), [])
    assert.include((await read(await ask("/docs/~search?q=owners"))).text, "/docs/owners#owners.list")
    assert.strictEqual((await ask("/docs/~search", { method: "POST", body: "q=x" })).status, 204)
  })

  it("has a form for each operation, and its files", async () => {
    const ask = await made(lectern)
    const page = (await read(await ask("/docs/pets"))).text
    const [, form] = /<lectern-try data-from="([^"]+)"/.exec(page)!
    const shown = await read(await ask(form!.replaceAll("&#38;", "&").replaceAll("&amp;", "&")))
    assert.strictEqual(shown.status, 200)
    assert.include(shown.text, "https://shop.test")
    assert.strictEqual((await ask("/docs/~try?method=get&path=/secret")).status, 404)
    const [, css] = /rel="stylesheet" href="([^"]+)"/.exec(page)!
    assert.include((await ask(css!)).headers.get("content-type"), "text/css")
  })

  it("runs, searches and has no fault of accessibility in a browser, by the policy that it sends", async () => {
    const ask = await made(lectern)
    const files = new Map<string, { status: number; headers: Record<string, string>; body: Buffer }>()
    const page = (await read(await ask("/docs/pets"))).text
    const paths = Array.from(page.matchAll(/(?:href|src)="(\/docs\/~lectern\/[^"]+)"/g), ([, path]) => path!)
    for (const path of ["/docs/pets", "/docs/~search?q=owner&part=results", ...paths]) {
      const response = await ask(path)
      files.set(path, {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        body: Buffer.from(await response.arrayBuffer())
      })
    }
    await visit(
      browser(),
      `${origin}/docs/pets`,
      ({ pathname, search }) => files.get(pathname + search) ?? { status: 404 },
      async (page, { failures }) => {
        assert.deepStrictEqual(await faultsOf(page), [])
        await page.keyboard.press("/")
        await page.keyboard.type("owner")
        await page.locator(".search-results .found .api-method").waitFor()
        assert.deepStrictEqual(failures, [])
      }
    )
  })
})
