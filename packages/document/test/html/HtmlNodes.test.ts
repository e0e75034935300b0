/** Tests how readers receive raw HTML: as blocks and inlines of documents, including unclosed and incomplete markup. */
import type { Document, Node } from "@lectern/document/Document"
import * as HtmlNodes from "@lectern/document/html/HtmlNodes"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import { assert, describe, it } from "@effect/vitest"

const parsed = (markdown: string, files: { readonly [url: string]: string } = {}): Document => {
  let last = 0
  const resolve = (url: string) => {
    const known = Object.hasOwn(files, url) ? files[url]! : undefined
    return known === undefined ? undefined : RefUrl.fromUrl(known)
  }
  return Markdown.parse(markdown, { nextKey: () => `k${++last}`, resolve }).document
}

const read = (markdown: string) => HtmlNodes.convertHtml(parsed(markdown))

const marksOf = (marks: ReadonlyArray<{ readonly type: string }>) => marks.map(({ type }) => type[0]).join("")

/** Returns a document in compact form: `type(content)`, and text with the first letters of its marks. */
const told = (nodes: ReadonlyArray<Node> = []): string =>
  nodes
    .map((node) => {
      if (node.object === "text") {
        return node.leaves.map(({ text, marks }) => (marks.length === 0 ? text : `${marksOf(marks)}[${text}]`)).join("")
      }
      const { type, data = {}, fragments = [] } = node
      const ref = data["ref"] as { readonly url?: string; readonly file?: string } | undefined
      const said = [data["name"], data["url"], ref?.url ?? ref?.file, data["align"], data["syntax"], data["title"]]
      const about = said.filter((one) => one !== undefined).join(" ")
      const parts = fragments.map((one) => `#${told(one.nodes)}`).join("")
      return `${type}${about && ` ${about}`}(${told(node.nodes)}${parts})`
    })
    .join("")

const shown = (markdown: string) => told(read(markdown).nodes)

describe("HTML that is read for readers", () => {
  it.each([
    // Pictures in any context.
    ['<div style="x"><img src="a.png" alt="A"></div>', "images(image a.png())"],
    ['<p class="x"><img src="a.png"></p>', "images(image a.png())"],
    [
      '<p align="center"><a href="https://b.example"><img src="a.png" width="90"></a></p>',
      "paragraph center(link https://b.example(inline-image a.png()))"
    ],
    ["<center><img src=a.png></center>", "images center(image a.png())"],
    [
      '<figure><img src="a.png"><figcaption>Of <b>a</b></figcaption></figure><sup>x</sup>',
      "images(image a.png(#paragraph(Of b[a])))paragraph(s[x])"
    ],
    // Structure of text.
    ["<h3 class=x>Title</h3><p>One</p><p>two", "heading-2(Title)paragraph(One)paragraph(two)"],
    [
      "<ul><li>a<li>b<ol><li>c</ol></ul>",
      "list-unordered(list-item(paragraph(a))list-item(paragraph(b)list-ordered(list-item(paragraph(c)))))"
    ],
    [
      "<dl><dt>T<dd>M<dd>N</dl>",
      "element dl(element dt(paragraph(T))element dd(paragraph(M))element dd(paragraph(N)))"
    ],
    ['<pre lang="js">a &lt; b\n  c</pre>', "code js(code-line(a < b)code-line(  c))"],
    ["<details><summary>S</summary>body</details>", "expandable(#paragraph(S)#paragraph(body))"],
    [
      "<aside>\n💡 A **remark**\n\n* of two\n\n</aside>",
      "hint(paragraph(💡 A **remark**)list-unordered(list-item(paragraph(of two))))"
    ],
    ["<blockquote>q<hr>r</blockquote>", "blockquote(paragraph(q)divider()paragraph(r))"],
    // Inline elements.
    [
      'Some <font color="red">red <b>bold</b></font> and <u>line</u>, <ins>in</ins> <tt>t</tt>',
      "paragraph(Some red b[bold] and u[line], u[in] c[t])"
    ],
    [
      '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <abbr title="HyperText">HT</abbr>',
      "paragraph(element ruby(漢element rp(()element rt(kan)element rp())) element abbr HyperText(HT))"
    ],
    [
      '<a name="x"></a>Text <a href="https://a.example" title="T">link</a>',
      "paragraph(Text link https://a.example T(link))"
    ],
    // Videos and frames.
    ['<iframe src="https://www.youtube.com/embed/abc"></iframe>', "embed https://www.youtube.com/embed/abc()"],
    ['<video src="https://a.example/a.mp4" controls></video>', "embed https://a.example/a.mp4()"],
    [
      '<audio controls><source src="https://a.example/a.mp3"></audio> behind',
      "embed https://a.example/a.mp3()paragraph(behind)"
    ],
    // Components of other programs.
    ['<Card title="x">\n\nText\n\n</Card>', "paragraph(Text)"],
    ["<Tabs><Tab>one</Tab></Tabs>", "paragraph(one)"],
    // Markdown between pieces of HTML.
    [
      '<div align="center">\n\n# Title\n\n![a](a.png)\n\n</div>\n\nAfter',
      "heading-1 center(Title)images center(image a.png())paragraph(After)"
    ],
    [
      "<table><tr><td>\n\n```js\na\n```\n\n</td><td>\n\n* b\n\n</td></tr></table>",
      "table(#code js(code-line(a))#list-unordered(list-item(paragraph(b))))"
    ],
    ["<details>\n\nText without an end", "paragraph(Text without an end)"],
    ["<div\n\nText", "paragraph(Text)"],
    // Invisible content.
    ["<!-- a --><script>b</script><style>c</style><svg><text>d</text></svg>e", "paragraph(e)"],
    ['<img src="a.png" width="1" height="1"><img src=b.png style="display:none">', ""]
  ])("%j", (markdown, expected) => assert.strictEqual(shown(markdown), expected))

  it("has tables with and without a head, spans, captions, code and lists in cells", () => {
    const table = (html: string) => read(html).nodes
    const [caption, one] = table(
      '<table border="1" class="x"><caption>Prices</caption><thead><tr><th align="right">A</th><th><b>B</b></th></tr></thead><tbody><tr><td rowspan="2">1</td><td><pre>x\ny</pre></td></tr><tr><td><ul><li>z</ul></td></tr><tr><td colspan=2>w</td></tr></table>'
    )
    assert.strictEqual(told([caption!]), "paragraph(Prices)")
    assert.deepInclude(one?.data, {
      view: { type: "grid", columns: ["c1", "c2"], hideHeader: false },
      definition: {
        c1: { id: "c1", title: "A", type: "text", textAlignment: "right" },
        c2: { id: "c2", title: "B", type: "text", titleFragment: "header-c2" }
      },
      cellMerges: [
        { anchor: { record: "r1", column: "c1" }, colSpan: 1, rowSpan: 2 },
        { anchor: { record: "r3", column: "c1" }, colSpan: 2, rowSpan: 1 }
      ]
    })
    assert.deepStrictEqual(
      one?.fragments?.map(({ fragment, nodes }) => `${fragment}: ${told(nodes)}`),
      [
        "header-c2: paragraph(b[B])",
        "r1-c1: paragraph(1)",
        "r1-c2: code(code-line(x)code-line(y))",
        "r2-c2: list-unordered(list-item(paragraph(z)))",
        "r3-c1: paragraph(w)"
      ]
    )
    const [bare] = table("<table><tr><td>a<td>b<tr><th>c<td>d</table>")
    assert.deepInclude(bare?.data, { view: { type: "grid", columns: ["c1", "c2"], hideHeader: true } })
    assert.include(told([bare!]), "#paragraph(b[c])")
  })

  it("leads to the files and pages that its paths name, and keeps the rest of what was written", () => {
    const files = { "../a.png": "/files/f1", "b.md#x": "/pages/p1#x" }
    const html = `<div   class='y'><img src='../a.png'><a href="b.md#x">b</a><a href=https://c.example>c</a></div>`
    const document = parsed(html, files)
    const [block] = document.nodes
    assert.deepStrictEqual(block?.data, {
      html: `<div   class='y'><img src="/files/f1"><a href="/pages/p1#x">b</a><a href=https://c.example>c</a></div>`,
      refs: [
        { url: "/files/f1", ref: { kind: "file", file: "f1" } },
        { url: "/pages/p1#x", ref: { kind: "anchor", anchor: "x", page: "p1" } }
      ]
    })
    assert.strictEqual(
      told(HtmlNodes.convertHtml(document).nodes),
      "paragraph(inline-image f1()link(b)link https://c.example(c))"
    )
    const printed = Markdown.print(document, { href: (ref) => (ref.kind === "file" ? "./x y.png" : RefUrl.toUrl(ref)) })
    assert.include(printed, `<div   class='y'><img src="./x y.png"><a href="/pages/p1#x">b</a>`)
    assert.deepStrictEqual(parsed(Markdown.print(document)).nodes[0]?.data, block?.data)
    const inline = parsed("Some <img class=x src='../a.png'> picture", files)
    assert.strictEqual(told(HtmlNodes.convertHtml(inline).nodes), "paragraph(Some inline-image f1() picture)")
  })

  it("is the same document where there is no HTML", () => {
    const document = parsed("# A\n\nSome *words* and [a link](b)\n\n| a | b |\n| - | - |\n| 1 | 2 |\n")
    assert.strictEqual(HtmlNodes.convertHtml(document), document)
  })

  it.each([
    "<b>",
    "<div>",
    "<p>",
    "<table><tr><td>",
    "<ul><li>",
    "</div>",
    "<a href=x>",
    "<details><summary>",
    "<ruby><rt>",
    "<",
    "<a ",
    "&",
    "<!--",
    "<td colspan=9 rowspan=9>",
    "<svg>",
    "<script>",
    '<img src="x">',
    "<x y='",
    "<dl><dt>"
  ])("takes no longer for each of many %j", (part) => {
    const time = (count: number) => {
      const html = {
        object: "block",
        type: "html",
        key: "k",
        data: { html: part.repeat(count) },
        isVoid: true
      } as const
      const before = process.cpuUsage()
      HtmlNodes.convertHtml({ object: "document", data: {}, nodes: [html] })
      return process.cpuUsage(before).user
    }
    time(2_000)
    assert.isBelow(time(40_000) / 40_000, 20 * (time(4_000) / 4_000) + 10)
  })
})
