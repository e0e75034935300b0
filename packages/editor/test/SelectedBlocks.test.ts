/** Several selected blocks at once, in a real browser: by keys alone, and with the menu and the handle. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOf } from "../../site/test/Axe.ts"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { edit } from "./EditorPage.ts"

const text = "One\n\n## Two\n\n* a\n* b\n\nFour\n"

describe("Selected blocks", () => {
  const browser = browserOfFile()

  it("are extended, moved, duplicated and deleted by keys", () =>
    edit(browser(), text, async ({ document, markdown, page, press, type }) => {
      const keys = (await document()).nodes.map(({ key }) => key)
      await press("Escape", "Shift+ArrowDown")
      assert.strictEqual(await page.locator(".lectern-selected").count(), 2)
      assert.strictEqual(await page.locator(".lectern-status").textContent(), "Selected blocks: 2")
      await press("Shift+ArrowDown", "Shift+ArrowUp", "Alt+ArrowDown")
      assert.strictEqual(await markdown(), "* a\n* b\n\nOne\n\n## Two\n\nFour\n")
      assert.deepStrictEqual(
        (await document()).nodes.map(({ key }) => key),
        [keys[2], keys[0], keys[1], keys[3]]
      )
      await press("Alt+ArrowUp", "Control+d")
      assert.strictEqual(await markdown(), "One\n\n## Two\n\nOne\n\n## Two\n\n* a\n* b\n\nFour\n")
      const doubled = (await document()).nodes.map(({ key }) => key)
      assert.strictEqual(new Set(doubled).size, 6)
      // The copies are selected.
      await press("Delete")
      assert.strictEqual(await markdown(), text)
      await press("Control+z", "Control+z")
      assert.strictEqual(await markdown(), text)
      assert.deepStrictEqual(
        (await document()).nodes.map(({ key }) => key),
        keys
      )
      await press("Control+Home", "Escape", "Shift+ArrowDown", "Enter")
      await type("!")
      assert.strictEqual(await markdown(), text.replace("Two", "Two!"))
    }))

  it("are the blocks of a selected text, and the items of a list", () =>
    edit(browser(), text, async ({ markdown, page, press }) => {
      await press("Shift+ArrowDown", "Shift+ArrowDown", "Escape", "Backspace")
      assert.strictEqual(await markdown(), "Four\n")
      await press("Control+z")
      assert.strictEqual(await markdown(), text)
      await page.locator("li >> text=a").click()
      await press("Escape", "Shift+ArrowDown")
      assert.strictEqual(await page.locator(".lectern-selected").count(), 2)
      // After the last item, the list is selected as a whole.
      await press("Shift+ArrowDown", "Delete")
      assert.strictEqual(await markdown(), "One\n\n## Two\n")
    }))

  it("become a list, code or text by the menu, and are copied", () =>
    edit(browser(), text, async ({ markdown, page, press, type }) => {
      await press("Escape", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Control+/")
      await page.waitForSelector("[role=menu][aria-label='Selected blocks: 4']")
      assert.deepStrictEqual(await faultsOf(page), [])
      await type("t")
      await press("Enter")
      await page.locator("[role=menuitem] >> text=Numbered list").click()
      assert.strictEqual(await markdown(), "1. One\n2. Two\n3. a\n4. b\n5. Four\n")
      await press("Escape", "Escape", "Escape", "Control+z")
      assert.strictEqual(await markdown(), text)
      await press("Control+Home", "Escape", "Shift+ArrowDown", "Control+Alt+1")
      assert.match(await markdown(), /^## One\n\n## Two\n/)
      const copied = await page.evaluate(() => {
        const clipboardData = new DataTransfer()
        inPage.editor.view.dom.dispatchEvent(
          new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true })
        )
        return clipboardData.getData("text/plain")
      })
      assert.strictEqual(copied, "## One\n\n## Two")
    }))

  it("move together by the handle", () =>
    edit(browser(), text, async ({ markdown, page, press }) => {
      await press("Escape", "Shift+ArrowDown")
      await page.locator("h1").hover()
      const grip = (await page.locator(".lectern-handle-grip").boundingBox())!
      const last = (await page.locator("p >> text=Four").boundingBox())!
      await page.mouse.move(grip.x + 5, grip.y + 5)
      await page.mouse.down()
      await page.mouse.move(last.x + 100, last.y + last.height - 2, { steps: 5 })
      await page.mouse.up()
      assert.strictEqual(await markdown(), "* a\n* b\n\nFour\n\nOne\n\n## Two\n")
      assert.strictEqual(await page.locator(".lectern-selected").count(), 2)
    }))
})
