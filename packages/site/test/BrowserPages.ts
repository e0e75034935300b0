/** Shows pages of a site in a browser without a server, with every part rendered. */
import { assert } from "@effect/vitest"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import * as Scripts from "../src/styling/Scripts.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import * as Layout from "../src/page/Layout.ts"
import * as SearchPage from "../src/page/SearchPage.ts"
import { html } from "../src/html/Html.ts"
import { visit } from "./Chromium.ts"
import type { SitePage } from "../src/page/SitePage.ts"
import { everyPart } from "./Drawing.ts"
import { everySetting, examplePage } from "./ExamplePages.ts"

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
    ancestors: ["Guides"],
    description: html``,
    sections: [{ title: html`Section`, url: `/docs/${title}#section`, excerpt: html`some <mark>part</mark>` }]
  }))
} as const

/** Returns a page with titles that are wider than a narrow screen. */
const withLongWords = (shown: SitePage): SitePage => {
  const title = "UseQueryWithPaginationReturnTypeOfEverything"
  const titled = <A extends object>(part: A) => ({ ...part, title })
  return {
    ...shown,
    site: titled(shown.site),
    // The current section is outside of the visible area.
    sections: shown.sections.map((one, i) => ("url" in one ? { ...titled(one), isCurrent: i === 1 } : titled(one))),
    variants: shown.variants.map(titled),
    tree: shown.tree.map(titled),
    page: { ...titled(shown.page), outline: shown.page.outline.map(titled) },
    breadcrumbs: shown.breadcrumbs.map(titled),
    ...(shown.previous && { previous: titled(shown.previous) }),
    ...(shown.next && { next: titled(shown.next) })
  }
}

/** Markup as formula renderers create it. */
const longFormula = html`<span class="formula-box"><svg class="formula deep-3" viewBox="0 0 900 20" width="100ex" height="2.2ex"></svg></span>`

const assets = { css: "/site.css", script: "/site.js" }

/** Opens a page in the browser and passes it to `look`. Fails if the page has uncaught errors. */
export const pageRunner =
  (browser: () => Browser) =>
  async (
    {
      language = "en",
      settings = everySetting,
      search = false,
      longWords = false,
      script = Scripts.script,
      content = markdown,
      change = (shown) => shown,
      ...options
    }: {
      language?: string
      settings?: typeof everySetting
      search?: boolean
      longWords?: boolean
      script?: string
      content?: string
      /** Changes the page before it is rendered. */
      change?: (shown: SitePage) => SitePage
    } & BrowserContextOptions,
    look: (page: Page, asked: ReadonlyArray<string>) => Promise<void>
  ) => {
    const parts = { ...everyPart, formula: () => longFormula }
    const plain = change(examplePage({ markdown: content, language, settings, parts }))
    const shown = longWords ? withLongWords(plain) : plain
    const files: Record<string, readonly [string, string]> = {
      "/site.css": ["text/css", SiteStylesheet.css],
      "/site.js": ["text/javascript", script],
      "/docs/~search": ["text/html; charset=utf-8", SearchPage.renderResults(found, shown.dependencies).text],
      "/docs/install": [
        "text/html; charset=utf-8",
        search
          ? Layout.renderSimplePage(shown, { title: "Search", main: SearchPage.renderPage(found, shown) }, assets)
          : Layout.renderPage(shown, assets)
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
