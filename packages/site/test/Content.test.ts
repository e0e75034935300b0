import { assert, describe, it } from "@effect/vitest"
import type { Node } from "@lectern/document/Document"
import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import { inlineTypes } from "@lectern/document/vocabulary/InlineTypes"
import { markTypes } from "@lectern/document/vocabulary/MarkTypes"
import type { BrowserContextOptions, Page } from "playwright-core"
import * as Layout from "../src/page/Layout.ts"
import * as Blocks from "../src/document/Blocks.ts"
import * as CustomizationStyle from "../src/styling/CustomizationStyle.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import { defaultCustomization } from "@lectern/core/customization/Customization"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import { documentOf, everyPart } from "./Drawing.ts"
import { markdown } from "./EveryBlock.ts"
import { examplePage } from "./ExamplePages.ts"

const everything = documentOf(markdown)
const content = Blocks.renderPage(everyPart, everything.nodes).text

const typesIn = (nodes: ReadonlyArray<Node>, types = new Set<string>()): ReadonlySet<string> => {
  for (const node of nodes) {
    if (node.object === "text") {
      for (const { marks } of node.leaves) for (const { type } of marks) types.add(`mark ${type}`)
      continue
    }
    types.add(`${node.object} ${node.type}`)
    typesIn([...(node.nodes ?? []), ...(node.fragments ?? []).flatMap((fragment) => fragment.nodes)], types)
  }
  return types
}

describe("the page that has every block", () => {
  it("has every type of block, inline and mark", () => {
    const all = [
      ...Object.keys(blockTypes).map((type) => `block ${type}`),
      ...Object.keys(inlineTypes).map((type) => `inline ${type}`),
      ...Object.keys(markTypes).map((type) => `mark ${type}`)
    ]
    const there = typesIn(everything.nodes)
    // Markdown has no underlining: it is written in documents alone.
    assert.deepStrictEqual(
      all.filter((type) => !there.has(type)),
      ["mark underline"]
    )
  })

  it("holds no style, no handler and no script", () => {
    assert.notMatch(content, /<[^>]*\s(?:style|on\w+)=/)
    assert.notMatch(content, /<(?:script|style|iframe|object|form)\b/)
  })
})

describe("in a browser", () => {
  const browser = browserOfFile()

  const shown = async (
    { theme, direction = "ltr", ...options }: { theme: string; direction?: string } & BrowserContextOptions,
    look: (page: Page, asked: ReadonlyArray<string>) => Promise<void>
  ) => {
    const body = `<!doctype html><html lang="en" dir="${direction}" data-theme="${theme}"><title>x</title><meta name="viewport" content="width=device-width"><style>${SiteStylesheet.css}${CustomizationStyle.styleOf(defaultCustomization).text}</style><main><h1>Every block</h1><div class="content">${content}</div></main></html>`
    await visit(
      browser(),
      "http://site.test/",
      ({ href }) =>
        href === "http://site.test/"
          ? { contentType: "text/html; charset=utf-8", body }
          : { contentType: "image/svg+xml", body: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>` },
      (page, { asked }) => look(page, asked),
      options
    )
  }

  for (const [name, options] of Object.entries({
    light: { theme: "light" },
    "dark, from right to left": { theme: "dark", direction: "rtl" },
    "on a narrow screen": { theme: "light", viewport: { width: 320, height: 640 } }
  })) {
    it(`has no fault of accessibility: ${name}`, () =>
      shown(options, async (page) => {
        assert.deepStrictEqual(await faultsOf(page), [])
        const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
        assert.strictEqual(wider, 0)
      }))
  }

  it("has items that are no tasks among tasks as a list has them", async () => {
    const page = await browser().newPage()
    const drawn = Blocks.createBlockRenderer(everyPart).blocks(
      documentOf("* [ ] open\n* some **bold** words\n  * below\n").nodes
    )
    await page.setContent(`<!doctype html><style>${SiteStylesheet.css}</style><div class="content">${drawn.text}</div>`)
    const [around, bold, below] = await Promise.all(
      ["li:nth-child(2)", "strong", "li li"].map((place) => page.locator(place).boundingBox())
    )
    assert.isAtLeast(below!.y, bold!.y + bold!.height)
    assert.isBelow(bold!.x - around!.x, 70)
    assert.strictEqual(
      await page
        .locator("li:nth-child(2)")
        .first()
        .evaluate((li) => getComputedStyle(li).listStyleType),
      "disc"
    )
    await page.close()
  })

  it("can't be scrolled sideways where its text runs from the right on a page that runs from the left", async () => {
    const page = await browser().newPage({ viewport: { width: 320, height: 640 } })
    const shown = examplePage({ markdown: "## כותרת\n\nשלום\n" })
    const body = Layout.renderPage(
      { ...shown, page: { ...shown.page, language: "he" } },
      { css: "/x.css", script: "/x.js" }
    )
    await page.setContent(body.replace("</head>", `<style>${SiteStylesheet.css}</style></head>`))
    assert.strictEqual(await page.locator("[dir=rtl] h2").count(), 1)
    assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
    await page.close()
  })

  it("breaks a word in the tree that is wider than the tree", async () => {
    const page = await browser().newPage()
    const link = `<a href="/"><span>${"Donaudampfschifffahrt".repeat(8)}</span></a>`
    const tree = `<aside class="sidebar"><nav><ul><li>${link}</li></ul></nav></aside>`
    await page.setContent(`<!doctype html><style>${SiteStylesheet.css} aside { width: 200px }</style>${tree}`)
    assert.isAtMost(await page.locator("a span").evaluate((word) => word.getBoundingClientRect().width), 200)
    await page.close()
  })

  it("works without scripts, and asks nobody else for anything", () =>
    shown({ theme: "light", javaScriptEnabled: false }, async (page, asked) => {
      await page.getByRole("radio", { name: "pnpm", exact: true }).check()
      assert.isTrue(await page.getByText("Use pnpm, which is faster:").isVisible())
      assert.isFalse(await page.getByText("npm install lectern").isVisible())
      await page.getByRole("button", { name: "revisions" }).click()
      assert.isTrue(await page.getByText("It never changes.").isVisible())
      await page.keyboard.press("Escape")
      assert.isFalse(await page.getByText("It never changes.").isVisible())
      assert.isFalse(await page.getByText('"draft"').isVisible())
      await page.getByRole("checkbox", { name: "Show all" }).check()
      assert.isTrue(await page.getByText('"draft"').isVisible())
      await page.getByText("What does it cost?").click()
      assert.isTrue(await page.getByText("Nothing. You own it.").isVisible())
      assert.deepStrictEqual(
        asked.filter((url) => !/^http:\/\/(?:site|files)\.test\//.test(url)),
        []
      )
    }))
})
