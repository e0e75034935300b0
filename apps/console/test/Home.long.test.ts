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

  it("moves spaces and collections by mouse, keyboard and finger, and shows moves of others", async () => {
    const organization = server.ready.organization.id
    const create = async (kind: "collections" | "spaces", title: string, parent?: string): Promise<string> => {
      const { body } = await server.call("POST", `/v1/orgs/${organization}/${kind}`, {
        title,
        ...(parent && { parent })
      })
      return body.id
    }
    const kitchen = await create("collections", "Kitchen")
    const cups = await create("spaces", "Cups", kitchen)
    const shelf = await create("collections", "Shelf", kitchen)
    await create("spaces", "Plates", kitchen)
    const drawer = await create("collections", "Drawer", kitchen)

    const kitchenOf = (on: Page) => on.locator("li", { has: on.locator(`> details > [data-id="${kitchen}"]`) })
    const rowOf = (title: string, on = page) =>
      kitchenOf(on)
        .locator("[data-id]")
        .filter({ has: on.locator(`span:text-is("${title}")`) })
    /** Waits until the rows of the collection are these, with a dot for each level below the first. */
    const untilRows = (expected: string, on = page) =>
      on.waitForFunction(
        ([id, wanted]) => {
          const top = document.querySelector(`[data-id="${id}"]`)
          const levelOf = (row: Element): number => {
            const parent = row.parentElement?.closest(".rows")
            return parent ? 1 + levelOf(parent) : 0
          }
          const rows = [...(top?.parentElement?.querySelectorAll("[data-id]") ?? [])]
            .slice(1)
            .map((row) => ".".repeat(levelOf(row) - 2) + row.querySelector("[dir=auto]")!.textContent)
          return rows.join(" ") === wanted
        },
        [kitchen, expected] as const
      )
    const center = async (title: string, part: number, on = page) => {
      const { height, width, x, y } = (await rowOf(title, on).boundingBox())!
      return { x: x + width / 2, y: y + height * part }
    }
    const drag = async (title: string, target: string, part: number) => {
      await kitchenOf(page).evaluate((element) => element.scrollIntoView({ block: "center" }))
      const from = await center(title, 0.5)
      const to = await center(target, part)
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(from.x, from.y - 10, { steps: 3 })
      await page.mouse.move(to.x, to.y, { steps: 3 })
    }

    await page.goto(server.url)
    await page.waitForSelector(".space-tree.movable")
    await untilRows("Cups Shelf Plates Drawer")
    assert.deepStrictEqual(await faultsOf(page), [])

    await drag("Drawer", "Shelf", 0.1)
    await page.waitForSelector(".tree-ghost:has-text('After “Cups”')")
    await page.waitForSelector(".tree-line", { state: "attached" })
    await page.mouse.up()
    await untilRows("Cups Drawer Shelf Plates")
    await page.click(".notice:has-text('“Drawer” is moved') button:text('Undo')")
    await untilRows("Cups Shelf Plates Drawer")

    await drag("Plates", "Shelf", 0.5)
    await page.waitForSelector(".tree-ghost:has-text('Into “Shelf”')")
    await page.waitForSelector("summary.target")
    await page.keyboard.press("Escape")
    await page.waitForSelector(".tree-ghost", { state: "detached" })
    await page.mouse.up()
    await untilRows("Cups Shelf Plates Drawer")
    await drag("Plates", "Shelf", 0.5)
    await page.mouse.up()
    await untilRows("Cups Shelf .Plates Drawer")
    // The release of the mouse opened no space, and closed no collection.
    assert.strictEqual(new URL(page.url()).pathname, "/")

    await rowOf("Cups").focus()
    for (const [key, rows, place] of [
      ["ArrowDown", "Shelf .Plates Cups Drawer", "After “Shelf”"],
      ["ArrowRight", "Shelf .Plates .Cups Drawer", "After “Plates”"],
      ["ArrowUp", "Shelf .Cups .Plates Drawer", "First in “Shelf”"],
      ["ArrowLeft", "Shelf .Plates Cups Drawer", "After “Shelf”"],
      ["ArrowUp", "Cups Shelf .Plates Drawer", "First in “Kitchen”"]
    ] as const) {
      await page.keyboard.press(`Alt+${key}`)
      await untilRows(rows)
      await page.waitForSelector(`.space-tree [role=status]:text-is("${place}")`, { state: "attached" })
      await page.waitForSelector(`a[data-id="${cups}"]:focus`)
    }
    // Keys that are pressed before the server responds are steps as well.
    await page.keyboard.press("Alt+ArrowDown")
    await page.keyboard.press("Alt+ArrowDown")
    await untilRows("Shelf .Plates Drawer Cups")
    assert.deepStrictEqual(await faultsOf(page), [])

    // The visibility in a collection, which the top of the organization does not have, comes back.
    await server.call("PATCH", `/v1/spaces/${cups}`, { visibility: "in-collection" })
    await page.reload()
    await page.waitForSelector(".space-tree.movable")
    await rowOf("Cups").focus()
    await page.keyboard.press("Alt+ArrowLeft")
    await untilRows("Shelf .Plates Drawer")
    const patched = page.waitForResponse((response) => response.request().method() === "PATCH")
    await page.click(".notice:has-text('“Cups” is moved') button:text('Undo')")
    assert.strictEqual((await (await patched).json()).visibility, "in-collection")
    await untilRows("Shelf .Plates Drawer Cups")

    // A refusal is said, and the place of others is shown without a reload.
    await page.route(`**/v1/collections/${shelf}/move`, (route) =>
      route.fulfill({
        status: 409,
        json: { error: { code: 409, message: "Collections can be nested at most 10 deep" } }
      })
    )
    await rowOf("Shelf").focus()
    await page.keyboard.press("Alt+ArrowDown")
    await page.waitForSelector(".notice.problem:has-text('nested at most 10 deep')")
    await untilRows("Shelf .Plates Drawer Cups")
    await page.unrouteAll()
    await server.call("POST", `/v1/collections/${drawer}/move`, {
      parent: kitchen,
      position: { before: { type: "collection", collection: shelf } }
    })
    await untilRows("Drawer Shelf .Plates Cups")
    await create("spaces", "Knives", drawer)
    await untilRows("Drawer .Knives Shelf .Plates Cups")

    // A finger on a narrow screen, from right to left.
    const phone = await (
      await browser().newContext({
        storageState: await page.context().storageState(),
        locale: "ar",
        viewport: { width: 360, height: 740 },
        hasTouch: true,
        isMobile: true
      })
    ).newPage()
    await phone.goto(server.url)
    await phone.waitForSelector(".space-tree.movable")
    await untilRows("Drawer .Knives Shelf .Plates Cups", phone)
    await rowOf("Shelf", phone).evaluate((row) => row.scrollIntoView({ block: "center" }))
    assert.deepStrictEqual(await faultsOf(phone), [])
    const touch = await phone.context().newCDPSession(phone)
    const from = await center("Cups", 0.5, phone)
    const to = await center("Shelf", 0.1, phone)
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] })
    await phone.waitForSelector("html.dragging")
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: to.x, y: to.y + 20 }] })
    // The first level begins at the right.
    const edge = { x: 340, y: to.y }
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [edge] })
    await phone.waitForSelector(".tree-line", { state: "attached" })
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
    await untilRows("Drawer .Knives Cups Shelf .Plates", phone)
    await rowOf("Cups", phone).focus()
    // The left arrow leads inwards where the script begins at the right.
    await phone.keyboard.press("Alt+ArrowLeft")
    await untilRows("Drawer .Knives .Cups Shelf .Plates", phone)
    await untilRows("Drawer .Knives .Cups Shelf .Plates")
    assert.isAtMost(await phone.evaluate(() => document.documentElement.scrollWidth), 360)
    await phone.context().close()

    // A reader moves nothing.
    const reader = await addPerson(server, "Rita", "read")
    const theirs = (await openConsole(browser(), server, reader.link)).page
    await untilRows("Drawer .Knives .Cups Shelf .Plates", theirs)
    await theirs.waitForSelector(".space-tree:not(.movable)")
    await rowOf("Cups", theirs).focus()
    await theirs.keyboard.press("Alt+ArrowUp")
    await theirs.context().close()
    await untilRows("Drawer .Knives .Cups Shelf .Plates")
    assert.deepStrictEqual(
      failures.filter((line) => !line.includes("409")),
      []
    )
  })

  it("stays usable with 1,000 spaces", async () => {
    const { body } = await server.call("GET", `/v1/orgs/${server.ready.organization.id}/spaces?limit=1`)
    const items = Array.from({ length: 1_000 }, (_, i) => ({ ...body.items[0], id: `space${i}`, title: `Space ${i}` }))
    await page.route("**/v1/orgs/*/spaces?*", (route) => route.fulfill({ json: { items, count: items.length } }))
    await page.goto(server.url)
    await page.waitForSelector(".space-row >> nth=999", { state: "attached" })
    await page.waitForSelector(".space-tree.movable")
    // A drag renders no row again.
    const rows = page.locator(".space-row")
    await rows.nth(2).scrollIntoViewIfNeeded()
    const { x, y } = (await rows.nth(0).boundingBox())!
    await page.evaluate(() => {
      const changes: Array<string> = []
      Object.assign(window, { changes })
      new MutationObserver((records) =>
        changes.push(...records.map(({ attributeName, type }) => attributeName ?? type))
      ).observe(document.querySelector(".space-tree > .rows")!, {
        attributes: true,
        characterData: true,
        childList: true,
        subtree: true
      })
    })
    await page.mouse.move(x + 60, y + 20)
    await page.mouse.down()
    await page.mouse.move(x + 60, y + 60, { steps: 4 })
    await page.mouse.move(x + 60, y + 100, { steps: 4 })
    await page.waitForSelector(".tree-line", { state: "attached" })
    await page.keyboard.press("Escape")
    await page.mouse.up()
    // The class of the row that is dragged is set and removed.
    assert.deepStrictEqual(await page.evaluate(() => (window as unknown as { changes: unknown }).changes), [
      "class",
      "class"
    ])
    await page.keyboard.press("Control+k")
    await page.waitForSelector(".palette input:focus")
    await page.keyboard.type("space 987")
    await page.waitForSelector("[role=menuitem]:has-text('Space 987')")
    await page.unrouteAll()
    assert.deepStrictEqual(failures, [])
  })
})
