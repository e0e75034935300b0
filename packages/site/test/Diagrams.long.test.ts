/** Diagrams in a browser, drawn by the library that sites come with. */
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Page } from "playwright-core"
import { bundleDiagrams } from "../../../bundle/Diagrams.ts"
import { readDiagrams } from "../../services-node/src/site/NodeDiagrams.ts"
import * as Scripts from "../src/styling/Scripts.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import * as Layout from "../src/page/Layout.ts"
import * as DiagramFiles from "../src/server/DiagramFiles.ts"
import * as SecurityHeaders from "../src/server/SecurityHeaders.ts"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import { everySetting, examplePage } from "./ExamplePages.ts"

const fence = (code: string) => `\`\`\`mermaid\n${code}\n\`\`\`\n\n`

const markdown = [
  "graph TD\n  A[Reader asks] --> B{Kept?}\n  B -->|Yes| C[Answer]",
  "sequenceDiagram\n  Alice->>Bob: Hello",
  "graph TD\n  A --> --> [",
  "classDiagram\n  accTitle: Animals of the farm\n  Animal <|-- Duck",
  `graph TD\n  A["<img src=x onerror=parent.ran=1><script>parent.ran=1</script>"] --> B\n  click A href "javascript:parent.ran=1"`
]
  .map(fence)
  .join("")

const assets = {
  css: "/site.css",
  script: "/site.js",
  diagrams: { script: "/diagrams.js", frame: "/~lectern/diagrams.html" }
}

describe("a diagram in a browser", () => {
  const browser = browserOfFile()

  const seen = async (options: object, look: (page: Page, asked: ReadonlyArray<string>) => Promise<void>) => {
    const folder = await bundleDiagrams()
    const files = DiagramFiles.make(readDiagrams(folder)!)
    const script = "text/javascript"
    const hashOf = String
    const headers = SecurityHeaders.make({ sha256: hashOf })("", "", { hasFrames: true })
    const html = "text/html; charset=utf-8"
    await visit(
      browser(),
      "http://site.test/",
      ({ pathname, origin }) => {
        if (pathname === assets.css) return { contentType: "text/css", body: SiteStylesheet.css }
        if (pathname === assets.script) return { contentType: script, body: Scripts.script }
        if (pathname === assets.diagrams.script) return { contentType: script, body: Scripts.diagrams }
        if (pathname === assets.diagrams.frame)
          return { contentType: html, body: files.page, headers: { "content-security-policy": files.policy(origin) } }
        if (pathname.startsWith("/~lectern/")) {
          const body = gunzipSync(readFileSync(join(folder, `${pathname.slice("/~lectern/".length)}.gz`)))
          return { contentType: script, body, headers: { "access-control-allow-origin": "*" } }
        }
        return {
          contentType: html,
          headers,
          body: Layout.renderPage(examplePage({ markdown, settings: everySetting }), assets)
        }
      },
      async (page, { asked, failures }) => {
        await look(page, asked)
        assert.deepStrictEqual(failures, [])
      },
      options
    )
  }

  const states = async (page: Page) => {
    await page.locator("lectern-diagram:not([data-state])").first().waitFor({ state: "detached" })
    return page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>("lectern-diagram")].map((diagram) => [
        diagram.dataset["state"],
        diagram.querySelector("img")?.alt,
        diagram.querySelector("details")!.open
      ])
    )
  }

  const expected = [
    ["drawn", "Diagram: flowchart", false],
    ["drawn", "Diagram: sequence", false],
    ["failed", undefined, true],
    ["drawn", "Diagram: Animals of the farm", false],
    ["drawn", "Diagram: flowchart", false]
  ]

  for (const [name, options] of Object.entries({
    light: { colorScheme: "light" },
    dark: { colorScheme: "dark" },
    "on a narrow screen": { viewport: { width: 320, height: 640 } }
  })) {
    it(`is a picture with a name, or its source, and nothing of it runs: ${name}`, () =>
      seen(options, async (page) => {
        assert.deepStrictEqual(await states(page), expected)
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
        assert.isUndefined(await page.evaluate(() => (globalThis as { ran?: unknown }).ran))
        const sizes = await page
          .locator("lectern-diagram img")
          .evaluateAll((all) =>
            all.map((image) => (image as HTMLImageElement).naturalWidth > 0 && image.clientHeight > 20)
          )
        assert.deepStrictEqual(sizes, [true, true, true, true])
      }))
  }

  it("is drawn anew in the other mode", () =>
    seen({ colorScheme: "light" }, async (page) => {
      await states(page)
      const before = await page.locator("lectern-diagram img").first().getAttribute("src")
      await page.getByRole("button", { name: "Switch between light and dark" }).click()
      await page.waitForFunction(
        (src) => document.querySelector("lectern-diagram img")!.getAttribute("src") !== src,
        before
      )
      assert.deepStrictEqual(await states(page), expected)
    }))

  it("opens in full size, and its source is copied", () =>
    seen({ permissions: ["clipboard-read", "clipboard-write"] }, async (page) => {
      await states(page)
      await page.getByRole("link", { name: "Enlarge: Diagram: sequence" }).click()
      assert.isTrue(await page.locator("dialog.zoomed img").isVisible())
      await page.keyboard.press("Escape")
      const diagram = page.locator("lectern-diagram").nth(1)
      await diagram.locator("summary").click()
      assert.isTrue(await diagram.getByRole("button", { name: "Copy" }).isVisible())
    }))

  it("is its source without a script, and then loads nothing", () =>
    seen({ javaScriptEnabled: false }, async (page, asked) => {
      assert.isTrue(await page.getByText("Alice->>Bob: Hello").isVisible())
      assert.deepStrictEqual(
        asked.filter((url) => url.includes("~lectern")),
        []
      )
    }))
})
