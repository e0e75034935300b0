/** Several people and tabs at one page, in real browsers against a real server: edits of one appear in the others. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { BrowserContext, Page } from "playwright-core"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { browserOfFile, patience } from "../../../packages/site/test/Chromium.ts"
import { openConsole, saved, startServer } from "./ConsolePages.ts"

describe("The feed of events in the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  let url: string
  beforeAll(async () => {
    server = await startServer()
    page = (await openConsole(browser(), server, server.ready.signInLink)).page
    const { body: space } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, {
      title: "Coffee"
    })
    const requests = `/v1/spaces/${space.id}/change-requests`
    const { body: request } = await server.call("POST", requests, { subject: "Edit" })
    const { body } = await server.call("POST", `${requests}/${request.number}/content?compat=false`, {
      changes: [{ operation: "insert_page", title: "Beans", document: { markdown: "About beans.\n" } }]
    })
    url = `${server.url}/spaces/${space.id}/changes/${request.number}/pages/${body.changes[0].page.id}`
  })
  afterAll(cleanUp)

  /** Opens the page in a browser of its own, whose time stands still until `runFor`. */
  const openOther = async (prepare: (context: BrowserContext) => Promise<unknown> = () => Promise.resolve()) => {
    const context = await browser().newContext({ locale: "en", storageState: await page.context().storageState() })
    await prepare(context)
    const other = await context.newPage()
    other.setDefaultTimeout(patience)
    await other.clock.install()
    await other.goto(url)
    await other.waitForSelector(".lectern-editor p")
    return other
  }

  const openEditor = async () => {
    await page.goto(url)
    await page.waitForSelector(".lectern-editor p")
  }

  const write = async (text: string) => {
    await page.click(".lectern-editor p")
    await page.keyboard.press("Control+End")
    await page.keyboard.type(text)
    await saved(page)
  }

  it("shows the edits of one browser in another one, also in the tree, before it would look for them", async () => {
    await openEditor()
    const messages = page.waitForEvent("request", (request) => request.url().endsWith("/events"))
    await page.reload()
    await page.waitForSelector(".lectern-editor p")
    await messages
    const other = await openOther()
    await other.clock.pauseAt(new Date((await other.evaluate(() => Date.now())) + 20_000))
    await write(" They are roasted.")
    // Less time than between two looks.
    for (let passed = 0; passed < 12_000; passed += 500) {
      if (await other.locator(".lectern-editor:has-text('They are roasted.')").count()) break
      await other.clock.runFor(500)
      await other.evaluate(() => fetch("/v1/user"))
    }
    await other.clock.resume()
    assert.strictEqual(await other.locator(".lectern-editor:has-text('They are roasted.')").count(), 1)

    await page.fill(".title-field", "Coffee beans")
    await other.waitForSelector("[role=treeitem]:has-text('Coffee beans')")
    await other.context().close()
  })

  it("uses one connection for all tabs of a browser, and a tab that stays takes it over", async () => {
    const connections: Array<string> = []
    const other = await openOther(async (context) => {
      context.on("request", (request) => {
        if (request.url().endsWith("/events")) connections.push(request.url())
      })
    })
    const tab = await other.context().newPage()
    await tab.goto(url)
    await tab.waitForSelector(".lectern-editor p")
    await openEditor()
    await write(" One.")
    for (const each of [other, tab]) await each.waitForSelector(".lectern-editor:has-text('One.')")
    assert.strictEqual(connections.length, 1)
    await Promise.all([tab.waitForRequest((request) => request.url().endsWith("/events")), other.close()])
    await write(" Two.")
    await tab.waitForSelector(".lectern-editor:has-text('Two.')")
    await tab.context().close()
  })

  it("looks for edits at times where streams are blocked", async () => {
    const other = await openOther((context) => context.route("**/events", (route) => route.abort()))
    await openEditor()
    await write(" Three.")
    await other.clock.fastForward(16_000)
    await other.waitForSelector(".lectern-editor:has-text('Three.')")
    await other.context().close()
  })
})
