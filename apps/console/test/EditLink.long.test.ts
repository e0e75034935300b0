/** "Edit this page" on a published site, which leads to the console, in a real browser. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { addPerson, openConsole, startServer } from "./ConsolePages.ts"

describe("Edit this page on a site", () => {
  const browser = browserOfFile()
  let server: Server
  let published: string
  beforeAll(async () => {
    server = await startServer()
    const organization = `/v1/orgs/${server.ready.organization.id}`
    const { body: space } = await server.call("POST", `${organization}/spaces`, { title: "Brewing" })
    const { body } = await server.call("POST", `/v1/spaces/${space.id}/change-requests`, {})
    const changeRequest = `/v1/spaces/${space.id}/change-requests/${body.number}`
    await server.call("POST", `${changeRequest}/content`, {
      changes: [{ operation: "insert_page", title: "Filter", document: { markdown: "Rinse it.\n" } }]
    })
    await server.call("POST", `${changeRequest}/merge`)
    const { body: site } = await server.call("POST", `${organization}/sites`, { title: "Docs", spaces: [space.id] })
    await server.call("PUT", `${organization}/sites/${site.id}/customization`, { git: { showEditLink: true } })
    const { body: shown } = await server.call("POST", `${organization}/sites/${site.id}/publish`)
    published = shown.urls.published
  })
  afterAll(cleanUp)

  it("opens the page in a draft of a member who may edit", async () => {
    const { failures, page } = await openConsole(browser(), server, server.ready.signInLink)
    await page.goto(published)
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("a:text('Edit this page')")
    await page.waitForURL(/\/changes\/\d+\/pages\//)
    await page.waitForSelector(".ProseMirror:has-text('Rinse it.')")
    // The Back button leads to the page for reading, and opens no other draft.
    await page.goBack()
    await page.waitForSelector("button:text('Edit')")
    assert.strictEqual(new URL(page.url()).hash, "")
    assert.deepStrictEqual(failures, [])
  })

  it("tells a member who may not edit, and shows the page", async () => {
    const reader = await addPerson(server, "Rita", "read")
    const { failures, page } = await openConsole(browser(), server, reader.link)
    await page.goto(published)
    await page.click("a:text('Edit this page')")
    await page.waitForSelector(".notice:has-text('You may not edit this space')")
    await page.waitForSelector(".content:has-text('Rinse it.')")
    assert.strictEqual(await page.locator("button:text('Edit')").count(), 0)
    assert.deepStrictEqual(failures, [])
  })

  it("asks a stranger to sign in, and then goes on", async () => {
    const context = await browser().newContext({ locale: "en" })
    const page = await context.newPage()
    await page.goto(published)
    await page.click("a:text('Edit this page')")
    await page.waitForURL(/\/-\/sign-in\?to=/)
    assert.match(new URL(page.url()).searchParams.get("to")!, /^\/spaces\/[^/]+\/pages\/[^/]+#edit$/)
  })
})
