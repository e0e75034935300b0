/** Documents made of pages that strangers wrote. */
import { assert, describe, it } from "@effect/vitest"
import { plainText } from "@lectern/document/DocumentText"
import { type PageOptions, SourceReader } from "@lectern/exchange/import/SourceReader"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { NodeSourceReader, type NodeSourceReaderOptions } from "@lectern/services-node/source/NodeSourceReader"
import * as HtmlPage from "@lectern/services-node/source/HtmlPage"
import * as Sitemap from "@lectern/services-node/source/Sitemap"
import { Effect } from "effect"
import * as fc from "fast-check"
import { runs } from "../../core/test/Runs.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)
const url = "https://docs.example.com/guide/page"

const read = (html: string, options: Partial<PageOptions> = {}) =>
  HtmlPage.read(bytesOf(html), { url, embedded: "embedded", ...options })

const markdownOf = (content: string) => read(`<main>${content}</main>`).markdown

const inThread = (options?: NodeSourceReaderOptions) =>
  SourceReader.use(({ open }) => open).pipe(Effect.provide(NodeSourceReader.layer(options)))

describe("HTML as Markdown", () => {
  it.each([
    ["lang of a class", `<pre><code class="language-ts">a\n  b</code></pre>`, "```ts\na\n  b\n```\n"],
    ["lang around it", `<div class="highlight highlight-source-shell"><pre>x</pre></div>`, "```shell\nx\n```\n"],
    [
      "lines that are elements",
      `<pre data-language="js"><div class="line">a</div><div class="line">b</div></pre>`,
      "```js\na\nb\n```\n"
    ],
    ["line numbers", `<pre><span class="lineno">1</span>a\n<span class="lineno">2</span>b</pre>`, "```\na\nb\n```\n"],
    ["fences in code", "<pre>```\nx</pre>", "````\n```\nx\n````\n"],
    [
      "GitHub alerts",
      `<div class="markdown-alert markdown-alert-caution"><p class="markdown-alert-title">Caution</p><p>x</p></div>`,
      '{% hint style="warning" %}\nx\n{% endhint %}\n'
    ],
    [
      "admonitions of Sphinx",
      `<div class="admonition note"><p class="admonition-title">Note</p><p>x</p></div>`,
      '{% hint style="info" %}\nx\n{% endhint %}\n'
    ],
    [
      "admonitions with titles",
      `<div class="admonition tip"><p class="admonition-title">Do this</p><p>x</p></div>`,
      '{% hint style="success" %}\n**Do this**\n\nx\n{% endhint %}\n'
    ],
    [
      "elements of the line among blocks",
      `<ul><li>x<sup>2</sup> y</li><li><kbd>A</kbd> b</li></ul><div>H<sub>2</sub>O</div>`,
      "* x<sup>2</sup> y\n* <kbd>A</kbd> b\n\nH<sub>2</sub>O\n"
    ],
    [
      "places that its links lead to",
      `<p><a href="#x">x</a> <a href="#y">y</a> <a href="#i">i</a> <a href="#r">r</a></p><div id="x"><p>Text</p></div>` +
        `<p>more <b id="y">y</b> <i id="z">z</i></p><ul><li id="i">one</li></ul><table><tr><th>A</th></tr><tr id="r"><td>1</td></tr></table>`,
      '[x](#x) [y](#y) [i](#i) [r](#r)\n\n<a id="x"></a>Text\n\nmore <a id="y"></a>**y** _z_\n\n' +
        '* <a id="i"></a>one\n\n<a id="r"></a>\n\n| A |\n| --- |\n| 1 |\n'
    ],
    [
      "places that are there to be linked to",
      `<p>Text<a name="old"></a> more</p><p id="other">x <span id="said">y</span></p>`,
      'Text<a id="old"></a> more\n\nx y\n'
    ],
    [
      "places before headings",
      `<span id="a"></span><h2>A b</h2><p>x</p><span id="c"></span><h2 id="d">D</h2><section id="e"><h2>E</h2><p><a href="#e">e</a></p></section>`,
      '## A b <a href="#a" id="a"></a>\n\nx\n\n<a id="c"></a>\n\n## D\n\n## E\n\n[e](#e)\n'
    ],
    [
      "places in headings, and those that programs name for themselves",
      `<h2><a id="_Toc1"></a>A</h2><h2><a id="_Toc2"></a>B</h2><h2><a name="old"></a>C</h2><p><a id="_GoBack"></a><a href="#_Toc2">b</a></p>`,
      '## A\n\n## B <a href="#_Toc2" id="_Toc2"></a>\n\n## C <a href="#old" id="old"></a>\n\n[b](#_Toc2)\n'
    ],
    ["places whose names could be more", `<a name='x"y'></a><a name="a b"></a><p>x</p><a id="&lt;b"></a>`, "x\n"],
    ["asides that are none", `<aside><p>x</p></aside><p>y</p>`, "y\n"],
    [
      "embeds",
      `<p>a</p><iframe src="//www.youtube.com/embed/x"></iframe>`,
      'a\n\n{% embed url="https://www.youtube.com/embed/x" %}\n'
    ],
    [
      "tasks",
      `<ul><li><input type="checkbox" checked> a</li><li><input type="checkbox"> b</li></ul>`,
      "* [x] a\n* [ ] b\n"
    ],
    [
      "anchors of headings",
      `<p>a</p><h2 id="the-part">The part<a class="headerlink" href="#the-part">¶</a></h2>`,
      "a\n\n## The part\n"
    ],
    ["ids of headings", `<p>a</p><h2 id="p.1">The part</h2>`, 'a\n\n## The part <a href="#p.1" id="p.1"></a>\n'],
    [
      "links to the page itself",
      `<p><a href="${url}#x">a</a> <a href="../other">b</a></p>`,
      "[a](#x) [b](https://docs.example.com/other)\n"
    ],
    [
      "late images",
      `<p><img src="data:," data-src="a.png" alt="A"></p>`,
      "![A](https://docs.example.com/guide/a.png)\n"
    ],
    ["what is hidden", `<p hidden>a</p><p style="display: none">b</p><p aria-hidden="true">c</p><p>d</p>`, "d\n"],
    [
      "what runs",
      `<p onclick="x">a<script>b</script><style>c</style><a href=" javascript:d">e</a></p><object data="f"></object>`,
      "ae\n"
    ],
    ["forms", `<form><input value="x"><button>Go</button></form><p>a</p>`, "a\n"],
    [
      "tables without a head",
      `<table><tr><td>a</td></tr><tr><td>b</td></tr></table>`,
      "<table data-header-hidden><thead><tr><th></th></tr></thead><tbody><tr><td>a</td></tr><tr><td>b</td></tr></tbody></table>\n"
    ],
    [
      "tables with merged cells",
      `<table><tr><th>a</th><th>b</th></tr><tr><td colspan="2"><abbr title="x">c</abbr></td></tr></table>`,
      '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td colspan="2">c</td></tr></tbody></table>\n'
    ],
    [
      "tables that only arrange content",
      `<table><tr><td><h2>a</h2></td><td><table><tr><th>b</th></tr><tr><td>c</td></tr></table></td></tr></table>`,
      "## a\n\n| b |\n| --- |\n| c |\n"
    ],
    [
      "lists in cells",
      `<table><tr><th>a</th></tr><tr><td>b<ol start="3"><li>c</li></ol></td></tr></table>`,
      '| a |\n| --- |\n| <p>b</p><ol start="3"><li>c</li></ol> |\n'
    ],
    [
      "pictures in cells",
      `<table><tr><th>a</th></tr><tr><td><img src="/i.png"></td></tr></table>`,
      "| a |\n| --- |\n| ![](https://docs.example.com/i.png) |\n"
    ],
    ["lists of terms", `<dl><dt>a</dt><dd>b</dd><dd><ul><li>c</li></ul></dd></dl>`, "**a**\n\nb\n\n* c\n"],
    ["lists in lists without an item", `<ul><li>a</li><ul><li>b</li></ul></ul>`, "* a\n  * b\n"],
    ["tasks with labels", `<ul><li><label><input type="checkbox"> a</label></li></ul>`, "* [ ] a\n"],
    ["code in pieces", `<p><code><span>a</span> <span>b</span></code></p>`, "`a b`\n"],
    ["white space in links", `<p>a<a href="/b"> b </a>c</p>`, "a [b](https://docs.example.com/b) c\n"],
    [
      "links and marks around blocks",
      `<a href="/x"><ul><li>a</li></ul></a><b><p>b</p><p>c</p></b>`,
      "* [a](https://docs.example.com/x)\n\n**b**\n\n**c**\n"
    ],
    [
      "elements that Markdown has no syntax for",
      `<p><abbr title="HyperText">HT</abbr> <small>b</small></p>`,
      '<abbr title="HyperText">HT</abbr> b\n'
    ],
    [
      "formulas with their TeX",
      `<p>a <span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x2</span></span> b</p>` +
        `<script type="math/tex; mode=display">y</script><p>c <mjx-container class="MathJax"><mjx-math>no</mjx-math><mjx-assistive-mml><math><mi>z</mi></math></mjx-assistive-mml></mjx-container></p>`,
      "a $$x^2$$ b\n\n$$\ny\n$$\n\nc z\n"
    ],
    [
      "blocks in cells",
      `<table><tr><th><p>a</p><p>b</p></th></tr><tr><td>c<ul><li>d</li><li><p>e</p></li></ul><pre>f\ng</pre></td></tr></table>`,
      "<table><thead><tr><th>a<br>b</th></tr></thead><tbody><tr><td><p>c</p><ul><li>d</li><li>e</li></ul><pre><code>f&#10;g&#10;</code></pre></td></tr></tbody></table>\n"
    ],
    [
      "what is raised, lowered and on keys",
      `<p>10<sup>6</sup> H<sub>2</sub>O <kbd>Ctrl</kbd> <sup></sup><sup><a href="#n1">1</a></sup></p>`,
      "10<sup>6</sup> H<sub>2</sub>O <kbd>Ctrl</kbd> [<sup>1</sup>](#n1)\n"
    ],
    [
      "pictures with captions",
      `<p>a</p><figure><img src="i.png" alt="A &quot;b&quot;"><figcaption>The <b>c</b> &lt; d</figcaption></figure>`,
      'a\n\n<figure><img src="https://docs.example.com/guide/i.png" alt="A &quot;b&quot;"><figcaption><p>The <strong>c</strong> &lt; d</p></figcaption></figure>\n'
    ],
    [
      "figures of more than that",
      `<figure><pre>x</pre><figcaption>c</figcaption></figure><table><tr><th><figure><img src="i.png"><figcaption>d</figcaption></figure></th></tr><tr><td>e</td></tr></table>`,
      "```\nx\n```\n\nc\n\n| ![](https://docs.example.com/guide/i.png)<br>d |\n| --- |\n| e |\n"
    ],
    ["blocks in headings", `<p>x</p><h2><div>a</div><div>b</div></h2>`, "x\n\n## a b\n"],
    [
      "blocks in links",
      `<a href="/c"><div><h3>a</h3><p>b</p></div></a>`,
      "### [a](https://docs.example.com/c)\n\n[b](https://docs.example.com/c)\n"
    ],
    ["tags as text", `<p>{% hint %}</p><p>a {% x %}</p>`, "\\{% hint %}\n\na {% x %}\n"],
    ["Markdown as text", `<p># a</p><p>*b* [c](d) &lt;b&gt; | 1. e</p>`, "\\# a\n\n\\*b\\* \\[c]\\(d) \\<b> | 1. e\n"]
  ])("%s", (_, html, markdown) => {
    assert.strictEqual(markdownOf(html), markdown)
  })

  it("loses no character of a text, and takes none for something else", () => {
    const text = fc.string({
      unit: fc.oneof(fc.constantFrom(..."#*_`[](){}%<>&|~$:@!\\-+=.1 \n"), fc.string({ minLength: 1, maxLength: 1 }))
    })
    fc.assert(
      fc.property(text, (said) => {
        const words = said
          .toWellFormed()
          .replace(/[\s\p{Cc}]+/gu, " ")
          .trim()
        const html = `<p>a ${words.replaceAll("&", "&amp;").replaceAll("<", "&lt;")} z</p>`
        const { document } = Markdown.parse(markdownOf(html), { nextKey: () => "k" })
        const got = document.nodes.map((node) => plainText(node)).join(" ")
        assert.strictEqual(got.replace(/\s+/g, " "), `a ${words} z`.replace(/\s+/g, " "))
      }),
      runs(500)
    )
  })

  it("loses no word, however elements are nested", () => {
    const tags =
      "p div ul li table tr td h2 strong em a blockquote pre code span section dl dd details summary figure".split(" ")
    const { tree } = fc.letrec<{ tree: string; leaf: string }>((tie) => ({
      leaf: fc.constant("WORD"),
      tree: fc.oneof(
        { maxDepth: 6 },
        tie("leaf"),
        fc
          .tuple(fc.constantFrom(...tags), fc.array(tie("tree"), { minLength: 1, maxLength: 4 }))
          .map(([tag, children]) => `<${tag}${tag === "a" ? ' href="/x"' : ""}>${children.join(" ")}</${tag}>`)
      )
    }))
    fc.assert(
      fc.property(tree, (html) => {
        let count = 0
        const said = html.replaceAll("WORD", () => `word${count++}x`)
        const { markdown, title = "" } = read(`<main><p>start</p>${said}</main>`)
        const text = JSON.stringify(Markdown.parse(markdown, { nextKey: () => "k" }).document)
        for (let i = 0; i < count; i++) assert.include(`${title} ${text}`, `word${i}x`)
      }),
      runs(500)
    )
  })

  it("makes tables of the vocabulary, whatever cells hold", () => {
    const tags =
      "p div ul ol li h3 strong em a blockquote pre code sup abbr dl dt details figure table tr td img".split(" ")
    const { tree } = fc.letrec<{ tree: string; leaf: string }>((tie) => ({
      leaf: fc.constantFrom(
        "WORD",
        "a | b",
        '<img src="i.png">',
        "x<br>y",
        "<input type=checkbox> z",
        "$5 &amp; <b>c</b>"
      ),
      tree: fc.oneof(
        { maxDepth: 4 },
        tie("leaf"),
        fc
          .tuple(fc.constantFrom(...tags), fc.array(tie("tree"), { minLength: 1, maxLength: 3 }))
          .map(([tag, children]) => `<${tag}${tag === "a" ? ' href="/x"' : ""}>${children.join(" ")}</${tag}>`)
      )
    }))
    const rows = fc.tuple(fc.boolean(), fc.constantFrom("", " colspan=2", " rowspan=2"), tree, tree)
    fc.assert(
      fc.property(rows, ([hasHead, span, one, other]) => {
        const name = hasHead ? "th" : "td"
        const html = `<table><tr><${name}>a</${name}><${name}>b</${name}></tr><tr><td${span}>${one}</td><td>${other}</td></tr></table>`
        const { markdown } = HtmlPage.readWordHtml(`<p>before</p>${html}`, { embedded: "e" }, [])
        const { document } = Markdown.parse(markdown, { nextKey: () => "k" })
        assert.deepStrictEqual(
          document.nodes.flatMap(({ type }) => (type === "table" || type === "html" ? [type] : [])),
          ["table"],
          markdown
        )
      }),
      runs(300)
    )
  })

  it("finds the page in what stands around it", () => {
    const around = (content: string) =>
      `<title>Page - Acme</title><header>Acme</header><nav><a href="/x">Menu</a></nav>${content}<footer>Copyright</footer>`
    const said = "What the page says is long enough to be taken for the page itself, and not for something around it."
    for (const content of [
      `<main><h1>T</h1><p>${said}</p></main>`,
      `<div role="main"><h1>T</h1><p>${said}</p></div>`,
      `<article><h1>T</h1><p>${said}</p></article>`,
      `<div id="content"><h1>T</h1><p>${said}</p></div>`,
      `<main><div class="breadcrumbs">Docs</div><article><h1>T</h1><p>${said}</p></article><aside>Contents</aside></main>`
    ]) {
      assert.deepInclude(read(around(content)), { title: "T", markdown: `${said}\n` })
    }
    const unmarked = `<div><div><p>${`${said} `.repeat(8)}</p><p>${`${said} `.repeat(8)}</p></div></div>`
    const { markdown } = read(around(unmarked))
    assert.include(markdown, said)
    assert.notMatch(markdown, /Copyright|Menu/)
  })

  it("names the page by its heading, or by its title without its site's", () => {
    const titled = (title: string, content = "<p>x</p>", head = "") =>
      read(`<title>${title}</title>${head}<main>${content}</main>`).title
    assert.strictEqual(titled("A | Acme", "<h1>B <em>c</em></h1>"), "B c")
    assert.strictEqual(titled("A | Acme"), "A")
    assert.strictEqual(titled("A - Acme", "<p>x</p>", `<meta property="og:site_name" content="Acme">`), "A")
    assert.isUndefined(titled(""))
    assert.strictEqual(titled("x".repeat(1000))?.length, 256)
  })

  it("gives the links of all of the page, unless it asks not to be followed", () => {
    const links = (html: string) => read(html).links
    assert.deepStrictEqual(
      links(
        `<base href="/b/"><nav><a href="c">x</a><a href="c#d">x</a><a href="#e">x</a></nav><a href="mailto:a@b.c">y</a>`
      ),
      ["https://docs.example.com/b/c"]
    )
    assert.deepStrictEqual(links(`<a href="/c" rel="noopener nofollow">x</a>`), [])
    assert.deepStrictEqual(links(`<meta name="robots" content="noindex, nofollow"><a href="/c">x</a>`), [])
  })

  it("reads letters as they are written, whatever the server says", () => {
    const decoded = (bytes: Uint8Array, contentType?: string) =>
      HtmlPage.read(bytes, { url, embedded: "e", ...(contentType !== undefined && { contentType }) }).markdown
    const utf8 = bytesOf("<p>Grüße 日本</p>")
    for (const type of [undefined, "text/html", "text/html; charset=iso-8859-1", "text/html; charset=nonsense"]) {
      assert.strictEqual(decoded(utf8, type), "Grüße 日本\n")
    }
    const latin = Buffer.from("<p>Gr\xfc\xdfe</p>", "latin1")
    assert.strictEqual(decoded(latin), "Grüße\n")
    assert.strictEqual(decoded(latin, "text/html; charset=windows-1252"), "Grüße\n")
    assert.strictEqual(decoded(Buffer.from("\ufeff<p>Grüße</p>", "utf16le"), "text/html"), "Grüße\n")
    const japanese = Buffer.concat([Buffer.from("<meta charset=shift_jis><p>"), Buffer.from([0x93, 0xfa, 0x96, 0x7b])])
    assert.strictEqual(decoded(japanese), "日本\n")
  })
})

describe("Maps of sites", () => {
  it("reads pages and maps, and nothing unfolds", () => {
    const lol = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>`
    const map = `${lol}<urlset><url><loc> https://a.example/?x=1&amp;y=2 </loc><image:loc>https://a.example/i.png</image:loc></url><url><loc>javascript:x</loc></url><url><loc>https://a.example/&b;</loc></url></urlset>`
    assert.deepStrictEqual(Sitemap.read(bytesOf(map)), {
      pages: ["https://a.example/?x=1&y=2", "https://a.example/&b;"],
      sitemaps: []
    })
    assert.deepStrictEqual(Sitemap.read(bytesOf("https://a.example/\nhttps://b.example/ x")).pages, [
      "https://a.example/",
      "https://b.example/"
    ])
    assert.deepStrictEqual(Sitemap.read(bytesOf("<html><a>")), { pages: [], sitemaps: [] })
  })
})

describe("NodeSourceReader", () => {
  const hostile: ReadonlyArray<readonly [what: string, html: string]> = [
    ["deep elements", "<div>".repeat(100_000)],
    ["deep emphasis", "<b><i>".repeat(20_000)],
    ["deep lists", "<ul><li>".repeat(3000)],
    ["wide text", `<p>${"a ".repeat(500_000)}`],
    ["many links", `<p>${'<a href="x">y</a>'.repeat(20_000)}`],
    ["many attributes", `<p ${Array.from({ length: 50_000 }, (_, i) => `a${i}=b`).join(" ")}>`],
    ["nothing", ""],
    ["no HTML", "\u0000\u0001\ufffd<<<>>><!-- <![CDATA["]
  ]
  it.live("survives what is hostile, and reads on", () =>
    Effect.gen(function* () {
      const reader = yield* inThread({ pageTimeout: { seconds: 60 } })
      for (const [, html] of hostile) yield* Effect.result(reader.html(bytesOf(html), { url, embedded: "e" }))
      const { markdown } = yield* reader.html(bytesOf("<p>Still here</p>"), { url, embedded: "e" })
      assert.strictEqual(markdown, "Still here\n")
    }).pipe(Effect.scoped)
  )

  it.live("ends a thread that takes too long, and reads on in another", () =>
    Effect.gen(function* () {
      const patient = yield* inThread()
      const hasty = yield* inThread({ pageTimeout: { milliseconds: 1 } })
      const page = bytesOf("<p>Some page</p>")
      assert.match((yield* Effect.flip(hasty.html(page, { embedded: "e" }))).message, /longer than 1ms/)
      assert.match((yield* Effect.flip(hasty.html(page, { embedded: "e" }))).message, /longer than 1ms/)
      assert.strictEqual((yield* patient.html(page, { embedded: "e" })).markdown, "Some page\n")
    }).pipe(Effect.scoped)
  )

  it.live("ends a thread that takes too much memory, and reads on in another", () =>
    Effect.gen(function* () {
      const reader = yield* inThread({ maxMemory: 64, pageTimeout: { seconds: 60 } })
      const large = bytesOf("<b>a</b><i>b</i>".repeat(400_000))
      assert.match((yield* Effect.flip(reader.html(large, { embedded: "e" }))).message, /more memory/)
      assert.strictEqual((yield* reader.html(bytesOf("<p>Small</p>"), { embedded: "e" })).markdown, "Small\n")
    }).pipe(Effect.scoped)
  )
})
