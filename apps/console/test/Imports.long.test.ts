/** Imports of a website and of a Git repository, from the dialog to the imported pages, in a real browser. */
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { cleanUp, serve, type Server, temporaryFolder } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { gitServer, hasGit } from "../../../packages/services-node/test/GitServer.ts"
import { openConsole } from "./ConsolePages.ts"

/** The smallest PNG. */
const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "base64"
)

const html = (title: string, content: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><nav><a href="/guide/">Guide</a><a href="/guide/cups">Cups</a></nav>` +
  `<main><h1>${title}</h1>${content}</main><footer>All rights reserved</footer></html>`

const website: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  "/guide/": [
    "text/html",
    html("Brewing", `<p>Use <strong>fresh</strong> beans and <a href="/guide/cups">good cups</a>.</p>`)
  ],
  "/guide/cups": [
    "text/html",
    html("Cups", `<p>Warm them.</p><img src="/guide/cup.png" alt="A cup"><img src="/guide/lost.png" alt="Lost">`)
  ],
  "/guide/cup.png": ["image/png", picture]
}

describe("Imports in the console", () => {
  const browser = browserOfFile()
  let site: HttpServer
  let origin: string
  let server: Server
  let page: Page
  let failures: ReadonlyArray<string>
  beforeAll(async () => {
    site = createServer(({ url = "/" }, response) => {
      const found = website[url]
      response.writeHead(found === undefined ? 404 : 200, { "content-type": found?.[0] ?? "text/plain" })
      response.end(found?.[1])
    })
    await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    server = await serve(temporaryFolder(), { env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } })
    ;({ failures, page } = await openConsole(browser(), server, server.ready.signInLink))
  })
  afterAll(async () => {
    site.close()
    await cleanUp()
  })

  /** Runs an import from the dialog. The report is held back until the progress is visible. */
  const runImport = async (content: string, title: string, url: string, state: RegExp) => {
    await page.goto(server.url)
    await page.click("button:text('New space')")
    await page.click(`[role=dialog] .option:has-text('${content}')`)
    await page.fill("[role=dialog] input >> nth=0", title)
    await page.fill("[role=dialog] input[type=url]", url)
    const shown = Promise.withResolvers<void>()
    await page.route(state, async (route) => {
      await shown.promise
      await route.continue()
    })
    await page.click("[role=dialog] button[type=submit]")
    await page.waitForSelector("[role=dialog] progress")
    assert.deepStrictEqual(await faultsOf(page), [])
    shown.resolve()
    await page.waitForSelector("[role=dialog] button:text('Open the space')")
    await page.unrouteAll()
    assert.deepStrictEqual(await faultsOf(page), [])
  }

  it("imports a website with its pages, links and pictures, and reports what it left out", async () => {
    await runImport("A website", "From the web", `${origin}/guide/`, /\/v1\/org\/[^/]+\/imports\/[^/]+$/)
    await page.waitForSelector("[role=dialog] [role=status]:has-text('2 pages are imported')")
    await page.click("[role=dialog] summary")
    await page.waitForSelector("[role=dialog] .report:has-text('lost.png')")
    await page.click("[role=dialog] button:text('Open the space')")
    await page.waitForSelector(".content strong:text('fresh')")
    await page.click(".content a:text('good cups')")
    await page.waitForSelector("article h1:text('Cups')")
    await page.waitForSelector(".content img[alt='A cup']")
    assert.strictEqual(await page.locator(".content:has-text('All rights reserved')").count(), 0)
    // The picture that is missing stays at its URL. The page shows no pictures of HTTP.
    const others = failures.filter((failure) => !failure.includes(`Loading the image '${origin}/guide/lost.png'`))
    assert.deepStrictEqual(others, [])
  })

  it.skipIf(!hasGit)("imports a Git repository with its structure, and reports what it left out", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const git = yield* gitServer()
          git.init("docs.git")
          git.commit("docs.git", {
            "README.md": "# Roast\n\nSee [darkness](guide/dark.md).\n\n![Lost](lost.png)\n",
            "guide/dark.md": "# Darkness\n\n**Not** too dark.\n\n![Cup](../cup.png)\n",
            "SUMMARY.md": "# Summary\n\n* [Roast](README.md)\n* [Darkness](guide/dark.md)\n",
            "cup.png": picture
          })
          const earlier = failures.length
          yield* Effect.promise(async () => {
            await runImport("A Git repository", "From Git", git.urlOf("docs.git"), /\/git\/info$/)
            await page.waitForSelector("[role=dialog] [role=status]:has-text('2 pages are imported')")
            await page.click("[role=dialog] summary")
            await page.waitForSelector("[role=dialog] .report:has-text('lost.png')")
            await page.click("[role=dialog] button:text('Open the space')")
            await page.click(".content a:text('darkness')")
            await page.waitForSelector("article h1:text('Darkness')")
            await page.waitForSelector(".content img[alt='Cup']")
            assert.deepStrictEqual(failures.slice(earlier), [])
          })
        })
      )
    )
  )

  it.skipIf(!hasGit)("says why a Git repository can't be imported, and leaves no space", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const git = yield* gitServer()
          git.init("docs.git")
          git.commit("docs.git", { "README.md": "# Roast\n" })
          const earlier = failures.length
          yield* Effect.promise(async () => {
            await page.goto(server.url)
            await page.click("button:text('New space')")
            await page.click("[role=dialog] .option:has-text('A Git repository')")
            await page.fill("[role=dialog] input >> nth=0", "Without a branch")
            await page.fill("[role=dialog] input[type=url]", git.urlOf("docs.git"))
            await page.fill("[role=dialog] input >> nth=-1", "trunk")
            await page.click("[role=dialog] button[type=submit]")
            await page.waitForSelector("[role=dialog] [role=alert]:has-text('trunk')")
            assert.deepStrictEqual(await faultsOf(page), [])
            await page.click("[role=dialog] button:text('Cancel')")
            await page.waitForSelector(".rows")
            assert.strictEqual(await page.locator(".space-row:has-text('Without a branch')").count(), 0)
            assert.deepStrictEqual(failures.slice(earlier), [])
          })
        })
      )
    )
  )
})
