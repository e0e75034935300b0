/** The frame of a page in a browser: what it does with a script and without, and for those who do not see it. */
import { assert, describe, it } from "@effect/vitest"
import { html } from "../src/html/Html.ts"
import * as Scripts from "../src/styling/Scripts.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import * as Stylesheets from "../src/styling/Stylesheets.ts"
import * as Layout from "../src/page/Layout.ts"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import { everyPart } from "./Drawing.ts"
import { pageRunner } from "./BrowserPages.ts"
import { everySetting, examplePage } from "./ExamplePages.ts"

/** Blocks in which nothing scrolls by itself. */
const everywhere = (word: string) => `## ${word}

{% tabs %}
{% tab title="${word.slice(0, 100)}" %}
${word}
{% endtab %}
{% endtabs %}

<details>

<summary>${word}</summary>

${word}

</details>

<a href="https://example.com" class="button primary">${word}</a>

{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}

***

{% updates format="full" %}
{% update date="2026-04-09" tags="${word.slice(0, 60)}" %}
${word}
{% endupdate %}
{% endupdates %}
`

describe("in a browser", () => {
  const browser = browserOfFile()
  const onPage = pageRunner(browser)

  for (const [name, options] of Object.entries({
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    "dark, from right to left": { colorScheme: "dark", language: "ar" },
    "on a narrow screen": { viewport: { width: 320, height: 640 } },
    "from right to left on a narrow screen": { viewport: { width: 320, height: 640 }, language: "ar" },
    "with long words on a narrow screen": {
      viewport: { width: 320, height: 640 },
      longWords: true,
      content: everywhere("UseQueryWithPaginationReturnTypeOfEverything".repeat(3))
    },
    "with results of a search": { search: true },
    "with results of a search on a narrow screen": { search: true, viewport: { width: 320, height: 640 } },
    "with another look": {
      settings: {
        ...everySetting,
        themes: { default: "light" },
        styling: {
          theme: "bold",
          primaryColor: { light: "#ffd43b", dark: "#5f3dc4" },
          sidebar: { background: "filled", list: "pill" }
        }
      }
    }
  } as const)) {
    it(`has no fault of accessibility: ${name}`, () =>
      onPage(options, async (page) => {
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
        const isInSight = await page.locator(".sections [aria-current]").evaluate((one) => {
          const { left, right } = one.getBoundingClientRect()
          return left < innerWidth && right > 0
        })
        assert.isTrue(isInSight)
        // The colour of text is read on its ground, whatever the primary colour is.
        const lines = await page
          .locator(".tab:has(:checked)")
          .evaluateAll((all) =>
            all.map((one) => getComputedStyle(one, "::after").backgroundColor === getComputedStyle(one).color)
          )
        assert.notInclude(lines, false)
        const urls = page.locator(".embed-url")
        for (const one of await urls.all()) {
          assert.isAtMost(await one.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight), 0)
        }
      }))
  }

  it("tells what is chosen from what is not in the colours of the system, where there are no others", () =>
    onPage({ forcedColors: "active" }, async (page) => {
      await page.getByRole("radio", { name: "Yes" }).check({ force: true })
      const looks = await page.evaluate(() =>
        [".sections a", "[data-tree] a", ".outline a", ".feedback label"].map((selector) => {
          const lookOf = (one: Element) => {
            const { borderBlockEndColor, borderInlineStartColor, textDecorationLine } = getComputedStyle(one)
            return [borderBlockEndColor, borderInlineStartColor, textDecorationLine].join()
          }
          const all = [...document.querySelectorAll(selector)]
          const isChosen = (one: Element) => one.matches("[aria-current], :has(:checked)")
          const chosen = new Set(all.filter(isChosen).map(lookOf))
          return [selector, chosen.size > 0, all.some((one) => !isChosen(one) && chosen.has(lookOf(one)))]
        })
      )
      for (const look of looks) assert.deepStrictEqual(look.slice(1), [true, false], String(look[0]))
    }))

  it("opens the drawer, menus and branches without a script", () =>
    onPage({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } }, async (page) => {
      const link = page.getByRole("link", { name: "page-1", exact: true })
      assert.isFalse(await link.isVisible())
      await page.getByRole("button", { name: "Menu" }).click()
      assert.isTrue(await link.isVisible())
      assert.isTrue(await page.getByRole("link", { name: "Shop" }).isVisible())
      assert.isTrue(await page.getByRole("link", { name: "Blog" }).isVisible())
      assert.isFalse(await page.getByRole("link", { name: "within" }).isVisible())
      await page.locator("[id='~in-closed'] > summary").click()
      assert.isTrue(await page.getByRole("link", { name: "within" }).isVisible())
      await page.getByRole("button", { name: "Close" }).first().click()
      assert.isFalse(await link.isVisible())
      assert.isFalse(await page.getByRole("button", { name: "Switch between light and dark" }).isVisible())
    }))

  it("leads those who skip to the text, whatever its headings are called", () =>
    onPage({ settings: everySetting }, async (page) => {
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Tab")
      assert.isTrue(await page.evaluate(() => document.activeElement?.closest("main") !== null))
    }))

  for (const width of [390, 1280]) {
    it(`moves nothing when the script comes, ${width} pixels wide`, async () => {
      const placesOf = async (script: string) => {
        let places: unknown
        await onPage({ script, viewport: { width, height: 800 } }, async (page) => {
          const parts = page.locator(".brand, .search, .links, h1, .content, .feedback, .sidebar, .outline")
          places = await parts.evaluateAll((all) =>
            all.map((element) => JSON.stringify(element.getBoundingClientRect()))
          )
        })
        return places
      }
      assert.deepStrictEqual(await placesOf(""), await placesOf(Scripts.script))
    })
  }

  it("has the text in front of the tree for programs, and behind it for those who go through it by keyboard", () =>
    onPage({}, async (page) => {
      const order = await page.locator(".frame > *").evaluateAll((all) => all.map(({ localName }) => localName))
      assert.deepStrictEqual(order, ["main", "aside", "lectern-outline"])
      await page.locator(".sections a").last().focus()
      const met: Array<string | undefined> = []
      while (met.length < 100 && met.at(-1) !== "lectern-outline") {
        await page.keyboard.press("Tab")
        const place = await page.evaluate(
          () => document.activeElement?.closest("main, aside.sidebar, lectern-outline")?.localName
        )
        if (place !== undefined && place !== met.at(-1)) met.push(place)
      }
      assert.deepStrictEqual(met, ["aside", "main", "lectern-outline"])
    }))

  it("has icons in the colour of the text beside them", () =>
    onPage({ colorScheme: "dark" }, async (page) => {
      const colours = await page.locator("svg.icon").evaluateAll((all) =>
        all.map((icon) => {
          const { fill, color } = getComputedStyle(icon)
          return [fill, color]
        })
      )
      assert.isAtLeast(colours.length, 2)
      for (const [fill, colour] of colours) assert.strictEqual(fill, colour)
    }))

  it("keeps the mode that a reader chose, and shows it before anything is painted", () =>
    onPage({ colorScheme: "light" }, async (page) => {
      const mode = () => page.evaluate(() => document.documentElement.dataset["theme"])
      assert.isUndefined(await mode())
      await page.getByRole("button", { name: "Switch between light and dark" }).click()
      assert.strictEqual(await mode(), "dark")
      await page.reload({ waitUntil: "commit" })
      await page.locator("body").waitFor()
      assert.strictEqual(await mode(), "dark")
      await page.getByRole("button", { name: "Switch between light and dark" }).click()
      assert.isUndefined(await mode())
    }))

  it("switches tabs of the same titles together, follows reading, and keeps the tree as it was", () =>
    onPage({}, async (page) => {
      await page.getByRole("radio", { name: "pnpm", exact: true }).first().check()
      assert.deepStrictEqual(
        await page.evaluate(() =>
          [...document.querySelectorAll<HTMLInputElement>("lectern-tabs input")].map(({ checked }) => checked)
        ),
        [false, true, false, true]
      )
      const current = () => page.locator(".outline [aria-current]").textContent()
      await page.evaluate(() => scrollTo({ top: 1e6, behavior: "instant" }))
      await page.locator(".outline li:last-child [aria-current]").waitFor()
      assert.strictEqual(await current(), "part-5")
      await page.locator("[id='~in-closed'] > summary").click()
      await page.locator("[data-tree]").evaluate((tree) => (tree.scrollTop = 40))
      await page.reload()
      assert.isTrue(await page.locator("[id='~in-closed'][open]").isVisible())
      assert.strictEqual(await page.locator("[data-tree]").evaluate((tree) => tree.scrollTop), 40)
      assert.isTrue(await page.locator("lectern-tabs input").nth(1).isChecked())
    }))

  it("sends feedback without leaving the page", () =>
    onPage({}, async (page, asked) => {
      await page.getByRole("radio", { name: "Yes" }).check({ force: true })
      await page.getByRole("button", { name: "Send" }).click()
      await page.getByText("Thank you for your feedback!").waitFor()
      assert.strictEqual(asked.at(-1), "http://site.test/docs/~feedback")
      assert.isTrue(page.url().endsWith("/docs/install"))
    }))

  it("lays out those of many operations that are near, and all of them where a link leads to one", async () => {
    const api = () => html`<section class="api">${Array.from({ length: 60 }, () => html`<p>Field</p>`)}</section>`
    const operations = Array.from(
      { length: 14 },
      (_, i) =>
        `## Operation ${i}\n\n{% openapi-operation spec="a" path="/${i}" method="get" %}\n\n{% endopenapi-operation %}`
    ).join("\n\n")
    const text = Layout.renderPage(
      examplePage({ markdown: operations, settings: everySetting, parts: { ...everyPart, api } }),
      {
        css: "/site.css",
        api: "/api.css",
        script: "/site.js"
      }
    )
    const answer = ({ pathname }: URL) =>
      pathname === "/site.css"
        ? { contentType: "text/css", body: SiteStylesheet.css }
        : pathname === "/api.css"
          ? { contentType: "text/css", body: Stylesheets.api }
          : pathname === "/site.js"
            ? { contentType: "text/javascript", body: Scripts.script }
            : { contentType: "text/html; charset=utf-8", body: text }
    await visit(
      browser(),
      "http://site.test/docs/api",
      answer,
      async (page) => {
        const isLaidOut = () =>
          page.evaluate(() =>
            Array.from(document.querySelectorAll(".api p:last-child"), (field) =>
              field.checkVisibility({ contentVisibilityAuto: true })
            )
          )
        assert.deepStrictEqual((await isLaidOut()).slice(6, 9), [true, true, false])
        await page.evaluate(() => (location.hash = "operation-11"))
        await page.waitForFunction(() => {
          const { top } = document.getElementById("operation-11")!.getBoundingClientRect()
          return top > 0 && top < 300
        })
        assert.notInclude(await isLaidOut(), false)
      },
      { reducedMotion: "reduce" }
    )
  })
})
