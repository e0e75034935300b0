/** Pastes from other programs into the editor, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { browserOfFile } from "../../../site/test/Chromium.ts"
import { edit } from "../EditorPage.ts"
import { fixtures } from "./Fixtures.ts"

const paste = (page: Page, forms: { readonly [type: string]: string }) =>
  page.evaluate((forms) => {
    const data = new DataTransfer()
    for (const [type, text] of Object.entries(forms)) data.setData(type, text)
    const { dom } = inPage.editor.view
    dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))
  }, forms)

describe("A paste", () => {
  const browser = browserOfFile()

  it("of each program keeps what the vocabulary has, and nothing else", () =>
    edit(browser(), "", async ({ document, markdown, page, press }) => {
      const pasted: Record<string, unknown> = {}
      for (const [program, { forms }] of Object.entries(fixtures)) {
        await press("Control+a", "Control+a", "Delete", "Control+Alt+0")
        await page.evaluate(() => inPage.files.splice(0))
        await paste(page, forms)
        pasted[program] = { markdown: await markdown(), files: await page.evaluate(() => Array.from(inPage.files)) }
        const json = JSON.stringify(await document())
        assert.notMatch(json, /data:|javascript:|onerror|style="/, program)
        assert.notInclude(json, '"key":""', program)
      }
      const expected = Object.entries(fixtures).map(([program, { files = [], markdown }]) => [
        program,
        { markdown, files }
      ])
      assert.deepStrictEqual(pasted, Object.fromEntries(expected))
    }))

  it("of 100,000 cells makes a bounded table and says so, and cells fill the cells of a table", () =>
    edit(browser(), "", async ({ document, markdown, page, press }) => {
      const row = Array.from({ length: 100 }, (_, i) => String(i)).join("\t")
      await paste(page, { "text/plain": `${row}\n`.repeat(1_000) })
      const { definition, records } = Object((await document()).nodes[0]!.data)
      assert.strictEqual(Object.keys(definition).length * Object.keys(records).length, 5_000)
      assert.match(
        String(await page.locator(".lectern-notice").textContent()),
        /100 rows and 50 columns of the 1,000 rows/
      )
      await page.evaluate(() => inPage.editor.set({ object: "document", data: {}, nodes: [] }))
      await press("Control+Home")
      await paste(page, { "text/plain": "| A | B |\n| - | - |\n| 1 | 2 |" })
      await page.locator('[data-table="cell"] p').nth(1).click()
      await paste(page, { "text/plain": "x\t1\ny\t2\n" })
      assert.strictEqual(await markdown(), "| A | B |  |\n| --- | --- | --- |\n| 1 | x | 1 |\n|  | y | 2 |\n")
    }))

  it("of a URL links the selection, and of one line from VS Code stays in the text", () =>
    edit(browser(), "One two\n", async ({ markdown, page, press }) => {
      const hasSelection = (expected: boolean) =>
        page.waitForFunction((expected) => inPage.editor.view.state.selection.empty !== expected, expected)
      await press("Control+Shift+ArrowRight")
      await hasSelection(true)
      await paste(page, { "text/plain": "https://example.com/a" })
      await press("End")
      await hasSelection(false)
      await paste(page, {
        "text/plain": " code",
        "vscode-editor-data": '{"mode":"typescript"}',
        "text/html": "<b>x</b>"
      })
      assert.match(await markdown(), /^\[One ?\]\(https:\/\/example\.com\/a\) ?two code\n$/)
    }))
})
