/** Documents for visitors hold nothing that a browser would run, whatever was written. */
import type { Block, Document, Inline, Node } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import * as HtmlText from "@lectern/document/HtmlText"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../core/test/Runs.ts"

const read = (markdown: string): Document => {
  let last = 0
  return Markdown.parse(markdown, { nextKey: () => `k${++last}` }).document
}
const shown = (markdown: string): string => Markdown.print(VisitorDocument.markdownVisitorDocument(read(markdown)))

describe("HtmlText", () => {
  it.each([
    ["<p>Some <b>bold</b> &amp; plain</p>", "Some bold & plain"],
    ["a < b <!-- c > d <i> --> e", "a < b  e"],
    ["<script>alert(1)</script>after<STYLE>x{}</style >end", "afterend"],
    ["<script>never closed", ""],
    ["<!-- never closed", ""],
    ["<!doctype html><?php x ?>text", "text"],
    ["&#60;b&#x3e; &nope; &lt;i&gt;", "<b> &nope; <i>"],
    ["&#0;&#xD800;&#1114112;", "���"],
    ["<", "<"],
    ["<p", ""],
    ["<div><p>one</p><p>two</p></div>", "one\ntwo"],
    ["<ul><li>a<li>b <em>c</em></ul>d", "a\nb c\nd"],
    ["<tr><th data-x=1>Name</th><th>Price</th></tr>\n<tr><td>Apple</td>", "Name\nPrice\nApple"],
    ["one<br>two<BR/> three<img src=x>four<hr>", "one\ntwo threefour"]
  ])("of %j is %j", (html, text) => {
    assert.strictEqual(HtmlText.htmlText(html), text)
  })

  it.each(["<!--", "<script>", "<a ", "<", "&", "<!-- -->", "</script"])("reads many %j in no time", (part) => {
    const before = process.cpuUsage()
    const text = part.repeat(200_000)
    HtmlText.htmlText(text)
    HtmlText.withoutComments(text)
    assert.isBelow(process.cpuUsage(before).user, 5_000_000)
  })
})

describe("VisitorDocument", () => {
  it.each([
    ["Plain _text_ with [a link](https://example.com).\n", "Plain _text_ with [a link](https://example.com).\n"],
    ["Before\n\n<div onclick=x>\nText <!-- a > b --> here\n</div>\n", "Before\n\nText here\n"],
    ["<!-- only a remark -->\n\nText\n", "Text\n"],
    ['Some <span style="x">styled</span> text\n', "Some styled text\n"],
    ["[run](javascript:x) [go](JAVA&Tab;SCRIPT:x) [d](data:text/html,x) [s](vbscript:x)\n", "run go d s\n"],
    ["![p](data:image/png;base64,AAAA)\n", "![p](data:image/png;base64,AAAA)\n"],
    ["![p](data:image/svg+xml,x)\n", "![p]()\n"],
    ["Street 12<br>London<br>\n\n* Monday<BR />closed\n", "Street 12<br>London<br>\n\n* Monday<BR />closed\n"],
    ["[a][b]\n\n[b]: https://example.com\n\n[//]: # (remark)\n", "[a](https://example.com)\n"]
  ])("%j is shown as %j", (markdown, visitors) => {
    assert.strictEqual(shown(markdown), visitors)
  })

  it("has a line of code for each line of what is no Markdown, with data as every one has", () => {
    const { nodes } = VisitorDocument.visitorDocument(read("{% raw %}\n\nText\n"))
    assert.deepInclude(nodes[0], { type: "code", data: { syntax: "markdown" } })
    const [line] = nodes[0]?.nodes ?? []
    assert.deepInclude(line, { type: "code-line", data: {} })
    const [two] = VisitorDocument.visitorDocument({
      ...read(""),
      nodes: [{ object: "block", type: "verbatim", key: "k", data: { markdown: "{% a %}\n\n{% b %}" }, isVoid: true }]
    }).nodes
    assert.deepStrictEqual(
      two?.nodes?.map((line) => line.object === "block" && [line.type, line.data, DocumentText.plainText(line)]),
      [
        ["code-line", {}, "{% a %}"],
        ["code-line", {}, ""],
        ["code-line", {}, "{% b %}"]
      ]
    )
  })

  it.each([
    "https://a.example",
    "mailto:a@b.c",
    "tel:1",
    "/files/x",
    "#top",
    "",
    "javascripts:x",
    "slack://x",
    "datax:"
  ])("%j leads where it did", (url) => assert.isFalse(VisitorDocument.isUnsafe(url)))

  it.each([
    "javascript:x",
    " \u0001JavaScript:x",
    "java\nscript:x",
    "java\tscript\r:x",
    "javascript&colon;x",
    "&#106;avascript:x",
    "vbscript:x",
    "data:text/html,x",
    "data:,x",
    "DATA:image/svg+xml;base64,x"
  ])("%j leads nowhere", (url) => assert.isTrue(VisitorDocument.isUnsafe(url)))

  it("is the same document where there is nothing to take away", () => {
    const document = read(
      '# Title\n\n{% hint style="info" %}\nText with `code` and $a < b$.\n{% endhint %}\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'
    )
    assert.strictEqual(VisitorDocument.visitorDocument(document), document)
  })

  it("keeps a text that could not be read as code, without its remarks", () => {
    const block = {
      object: "block",
      type: "verbatim",
      key: "v",
      data: { markdown: "<b>text</b><!-- remark -->" }
    } as const
    const document = { object: "document", data: {}, nodes: [block] } as const
    assert.strictEqual(
      Markdown.print(VisitorDocument.markdownVisitorDocument(document)),
      "```markdown\n<b>text</b>\n```\n"
    )
  })

  it("has the text of a link that leads nowhere, which would lead to the page itself in Markdown", () => {
    assert.strictEqual(
      shown("See [the _plan_](<>) and [this](https://example.com/).\n"),
      "See the _plan_ and [this](https://example.com/).\n"
    )
  })

  it("holds no markup of its author when it is read again, whatever was written", () => {
    const nasty = fc.constantFrom(
      "<script>x</script>",
      "<img src=x onerror=x>",
      "javascript:x",
      " JAVASCRIPT:x",
      "java\nscript:x",
      "data:text/html,<b>",
      "\n\n<div>\n\n",
      "`<b>`",
      "$<b>$",
      "{% raw %}<b>{% endraw %}",
      '"><b x="',
      "-->",
      "<!-- x -->",
      "](javascript:x)",
      "plain"
    )
    const ref = nasty.map((url) => ({ kind: "url", url }))
    const field = fc.constantFrom(
      "ref",
      "refDark",
      "url",
      "href",
      "src",
      "title",
      "alt",
      "label",
      "formula",
      "code",
      "html",
      "markdown",
      "expression",
      "caption",
      "icon",
      "style",
      "syntax",
      "meta",
      "id",
      "text",
      "attributes",
      "spec",
      "path"
    )
    const data = fc.dictionary(
      field,
      fc.oneof(nasty, ref, fc.record({ onclick: nasty, href: nasty }, { noNullPrototype: true })),
      { maxKeys: 4, noNullPrototype: true }
    )
    const text = nasty.map((text): Node => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }))
    const inline = fc
      .tuple(
        fc.constantFrom(
          "link",
          "button",
          "mention",
          "icon",
          "emoji",
          "inline-image",
          "inline-math",
          "html",
          "annotation",
          "expression",
          "footnote-reference",
          "hard-break",
          "zap"
        ),
        data,
        fc.array(text, { maxLength: 2 })
      )
      .map(([type, data, nodes]) => ({ object: "inline", type, data, nodes }) as unknown as Inline)
    const leaf = fc
      .tuple(
        fc.constantFrom(
          "paragraph",
          "heading-1",
          "heading-2",
          "code-line",
          "html",
          "verbatim",
          "math",
          "embed",
          "file",
          "content-ref",
          "swagger",
          "openapi-operation",
          "integration",
          "images",
          "image",
          "divider",
          "definition",
          "reusable-content",
          "drawing",
          "zap"
        ),
        data,
        fc.array(fc.oneof(text, inline), { maxLength: 3 })
      )
      .map(([type, data, nodes]) => ({ object: "block", type, data, nodes }))
    const nested = fc
      .tuple(
        fc.constantFrom(
          "hint",
          "blockquote",
          "code",
          "list-ordered",
          "tabs",
          "images",
          "table",
          "stepper",
          "columns",
          "expandable",
          "updates"
        ),
        data,
        fc.array(leaf, { maxLength: 3 }),
        fc.array(leaf, { maxLength: 2 })
      )
      .map(([type, data, nodes, others]) => ({
        object: "block",
        type,
        data,
        nodes,
        fragments: [{ object: "fragment", fragment: "caption", nodes: others }]
      }))
    const documents = fc
      .array(fc.oneof(leaf, nested), { maxLength: 4 })
      .map((nodes): Document => ({ object: "document", data: {}, nodes: keyed(nodes) }))
    fc.assert(
      fc.property(documents, (document) => {
        const markdown = Markdown.print(VisitorDocument.markdownVisitorDocument(document))
        const held = markupIn(read(markdown))
        assert.deepStrictEqual(held, [], markdown)
      }),
      runs(100, 3000)
    )
  })
})

const keyed = (nodes: ReadonlyArray<unknown>): ReadonlyArray<Block> => {
  let last = 0
  const visit = (node: any): any =>
    node.object === "text"
      ? node
      : {
          ...node,
          ...(node.object === "block" && { key: `k${++last}` }),
          ...(node.nodes && { nodes: node.nodes.map(visit) }),
          ...(node.fragments && { fragments: node.fragments.map(visit) })
        }
  return nodes.map(visit)
}

/** Tells whether there is markup as it is generated here: what Lectern writes itself is none of the author's. */
const isOfAuthor = (value: unknown): boolean =>
  // What stands in a quoted attribute is no markup, as in the class of an icon.
  ofAuthor.test(JSON.stringify(value).replace(/=\\"(?:[^"\\]|\\[^"])*\\"/g, "="))

const ofAuthor = /<(?:script|img src=x|b[ >]|div>|!--)|<[a-z][^>]*on(?:error|click)/

/** Raw HTML of an author, and destinations that run. */
const markupIn = (document: Document): ReadonlyArray<unknown> => {
  const found: Array<unknown> = []
  JSON.stringify(document, (_, value) => {
    if (
      value?.object !== undefined &&
      value.object !== "text" &&
      (value.type === "html" || value.type === "verbatim") &&
      isOfAuthor(value)
    ) {
      found.push(value)
    }
    if (value?.kind === "url" && VisitorDocument.isUnsafe(value.url)) found.push(value)
    return value
  })
  return found
}
