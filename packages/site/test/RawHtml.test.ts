/** Tests raw HTML in Markdown on pages of a site in a browser: every element that GitHub allows. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { createSpace } from "../../http/test/Steps.ts"
import { SpaceId } from "@lectern/core/space/Space"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as Blocks from "../src/document/Blocks.ts"
import * as SiteStylesheet from "../src/styling/SiteStylesheet.ts"
import * as CustomizationStyle from "../src/styling/CustomizationStyle.ts"
import { defaultCustomization } from "@lectern/core/customization/Customization"
import { faultsOf } from "./Axe.ts"
import { browserOfFile, visit } from "./Chromium.ts"
import { documentOf, parts } from "./Drawing.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

/** Block elements, each with distinct words. */
const blocks = [
  '<h1 align="center">heading one</h1>',
  '<h3 class="x" id="third">heading three</h3>',
  '<p class="lead" style="color: red">lead paragraph <b>bold</b> <i>italic</i> <strong>strong</strong> <em>emphasis</em></p>',
  '<p align="center"><a href="https://a.example"><img src="https://a.example/badge.png" alt="badge" height="20"></a> <img src="https://a.example/two.png" alt="two"></p>',
  '<div style="text-align:center"><img src="https://a.example/styled.png" alt="styled picture"></div>',
  '<picture><source media="(prefers-color-scheme: dark)" srcset="https://a.example/dark.png"><img src="https://a.example/light.png" alt="both modes"></picture>',
  '<figure><img src="https://a.example/figure.png" alt="in a figure"><figcaption>its caption</figcaption></figure><sup>raised behind</sup>',
  '<ul class="x"><li>item one<ul><li>nested item</li></ul></li><li><input type="checkbox" checked> done item</li></ul>',
  '<ol start="3"><li>third item<li>fourth item</ol>',
  "<dl><dt>a term</dt><dd>its meaning</dd><dd>another meaning</dd></dl>",
  "<blockquote>a quotation<p>of two paragraphs</blockquote>",
  '<pre lang="js"><code>const answer = 6 &lt; 7</code></pre>',
  "<details><summary>what opens</summary>what was folded</details>",
  "<details open><summary>a heading <b>in bold</b></summary>\n\n* item of Markdown\n\n</details>",
  '<table border="1" width="100%"><caption>a caption</caption><tr><th>head one</th><th>head two</th></tr><tr><td rowspan="2">tall cell</td><td><pre>code\ncell</pre></td></tr><tr><td><ul><li>list cell</li></ul></td></tr><tr><td colspan="2" align="right">wide cell</td></tr></table>',
  "<table><tr><td>no head</td><td>at all</td></tr></table>",
  '<div align="center">\n\n## Centred heading of Markdown\n\nCentred *text* of Markdown\n\n</div>',
  "<table>\n<tr><td>\n\n```js\ncode.of(Markdown)\n```\n\n</td><td>\n\n**cell of Markdown**\n\n</td></tr>\n</table>",
  "<hr>",
  '<iframe width="560" src="https://www.youtube.com/embed/abcdefghijk" title="film"></iframe>',
  '<iframe src="https://frames.example/x"></iframe>',
  '<video src="https://a.example/film.mp4" controls></video>',
  '<audio controls><source src="https://a.example/sound.mp3" type="audio/mpeg"></audio>',
  "<section><h3>heading in a section</h3><p>text in a section</p></section>",
  '<Card title="A card" href="https://a.example">text of a component</Card>'
]

/** Inline elements. */
const line = [
  "<kbd>key</kbd> <code>code</code> <tt>teletype</tt> <samp>sample</samp> <var>variable</var>",
  "<del>deleted</del> <s>struck</s> <strike>strike</strike> <ins>inserted</ins> <u>underlined</u>",
  "H<sub>below</sub> x<sup>above</sup> <small>smaller</small> <mark>marked</mark>",
  '<abbr title="its long form">abbreviated</abbr> <dfn>defined</dfn> <cite>cited</cite> <q>quoted</q> <time datetime="2026-01-01">dated</time>',
  '<font color="red" size="2">coloured</font> <span style="color:red">spanned</span> <bdo dir="rtl">reversed</bdo> <bdi>isolated</bdi>',
  "<ruby>漢字<rp>(</rp><rt>reading</rt><rp>)</rp></ruby> broken<br>line long<wbr>word",
  '<a name="place"></a><a href="https://a.example/there" target="_blank">linked words</a>'
]

const markdown = `${blocks.join("\n\n")}\n\n${line.join(" ")}\n`

const hostile = [
  '<img src="x" onerror="window.ran = 1">',
  "<script>window.ran = 1</script>",
  '<a href="javascript:window.ran=1">run</a>',
  '<a href="&#106;ava&Tab;script:window.ran=1">run</a>',
  '<svg onload="window.ran = 1"><script>window.ran = 1</script></svg>',
  '<iframe src="javascript:window.ran=1"></iframe>',
  '<iframe srcdoc="<script>parent.ran = 1</script>"></iframe>',
  '<details open ontoggle="window.ran = 1"><summary>x</summary>y</details>',
  '<style>body { display: none }</style><link rel="stylesheet" href="https://b.example/x.css">',
  '<form action="https://b.example"><input name="a" autofocus onfocus="window.ran = 1"><button>Send</button></form>',
  '<object data="https://b.example/x.swf"></object><embed src="https://b.example/x"><base href="https://b.example/">',
  '<meta http-equiv="refresh" content="0;url=https://b.example">',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.ran = 1">',
  '<p style="background:url(https://b.example/pixel)" id="~content" class="frame">styled</p>',
  "<ruby title='\"><img src=x onerror=window.ran=1>'>r<rt>t</ruby>",
  '<abbr title="x" lang=\'"><script>window.ran=1</script>\'>t</abbr>'
].join("\n\n")

const drawn = (text: string) => Blocks.renderPage(parts, VisitorDocument.visitorDocument(documentOf(text)).nodes).text

const pageOf = (content: string) =>
  `<!doctype html><html lang="en"><title>x</title><meta name="viewport" content="width=device-width"><style>${SiteStylesheet.css}${CustomizationStyle.styleOf(defaultCustomization).text}</style><main><h1>HTML</h1><div class="content">${content}</div></main></html>`

describe("Raw HTML on a page", () => {
  const browser = browserOfFile()
  const picture = {
    contentType: "image/svg+xml",
    body: `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"/>`
  }

  it("shows all words of every element that GitHub lets through, none of its tags, and is without a fault of accessibility", () =>
    visit(
      browser(),
      "http://site.test/",
      ({ href }) =>
        href === "http://site.test/"
          ? { contentType: "text/html; charset=utf-8", body: pageOf(drawn(markdown)) }
          : picture,
      async (page) => {
        await page.locator("details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")))
        const text = await page.locator(".content").innerText()
        assert.notMatch(text, /<\/?[a-z]/i)
        // Every word between tags is visible.
        const words = markdown
          .replace(/```js\n|```|^\* |\*\*?|^## /gm, "")
          .replace(/<(?:rp)>.*?<\/rp>/g, "")
          .split(/<[^>]*>|\n|&lt;/)
          .flatMap((part) => part.trim().split(/\s+/))
          .filter((word) => word !== "")
        const plain = text.replace(/\s+/g, " ")
        for (const word of words) assert.include(plain, word)
        const count = (selector: string) => page.locator(`.content ${selector}`).count()
        const counts = {
          "h2, .content h3, .content h4": 4,
          // A picture with two color modes becomes one `img` for each mode.
          img: 6,
          table: 3,
          "td[rowspan='2']": 1,
          "td[colspan='2'] > .align-end": 1,
          "td pre": 2,
          "td li": 1,
          "ul > li > ul > li": 1,
          "ol[start='3'] > li": 2,
          "dl > dt": 1,
          "dl > dd": 2,
          "details > summary": 2,
          "blockquote > p": 2,
          "lectern-embed": 1,
          "a.embed-card": 1,
          video: 1,
          audio: 1,
          "ruby > rt": 1,
          "abbr[title='its long form']": 1,
          kbd: 1,
          mark: 1,
          "a[href='https://a.example/there']": 1,
          hr: 1
        }
        const found: Record<string, number> = {}
        for (const selector of Object.keys(counts)) found[selector] = await count(selector)
        assert.deepStrictEqual(found, counts)
        assert.strictEqual(await count("[style], .content [class~=lead], .content [onclick]"), 0)
        assert.deepStrictEqual(await faultsOf(page), [])
        assert.strictEqual(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0)
      }
    ))

  it("runs nothing, loads nothing but pictures, and names no place of the site, whatever was written", () =>
    visit(
      browser(),
      "http://site.test/",
      ({ href }) =>
        href === "http://site.test/"
          ? { contentType: "text/html; charset=utf-8", body: pageOf(drawn(hostile)) }
          : picture,
      async (page, { asked }) => {
        const schemes = await page
          .locator("a")
          .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol))
        assert.deepStrictEqual(
          schemes.filter((scheme) => !/^https?:$/.test(scheme)),
          []
        )
        await page.waitForLoadState("networkidle")
        assert.isUndefined(await page.evaluate(() => (globalThis as { ran?: unknown }).ran))
        assert.deepStrictEqual(
          asked.filter((url) => !url.startsWith("http://site.test/")),
          []
        )
        const unsafe =
          ".content :is(script, style, link, form, input, button, iframe, object, embed, svg, [id], [onerror])"
        assert.strictEqual(await page.locator(unsafe).count(), 0)
        assert.include(await page.locator(".content").innerText(), "styled")
      }
    ))
})

onMemory("Raw HTML of an imported page", (it) => {
  it.effect("leads to pages and files of the folder, as Markdown does", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { id } = yield* createSpace({ title: "Docs" })
      const png = Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64"
      )
      const page = `# Start\n\n<div class="x"><img src="./assets/a.png" alt="A"><p>See <a href="guide/more.md#part">more</a></p></div>\n\nSome <small><a href='guide/more.md'>small</a></small> words\n`
      const files = [
        Folder.file("README.md", page),
        Folder.file("SUMMARY.md", "# Summary\n\n* [Start](README.md)\n* [More](guide/more.md)\n"),
        Folder.file(
          "guide/more.md",
          '# More\n\n## Part\n\n<p align="center"><img src="../assets/a.png"></p>\n\n<h2>Of HTML</h2><p>x</p>\n'
        ),
        Folder.file("assets/a.png", new Uint8Array(png))
      ]
      yield* (yield* FolderImports)
        .importFolder(SpaceId.make(id), { files })
        .pipe(Effect.provideService(CurrentActor, host), Effect.orDie)
      const { urls } = yield* publishedSite([id])
      const base = urls.published ?? ""
      const start = (yield* ask(base).pipe(hasStatus(200))).text
      assert.match(start, /<img src="http[^"]*\/files\/[^"]*" alt="A"/)
      const path = new URL(base).pathname
      assert.include(start, `<p>See <a href="${path}more#part">more</a></p>`)
      assert.include(start, `<small><a href="${path}more">small</a></small>`)
      const more = (yield* ask(`${base}more`).pipe(hasStatus(200))).text
      assert.match(more, /<h2 id="of-html">Of HTML/)
      const markdown = (yield* ask(`${base}index.md`).pipe(hasStatus(200))).text
      assert.include(markdown, `See [more](${base}more#part)`)
    })
  )
})
