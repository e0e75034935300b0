import { assert, describe, it } from "@effect/vitest"
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import * as Anchors from "@lectern/document/Anchors"
import * as DocumentAnchors from "@lectern/document/DocumentAnchors"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { entries } from "@lectern/document/BlockTree"
import { parse } from "./markdown/laws.ts"

const idsOf = (document: Document) => Array.from(DocumentAnchors.anchorsOf(document).values(), ({ id }) => id)

describe("the anchors of a document", () => {
  for (const [name, markdown, ids] of [
    ["a heading that begins with a digit", "## 1. Create a Vue 3 App", ["id-1.-create-a-vue-3-app"]],
    ["an ampersand", "## Math & TeX", ["math-and-tex"]],
    ["another script", "## 订阅计划", ["ding-yue-ji-hua"]],
    ["characters that are not seen", "## ⏱️ Hang Detection", ["hang-detection"]],
    ["a heading that says nothing", "## ★\n\n## ★", ["section", "section-1"]],
    ["marks and code", "## **Run** `npm i`", ["run-npm-i"]],
    ["equal headings", "## A\n\n### A\n\n## A", ["a", "a-1", "a-2"]],
    ["a heading like a number", "## A\n\n## A 1\n\n## A", ["a", "a-1", "a-2"]],
    ["a given id", '## A <a href="#x" id="x"></a>', ["x"]],
    [
      "the same id twice, and a text like it",
      '## A <a href="#x" id="x"></a>\n\n## B <a href="#x" id="x"></a>\n\n## X',
      ["x", "x-1", "x-2"]
    ],
    [
      "titles of expandable blocks and tabs, after headings",
      '{% tabs %}\n{% tab title="Linux" %}\n## Linux\n{% endtab %}\n{% endtabs %}\n\n<details>\n\n<summary>What **now**?</summary>\n\n### In it\n\n</details>',
      ["linux", "in-it", "linux-1", "what-now"]
    ]
  ] satisfies ReadonlyArray<readonly [string, string, Array<string>]>) {
    it(`are ids: ${name}`, () => {
      assert.deepStrictEqual(idsOf(parse(markdown).document), ids)
    })
  }

  const headings = [
    "## 1. Create a Vue 3 App",
    "## Math & TeX",
    "## Abuse via .git/config",
    "## 订阅计划",
    "## What's new?",
    '## Costs <a href="#pricing" id="pricing"></a>',
    "## Same",
    "## Same"
  ].join("\n\n")
  for (const [id, ...fragments] of [
    ["id-1.-create-a-vue-3-app", "1.-create-a-vue-3-app", "1-create-a-vue-3-app", "ID-1.-Create-A-Vue-3-App"],
    ["math-and-tex", "math--tex", "math-tex"],
    ["abuse-via-.git-config", "abuse-via-gitconfig"],
    ["ding-yue-ji-hua", "订阅计划", "%E8%AE%A2%E9%98%85%E8%AE%A1%E5%88%92"],
    ["what-s-new", "whats-new"],
    ["pricing", "costs"],
    ["same-1", "same-1"]
  ] as const) {
    it(`are found by what else names them: ${id}`, () => {
      const anchors = DocumentLinks.linksOf(parse(headings).document).anchors
      assert.strictEqual(Anchors.anchorFinder(anchors)(id), id)
      for (const fragment of fragments) assert.strictEqual(Anchors.anchorFinder(anchors)(fragment), id)
    })
  }

  const [composed, decomposed] = ["NFC", "NFD"].map((form) => "Grün über Café が".normalize(form)) as [string, string]
  it("are found whichever Unicode form a heading and a link are written in", () => {
    assert.notStrictEqual(composed, decomposed)
    for (const heading of [composed, decomposed]) {
      const { anchors } = DocumentLinks.linksOf(parse(`## ${heading}`).document)
      for (const link of [composed, decomposed]) {
        const fragment = link.toLowerCase().replaceAll(" ", "-")
        for (const written of [fragment, encodeURIComponent(fragment), fragment.toUpperCase()]) {
          assert.strictEqual(Anchors.anchorFinder(anchors)(written), "gruen-ueber-cafe-ga", `${heading} ${written}`)
        }
      }
    }
  })

  it("are found by names that HTML gives them in any form", () => {
    for (const name of ["größe", encodeURIComponent("größe"), "größe".normalize("NFD"), "GRÖSSE".replace("SS", "ß")]) {
      const { anchors } = DocumentLinks.linksOf(parse(`## Title <a id="${name}"></a>`).document)
      for (const written of ["größe", "gr%C3%B6%C3%9Fe", "gr%c3%b6%c3%9fe", "größe".normalize("NFD")]) {
        assert.strictEqual(Anchors.anchorFinder(anchors)(written), "title", `${name} ${written}`)
      }
    }
  })

  for (const [html, fragment] of [
    ['<div id="place"></div>', "place"],
    ["<div class=\"x\" id='place'>\n\n", "place"],
    ["<div id=place></div>", "place"],
    ['<span id="place"></span>', "place"],
    ['<p align="center" id="place"></p>', "place"],
    ['<div id="outer"><span data-id="x" id="place"></span></div>', "place"],
    ['<div id="outer"><span id="place"></span></div>', "outer"],
    ['<section id="place"></section>', "place"]
  ] as const) {
    it(`are found by the id of any element: ${html}`, () => {
      const before = DocumentLinks.linksOf(parse(`## Above\n\nText.\n\n${html}\n\n## Title`).document)
      assert.strictEqual(Anchors.anchorFinder(before.anchors)(fragment), "title")
      const within = DocumentLinks.linksOf(parse(`## Title\n\nText ${html.replace(/\n+/, "")} more.`).document)
      assert.strictEqual(Anchors.anchorFinder(within.anchors)(fragment), "title")
    })
  }

  it("have no names from what is no id", () => {
    for (const html of ['<input name="place">', '<div title="id=place">', '<div data-id="place">', '<div id="a b">']) {
      const { anchors } = DocumentLinks.linksOf(parse(`## Title\n\n${html}`).document)
      for (const fragment of ["place", "a", "b"]) assert.isUndefined(Anchors.anchorFinder(anchors)(fragment), html)
    }
  })

  const named = [
    '<a id="top"></a>',
    "# Title",
    "Text.",
    "<!-- Names of before -->",
    "<a id=\"Old-Name\"></a>\n<a name='older'></a>",
    "## New name",
    '## Plugins <a id="extensions"></a>',
    'A place <a id="here"></a> in the text.',
    '<a name="alone"/>',
    "Not of the next heading.",
    '<a name="as-block">',
    "## Last",
    '- <a id="in-list"></a>',
    '<a data-id="other" title="an id">',
    '<a id="before-text"></a>',
    "<p>Text</p>",
    "## Behind"
  ].join("\n\n")
  for (const [fragment, id] of [
    ["top", "title"],
    ["old-name", "new-name"],
    ["older", "new-name"],
    ["extensions", "plugins"],
    ["here", "plugins"],
    ["alone", "plugins"],
    ["as-block", "last"],
    ["in-list", "last"],
    ["other", undefined],
    ["before-text", "last"]
  ] as const) {
    it(`are found by names that HTML gives them: ${fragment}`, () => {
      assert.strictEqual(Anchors.anchorFinder(DocumentLinks.linksOf(parse(named).document).anchors)(fragment), id)
    })
  }

  const behind = [
    "## セットアップ {#setup}",
    "## Colon {: #With-Colon }",
    "## In *braces*{#braces}",
    "## Of a comment {/*of-mdx*/}",
    "## Another {/* #of-docusaurus */}",
    "## Of a plugin %{#plugin}%",
    "## A set {1, 2}",
    "## Not {#at} the end"
  ].join("\n\n")
  for (const [fragment, id] of [
    ["setup", "setup"],
    ["with-colon", "With-Colon"],
    ["braces", "braces"],
    ["in-braces", "braces"],
    ["of-mdx", "of-mdx"],
    ["of-docusaurus", "of-docusaurus"],
    ["plugin", "of-a-plugin-plugin"],
    ["at", undefined],
    ["2", undefined]
  ] as const) {
    it(`are found by names that other programs give behind the text: ${fragment}`, () => {
      assert.strictEqual(Anchors.anchorFinder(DocumentLinks.linksOf(parse(behind).document).anchors)(fragment), id)
    })
  }

  it("are found by names of HTML after those of headings", () => {
    const { anchors } = DocumentLinks.linksOf(parse('## A\n\n<a id="b"></a>\n\nText.\n\n## B').document)
    assert.strictEqual(Anchors.anchorFinder(anchors)("b"), "b")
  })

  it("are found by what they are first, and else not at all", () => {
    const { anchors } = DocumentLinks.linksOf(parse('## B <a href="#a" id="a"></a>\n\n## A').document)
    assert.strictEqual(Anchors.anchorFinder(anchors)("a"), "a")
    assert.strictEqual(Anchors.anchorFinder(anchors)("a-1"), "a-1")
    assert.strictEqual(Anchors.anchorFinder(anchors)("b"), "a")
    for (const fragment of ["c", "", "%", "%E8"]) assert.strictEqual(Anchors.anchorFinder(anchors)(fragment), undefined)
  })

  it("are told in an answer, which a link within the document says as they are", () => {
    const { document } = parse(
      '[a](#math--tex) [b](#gone) [c](/pages/p#math--tex)\n\n{% hint style="info" %}\n## Math & TeX\n{% endhint %}'
    )
    const shown = DocumentAnchors.withAnchors(document)
    const told = (of: Document) => entries(of).flatMap(({ block }: { block: Block }) => block.meta ?? [])
    assert.deepStrictEqual(told(document), [])
    assert.deepStrictEqual(told(shown), [{ id: "math-and-tex" }])
    const anchorsIn = (of: Document) => DocumentRefs.refs(of).map((ref: ContentRef) => "anchor" in ref && ref.anchor)
    assert.deepStrictEqual(anchorsIn(shown), ["math-and-tex", "gone", "math--tex"])
    const plain = parse("Text").document
    assert.strictEqual(DocumentAnchors.withAnchors(plain), plain)
  })

  it("are those of parts of an API as well, behind those of headings", () => {
    const { document } = parse(
      [
        '{% openapi-operation spec="pets" path="/pets" method="get" %}\n## Body\n{% endopenapi-operation %}',
        '{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}',
        '{% openapi-webhook spec="pets" name="newPet" method="post" %}\n{% endopenapi-webhook %}',
        '{% openapi-schemas spec="pets" schemas="Pet,Cat" grouped="true" %}\n{% endopenapi-schemas %}',
        '{% openapi src="https://example.com/pets.json" path="/pets" method="post" %}\n{% endopenapi %}',
        '{% openapi-operation spec="pets" %}\n{% endopenapi-operation %}',
        "## Get pets"
      ].join("\n\n")
    )
    const shown = DocumentAnchors.withAnchors(document)
    assert.deepStrictEqual(
      shown.nodes.map(({ meta }) => meta?.id),
      ["get-pets-1", "get-pets-2", "newpet", "pet-cat", "post-pets", "openapi-operation", "get-pets"]
    )
  })

  it("stand beside what was written, which a link is again where nobody has led it elsewhere", () => {
    const { document } = parse("[a](#über-uns) [b](/pages/p#über-uns) [c](#nothing)\n\n## Über uns")
    const elsewhere = new Map([["/pages/p#über-uns", "ueber-uns"]])
    const shown = DocumentAnchors.withAnchors(document, elsewhere, { forMembers: true })
    const [own, other, none] = DocumentRefs.refs(shown)
    const written = { anchor: "über-uns", shown: "ueber-uns" }
    assert.deepStrictEqual<unknown>(own, { kind: "anchor", anchor: "ueber-uns", written })
    assert.deepStrictEqual<unknown>(other, { kind: "anchor", anchor: "ueber-uns", page: "p", written })
    assert.deepStrictEqual<unknown>(none, { kind: "anchor", anchor: "nothing" })
    const back = DocumentRefs.mapRefs(shown, DocumentAnchors.originalRef)
    assert.deepStrictEqual(DocumentRefs.refs(back), DocumentRefs.refs(document))
    const led = DocumentRefs.mapRefs(shown, (ref) =>
      DocumentAnchors.originalRef({ ...ref, anchor: "else" } as ContentRef)
    )
    assert.deepStrictEqual<unknown>(DocumentRefs.refs(led)[0], { kind: "anchor", anchor: "else" })
    for (const beside of [null, {}, { anchor: 1, shown: "ueber-uns" }]) {
      const ref = { kind: "anchor", anchor: "ueber-uns", written: beside } as unknown as ContentRef
      assert.deepStrictEqual<unknown>(DocumentAnchors.originalRef(ref), { kind: "anchor", anchor: "ueber-uns" })
    }
  })

  it("take no longer for many headings alike", () => {
    const document = parse("## A\n\n".repeat(2000)).document
    assert.strictEqual(new Set(idsOf(document)).size, 2000)
  })
})
