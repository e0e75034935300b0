/** Complaints about other editors, which this one must not cause: each is a short script in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { edit } from "./EditorPage.ts"

describe("While somebody writes", () => {
  const browser = browserOfFile()

  it("an input method composes in every kind of text", () =>
    edit(
      browser(),
      '# A\n\nB\n\n* C\n\n> D\n\n{% hint style="info" %}\nE\n{% endhint %}\n\n```\nF\n```\n\n| G | H |\n| - | - |\n| I | J |\n',
      async ({ markdown, page, press }) => {
        const session = await page.context().newCDPSession(page)
        await page.locator(".cm-line").waitFor()
        const count = await page.locator("main :is(h1, p, .cm-line)").count()
        for (let i = 0; i < count; i++) {
          await page.locator("main :is(h1, p, .cm-line)").nth(i).click()
          await press("End")
          for (const text of ["に", "にほ", "日本"]) {
            await session.send("Input.imeSetComposition", {
              text,
              selectionStart: text.length,
              selectionEnd: text.length
            })
          }
          await session.send("Input.insertText", { text: "日本" })
        }
        const text = await markdown()
        for (const letter of "ABCDEFGHIJ") assert.include(text, `${letter}日本`)
        assert.strictEqual(text.match(/日本/g)!.length, 10)
      }
    ))

  it("undo puts the cursor where the change was, and stays within one's own edits", () =>
    edit(browser(), "One\n\nTwo\n\nThree\n", async ({ document, markdown, page, press, type }) => {
      await press("End")
      await type(" mine")
      await press("Control+End")
      await page.evaluate((other) => inPage.editor.set(other), {
        ...(await document()),
        nodes: (await document()).nodes.toSpliced(1, 1)
      })
      await press("Control+z")
      await type("!")
      assert.strictEqual(await markdown(), "One!\n\nThree\n")
    }))

  it("lists, code and pictures go into a cell", () =>
    edit(browser(), "| A | B |\n| - | - |\n| 1 | 2 |\n", async ({ document, page, press, type }) => {
      await page.locator('[data-table="cell"] p').first().click()
      await press("End", "Shift+Enter")
      await type("x")
      await page.locator('[data-table="cell"] p').nth(1).click()
      await press("Home")
      await type("- ")
      await press("End", "Enter")
      await type("next")
      const table = JSON.stringify((await document()).nodes[0])
      assert.include(table, '"type":"list-unordered"')
      assert.include(table, '"type":"hard-break"')
      assert.strictEqual(await page.locator('[data-table="cell"] li').count(), 2)
    }))

  it("a press below the last block adds a paragraph", () =>
    edit(browser(), "```\nx\n```\n", async ({ markdown, page, type }) => {
      const box = await page.locator(".lectern-editor").boundingBox()
      await page.mouse.click(box!.x + 200, box!.y + box!.height - 8)
      await type("After")
      assert.strictEqual(await markdown(), "```\nx\n```\n\nAfter\n")
    }))

  it("bars and menus stay within a window of 360 pixels, also from right to left", () =>
    edit(browser(), "القهوة ساخنة جدا\n\n* واحد\n* اثنان\n", async ({ markdown, page, press, type }) => {
      await page.setViewportSize({ width: 360, height: 640 })
      await page.evaluate(() => {
        document.documentElement.dir = "rtl"
      })
      const isWithin = () =>
        page.locator(":popover-open").evaluateAll((all) =>
          all.map((each) => {
            const { bottom, left, right, top } = each.getBoundingClientRect()
            return left >= 0 && right <= 360 && top >= 0 && bottom <= 640
          })
        )
      await press("Shift+End")
      await page.getByRole("toolbar", { name: "Formatting" }).waitFor()
      assert.deepStrictEqual(await isWithin(), [true])
      await press("Control+k")
      assert.include(await isWithin(), true)
      assert.notInclude(await isWithin(), false)
      await press("Escape", "Escape", "ArrowRight", "Control+End", "Tab", "Enter")
      await type("/")
      assert.deepStrictEqual(await isWithin(), [true])
      await press("Escape", "Backspace")
      assert.match(await markdown(), /\* واحد\n {2}\* اثنان/)
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.isAtMost(overflow, 0)
    }))
})
