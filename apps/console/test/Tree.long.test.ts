/** The tree of pages in a real browser: many pages, and all actions by mouse, finger and keyboard. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { openConsole, startServer } from "./ConsolePages.ts"

describe("The tree of pages in the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  beforeAll(async () => {
    server = await startServer()
    page = (await openConsole(browser(), server, server.ready.signInLink)).page
  })
  afterAll(cleanUp)

  /** Creates a space with a change request that has pages. Returns the URL of the change request. */
  const makeTree = async (...pages: ReadonlyArray<object>): Promise<string> => {
    const { body: space } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, {
      title: "Coffee"
    })
    const { body: request } = await server.call("POST", `/v1/spaces/${space.id}/change-requests`, { subject: "Edit" })
    await server.call("POST", `/v1/spaces/${space.id}/change-requests/${request.number}/content?compat=false`, {
      changes: pages.map((one) => ({ operation: "insert_page", ...one }))
    })
    return `${server.url}/spaces/${space.id}/changes/${request.number}`
  }

  const openTree = async (on: Page, url: string) => {
    await on.goto(url)
    await on.waitForSelector("[role=treeitem]")
  }

  const rowOf = (title: string, on = page) =>
    on.locator("[role=treeitem]").filter({ has: on.locator(`.tree-title span:text-is("${title}")`) })

  /** Chooses an entry of the open menu by the keyboard. */
  const choose = async (entry: string) => {
    const item = page.locator(`[role=menuitem]:has-text("${entry}")`).last()
    await page.waitForSelector("[role=menuitem]:focus")
    await item.waitFor()
    while (!(await item.evaluate((element) => element === document.activeElement)))
      await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
  }

  /** Waits until the rows are these, with a dot for each level below the first. */
  const untilRows = (expected: string, on = page) =>
    on.waitForFunction(
      (wanted) =>
        Array.from(
          document.querySelectorAll("[role=treeitem]"),
          (row) =>
            ".".repeat(Number(row.getAttribute("aria-level")) - 1) +
            row.querySelector(".tree-title > span:last-child")?.textContent
        ).join(" ") === wanted,
      expected
    )

  const brewing = [
    { title: "Beans", ref: "beans" },
    { title: "Arabica", into: "beans" },
    { title: "Robusta", into: "beans" },
    { title: "Grind" },
    { title: "Brew" }
  ]

  it("has only rows near the visible ones of 10,000, and renders no row again that did not change", async () => {
    const url = await makeTree({ title: "Beans" })
    const pages = Array.from({ length: 10_000 }, (_, i) => ({
      object: "page",
      type: "document",
      kind: "sheet",
      id: `page${i}`,
      title: `${i % 2 === 0 ? "Filter" : "Espresso"} ${i}`,
      slug: `page-${i}`,
      path: `page-${i}`,
      pages: [],
      tags: []
    }))
    await page.route("**/content/pages?*", (route) => route.fulfill({ json: { pages } }))
    await openTree(page, url)
    const rows = page.locator("[role=treeitem]")
    assert.isBelow(await rows.count(), 80)

    // Rows that stay while the list scrolls are neither rendered nor created again.
    const changed = await page.evaluate(async () => {
      const tree = document.querySelector(".tree")!
      const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const before = new Set(tree.querySelectorAll("[role=treeitem]"))
      let changes = 0
      const observer = new MutationObserver((records) => {
        changes += records.filter(({ type, target }) => type !== "childList" || before.has(target as Element)).length
      })
      observer.observe(tree, { attributes: true, characterData: true, childList: true, subtree: true })
      tree.scrollTop = 400
      await frame()
      const kept = [...tree.querySelectorAll("[role=treeitem]")].filter((row) => before.has(row)).length
      observer.disconnect()
      return { changes, kept }
    })
    assert.strictEqual(changed.changes, 0)
    assert.isAtLeast(changed.kept, 20)

    await rows.first().focus()
    await page.keyboard.press("End")
    await page.waitForSelector('[role=treeitem][aria-posinset="10000"][aria-setsize="10000"]:focus')
    assert.isBelow(await rows.count(), 80)
    await page.keyboard.press("Home")
    await page.keyboard.press("e")
    await page.waitForSelector('[role=treeitem][aria-label="Espresso 1"]:focus')

    await page.click(".search input")
    for (const [key, matches] of [
      ["9", 3_439],
      ["9", 280],
      ["9", 19]
    ] as const) {
      await page.keyboard.press(key)
      await page.waitForSelector(`.tree-frame [role=status]:text-is("${matches.toString()} pages")`, {
        state: "attached"
      })
      assert.isBelow(await rows.count(), 80)
    }
    await page.keyboard.press("ArrowDown")
    await page.waitForSelector('[role=treeitem][aria-label="Espresso 999"]:focus')
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.unroute("**/content/pages?*")
  })

  it("moves pages by the mouse, says where, and takes it back", async () => {
    await openTree(page, await makeTree(...brewing))
    await rowOf("Beans").focus()
    await page.keyboard.press("ArrowRight")
    await untilRows("Beans .Arabica .Robusta Grind Brew")
    const start = (await rowOf("Brew").boundingBox())!
    const target = (await rowOf("Robusta").boundingBox())!
    await page.mouse.move(start.x + 60, start.y + 15)
    await page.mouse.down()
    await page.mouse.move(start.x + 60, start.y - 10, { steps: 3 })
    await page.mouse.move(target.x + 60, target.y + 2, { steps: 3 })
    await page.waitForSelector(".tree-ghost:has-text('After “Arabica”')")
    await page.waitForSelector(".tree-line", { state: "attached" })
    await page.mouse.up()
    await untilRows("Beans .Arabica .Brew .Robusta Grind")
    await page.click(".notice button:text('Undo')")
    await untilRows("Beans .Arabica .Robusta Grind Brew")

    // Escape leaves all where it is.
    await page.mouse.move(start.x + 60, start.y + 15)
    await page.mouse.down()
    await page.mouse.move(target.x + 60, target.y + 15, { steps: 3 })
    await page.waitForSelector(".tree-ghost:has-text('Into “Robusta”')")
    await page.keyboard.press("Escape")
    await page.waitForSelector(".tree-ghost", { state: "detached" })
    await page.mouse.up()
    await untilRows("Beans .Arabica .Robusta Grind Brew")
  })

  it("moves, renames, adds and deletes pages by the keyboard alone, one and several", async () => {
    await openTree(page, await makeTree(...brewing))
    await rowOf("Beans").focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("End")

    // Through all places with the arrows, which are read out.
    await page.keyboard.press("Shift+F10")
    await choose("Move")
    await choose("Move with the arrow keys")
    await page.waitForSelector('[role=treeitem][aria-label="Brew"]:focus')
    for (const place of ["Into “Grind”", "After “Beans”", "After “Robusta”", "Into “Robusta”"]) {
      await page.keyboard.press("ArrowUp")
      await page.waitForSelector(`.tree-frame [role=status]:text-is("${place}")`, { state: "attached" })
    }
    await page.keyboard.press("Enter")
    await untilRows("Beans .Arabica .Robusta ..Brew Grind")

    // Several at once.
    await rowOf("Arabica").focus()
    await page.keyboard.press("Shift+ArrowDown")
    await page.waitForSelector(".tree-chosen:has-text('2 pages selected')")
    await page.keyboard.press("Alt+ArrowLeft")
    await untilRows("Beans Arabica Robusta .Brew Grind")
    await page.keyboard.press("Delete")
    await page.waitForSelector("[role=dialog]:has-text('Delete 2 pages?'):has-text('1 page below')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click("[role=dialog] button:text-is('Delete')")
    await untilRows("Beans Grind")
    await page.click(".notice:has-text('2 pages are deleted') button:text('Undo')")
    await untilRows("Beans Arabica Robusta .Brew Grind")

    // A group and a link between two rows.
    await rowOf("Beans").focus()
    await page.keyboard.press("Shift+F10")
    await choose("Add below")
    await choose("Group")
    await page.waitForSelector(".tree-rename:focus")
    await page.keyboard.type("More")
    await page.keyboard.press("Enter")
    await untilRows("Beans More Arabica Robusta .Brew Grind")
    await page.waitForSelector('[role=treeitem][aria-label="More, group"]:focus')
    await page.keyboard.press("Shift+F10")
    await choose("Add below")
    await choose("Link")
    await page.fill("[role=dialog] input >> nth=0", "Shop")
    await page.fill("[role=dialog] input >> nth=1", "https://example.com/")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.keyboard.press("Enter")
    await untilRows("Beans More Shop Arabica Robusta .Brew Grind")
    await rowOf("Shop").focus()
    await page.keyboard.press("Shift+F10")
    await choose("Hide from readers")
    await page.waitForSelector('[role=treeitem][aria-label="Shop, link, hidden"]')
    await page.keyboard.press("Delete")
    await untilRows("Beans More Arabica Robusta .Brew Grind")
  })

  it("works with a finger on a narrow screen, from right to left, and in forced colors", async () => {
    const url = await makeTree(...brewing)
    const context = await browser().newContext({
      storageState: await page.context().storageState(),
      locale: "ar",
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      forcedColors: "active"
    })
    const phone = await context.newPage()
    await phone.goto(url)
    await phone.tap(".narrow-only")
    await phone.waitForSelector("[role=treeitem]")
    assert.deepStrictEqual(await faultsOf(phone), [])
    const touch = await context.newCDPSession(phone)
    const point = async (title: string, part: number) => {
      const { height, width, x, y } = (await rowOf(title, phone).boundingBox())!
      return { x: x + width / 2, y: y + height * part }
    }
    const from = await point("Brew", 0.5)
    const to = await point("Grind", 0.1)
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] })
    await phone.waitForSelector("html.dragging")
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [{ x: to.x, y: to.y + 20 }] })
    await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [to] })
    await phone.waitForSelector(".tree-line", { state: "attached" })
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
    await untilRows("Beans Brew Grind", phone)
    // The left arrow opens where the script begins at the right.
    await rowOf("Beans", phone).focus()
    await phone.keyboard.press("ArrowLeft")
    await untilRows("Beans .Arabica .Robusta Brew Grind", phone)
    await rowOf("Brew", phone).focus()
    await phone.keyboard.press("Alt+ArrowLeft")
    await untilRows("Beans .Arabica .Robusta .Brew Grind", phone)
    // A long press without a move opens the menu.
    const brew = await point("Grind", 0.5)
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [brew] })
    await phone.waitForSelector("html.dragging")
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
    await phone.waitForSelector("[role=menu]")
    assert.deepStrictEqual(await faultsOf(phone), [])
    await context.close()
  })

  it("copies pages to another space, and cuts and pastes them in one", async () => {
    const from = await makeTree(
      {
        title: "Beans",
        ref: "beans",
        emoji: "☕",
        description: "All beans",
        document: { markdown: "See [grind](/pages/grind).\n" }
      },
      { title: "Arabica", into: "beans" },
      { title: "Grind", ref: "grind" }
    )
    const to = await makeTree({ title: "Tea" })
    await openTree(page, from)
    await rowOf("Beans").focus()
    await page.keyboard.press("Control+c")
    await page.waitForSelector('.tree-frame [role=status]:text-is("1 page copied")', { state: "attached" })
    await openTree(page, to)
    await rowOf("Tea").focus()
    await page.keyboard.press("Control+v")
    await page.waitForSelector('[role=treeitem][aria-label="Beans"]:focus')
    await page.keyboard.press("ArrowRight")
    await untilRows("Tea Beans .Arabica")
    const [, space, number] = /spaces\/(\w+)\/changes\/(\d+)/.exec(to)!
    const [, source] = /spaces\/(\w+)/.exec(from)!
    const content = `/v1/spaces/${space}/change-requests/${number}/content`
    const { body } = await server.call("GET", `${content}/path/beans?format=document`)
    assert.strictEqual(body.description, "All beans")
    assert.strictEqual(body.emoji, "☕")
    assert.match(JSON.stringify(body.document), new RegExp(`"kind":"page"[^}]*"space":"${source}"`))

    await rowOf("Beans").focus()
    await page.keyboard.press("Control+x")
    await page.waitForSelector('[role=treeitem].moving[aria-label="Beans"]')
    await rowOf("Tea").focus()
    await page.keyboard.press("Control+c")
    await rowOf("Arabica").focus()
    await page.keyboard.press("Control+v")
    await untilRows("Tea Beans .Arabica .Tea")
    await rowOf("Arabica").focus()
    await page.keyboard.press("Control+x")
    await page.keyboard.press("Home")
    await page.keyboard.press("Control+v")
    await untilRows("Tea Arabica Beans .Tea")
    await page.click(".notice:has-text('moved') button:text('Undo')")
    await untilRows("Tea Beans .Arabica .Tea")
  })

  it("warns before a page is deleted that readers see", async () => {
    const url = await makeTree({ title: "Beans" }, { title: "Grind" })
    const [, space, number] = /spaces\/(\w+)\/changes\/(\d+)/.exec(url)!
    const organization = `/v1/orgs/${server.ready.organization.id}`
    await server.call("POST", `/v1/spaces/${space}/change-requests/${number}/merge`, {})
    const { body: site } = await server.call("POST", `${organization}/sites`, {
      title: "Coffee online",
      visibility: "public",
      spaces: [space]
    })
    await server.call("POST", `${organization}/sites/${site.id}/publish`)
    const { body: request } = await server.call("POST", `/v1/spaces/${space}/change-requests`, { subject: "Edit" })
    await openTree(page, `${server.url}/spaces/${space}/changes/${request.number}`)
    await rowOf("Grind").focus()
    await page.keyboard.press("Delete")
    await page.waitForSelector("[role=dialog]:has-text('Coffee online')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.keyboard.press("Escape")
    await untilRows("Beans Grind")
  })
})
