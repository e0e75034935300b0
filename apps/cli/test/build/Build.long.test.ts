/** Static sites in a browser, from a file server that knows nothing of Lectern. */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { faultsOf } from "../../../../packages/site/test/Axe.ts"
import { browserOfFile, patience } from "../../../../packages/site/test/Chromium.ts"
import { folderOf } from "../dev/Folders.ts"
import { cleanUp, lecternJson, temporaryFolder } from "../../../server/test/LecternProcess.ts"
import { brokenReferences, filesIn } from "./Crawl.ts"
import { serveFiles } from "./FileServer.ts"

const browser = browserOfFile()
afterAll(cleanUp)

const manual = resolve(import.meta.dirname, "../../../../docs")
const corpus = resolve(import.meta.dirname, "../../../../../shared/corpus")

const builtSite = async (folder: string, ...args: ReadonlyArray<string>) => {
  const out = join(temporaryFolder(), "site")
  const result = await lecternJson(["build", folder, "--out", out, ...args])
  return { out, result }
}

/** Opens pages in one browser context. `failures`: errors of the pages, without missing pages. */
const visitor = async (options: { readonly colorScheme?: "light"; readonly javaScriptEnabled?: boolean } = {}) => {
  const page = await browser().newPage({ viewport: { width: 1200, height: 800 }, ...options })
  page.setDefaultTimeout(patience)
  const failures: Array<string> = []
  page.on("pageerror", (failure) => failures.push(String(failure)))
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
  return { page, failures }
}

type Page = Awaited<ReturnType<typeof visitor>>["page"]

const search = async (page: Page, query: string) => {
  await page.keyboard.press("Control+k")
  await page.locator("dialog input[type=search]").fill(query)
  await page.locator(".search-results .found-count").waitFor()
}

describe("A static site", () => {
  it("has pages, links, search, a missing page and both modes, below a path", async () => {
    const { out, result } = await builtSite(manual, "--base", "/help/")
    assert.deepStrictEqual(result.problems, [])
    assert.deepStrictEqual(brokenReferences(out, "/help/").broken, [])
    const { url, requested } = await serveFiles(out, "/help/")
    const { page, failures } = await visitor({ colorScheme: "light" })
    await page.goto(url)
    await page.locator("nav[data-tree] a", { hasText: "Quick start" }).click()
    await page.waitForURL(`${url}quick-start/`)
    await page.getByRole("heading", { level: 1, name: "Quick start" }).waitFor()

    await search(page, "redirect visitors")
    assert.isAbove(await page.locator(".search-results .found > li").count(), 5)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/help\/publishing\/redirects\//)
    assert.isTrue(requested.every((path) => path.startsWith("/help/")))
    assert.deepStrictEqual(
      requested.filter((path) => path.includes("~search") && path.endsWith("~search")),
      []
    )

    await page.goto(`${url}~search/?q=qqzzxx`)
    await page.locator("[data-results] .found-count", { hasText: "qqzzxx" }).waitFor()
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await ground()
    await page.emulateMedia({ colorScheme: "dark" })
    assert.notStrictEqual(await ground(), light)

    await page.goto(`${url}concepts`)
    await page.waitForURL(`${url}concepts/organizations/`)
    assert.deepStrictEqual(failures, [])

    const missing = await page.goto(`${url}any/missing/path`)
    assert.strictEqual(missing!.status(), 404)
    await page.getByRole("link", { name: "To the front page" }).click()
    await page.waitForURL(url)
    await page.close()
  })

  it("has no faults that axe finds", async () => {
    const { out } = await builtSite(manual)
    const { url } = await serveFiles(out, "/")
    const { page } = await visitor()
    for (const path of ["", "publishing/customization/", "reference/markdown/", "~search/?q=install", "missing"]) {
      await page.goto(url + path)
      if (path.includes("?q")) await page.locator("[data-results] .found").waitFor()
      assert.deepStrictEqual(await faultsOf(page), [], path)
    }
    await page.goto(url)
    await search(page, "install")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.close()
  })

  it("can be read without scripts", async () => {
    const { out } = await builtSite(manual)
    const { url } = await serveFiles(out, "/")
    const { page } = await visitor({ javaScriptEnabled: false })
    await page.goto(`${url}concepts/`)
    await page.waitForURL(`${url}concepts/organizations/`)
    await page.locator("header form[role=search] input").first().fill("install")
    await page.keyboard.press("Enter")
    await page.locator("noscript p", { hasText: "Search needs JavaScript." }).waitFor()
    await page.close()
  })

  it("renders diagrams, formulas, code, API reference and pictures", async () => {
    const { out } = await builtSite(
      folderOf({
        "README.md":
          '# Home\n\n![A dot](dot.svg)\n\n$$x^2$$\n\n```js\nconst a = 1\n```\n\n```mermaid\ngraph TD; A-->B\n```\n\n{% openapi src="api.yaml" path="/birds" method="get" %}\n{% endopenapi %}\n',
        "dot.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>',
        "api.yaml":
          'openapi: 3.1.0\ninfo: { title: Birds, version: "1" }\npaths:\n  /birds:\n    get:\n      responses: { "200": { description: All birds } }\n'
      }),
      "--base",
      "/a/b/"
    )
    const { url } = await serveFiles(out, "/a/b/")
    const { page, failures } = await visitor()
    await page.goto(url)
    await page.locator("lectern-diagram[data-state=drawn] img").waitFor()
    assert.isAbove(await page.locator("img[alt='A dot']").evaluate((image: HTMLImageElement) => image.naturalWidth), 0)
    assert.isAbove(await page.locator(".formula").count(), 0)
    assert.isAbove(await page.locator("figure.code .k").count(), 0)
    await page.getByText("All birds").first().waitFor()
    assert.deepStrictEqual(failures, [])
    await page.close()
  })
})

if (!existsSync(corpus)) console.warn(`Skipped: there are no corpora at ${corpus}`)

describe.skipIf(!existsSync(corpus))("The corpora", () => {
  it.each(["brighter", "adobe-aep"])(
    "%s: is complete, equal in each build, and its broken links are reported",
    async (name) => {
      const folder = join(corpus, name)
      const [one, two] = await Promise.all([
        builtSite(folder, "--base", "/docs/"),
        builtSite(folder, "--base", "/docs/")
      ])
      assert.isAbove(one.result.pages, 180)
      assert.deepStrictEqual(filesIn(one.out), filesIn(two.out))
      assert.strictEqual(two.result.bytes, one.result.bytes)
      const again = await lecternJson(["build", folder, "--out", one.out, "--base", "/docs/"])
      assert.deepInclude(again, { changed: 0, deleted: 0 })
      const reported = JSON.stringify(one.result.problems)
      const broken = brokenReferences(one.out, "/docs/").broken.filter(({ url }) => !url.includes("#"))
      for (const { page, url } of broken) assert.include(reported, decodeURIComponent(url), `${page} ${url}`)
    }
  )
})
