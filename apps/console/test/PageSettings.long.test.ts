/** Settings of a page, its outline and its raw Markdown, in a real browser against a real server, by keyboard. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { cleanUp } from "../../server/test/LecternProcess.ts"
import { faultsOf } from "../../../packages/site/test/Axe.ts"
import { browserOfFile } from "../../../packages/site/test/Chromium.ts"
import { openConsole, saved, startServer } from "./ConsolePages.ts"

describe("Settings of a page", () => {
  const browser = browserOfFile()
  afterAll(cleanUp)

  it("are shown in a picture while they change, saved, and refused at their field", async () => {
    const server = await startServer()
    const { page } = await openConsole(browser(), server, server.ready.signInLink)
    const { body: space } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, {
      title: "Coffee"
    })
    await page.goto(`${server.url}/spaces/${space.id}`)
    await page.click(".empty button")
    await page.waitForSelector(".lectern-editor")
    await page.keyboard.type("Grinding")
    await page.keyboard.press("Enter")
    await page.keyboard.type("Grind the beans.")
    await saved(page)

    const open = async () => {
      await page.getByRole("button", { name: "Page settings" }).focus()
      await page.keyboard.press("Enter")
      await page.waitForSelector(".page-settings")
    }
    await open()
    const field = (name: string) => page.getByRole("textbox", { name, exact: true })
    await field("Description").fill("How fine?")
    await page.waitForSelector(".picture-description:text('How fine?')")
    await page.getByRole("button", { name: "Emoji: none" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForSelector(".emoji-list button")
    await page.keyboard.type("coffee")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".picture-title:has-text('☕')")
    await page.getByRole("switch", { name: "Outline" }).focus()
    await page.keyboard.press("Space")
    assert.deepStrictEqual(await faultsOf(page), [])

    await field("Last part of the address").fill("a/b")
    await page.keyboard.press("Enter")
    const problem = page.locator(".react-aria-TextField:has-text('Last part of the address') .field-problem")
    await problem.waitFor()
    assert.match((await problem.textContent())!, /no slash/)
    // The other values are still in the form.
    assert.strictEqual(await field("Description").inputValue(), "How fine?")
    await field("Last part of the address").fill("grind")
    await page.keyboard.press("Enter")
    await page.waitForSelector(".page-settings", { state: "detached" })

    const { body } = await server.call("GET", `/v1/spaces/${space.id}/change-requests/1/content`)
    const [stored] = body.pages
    assert.deepInclude(stored, { title: "Grinding", slug: "grind", description: "How fine?", emoji: "☕" })
    assert.strictEqual(stored.layout.outline, false)

    // The outline moves the cursor to a heading.
    await page.click(".lectern-editor p")
    await page.keyboard.press("Control+End")
    await page.keyboard.press("Enter")
    await page.keyboard.type("# Mill")
    await page.keyboard.press("Control+Home")
    await page.getByRole("button", { name: "Outline" }).focus()
    await page.keyboard.press("Enter")
    await page.waitForSelector("[role=menuitem]:has-text('Mill')")
    assert.deepStrictEqual(await faultsOf(page), [])
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.classList.contains("lectern-editor"))
    await page.keyboard.type("The ")
    await page.waitForSelector(".lectern-editor h1:text('The Mill')")

    // The page is also edited as raw Markdown, which is saved like the blocks.
    await page.getByRole("radio", { name: "Markdown" }).click()
    await page.waitForSelector(".cm-content:has-text('## The Mill')")
    await page.locator(".cm-content").focus()
    await page.keyboard.press("Control+End")
    await page.keyboard.type("Mill it *well*.")
    assert.deepStrictEqual(await faultsOf(page), [])
    // Leaving right after a key loses nothing.
    await page.getByRole("radio", { name: "Blocks" }).click()
    await page.waitForSelector(".lectern-editor em:text('well')")
    await saved(page)

    // On a phone, in the dark, from right to left.
    await page.evaluate(() => localStorage.setItem("lectern-language", "ar"))
    await page.emulateMedia({ colorScheme: "dark" })
    await page.setViewportSize({ width: 360, height: 720 })
    await page.reload()
    await page.waitForSelector(".lectern-editor")
    await page.click(".page-tools button")
    await page.waitForSelector(".page-settings")
    assert.deepStrictEqual(await faultsOf(page), [])
    assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), 360)
    await page.context().close()
  })
})
