/** The document as raw Markdown, in a real browser next to the blocks. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOf } from "../../../site/test/Axe.ts"
import { browserOfFile } from "../../../site/test/Chromium.ts"
import { edit } from "../EditorPage.ts"

describe("Raw Markdown in the editor", () => {
  const browser = browserOfFile()

  it("is edited by keys and input methods, goes into the blocks, and can be undone there", () =>
    edit(browser(), "One\n\nTwo\n", async ({ document, markdown, page, press, type }) => {
      const [, two] = (await document()).nodes
      await page.evaluate(() => inPage.openRaw())
      const raw = () => page.evaluate(() => inPage.raw.view.state.doc.toString())
      assert.strictEqual(await raw(), "One\n\nTwo\n")
      await type("# ")
      await press("End", "Enter", "Enter")
      await type("- a")
      await press("Enter")
      await type("b")
      await press("Enter", "Enter")
      const session = await page.context().newCDPSession(page)
      for (const text of ["に", "日本"])
        await session.send("Input.imeSetComposition", { text, selectionStart: 0, selectionEnd: text.length })
      await session.send("Input.insertText", { text: "日本" })
      // A request for the document brings waiting edits in.
      assert.strictEqual(await markdown(), "# One\n\n* a\n* b\n\n日本\n\nTwo\n")
      assert.strictEqual((await document()).nodes[3]!.key, two!.key)
      // The text has the style of its writer, and follows the blocks.
      assert.match(await raw(), /^# One\n\n- a\n- b\n/)
      await page.evaluate(() => {
        inPage.editor.view.focus()
        inPage.editor.run(inPage.commands.toggle("bold"))
      })
      await press("Control+End")
      await type(" more")
      await page.waitForFunction(() => /Two more/.test(inPage.raw.view.state.doc.toString()))
      assert.match(await raw(), /^# One\n\n- a\n- b\n/)
      // The number of steps depends on the time between the keys.
      while ((await raw()) !== "One\n\nTwo\n") await press("Control+z")
    }))

  it("takes in what others write, with the cursor in place", () =>
    edit(browser(), "One\n\nTwo\n", async ({ document, page, press, type }) => {
      const base = await document()
      const newer = { ...base, nodes: [{ ...base.nodes[1]!, key: "new" }, ...base.nodes] }
      await page.evaluate(() => inPage.openRaw())
      await press("Control+End", "ArrowUp", "End")
      await type(" is")
      await page.evaluate(([base, newer]) => inPage.merge(base, newer), [base, newer] as const)
      await page.waitForFunction(() => inPage.raw.view.state.doc.toString() === "Two\n\nOne\n\nTwo is\n")
      await type(" mine")
      assert.strictEqual(await page.evaluate(() => inPage.raw.view.state.doc.toString()), "Two\n\nOne\n\nTwo is mine\n")
    }))

  it("underlines problems by the rules of lint, and goes to them", () =>
    edit(browser(), "## One\n", async ({ page, type }) => {
      await page.evaluate(() => inPage.openRaw())
      await type('{% hint style="info" %}\n\n')
      await page.waitForSelector(".cm-lintRange-error")
      const problems = page.locator(".lectern-raw-problems")
      assert.strictEqual(await problems.textContent(), "Problems: 1")
      await problems.focus()
      await page.keyboard.press("Enter")
      await page.waitForSelector(".cm-diagnostic:has-text('The tag \"hint\" has no end')")
      assert.deepStrictEqual(await faultsOf(page), [])
    }))
})
