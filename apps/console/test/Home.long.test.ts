/** The home screen: collections and spaces, imports, the trash, and what waits, in a real browser against a real server. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { cleanUp, type Server, temporaryFolder } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { addPerson, makeChangeRequest, openConsole, startServer } from "./ConsolePages.ts"

describe("The home screen of the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  let failures: ReadonlyArray<string>
  beforeAll(async () => {
    server = await startServer()
    ;({ failures, page } = await openConsole(browser(), server, server.ready.signInLink))
  })
  afterAll(cleanUp)

  const dialogIsClosed = () => page.waitForSelector("[role=dialog]", { state: "detached" })

  const newSpace = async (content: string) => {
    await page.goto(server.url)
    await page.click("button:text('New space')")
    await page.click(`[role=dialog] .option:has-text('${content}')`)
  }

  const choose = async (button: string, files: Parameters<Page["setInputFiles"]>[1]) => {
    const chooser = page.waitForEvent("filechooser")
    await page.click(`[role=dialog] button:text('${button}')`)
    await (await chooser).setFiles(files)
  }

  const file = (name: string, text: string) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(text)
  })

  it("arranges spaces in collections, and restores a deleted space", async () => {
    await page.goto(server.url)
    await page.click("button:text('New collection')")
    await page.waitForSelector("[role=dialog] input:focus")
    await page.keyboard.type("Drinks")
    await page.keyboard.press("Enter")
    await dialogIsClosed()
    await page.waitForSelector("summary:has-text('Drinks')")
    await newSpace("From a template")
    await page.fill("[role=dialog] input", "Tea")
    await page.selectOption("[role=dialog] select >> nth=0", { label: "Drinks" })
    await page.selectOption("[role=dialog] select >> nth=1", "handbook")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button[type=submit]")
    await page.waitForSelector("article h1")

    await page.click(".brand")
    await page.waitForSelector("details:has(summary:has-text('Drinks')) .space-row:has-text('Tea')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.press("button[aria-label='Settings of Tea']", "Enter")
    await page.fill("[role=dialog] input >> nth=0", "Green tea")
    await page.selectOption("[role=dialog] select", "")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button:text('Save')")
    await dialogIsClosed()
    await page.waitForSelector("details:has(summary:has-text('Drinks')) .branch-empty")
    await page.waitForSelector(".rows > .space-row:has-text('Green tea')")

    await page.press("button[aria-label='Settings of Green tea']", "Enter")
    await page.click("[role=dialog] button:text('Delete')")
    await page.waitForSelector(".space-row:has-text('Green tea')", { state: "detached" })
    await page.click(".notice button:text('Undo')")
    await page.waitForSelector(".space-row:has-text('Green tea')")
    await page.press("button[aria-label='Settings of Green tea']", "Enter")
    await page.click("[role=dialog] button:text('Delete')")
    await dialogIsClosed()
    await page.reload()
    await page.click("summary:has-text('1 deleted space')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.press("button[aria-label='Restore Green tea']", "Enter")
    await page.waitForSelector(".space-row:has-text('Green tea')")
    await page.waitForSelector(".trash", { state: "detached" })

    // A space that another person deleted.
    const grace = await addPerson(server, "Grace", "admin")
    const { body } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, { title: "Mint" })
    await server.call("DELETE", `/v1/spaces/${body.id}`, undefined, grace.token)
    await page.reload()
    await page.click("summary:has-text('1 deleted space')")
    await page.waitForSelector(".trash li:has-text('Mint'):has-text('Deleted by Grace')")
    await page.press("button[aria-label='Restore Mint']", "Enter")
    await page.waitForSelector(".space-row:has-text('Mint')")

    await page.press("button[aria-label='Settings of Drinks']", "Enter")
    await page.click("[role=dialog] button:text('Delete')")
    await page.waitForSelector("summary:has-text('Drinks')", { state: "detached" })
    assert.deepStrictEqual(failures, [])
  })

  it("imports files, and says what is wrong with others", async () => {
    await newSpace("Files")
    await page.fill("[role=dialog] input", "Nothing")
    await page.click("[role=dialog] button[type=submit]")
    await page.waitForSelector("[role=dialog] [role=alert]:has-text('Choose the files first')")
    await page.fill("[role=dialog] input", "")
    await choose("Choose files", [file("notes.exe", "MZ")])
    await page.waitForSelector("[role=dialog] [role=alert]:has-text('.docx')")
    await choose("Choose files", [
      file("Harvest.md", "# Harvest\n\nPick **ripe** cherries.\n\n![Cherry](missing.png)\n")
    ])
    assert.strictEqual(await page.inputValue("[role=dialog] input:not([type=file])"), "Harvest")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button[type=submit]")
    await page.waitForSelector("[role=dialog] [role=status]:has-text('1 page is imported')")
    await page.click("[role=dialog] summary")
    await page.waitForSelector("[role=dialog] .report:has-text('missing.png')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.keyboard.press("Tab")
    await page.click("[role=dialog] button:text('Open the space')")
    await page.waitForSelector(".content strong:text('ripe')")
    assert.deepStrictEqual(failures, [])
  })

  it("imports a folder, and keeps its structure", async () => {
    const folder = join(temporaryFolder(), "Brewing")
    mkdirSync(join(folder, "guide"), { recursive: true })
    mkdirSync(join(folder, ".git"))
    writeFileSync(join(folder, "README.md"), "# Brew\n\nSee [cups](guide/cups.md).\n")
    writeFileSync(join(folder, "guide/cups.md"), "# Cups\n\nTwo of them.\n")
    writeFileSync(join(folder, ".git/notes.md"), "# Hidden\n")
    await newSpace("A folder")
    await choose("Choose a folder", folder)
    assert.strictEqual(await page.inputValue("[role=dialog] input:not([type=file])"), "Brewing")
    await page.click("[role=dialog] button[type=submit]")
    await page.waitForSelector("[role=dialog] [role=status]:has-text('2 pages are imported')")
    await page.click("[role=dialog] button:text('Open the space')")
    await page.click(".content a:text('cups')")
    await page.waitForSelector("article h1:text('Cups')")
    assert.deepStrictEqual(failures, [])
  })

  it("says why a website can't be imported, and leaves no space", async () => {
    await newSpace("A website")
    await page.fill("[role=dialog] input >> nth=0", "Private")
    await page.fill("[role=dialog] input[type=url]", "http://127.0.0.1:9/")
    await page.click("[role=dialog] button[type=submit]")
    await page.waitForSelector("[role=dialog] [role=alert]")
    assert.strictEqual(await page.inputValue("[role=dialog] input >> nth=0"), "Private")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button:text('Cancel')")
    await page.waitForSelector(".rows")
    assert.strictEqual(await page.locator(".space-row:has-text('Private')").count(), 0)
    assert.deepStrictEqual(failures, [])
  })

  it("lists reviews that others asked for, and one's own change requests", async () => {
    const ada = await addPerson(server, "Ada", "edit")
    const { path } = await makeChangeRequest(server, "Milk")
    await makeChangeRequest(server, "Sugar")
    const { body } = await server.call("POST", `${path.replace(/\/\d+$/, "")}`, { subject: "By Ada" }, ada.token)
    const byAda = path.replace(/\d+$/, body.number)
    await server.call("POST", `${byAda}/requested-reviewers`, { users: [server.ready.user.id] }, ada.token)
    await page.goto(server.url)
    await page.waitForSelector(".waiting li:has-text('By Ada'):has-text('Your review is asked')")
    await page.waitForSelector(".waiting li:has-text('About Milk')")
    await page.waitForSelector(".waiting li:has-text('About Sugar')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await server.call("POST", `${byAda}/reviews`, { status: "approved" })
    await page.reload()
    await page.waitForSelector(".waiting li:has-text('About Sugar')")
    await page.waitForSelector(".waiting li:has-text('By Ada')", { state: "detached" })
    await server.call("POST", `${byAda}/requested-reviewers`, { users: [server.ready.user.id] }, ada.token)
    await page.reload()
    await page.waitForSelector(".waiting li:has-text('By Ada')")
    assert.deepStrictEqual(failures, [])
  })

  it("stays usable with 1,000 spaces", async () => {
    const { body } = await server.call("GET", `/v1/orgs/${server.ready.organization.id}/spaces?limit=1`)
    const items = Array.from({ length: 1_000 }, (_, i) => ({ ...body.items[0], id: `space${i}`, title: `Space ${i}` }))
    await page.route("**/v1/orgs/*/spaces?*", (route) => route.fulfill({ json: { items, count: items.length } }))
    await page.goto(server.url)
    await page.waitForSelector(".space-row >> nth=999", { state: "attached" })
    await page.keyboard.press("Control+k")
    await page.waitForSelector(".palette input:focus")
    await page.keyboard.type("space 987")
    await page.waitForSelector("[role=menuitem]:has-text('Space 987')")
    await page.unrouteAll()
    assert.deepStrictEqual(failures, [])
  })
})
