/** The search of a site in a browser. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOf } from "./Axe.ts"
import { browserOfFile } from "./Chromium.ts"
import { pageRunner } from "./BrowserPages.ts"

describe("Search in a browser", () => {
  const onPage = pageRunner(browserOfFile())

  it("searches by keyboard alone", () =>
    onPage({}, async (page, asked) => {
      await page.keyboard.press("Control+k")
      await page.keyboard.type("part")
      // Suggested pages are shown before the results, without a count.
      await page.locator(".search-results .found-count").waitFor()
      assert.include(asked.at(-1), "/docs/~search?q=part&scope=all&part=results")
      assert.deepStrictEqual(await faultsOf(page), [])
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("ArrowDown")
      assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("href")), "/docs/One#section")
      // The pointer leaves the same ground: only a line tells the focus.
      assert.strictEqual(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle), "solid")
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("ArrowUp")
      assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "INPUT")
      await Promise.all([page.waitForURL("**/docs/One"), page.keyboard.press("Enter")])
      await page.keyboard.press("/")
      // Pages that were opened come first, then the next page, the top of the tree and the neighbors.
      assert.deepStrictEqual(
        await page
          .locator(".search-results")
          .innerText()
          .then((text) => text.split(/\n+/)),
        ["Recently opened", "One", "Suggested", "Linux", "start", "install", "closed", "page-0"]
      )
      assert.deepStrictEqual(await faultsOf(page), [])
      await page.keyboard.press("Escape")
      assert.isFalse(await page.locator(".search-dialog").isVisible())
    }))

  it("leaves arrows to words that are being composed", () =>
    onPage({}, async (page) => {
      await page.keyboard.press("/")
      await page.keyboard.type("part")
      await page.locator(".search-results .found").waitFor()
      const focused = await page.evaluate(() => {
        const event = { key: "ArrowDown", bubbles: true, isComposing: true }
        document.activeElement!.dispatchEvent(new KeyboardEvent("keydown", event))
        return document.activeElement!.tagName
      })
      assert.strictEqual(focused, "INPUT")
    }))

  it("opens the first result of what was typed, however fast that was", () =>
    onPage({}, async (page, asked) => {
      const kept = JSON.stringify([{ title: "Earlier", url: "/docs/Earlier" }])
      await page.evaluate((kept) => localStorage.setItem("lectern-recent http://site.test/docs/~search", kept), kept)
      await page.keyboard.press("/")
      await page.locator("[href='/docs/Earlier']").waitFor()
      await page.keyboard.type("part")
      await Promise.all([page.waitForURL("**/docs/One"), page.keyboard.press("Enter")])
      assert.isTrue(asked.some((url) => url.includes("q=part&")))
    }))

  it("shows no result of another query where there is no answer, and leads to the page of results", () =>
    onPage({}, async (page) => {
      await page.keyboard.press("/")
      await page.keyboard.type("part")
      await page.locator(".search-results .found").waitFor()
      await page.route("**/~search?*part=results", (route) => route.fulfill({ status: 429 }))
      await page.keyboard.type("s")
      await page.locator(".search-results .found").waitFor({ state: "detached" })
      await Promise.all([page.waitForURL("**/docs/~search?q=parts&scope=all"), page.keyboard.press("Enter")])
    }))
})
