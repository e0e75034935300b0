/** Formulas in the editor, in a real browser with a strict content security policy. */
import { assert, describe, it } from "@effect/vitest"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { edit } from "./EditorPage.ts"

describe("Formulas in the editor", () => {
  const browser = browserOfFile()

  it("are displayed, and stay TeX where it is invalid", () =>
    edit(
      browser(),
      "Inline $$x^2$$ and $$\\frac{$$.\n\n$$\n\\sum_{i=1}^n i\n$$\n",
      async ({ document, markdown, page }) => {
        const before = await document()
        await page.locator("figure[data-block=math] math").waitFor()
        await page.locator("p math >> text=x").first().waitFor()
        assert.strictEqual(await page.locator("p math").count(), 1)
        assert.strictEqual(await page.locator("[data-inline=inline-math]").nth(1).textContent(), "\\frac{")
        assert.deepStrictEqual(await document(), before)
        assert.include(await markdown(), "\\sum_{i=1}^n i")
      }
    ))
})
