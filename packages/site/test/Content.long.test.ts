/** The text of a page in a browser: what does not fit, what hides, and what can be copied. */
import { assert, describe, it } from "@effect/vitest"
import { browserOfFile } from "./Chromium.ts"
import { pageRunner } from "./BrowserPages.ts"

describe("Content in a browser", () => {
  const onPage = pageRunner(browserOfFile())

  it("shows what a link leads to in a tab without a script", () => {
    const tabs = `{% tabs %}\n{% tab title="One" %}\nz\n{% endtab %}\n{% tab title="Two" %}\n### Deep\n\ny\n{% endtab %}\n{% endtabs %}\n`
    const content = `${"Words.\n\n".repeat(60)}${tabs}`
    return onPage({ javaScriptEnabled: false, reducedMotion: "reduce", content }, async (page) => {
      assert.isFalse(await page.locator("#deep").isVisible())
      await page.goto("http://site.test/docs/install#deep")
      assert.isTrue(await page.locator("#deep").isVisible())
    })
  })

  it("fits a long formula of a line into a narrow screen, and lets one scroll that stands by itself or in a table", () =>
    onPage(
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
    return onPage({ content, viewport: { width: 700, height: 900 } }, async (page) => {
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

  it("shows of a picture the one of the mode, in a figure and on a card, whose cover is wide and low", () => {
    const of = (mode: string) => `https://a.example/${mode}.png`
    const figure = `<figure><picture><source srcset="${of("dark")}" media="(prefers-color-scheme: dark)"><img src="${of("light")}" alt=""></picture></figure>`
    const cards = `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-cover data-type="files"></th><th data-hidden data-card-cover-dark data-type="files"></th></tr></thead><tbody><tr><td>A</td><td><a href="${of("light")}">l</a></td><td><a href="${of("dark")}">d</a></td></tr></tbody></table>`
    return onPage({ content: `${figure}\n\n${cards}\n`, colorScheme: "light" }, async (page) => {
      const shown = () =>
        page
          .locator(".content img")
          .evaluateAll((all) =>
            all.flatMap((one) =>
              one.checkVisibility() ? (one as HTMLImageElement).src.replace(/.*\/|\.png/g, "") : []
            )
          )
      assert.deepStrictEqual(await shown(), ["light", "light"])
      for (const toDark of [
        () => page.emulateMedia({ colorScheme: "dark" }),
        () => page.evaluate(() => (document.documentElement.dataset["theme"] = "dark"))
      ]) {
        await toDark()
        assert.deepStrictEqual(await shown(), ["dark", "dark"])
        await page.emulateMedia({ colorScheme: "light" })
      }
      const cover = await page.locator(".card > :first-child").evaluate((one) => one.clientWidth / one.clientHeight)
      assert.approximately(cover, 16 / 9, 0.05)
    })
  })

  it("is dark on white on paper, whatever the mode, with all that opens", () => {
    const picture = (mode: string) => `<img src="https://a.example/${mode}.png" alt="${mode}">`
    const both = `<figure><picture><source srcset="https://a.example/dark.png" media="(prefers-color-scheme: dark)">${picture("light")}</picture></figure>`
    const content = `{% prompt description="Ask" %}\nAsked.\n{% endprompt %}\n\n<details>\n<summary>More</summary>\nTold.\n</details>\n\n${both}\n`
    return onPage({ content, colorScheme: "dark" }, async (page) => {
      await page.evaluate(() => (document.documentElement.dataset["theme"] = "dark"))
      await page.emulateMedia({ media: "print", colorScheme: "dark" })
      const found = await page.evaluate(() => {
        const ink = getComputedStyle(document.querySelector(".content")!).color
        const shown = (selector: string) =>
          Array.from(document.querySelectorAll(selector), (one) => one.checkVisibility({ contentVisibilityAuto: true }))
        const context = document.createElement("canvas").getContext("2d")!
        context.fillStyle = ink
        context.fillRect(0, 0, 1, 1)
        const isDark = context
          .getImageData(0, 0, 1, 1)
          .data.slice(0, 3)
          .every((part) => part < 80)
        return [isDark, shown("details > .body"), shown(".content .light-only"), shown(".content .dark-only")]
      })
      assert.deepStrictEqual(found, [true, [true, true], [true], [false]])
    })
  })

  it("says that code is copied, however often it was asked to, and then what it does again", () =>
    onPage({ content: "```js\nrun()\n```\n", permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
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
    onPage({ content: "```js\nrun()\n```\n" }, async (page) => {
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
    return onPage({ content, reducedMotion: "reduce" }, async (page) => {
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
})
