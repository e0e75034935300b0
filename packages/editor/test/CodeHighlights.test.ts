/** Highlights of code, in a real browser. */
import { assert, describe, it } from "@effect/vitest"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { edit } from "./EditorPage.ts"

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
        await page.locator("[data-block=code-line] >> text=const a").click()
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
})
