/** Writing under bad conditions, in a real browser against a real server: nothing that somebody wrote is lost. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { cleanUp, type Server } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { openConsole, saved, startServer } from "./ConsolePages.ts"

describe("Writing in the console", () => {
  const browser = browserOfFile()
  let server: Server
  let page: Page
  beforeAll(async () => {
    server = await startServer()
    page = (await openConsole(browser(), server, server.ready.signInLink)).page
  })
  afterAll(cleanUp)

  /** Writes to the main content of a space, by a change request of its own. Returns the ids of its new pages. */
  const write = async (space: string, ...changes: ReadonlyArray<object>): Promise<ReadonlyArray<string>> => {
    const { body: changeRequest } = await server.call("POST", `/v1/spaces/${space}/change-requests`, { status: "open" })
    const path = `/v1/spaces/${space}/change-requests/${changeRequest.number}`
    const { body } = await server.call("POST", `${path}/content?compat=false`, { changes })
    await server.call("POST", `${path}/merge`, {})
    return body.changes.map((change: { readonly page: { readonly id: string } }) => change.page.id)
  }

  /** Creates a space with pages in its main content. Returns its id and the ids of the pages. */
  const makeSpace = async (...titles: ReadonlyArray<string>) => {
    const { body } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, { title: "Coffee" })
    const space: string = body.id
    const pages = await write(
      space,
      ...titles.map((title) => ({
        operation: "insert_page",
        title,
        document: { markdown: `About ${title}.\n` }
      }))
    )
    return { space, pages }
  }

  const edit = async (space: string, id: string) => {
    await page.goto(`${server.url}/spaces/${space}/pages/${id}`)
    await page.click(".bar-actions button")
    await page.waitForSelector(".editor-place .lectern-editor p")
  }

  const type = async (text: string) => {
    await page.click(".lectern-editor p")
    await page.keyboard.press("Control+End")
    await page.keyboard.type(text)
  }

  const untilTitles = (expected: ReadonlyArray<string>) =>
    page.waitForFunction(
      (wanted) =>
        Array.from(
          document.querySelectorAll("[role=treeitem] .tree-title"),
          ({ textContent }) => textContent
        ).join() === wanted,
      expected.join()
    )

  const focusRow = (title: string) => page.locator(`[role=treeitem]:has(.tree-title span:text-is("${title}"))`).focus()

  it("goes on in place after the session has ended, and after the connection was lost", async () => {
    const { pages, space } = await makeSpace("Beans")
    await edit(space, pages[0]!)
    const context = page.context()
    const cookies = await context.cookies()
    await context.clearCookies()
    await type(" One.")
    await page.waitForSelector("[role=alertdialog]")
    assert.deepStrictEqual(await faultsOf(page), [])
    await context.addCookies(cookies)
    // The window for signing in has closed.
    await page.evaluate(() => dispatchEvent(new Event("focus")))
    await page.waitForSelector("[role=alertdialog]", { state: "detached" })
    await saved(page)

    await context.setOffline(true)
    await type(" Two.")
    await page.waitForSelector('.save-sign[data-status="waiting"]')
    await context.setOffline(false)
    await saved(page)
    await page.reload()
    await page.waitForSelector(".lectern-editor:has-text('About Beans. One. Two.')")
  })

  it("renames, moves and deletes pages in the tree, and takes it back", async () => {
    const { pages, space } = await makeSpace("Brew", "Grind", "Taste")
    await edit(space, pages[0]!)
    await focusRow("Grind")
    await page.keyboard.press("F2")
    await page.waitForSelector(".tree-rename")
    await page.keyboard.type("Mill")
    await page.keyboard.press("Enter")
    await untilTitles(["Brew", "Mill", "Taste"])
    await focusRow("Mill")
    await page.keyboard.press("Alt+ArrowDown")
    await untilTitles(["Brew", "Taste", "Mill"])
    await focusRow("Taste")
    await page.keyboard.press("Alt+ArrowRight")
    await page.waitForSelector('[role=treeitem][aria-level="2"]:has-text("Taste")')
    await focusRow("Brew")
    await page.keyboard.press("Delete")
    await page.click("[role=dialog] button:text-is('Delete')")
    await untilTitles(["Mill"])
    await page.click(".notice:has-text('deleted') button:text('Undo')")
    await page.waitForSelector('[role=treeitem]:has-text("Brew")')
    await page.fill(".search input", "tas")
    await page.waitForSelector('[role=treeitem]:not(.dimmed):has-text("Taste")')
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.fill(".search input", "")
    await page.waitForSelector('[role=treeitem]:has-text("Mill")')
  })

  it("shows conflicts with what others merged, and merges after a choice", async () => {
    const { pages, space } = await makeSpace("Water")
    await edit(space, pages[0]!)
    await type(" Hot.")
    await saved(page)
    const { body: current } = await server.call("GET", `/v1/spaces/${space}/content/page/${pages[0]}?format=document`)
    const document = JSON.parse(JSON.stringify(current.document).replace("About Water.", "About Water. Cold."))
    await write(space, { operation: "update_page", page: pages[0], document: { document } })
    await page.click("text=Review and merge")
    await page.click("button:text-is('Merge')")
    await page.waitForSelector(".conflicts dd:has-text('Cold.')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.click(".conflict button:text('Keep mine')")
    await page.waitForSelector(".conflicts", { state: "detached" })
    await page.click("button:text-is('Merge')")
    await page.waitForSelector(".content p:has-text('Hot.')")
  })
})
