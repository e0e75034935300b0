/** The way from the first start to a visitor of the published site, in a real browser against a real server. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { cleanUp } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { openConsole, saved, startServer } from "./ConsolePages.ts"

describe("The console", () => {
  const browser = browserOfFile()
  afterAll(cleanUp)

  it("leads from the first start to a page that a visitor reads", async () => {
    const server = await startServer()
    const unknown = await fetch(server.url)
    const policy = unknown.headers.get("content-security-policy")!
    assert.include(policy, "default-src 'none'")
    assert.notInclude(policy, "unsafe")
    const { failures, page } = await openConsole(browser(), server, server.ready.signInLink)

    await page.click("button:text('Create a space')")
    await page.fill("[role=dialog] input:not([type=file])", "Coffee")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button[type=submit]")
    await page.click(".empty button")
    await page.waitForSelector(".lectern-editor")
    await page.keyboard.type("Grinding")
    await page.keyboard.press("Enter")
    await page.keyboard.type("Grind the beans **finely**.")
    await saved(page)
    await page.waitForSelector('[role=treeitem]:has-text("Grinding")')
    assert.deepStrictEqual(await faultsOf(page), [])

    // Leaving the page right after a key loses no text.
    await page.keyboard.type(" Not too finely.")
    await page.click("text=Review and merge")
    await page.click("details:has-text('Grinding') a:text('Edit')")
    await page.waitForSelector(".lectern-editor:has-text('Not too finely.')")
    await saved(page)
    await page.click("text=Review and merge")
    await page.waitForSelector("ins:has-text('Not too finely.')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("button:text-is('Merge')")
    await page.waitForSelector("article h1:text('Grinding')")
    await page.waitForSelector(".content strong:text('finely')")
    assert.deepStrictEqual(await faultsOf(page), [])

    // Resources and mails name the addresses of the console.
    const { pathname } = new URL(page.url())
    const [, , space, , id] = pathname.split("/")
    const { body } = await server.call("GET", `/v1/spaces/${space}/content/page/${id}`)
    assert.strictEqual(body.urls.app, server.url + pathname)

    await page.click("button:text-is('Publish')")
    await page.click("[role=dialog] button[type=submit]")
    const site = await page.getAttribute("[role=dialog] a:text('Open the site')", "href")
    assert.include(await (await fetch(site!)).text(), "Not too finely.")
    assert.deepStrictEqual(failures, [])

    // A second browser without a session signs in and comes back.
    const stranger = await browser().newPage()
    await stranger.goto(`${server.url}/spaces/unknown/changes`)
    await stranger.waitForURL((url) => url.pathname === "/-/sign-in")
    assert.strictEqual(new URL(stranger.url()).searchParams.get("to"), "/spaces/unknown/changes")
    await stranger.close()
    await page.context().close()
  })
})
