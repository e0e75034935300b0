/** Writing, in a real browser: keys, Markdown that is typed, the clipboard, input methods, and updates meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { parse } from "../../document/test/markdown/laws.ts"
import { edit } from "./EditorPage.ts"

describe("The editor", () => {
  const browser = browserOfFile()

  it("makes blocks and marks of Markdown that is typed, and Backspace takes the last one back", () =>
    edit(browser(), "", async ({ document, markdown, press, type }) => {
      await type("# Coffee")
      await press("Enter")
      await type("Grind **the beans** _finely_ with `mill` :coffee: now.")
      await press("Enter")
      await type("- one")
      await press("Enter")
      await type("two")
      await press("Tab", "Enter")
      await type("three")
      await press("Enter", "Enter", "Enter")
      await type("```js ")
      await type("if (a) {")
      await press("Enter")
      await type("  b()")
      await press("Enter")
      await type("c()")
      await press("Control+Enter")
      await type("End")
      assert.strictEqual(
        await markdown(),
        "## Coffee\n\nGrind **the beans** _finely_ with `mill` :coffee: now.\n\n* one\n  * two\n  * three\n\n```js\nif (a) {\n  b()\n  c()\n```\n\nEnd\n"
      )
      const keys = JSON.stringify((await document()).nodes).match(/"key":"[^"]*"/g)!
      assert.strictEqual(new Set(keys).size, keys.length)
      assert.notInclude(keys, '"key":""')
      await press("Enter")
      await type("> ")
      await press("Backspace")
      await type("is more")
      assert.match(await markdown(), /\n\nEnd\n\n\\?> is more\n$/)
    }))

  it("undoes and redoes, and turns blocks into others without a new key", () =>
    edit(browser(), "One\n\nTwo\n", async ({ document, markdown, press, type }) => {
      const [first] = (await document()).nodes
      await press("Control+Alt+2", "End")
      await type("!")
      assert.strictEqual(await markdown(), "### One!\n\nTwo\n")
      assert.strictEqual((await document()).nodes[0]!.key, first!.key)
      await press("Control+z", "Control+z")
      assert.strictEqual(await markdown(), "One\n\nTwo\n")
      await press("Control+Shift+z")
      assert.match(await markdown(), /^### One/)
    }))

  it("copies whole blocks with their data, and pastes Markdown, programs and HTML as blocks", () =>
    edit(browser(), '{% hint style="warning" %}\nHot\n{% endhint %}\n\nx\n', async ({ markdown, page, press }) => {
      const paste = (forms: { readonly [type: string]: string }, files: ReadonlyArray<string> = []) =>
        page.evaluate(
          ([forms, files]) => {
            const data = new DataTransfer()
            for (const [type, text] of Object.entries(forms)) data.setData(type, text)
            for (const name of files) data.items.add(new File(["x"], name, { type: "image/png" }))
            const { dom } = inPage.editor.view
            dom.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))
          },
          [forms, files] as const
        )
      const copied = await page.evaluate(() => {
        const { commands, editor } = inPage
        const clipboardData = new DataTransfer()
        editor.run(commands.selectBlock)
        editor.run(commands.selectBlock)
        editor.view.dom.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }))
        return Object.fromEntries(Array.from(clipboardData.types, (type) => [type, clipboardData.getData(type)]))
      })
      assert.match(copied["text/plain"]!, /^\{% hint style="warning" %\}/)
      await press("Control+End", "Enter")
      await paste(copied)
      assert.strictEqual((await markdown()).split('{% hint style="warning" %}').length, 3)
      await press("Control+End", "Enter")
      await paste({
        "text/plain": "let a = 1\nlet b",
        "vscode-editor-data": '{"mode":"typescript"}',
        "text/html": "<pre>no</pre>"
      })
      assert.match(await markdown(), /```typescript\nlet a = 1\nlet b\n```/)
      await press("Control+Enter")
      await paste({ "text/plain": "# Pasted\n\n| A | B |\n| - | - |\n| 1 | 2 |" })
      assert.match(await markdown(), /# Pasted\n\n\| A +\| B +\|/)
      await paste({}, ["picture.png"])
      assert.deepStrictEqual(await page.evaluate(() => inPage.files), ["picture.png"])
    }))

  it("takes text of input methods, at the start of an empty block too", () =>
    edit(browser(), "", async ({ markdown, page, press }) => {
      const session = await page.context().newCDPSession(page)
      const compose = async (...steps: ReadonlyArray<string>) => {
        for (const text of steps) {
          await session.send("Input.imeSetComposition", {
            text,
            selectionStart: text.length,
            selectionEnd: text.length
          })
        }
        await session.send("Input.insertText", { text: steps.at(-1)! })
      }
      await compose("に", "にほ", "日本")
      await press("Enter")
      await compose("´", "é")
      assert.strictEqual(await markdown(), "日本\n\né\n")
    }))

  it("takes in a newer version while somebody writes, with the cursor in place", () =>
    edit(browser(), "One\n\nTwo\n\nThree\n", async ({ document, markdown, page, press, type }) => {
      const base = await document()
      const newer = parse("Zero\n\nOne changed\n\nTwo\n\nThree\n").document
      // As the server aligns them: the blocks keep their keys.
      const aligned = {
        ...newer,
        nodes: newer.nodes.map((block, i) => ({ ...block, key: i === 0 ? "zero" : base.nodes[i - 1]!.key }))
      }
      await press("ArrowDown", "End")
      await type(" is")
      const conflicts = await page.evaluate(([base, newer]) => inPage.merge(base, newer), [base, aligned] as const)
      await type(" mine")
      assert.deepStrictEqual(conflicts, [])
      assert.strictEqual(await markdown(), "Zero\n\nOne changed\n\nTwo is mine\n\nThree\n")
      await press("Control+z")
      assert.strictEqual(await markdown(), "Zero\n\nOne changed\n\nTwo\n\nThree\n")
    }))
})
