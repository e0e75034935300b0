/** Parts around a page that stand still, fold or scroll, in a browser. */
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import type { SitePage } from "../src/page/SitePage.ts"
import { faultsOf } from "./Axe.ts"
import { browserOfFile } from "./Chromium.ts"
import { pageRunner } from "./BrowserPages.ts"
import { everySetting } from "./ExamplePages.ts"

const entry = (id: string, children: SitePage["tree"] = []): SitePage["tree"][number] => ({
  id,
  title: id,
  ...(children.length === 0 && { url: `/docs/${id}` }),
  isCurrent: false,
  isOpen: false,
  children
})

/** A tree of groups; the page `a-0` is displayed. */
const grouped =
  (size: number) =>
  (shown: SitePage): SitePage => {
    const pagesOf = (name: string) => Array.from({ length: size }, (_, i) => entry(`${name}-${i}`))
    const [first, ...rest] = pagesOf("a")
    const current = { ...first!, isCurrent: true, isOpen: true }
    return { ...shown, tree: [{ ...entry("A", [current, ...rest]), isOpen: true }, entry("B", pagesOf("b"))] }
  }

const boxOf = async (page: Page, selector: string) => {
  const { x, width } = (await page.locator(selector).first().boundingBox())!
  return { x, width }
}

const desktop = { viewport: { width: 1440, height: 900 } }
const phone = { viewport: { width: 390, height: 800 } }

describe("Around a page, in a browser", () => {
  const seen = pageRunner(browserOfFile())

  it("the search stands where it stands, however long the title is", async () => {
    const boxes: Array<unknown> = []
    for (const title of ["A", "A handbook with a title that is too long for its column"]) {
      for (const viewport of [desktop.viewport, { width: 1030, height: 700 }]) {
        await seen({ settings: { ...everySetting, title }, viewport }, async (page) => {
          boxes.push(await boxOf(page, ".search > form"))
          assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
        })
      }
    }
    assert.deepStrictEqual(boxes.slice(0, 2), boxes.slice(2))
  })

  it("the text stands below the search, with an outline and without one", async () => {
    for (const width of [1280, 1440, 1920]) {
      const boxes: Array<unknown> = []
      for (const content of ["## One\n\nText.\n\n## Two\n\nText.\n", "Text.\n"]) {
        await seen({ content, viewport: { width, height: 900 } }, async (page) => {
          const text = await boxOf(page, "main")
          boxes.push(text)
          assert.closeTo(text.x, (await boxOf(page, ".search > form")).x, 1)
        })
      }
      assert.deepStrictEqual(boxes[0], boxes[1])
    }
  })

  it("groups of a small tree are open, fold, and stay folded on other pages", () =>
    seen({ ...desktop, change: grouped(8) }, async (page) => {
      const link = page.getByRole("link", { name: "b-3", exact: true })
      assert.isTrue(await link.isVisible())
      await page.locator("[data-tree] summary", { hasText: "B" }).click()
      assert.isFalse(await link.isVisible())
      await page.reload()
      assert.isFalse(await link.isVisible())
      await page.locator("[data-tree] summary", { hasText: "B" }).click()
      // The way to the displayed page opens again.
      await page.locator("[data-tree] summary", { hasText: "A" }).click()
      await page.reload()
      assert.isTrue(await link.isVisible())
      assert.isTrue(await page.getByRole("link", { name: "a-0", exact: true }).isVisible())
    }))

  it("groups of a large tree are folded but for the one that is read", () =>
    seen({ ...desktop, change: grouped(21) }, async (page) => {
      assert.isTrue(await page.getByRole("link", { name: "a-20", exact: true }).isVisible())
      assert.isFalse(await page.getByRole("link", { name: "b-3", exact: true }).isVisible())
      await page.locator("[data-tree] summary", { hasText: "B" }).click()
      await page.reload()
      assert.isTrue(await page.getByRole("link", { name: "b-3", exact: true }).isVisible())
      assert.deepStrictEqual(await faultsOf(page), [])
    }))

  it("the links of the bar are in a menu on a phone, on pages without a tree too", () =>
    seen({ ...phone, search: true, javaScriptEnabled: false }, async (page) => {
      for (const name of ["Shop", "Blog", "Sign in"]) assert.isFalse(await page.getByRole("link", { name }).isVisible())
      await page.getByRole("button", { name: "Menu" }).click()
      for (const name of ["Shop", "Blog", "Sign in"]) assert.isTrue(await page.getByRole("link", { name }).isVisible())
      assert.isTrue(await page.locator(".sidebar .socials a").isVisible())
      await page.getByRole("button", { name: "Close" }).first().click()
      assert.isFalse(await page.getByRole("link", { name: "Shop" }).isVisible())
    }))

  it("code in cells stays whole unless it is long, and a table that is too wide says so", () =>
    seen(
      {
        ...phone,
        content: `| Setting | Flag | About |
| --- | --- | --- |
| \`LECTERN_CONNECTIONS_PER_ADDRESS\` | \`--connections-per-address\` | Words and more words |
| \`lectern import folder --space abc --main --dry-run\` | \`x\` | Words |
`
      },
      async (page) => {
        const lines = await page
          .locator("td code")
          .evaluateAll((all) => all.map((code) => [code.className, code.getClientRects().length]))
        assert.deepStrictEqual(lines.slice(0, 2), [
          ["", 1],
          ["", 1]
        ])
        assert.strictEqual(lines[2]?.[0], "long")
        const shades = await page.locator(".table").evaluate((table) => getComputedStyle(table).backgroundAttachment)
        assert.strictEqual(shades, "local, local, scroll, scroll")
        assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
      }
    ))
})
