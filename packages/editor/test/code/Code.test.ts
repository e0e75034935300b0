/** Blocks of code in CodeMirror, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { browserOfFile } from "../../../site/test/Chromium.ts"
import { edit } from "../EditorPage.ts"

/** Waits until the blocks have CodeMirror, and presses the line with a text. */
const pressLine = async (page: Page, text: string) => page.locator(".cm-line", { hasText: text }).click()

describe("Code in the editor", () => {
  const browser = browserOfFile()

  it("is highlighted in its language, and again after an edit, without a change of the document", () =>
    edit(
      browser(),
      "## Code\n\n```ts\n/* one\ntwo */\nconst a = 1\n```\n\n```acme\nconst b\n```\n",
      async ({ document, markdown, page, press, type }) => {
        const before = await document()
        const keyword = page.locator(".tok-keyword")
        await keyword.first().waitFor()
        assert.deepStrictEqual(await keyword.allTextContents(), ["const"])
        assert.deepStrictEqual(await page.locator(".tok-comment").allTextContents(), ["/* one", "two */"])
        assert.deepStrictEqual(await document(), before)
        await pressLine(page, "const a")
        await press("End", "Enter")
        await type("let c")
        await page.waitForSelector(".tok-keyword >> text=let")
        const session = await page.context().newCDPSession(page)
        await press("Enter")
        for (const text of ["´", "é"])
          await session.send("Input.imeSetComposition", { text, selectionStart: 1, selectionEnd: 1 })
        await session.send("Input.insertText", { text: "é" })
        assert.include(await markdown(), "const a = 1\nlet c\né\n```")
        await press("Control+z", "Control+z")
        assert.notInclude(await markdown(), "é")
      }
    ))

  it("arrows go in and out, and Ctrl+Enter and Escape leave", () =>
    edit(browser(), "One\n\n```\na\nb\n```\n\nTwo\n", async ({ markdown, page, press, type }) => {
      await page.locator(".cm-line").first().waitFor()
      await press("ArrowDown")
      await type("1")
      await press("ArrowDown")
      await type("2")
      await press("ArrowDown")
      await type("3")
      await press("Home", "ArrowLeft")
      await type("4")
      await press("Home", "ArrowUp", "Home", "ArrowLeft")
      await type("5")
      await press("End", "ArrowRight")
      await type("6")
      assert.strictEqual(await markdown(), "One5\n\n```\n61a\nb24\n```\n\n3Two\n")
      await press("Control+Enter")
      await type("New")
      assert.strictEqual(await markdown(), "One5\n\n```\n61a\nb24\n```\n\nNew\n\n3Two\n")
      await press("ArrowUp", "Escape", "Delete")
      assert.strictEqual(await markdown(), "One5\n\nNew\n\n3Two\n")
      await press("Control+z")
      assert.strictEqual(await markdown(), "One5\n\n```\n61a\nb24\n```\n\nNew\n\n3Two\n")
    }))

  it("has one undo history with the page", () =>
    edit(browser(), "One\n\n```\na\n```\n", async ({ markdown, page, press, type }) => {
      await page.locator(".cm-line").first().waitFor()
      await press("End")
      await type("1")
      await press("ArrowDown", "End")
      await type("2")
      assert.strictEqual(await markdown(), "One1\n\n```\na2\n```\n")
      await press("Control+z")
      assert.strictEqual(await markdown(), "One1\n\n```\na\n```\n")
      await press("Control+z")
      assert.strictEqual(await markdown(), "One\n\n```\na\n```\n")
      await press("Control+y", "Control+y")
      await type("!")
      assert.strictEqual(await markdown(), "One1\n\n```\na2!\n```\n")
    }))

  it("is selected and deleted together with the blocks around it", () =>
    edit(browser(), "One\n\n```\na\nb\n```\n\nTwo\n\nThree\n", async ({ markdown, page, press, type }) => {
      await pressLine(page, "b")
      await press("Shift+ArrowDown", "Delete")
      assert.strictEqual(await markdown(), "One\n\nThree\n")
      await press("Control+z")
      await pressLine(page, "a")
      await press("Control+a", "Backspace")
      assert.strictEqual(await markdown(), "One\n\n```\n```\n\nTwo\n\nThree\n")
      await press("Backspace")
      await type("x")
      assert.strictEqual(await markdown(), "One\n\nx\n\nTwo\n\nThree\n")
      await press("Control+z", "Control+z", "Control+z")
      await pressLine(page, "a")
      await press("Control+a", "Control+a", "Delete")
      await type("Nothing")
      assert.strictEqual(await markdown(), "Nothing\n")
    }))

  it("keeps the keys of its lines", () =>
    edit(browser(), "```\na\nb\nc\n```\n", async ({ document, page, press, type }) => {
      const keys = async () => (await document()).nodes[0]!.nodes!.map((line) => ("key" in line ? line.key : ""))
      const [a, b, c] = await keys()
      await pressLine(page, "b")
      await press("Home", "Enter")
      assert.deepStrictEqual((await keys()).toSpliced(1, 1), [a, b, c])
      await press("Control+End", "Enter")
      await type("d")
      assert.deepStrictEqual((await keys()).toSpliced(1, 1).slice(0, 3), [a, b, c])
      assert.strictEqual(new Set(await keys()).size, 5)
      await press("Backspace", "Backspace", "ArrowUp", "ArrowUp", "Backspace")
      assert.deepStrictEqual(await keys(), [a, b, c])
    }))

  it("takes plain text, and gives its own form to the page", () =>
    edit(browser(), "One\n\n```\na\nb\n```\n\nTwo\n", async ({ markdown, page, press }) => {
      await pressLine(page, "a")
      await press("End")
      await page.evaluate(() => {
        const data = new DataTransfer()
        data.setData("text/plain", "# x\r\n* y")
        data.setData("text/html", "<h1>x</h1>")
        const { activeElement } = document.activeElement!.shadowRoot!
        activeElement!.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true, composed: true })
        )
      })
      assert.strictEqual(await markdown(), "One\n\n```\na# x\n* y\nb\n```\n\nTwo\n")
      await press("Shift+ArrowUp", "Control+x")
      assert.strictEqual(await markdown(), "One\n\n```\na# \nb\n```\n\nTwo\n")
      await press("Control+v")
      assert.strictEqual(await markdown(), "One\n\n```\na# x\n* y\nb\n```\n\nTwo\n")
    }))

  it("takes edits of others while it has the cursor", () =>
    edit(browser(), "```\none\ntwo\nthree\n```\n\nEnd\n", async ({ document, markdown, page, press, type }) => {
      await pressLine(page, "two")
      await press("End")
      const { nodes, ...rest } = await document()
      const [code, end] = nodes
      const [one, two, three] = code!.nodes!
      const other = {
        ...code!,
        nodes: [{ ...one!, key: "new" }, { ...one!, nodes: [] }, two!, { ...three!, nodes: [] }]
      }
      await page.evaluate((next) => inPage.editor.set(next), { ...rest, nodes: [other, end!] } as never)
      await type("!")
      assert.strictEqual(await markdown(), "```\none\n\ntwo!\n\n```\n\nEnd\n")
      await page.evaluate((next) => inPage.editor.set(next), { ...rest, nodes: [end!] } as never)
      await type("?")
      assert.strictEqual(await markdown(), "?End\n")
    }))

  it("has a name, numbers of lines, highlighted lines, and a search", () =>
    edit(
      browser(),
      '{% code title="brew.ts" lineNumbers="true" %}\n```ts\nlet a\nlet b\n```\n{% endcode %}\n',
      async ({ document, markdown, page, press, type }) => {
        await page.getByRole("textbox", { name: "Code: brew.ts, ts", exact: true }).waitFor()
        assert.deepStrictEqual(await page.locator(".cm-gutterElement:visible").allTextContents(), ["1", "2"])
        await press("Control+f")
        await page.getByRole("textbox", { name: "Find" }).waitFor()
        await type("let")
        await page.locator(".cm-found-current").waitFor()
        assert.deepStrictEqual(await page.locator(".cm-found").allTextContents(), ["let"])
        await press("Enter", "Escape")
        await type("var")
        assert.include(await markdown(), "let a\nvar b")
        assert.strictEqual(await page.locator(".cm-found, .cm-found-current").count(), 0)
        const { nodes, ...rest } = await document()
        const lines = nodes[0]!.nodes!.map((line, i) => (i === 1 ? { ...line, data: { highlighted: true } } : line))
        const data = { syntax: "js", highlighted: true }
        await page.evaluate((next) => inPage.editor.set(next), {
          ...rest,
          nodes: [{ ...nodes[0]!, data, nodes: lines }]
        } as never)
        await page.getByRole("textbox", { name: "Code: js", exact: true }).waitFor()
        assert.deepStrictEqual(await page.locator(".cm-highlighted").allTextContents(), ["var b"])
      }
    ))

  it("of 3,000 lines has only the visible ones in the page, and is edited in the middle", () =>
    edit(
      browser(),
      `\`\`\`js\n${Array.from({ length: 3_000 }, (_, n) => `const value${n} = ${n}`).join("\n")}\n\`\`\`\n`,
      async ({ markdown, page, press, type }) => {
        await page.locator(".cm-line").first().waitFor()
        await page.evaluate(() => inPage.goToMiddle())
        await press("End")
        await type(" + 1")
        await press("Enter")
        await type("next")
        assert.match(await markdown(), /\nconst value(\d+) = \1 \+ 1\nnext\nconst/)
        assert.isBelow(await page.locator(".cm-line").count(), 500)
        await press("Control+z", "Control+z", "Control+z")
        assert.notInclude(await markdown(), "next")
      }
    ))
})
