/** The frame of a page in a browser: what it does with a script and without, and for those who do not see it. */
import { assert, describe, it } from "@effect/vitest"
import type { BrowserContextOptions, Page } from "playwright-core"
import * as Script from "../src/look/Script.ts"
import * as Sheet from "../src/look/Sheet.ts"
import * as Layout from "../src/page/Layout.ts"
import * as SearchPage from "../src/page/SearchPage.ts"
import { html } from "../src/html/Html.ts"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import type { SitePage } from "../src/page/SitePage.ts"
import { everyPart } from "./Drawing.ts"
import { everySetting, shownPage } from "./ShownPages.ts"

const markdown = `## Content\n\n${Array.from({ length: 6 }, (_, i) => `## Part ${i}\n\n${"Some words to read. ".repeat(60)}`).join("\n\n")}

{% tabs %}
{% tab title="npm" %}
npm i
{% endtab %}
{% tab title="pnpm" %}
pnpm add
{% endtab %}
{% endtabs %}

{% tabs %}
{% tab title="npm" %}
npm ci
{% endtab %}
{% tab title="pnpm" %}
pnpm i
{% endtab %}
{% endtabs %}
`

const found = {
  query: "part",
  scope: "all",
  count: 2,
  pages: ["One", "Two"].map((title) => ({
    title: html`<mark>${title}</mark>`,
    url: `/docs/${title}`,
    above: ["Guides"],
    description: html``,
    sections: [{ title: html`Section`, url: `/docs/${title}#section`, excerpt: html`some <mark>part</mark>` }]
  }))
} as const

/** A page that has words everywhere that no narrow screen has room for. */
const withLongWords = (shown: SitePage): SitePage => {
  const title = "UseQueryWithPaginationReturnTypeOfEverything"
  const titled = <A extends object>(part: A) => ({ ...part, title })
  return {
    ...shown,
    site: titled(shown.site),
    sections: shown.sections.map(titled),
    variants: shown.variants.map(titled),
    tree: shown.tree.map(titled),
    page: { ...titled(shown.page), outline: shown.page.outline.map(titled) },
    breadcrumbs: shown.breadcrumbs.map(titled),
    ...(shown.previous && { previous: titled(shown.previous) }),
    ...(shown.next && { next: titled(shown.next) })
  }
}

/** Drawn as painters do. */
const longFormula = html`<span class="formula-box"><svg class="formula deep-3" viewBox="0 0 900 20" width="100ex" height="2.2ex"></svg></span>`

const assets = { css: "/site.css", script: "/site.js" }

describe("in a browser", () => {
  const browser = browserOfFile()

  const seen = async (
    {
      language = "en",
      settings = everySetting,
      search = false,
      longWords = false,
      script = Script.script,
      content = markdown,
      ...options
    }: {
      language?: string
      settings?: typeof everySetting
      search?: boolean
      longWords?: boolean
      script?: string
      content?: string
    } & BrowserContextOptions,
    look: (page: Page, asked: ReadonlyArray<string>) => Promise<void>
  ) => {
    const parts = { ...everyPart, formula: () => longFormula }
    const plain = shownPage({ markdown: content, language, settings, parts })
    const shown = longWords ? withLongWords(plain) : plain
    const files: Record<string, readonly [string, string]> = {
      "/site.css": ["text/css", Sheet.css],
      "/site.js": ["text/javascript", script],
      "/docs/~search": ["text/html; charset=utf-8", SearchPage.results(found, shown.parts).text],
      "/docs/install": [
        "text/html; charset=utf-8",
        search
          ? Layout.other(shown, { title: "Search", main: SearchPage.page(found, shown) }, assets)
          : Layout.page(shown, assets)
      ]
    }
    await visit(
      browser(),
      "http://site.test/docs/install",
      ({ pathname }) => {
        const [contentType, body] = files[pathname] ?? files["/docs/install"]!
        return { contentType, body }
      },
      async (page, { asked, failures }) => {
        await look(page, asked)
        assert.deepStrictEqual(failures, [])
      },
      options
    )
  }

  for (const [name, options] of Object.entries({
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    "dark, from right to left": { colorScheme: "dark", language: "ar" },
    "on a narrow screen": { viewport: { width: 320, height: 640 } },
    "from right to left on a narrow screen": { viewport: { width: 320, height: 640 }, language: "ar" },
    "with long words on a narrow screen": { viewport: { width: 320, height: 640 }, longWords: true },
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
      seen(options, async (page) => {
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
      }))
  }

  it("opens the drawer, menus and branches without a script", () =>
    seen({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } }, async (page) => {
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

  it("shows what a link leads to in a tab without a script", () => {
    const tabs = `{% tabs %}\n{% tab title="One" %}\nz\n{% endtab %}\n{% tab title="Two" %}\n### Deep\n\ny\n{% endtab %}\n{% endtabs %}\n`
    const content = `${"Words.\n\n".repeat(60)}${tabs}`
    return seen({ javaScriptEnabled: false, reducedMotion: "reduce", content }, async (page) => {
      assert.isFalse(await page.locator("#deep").isVisible())
      await page.goto("http://site.test/docs/install#deep")
      assert.isTrue(await page.locator("#deep").isVisible())
    })
  })

  it("fits a long formula of a line into a narrow screen, and lets one scroll that stands by itself or in a table", () =>
    seen(
      {
        viewport: { width: 360, height: 800 },
        content: "Some $$x$$ words.\n\n* $$x$$\n\n$$\nx\n$$\n\n| A | B |\n| --- | --- |\n| $$x$$ | $$x$$ |\n"
      },
      async (page) => {
        assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
        const sizes = await page.locator(".formula").evaluateAll((all) =>
          all.map((one) => {
            const { width, height } = one.getBoundingClientRect()
            return { isWhole: width > 500, ratio: width / height }
          })
        )
        assert.deepStrictEqual(
          sizes.map(({ isWhole }) => isWhole),
          [false, false, true, true, true]
        )
        for (const { ratio } of sizes) assert.approximately(ratio, 45, 2)
      }
    ))

  it("cuts nothing off on paper", () => {
    const row = (text: string) => `|${` ${text} |`.repeat(16)}\n`
    const table = row("A header") + row("---") + row("Some words")
    const code = `\`\`\`js\nconst long = "${"x".repeat(300)}"\n\`\`\`\n`
    const content = `${table}\n${code}\n$$\nx\n$$\n\n| A | B |\n| --- | --- |\n| $$x$$ | $$x$$ |\n`
    return seen({ content, viewport: { width: 700, height: 900 } }, async (page) => {
      await page.emulateMedia({ media: "print" })
      const cut = await page
        .locator(".content :is(.table, pre, .math)")
        .evaluateAll((all) =>
          all.map(({ className, localName, scrollWidth, clientWidth }) => [
            `${localName}.${className}`,
            Math.max(0, scrollWidth - clientWidth)
          ])
        )
      assert.deepStrictEqual(cut, [
        ["div.table", 0],
        ["pre.", 0],
        ["div.math", 0],
        ["div.table", 0]
      ])
      assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
    })
  })

  it("leads those who skip to the text, whatever its headings are called", () =>
    seen({ settings: everySetting }, async (page) => {
      await page.keyboard.press("Tab")
      await page.keyboard.press("Enter")
      await page.keyboard.press("Tab")
      assert.isTrue(await page.evaluate(() => document.activeElement?.closest("main") !== null))
    }))

  for (const width of [390, 1280]) {
    it(`moves nothing when the script comes, ${width} pixels wide`, async () => {
      const placesOf = async (script: string) => {
        let places: unknown
        await seen({ script, viewport: { width, height: 800 } }, async (page) => {
          const parts = page.locator(".brand, .search, .links, h1, .content, .feedback, .sidebar, .outline")
          places = await parts.evaluateAll((all) =>
            all.map((element) => JSON.stringify(element.getBoundingClientRect()))
          )
        })
        return places
      }
      assert.deepStrictEqual(await placesOf(""), await placesOf(Script.script))
    })
  }

  it("has the text in front of the tree for programs, and behind it for those who go through it by keyboard", () =>
    seen({}, async (page) => {
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
    seen({ colorScheme: "dark" }, async (page) => {
      const colours = await page.locator("svg.icon").evaluateAll((all) =>
        all.map((icon) => {
          const { fill, color } = getComputedStyle(icon)
          return [fill, color]
        })
      )
      assert.isAtLeast(colours.length, 2)
      for (const [fill, colour] of colours) assert.strictEqual(fill, colour)
    }))

  it("searches by keyboard alone", () =>
    seen({}, async (page, asked) => {
      await page.keyboard.press("Control+k")
      await page.keyboard.type("part")
      await page.locator(".search-results .found").waitFor()
      assert.include(asked.at(-1), "/docs/~search?q=part&scope=all&part=results")
      assert.deepStrictEqual(await faultsOf(page), [])
      await page.keyboard.press("ArrowDown")
      await page.keyboard.press("ArrowDown")
      assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("href")), "/docs/One#section")
      await page.keyboard.press("ArrowUp")
      await page.keyboard.press("ArrowUp")
      assert.strictEqual(await page.evaluate(() => document.activeElement?.tagName), "INPUT")
      await Promise.all([page.waitForURL("**/docs/One"), page.keyboard.press("Enter")])
      await page.keyboard.press("/")
      assert.strictEqual(await page.locator(".search-results a").textContent(), "One")
      await page.keyboard.press("Escape")
      assert.isFalse(await page.locator(".search-dialog").isVisible())
    }))

  it("leaves arrows to words that are being composed", () =>
    seen({}, async (page) => {
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
    seen({}, async (page, asked) => {
      const kept = JSON.stringify([{ title: "Earlier", url: "/docs/Earlier" }])
      await page.evaluate((kept) => localStorage.setItem("lectern-recent http://site.test/docs/~search", kept), kept)
      await page.keyboard.press("/")
      await page.locator("[href='/docs/Earlier']").waitFor()
      await page.keyboard.type("part")
      await Promise.all([page.waitForURL("**/docs/One"), page.keyboard.press("Enter")])
      assert.isTrue(asked.some((url) => url.includes("q=part&")))
    }))

  it("shows no result of another query where there is no answer, and leads to the page of results", () =>
    seen({}, async (page) => {
      await page.keyboard.press("/")
      await page.keyboard.type("part")
      await page.locator(".search-results .found").waitFor()
      await page.route("**/~search?*part=results", (route) => route.fulfill({ status: 429 }))
      await page.keyboard.type("s")
      await page.locator(".search-results .found").waitFor({ state: "detached" })
      await Promise.all([page.waitForURL("**/docs/~search?q=parts&scope=all"), page.keyboard.press("Enter")])
    }))

  it("says that code is copied, however often it was asked to, and then what it does again", () =>
    seen({ content: "```js\nrun()\n```\n", permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      // No site without TLS may write to the clipboard, but those of this machine.
      await page.evaluate(() =>
        Object.defineProperty(navigator, "clipboard", { value: { writeText: () => Promise.resolve() } })
      )
      await page.clock.install()
      const button = page.locator("figure.code button")
      const usual = await button.textContent()
      await button.click()
      await page.locator("lectern-copy[data-copied]").waitFor()
      await button.click()
      await page.clock.runFor(5_000)
      assert.strictEqual(await button.textContent(), usual)
      assert.strictEqual(await page.locator("lectern-copy[data-copied]").count(), 0)
    }))

  it("copies where the browser lends no clipboard, as to a page without TLS", () =>
    seen({ content: "```js\nrun()\n```\n" }, async (page) => {
      await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }))
      const copied = page.evaluate(
        () =>
          new Promise<string>((done) =>
            document.addEventListener("copy", () => done((document.activeElement as HTMLTextAreaElement).value))
          )
      )
      const button = page.locator("figure.code button")
      await button.click()
      await page.locator("lectern-copy[data-copied]").waitFor()
      assert.strictEqual(await copied, "run()")
      assert.isTrue(await button.evaluate((element) => element === document.activeElement))
      assert.strictEqual(await page.locator("lectern-copy textarea").count(), 0)
    }))

  it("opens the tab that a link leads into, now and when the page is loaded", () => {
    const inner = `{% tabs %}\n{% tab title="A" %}\nx\n{% endtab %}\n{% tab title="B" %}\n<details>\n\n<summary>More</summary>\n\n### Deep\n\ny\n\n</details>\n{% endtab %}\n{% endtabs %}`
    const content = `${"Words.\n\n".repeat(60)}{% tabs %}\n{% tab title="One" %}\nz\n{% endtab %}\n{% tab title="Two" %}\n${inner}\n{% endtab %}\n{% endtabs %}\n`
    return seen({ content, reducedMotion: "reduce" }, async (page) => {
      const checked = () =>
        page.evaluate(() =>
          [...document.querySelectorAll<HTMLInputElement>("lectern-tabs input")].map(({ checked }) => checked)
        )
      const goTo = (hash: string) => page.evaluate((hash) => (location.hash = hash), hash)
      const isInView = (id: string) =>
        page.waitForFunction((id) => {
          const { top, bottom, height } = document.getElementById(id)!.getBoundingClientRect()
          return height > 0 && top >= 0 && bottom <= innerHeight
        }, id)
      assert.deepStrictEqual(await checked(), [true, false, true, false])
      await goTo("#two")
      await isInView("two")
      assert.deepStrictEqual(await checked(), [false, true, true, false])
      await goTo("#deep")
      await isInView("deep")
      assert.deepStrictEqual(await checked(), [false, true, false, true])
      await goTo("#100%")
      await page.goto("about:blank")
      await page.goto("http://site.test/docs/install#deep")
      await isInView("deep")
    })
  })

  it("keeps the mode that a reader chose, and shows it before anything is painted", () =>
    seen({ colorScheme: "light" }, async (page) => {
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
    seen({}, async (page) => {
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
    seen({}, async (page, asked) => {
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
    const text = Layout.page(
      shownPage({ markdown: operations, settings: everySetting, parts: { ...everyPart, api } }),
      {
        css: "/site.css",
        script: "/site.js"
      }
    )
    const answer = ({ pathname }: URL) =>
      pathname === "/site.css"
        ? { contentType: "text/css", body: Sheet.css }
        : pathname === "/site.js"
          ? { contentType: "text/javascript", body: Script.script }
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
