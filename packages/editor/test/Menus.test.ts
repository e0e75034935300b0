/** Menus, bars and forms of the editor in a real browser, by keyboard, pointer and input method. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { faultsOf } from "../../site/test/Axe.ts"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { edit } from "./EditorPage.ts"

const options = (page: Page) =>
  page
    .locator("[role=listbox]:visible [role=option]")
    .evaluateAll((all) => all.map((each) => each.lastChild!.textContent))

const openPopups = (page: Page) => page.locator(":popover-open").count()

const missing = "The target of this link does not exist"

describe("Menus of the editor", () => {
  const browser = browserOfFile()

  it("inserts a block by `/` and words, in which bullets come before tasks, and leaves `/` as text after Escape", () =>
    edit(browser(), "", async ({ markdown, page, press, type }) => {
      await type("/list")
      assert.deepStrictEqual(await options(page), ["Bulleted list", "Numbered list", "Task list"])
      const active = await page.locator(".lectern-editor").getAttribute("aria-activedescendant")
      assert.strictEqual(await page.locator(`[id="${active}"]`).getAttribute("aria-selected"), "true")
      await press("ArrowDown", "Enter")
      await type("One")
      await press("Enter", "Enter")
      await type("1/2 and /hint")
      await press("Escape", "Enter")
      await type("/zzz")
      assert.deepStrictEqual(await options(page), [])
      await press("Enter")
      await type("/callout")
      await press("Tab")
      await type("Hot")
      assert.strictEqual(
        await markdown(),
        '1. One\n\n1/2 and /hint\n\n/zzz\n\n{% hint style="info" %}\nHot\n{% endhint %}\n'
      )
    }))

  it("opens no menu in code, and takes words of an input method", () =>
    edit(browser(), "```\n\n```\n", async ({ page, press, type }) => {
      await type("/")
      assert.strictEqual(await openPopups(page), 0)
      await press("Control+Enter")
      await type("`a /")
      assert.strictEqual(await openPopups(page), 1)
      await press("Escape", "Enter")
      const session = await page.context().newCDPSession(page)
      await type("/")
      for (const text of ["h", "he", "hea"]) {
        await session.send("Input.imeSetComposition", { text, selectionStart: text.length, selectionEnd: text.length })
      }
      assert.include(await options(page), "Heading 1")
      await session.send("Input.insertText", { text: "heading 2" })
      await press("Enter")
      await type("Next")
      assert.strictEqual(await page.locator("h2").textContent(), "Next")
    }))

  it("formats and links the selection from the bar and by Ctrl+K, and tells of targets that don't exist", () =>
    edit(browser(), "One two\n", async ({ document, markdown, page, press, type }) => {
      await press("Shift+End")
      await page.getByRole("button", { name: "Bold" }).click()
      await press("Alt+F10", "ArrowRight", "Enter")
      assert.strictEqual(await markdown().then((text) => text.split("\n")[0]), "**_One two_**")
      await press("Control+k")
      await type("bre")
      await page.getByRole("option", { name: "Brew coffee" }).waitFor()
      await press("Enter", "Enter")
      const link = JSON.stringify((await document()).nodes[0])
      assert.include(link, '"ref":{"kind":"page","page":"brew"}')
      await press("ArrowRight", "Control+k")
      await page.getByRole("button", { name: "Remove link" }).click()
      await press("End", "Space", "Control+k")
      await type("example.com")
      await press("Enter")
      assert.match(await markdown(), /https:\/\/example\.com/)
      await page.evaluate(
        (document) => inPage.editor.set(document),
        JSON.parse(
          link.replaceAll('"brew"', '"missing"').replace(/^(.*)$/s, '{"object":"document","data":{},"nodes":[$1]}')
        )
      )
      assert.strictEqual(await page.locator("a.lectern-missing").getAttribute("title"), missing)
      await press("Control+Home", "Control+k")
      await page.getByText(missing).waitFor()
      await press("Control+a")
      await type("javascript:alert(1)")
      await press("Enter")
      assert.strictEqual(await page.locator("[role=combobox]").getAttribute("aria-invalid"), "true")
    }))

  it("moves blocks by keys and by pointer, with their keys, and offers the menu of a block by Ctrl+/", () =>
    edit(browser(), "One\n\nTwo\n\nThree\n", async ({ document, markdown, page, press }) => {
      const keys = async () => (await document()).nodes.map(({ key }) => key)
      const [first, second, third] = await keys()
      await press("Alt+ArrowDown")
      assert.deepStrictEqual(await keys(), [second, first, third])
      await press("Alt+ArrowUp", "Alt+ArrowUp")
      assert.deepStrictEqual(await keys(), [first, second, third])
      const paragraphs = page.locator("main p")
      const [start, end] = [await paragraphs.nth(0).boundingBox(), await paragraphs.nth(2).boundingBox()]
      await page.mouse.move(start!.x + 80, start!.y + 5)
      const grip = await page.locator(".lectern-handle-grip").boundingBox()
      await page.mouse.move(grip!.x + 5, grip!.y + 5)
      await page.mouse.down()
      await page.mouse.move(end!.x + 90, end!.y + end!.height - 2, { steps: 4 })
      assert.isTrue(await page.locator(".lectern-drop-line").isVisible())
      await page.mouse.up()
      assert.deepStrictEqual(await keys(), [second, third, first])
      await press("Control+/")
      await page.getByRole("menuitem", { name: "Duplicate" }).click()
      assert.strictEqual(await markdown(), "Two\n\nThree\n\nOne\n\nOne\n")
      assert.strictEqual(new Set(await keys()).size, 4)
      await press("Control+/", "t", "Enter")
      await page.getByRole("menuitem", { name: "Heading 2" }).click()
      assert.match(await markdown(), /### One/)
      await press("Escape", "ArrowUp", "Delete")
      assert.strictEqual((await keys()).length, 3)
    }))

  it("asks for the data of a block in a form made from its type", () =>
    edit(browser(), '{% tabs %}\n{% tab title="Mac" %}\nbrew\n{% endtab %}\n{% endtabs %}\n', async (editor) => {
      const { markdown, page, press, type } = editor
      await press("Control+/")
      await page.getByRole("menuitem", { name: "Settings: Tab", exact: true }).click()
      await page.getByLabel("Title").fill("macOS")
      await press("Enter", "Control+/")
      await page.getByRole("menuitem", { name: "Add: Tab" }).click()
      await type("apt")
      assert.match(await markdown(), /title="macOS" %\}\nbrew\n\{% endtab %\}\n\n\{% tab .*%\}\napt/)
      await press("Control+Enter")
      await type("/embed")
      await press("Enter", "Enter")
      assert.strictEqual(await page.getByLabel("Url").getAttribute("aria-invalid"), "true")
      await page.getByLabel("Url").fill("https://example.com/video")
      await press("Enter")
      assert.match(await markdown(), /\{% embed url="https:\/\/example\.com\/video" %\}/)
      await press("Enter")
      await page.getByLabel("Url").fill("https://example.com/other")
      await press("Enter")
      assert.match(await markdown(), /other/)
    }))

  it("has no fault that axe finds while a menu, bar or form is open", () =>
    edit(browser(), "# One two\n\n| A | B |\n| - | - |\n| 1 | 2 |\n", async ({ page, press, type }) => {
      const faults: Array<unknown> = []
      const check = async () => faults.push(...(await faultsOf(page)))
      await press("End")
      await type(" /he")
      await check()
      await press("Escape", "Shift+Home")
      await check()
      await press("Control+k")
      await type("e")
      await check()
      await press("Escape", "Escape", "ArrowRight", "Control+/")
      await check()
      await press("Escape")
      await page.locator('[data-table="cell"] p').first().click()
      await check()
      assert.deepStrictEqual(faults, [])
    }))

  it("links pages by `@` and `[[`, and inserts emoji by their names", () =>
    edit(browser(), "## Menu\n\nx\n", async ({ document, markdown, page, press, type }) => {
      await press("Control+End", "Backspace")
      await type("See @brew")
      await page.waitForSelector("[role=listbox]:visible [role=option] >> text=Brew coffee")
      assert.deepStrictEqual(await faultsOf(page), [])
      await press("Enter")
      await type(" or [[gri")
      await page.waitForSelector("[role=listbox]:visible [role=option] >> text=Grind")
      await press("Tab")
      await type(" now :coff")
      await page.waitForSelector("[role=listbox]:visible [role=option] >> text=:coffee:")
      await press("Enter")
      assert.strictEqual(
        await markdown(),
        "## Menu\n\nSee [Brew coffee](/pages/brew) or [Grind](/pages/brew#grind) now :coffee:\n"
      )
      // Addresses of mail and times open nothing, and words without a page stay text.
      await type(" a@brew 12:30 @zzz")
      assert.strictEqual(await openPopups(page), 0)
      await press("Enter")
      assert.lengthOf((await document()).nodes, 3)
      const session = await page.context().newCDPSession(page)
      await type("@")
      await session.send("Input.imeSetComposition", { text: "gri", selectionStart: 3, selectionEnd: 3 })
      await session.send("Input.insertText", { text: "gri" })
      await page.waitForSelector("[role=listbox]:visible [role=option] >> text=Grind")
      await press("Escape")
      assert.strictEqual(await openPopups(page), 0)
      await press("Escape")
    }))
})
