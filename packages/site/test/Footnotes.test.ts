/** Tests footnotes of a page: numbered references, a list of definitions, and links in both directions. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { insertPage, publish, spaceWith } from "../../http/test/Steps.ts"
import * as Blocks from "../src/document/Blocks.ts"
import { documentOf, parts } from "./Drawing.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const drawn = (markdown: string) => Blocks.renderPage(parts, documentOf(markdown).nodes).text

describe("Footnotes", () => {
  it("are numbered by their first references, whatever their labels are and wherever they are defined", () =>
    assert.strictEqual(
      drawn("[^b]: Of b.\n\nOne[^note] and two[^b], one again[^note].\n\n[^note]: Of note.\n"),
      `<p>One<sup class="footnote-reference"><a href="#fn:1" id="fnref:1" role="doc-noteref">1</a></sup> and two<sup class="footnote-reference"><a href="#fn:2" id="fnref:2" role="doc-noteref">2</a></sup>, one again<sup class="footnote-reference"><a href="#fn:1" id="fnref:1:2" role="doc-noteref">1</a></sup>.</p>` +
        `<section class="footnotes" role="doc-endnotes" aria-label="Footnotes"><ol>` +
        `<li id="fn:1" value="1"><div><p>Of note.</p></div><a class="footnote-back" href="#fnref:1" role="doc-backlink" aria-label="Back to reference 1.1">↩</a><a class="footnote-back" href="#fnref:1:2" role="doc-backlink" aria-label="Back to reference 1.2">↩</a></li>` +
        `<li id="fn:2" value="2"><div><p>Of b.</p></div><a class="footnote-back" href="#fnref:2" role="doc-backlink" aria-label="Back to reference 2">↩</a></li>` +
        `</ol></section>`
    ))

  it("have every reference in headings, lists, quotes, tables and hints linked", () => {
    const text = drawn(
      '## A[^1]\n\n* b[^1]\n\n> c[^1]\n\n| d[^1] | e |\n| --- | --- |\n| f[^1] | g |\n\n{% hint style="info" %}\nh[^1]\n{% endhint %}\n\n[^1]: One.\n'
    )
    const references = [...text.matchAll(/<a href="#fn:1" id="([^"]+)"/g)].map(([, id]) => id!)
    const back = [...text.matchAll(/href="#(fnref:[^"]+)"/g)].map(([, id]) => id!)
    assert.strictEqual(references.length, 6)
    assert.deepStrictEqual(back.toSorted(), references.toSorted())
  })

  it("that nothing refers to come last, and a label that nothing defines is text", () => {
    const text = drawn("One[^1].\n\n[^2]: Of nothing.\n\n[^1]: Of one.\n")
    assert.match(text, /<li id="fn:1".*Of one\..*<li class="unnumbered"><div><p>Of nothing\.<\/p><\/div><\/li><\/ol>/)
    const undefinedLabel = { object: "inline", type: "footnote-reference", data: { label: "x" }, isVoid: true } as const
    const page = Blocks.renderPage(parts, [{ object: "block", type: "paragraph", key: "k", nodes: [undefinedLabel] }])
    assert.strictEqual(page.text, "<p><sup>x</sup></p>")
  })
})

onMemory("What a page was written as", (it) => {
  it.effect("reaches the pages of a site, their Markdown, descriptions and feeds", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: "Hello" })
      const page =
        'A word[^note] and more, [a link](https://example.com/there "Its title") and ![a picture](https://example.com/a.png "Of a picture") in text.\n\n' +
        "##### Fifth\n\n###### Sixth\n\n[^note]: The **note**.\n"
      const updates =
        '{% updates format="full" %}\n{% update date="2026-04-09" %}\n## New[^2]\n\nA change[^2].\n{% endupdate %}\n{% endupdates %}\n\n[^2]: Of the change.\n'
      yield* publish(space, [insertPage("Guide", page), insertPage("News", updates)])
      const { urls } = yield* publishedSite([space])
      const base = urls.published ?? ""
      const { text } = yield* ask(`${base}guide`).pipe(hasStatus(200))
      assert.include(text, `word<sup class="footnote-reference"><a href="#fn:1"`)
      assert.include(text, `<li id="fn:1" value="1"><div><p>The <strong>note</strong>.</p></div>`)
      assert.match(text, /<h5 id="fifth">Fifth[^]*<h6 id="sixth">Sixth/)
      assert.include(text, 'title="Its title"')
      assert.include(text, 'title="Of a picture"')
      assert.include(text, `<meta property="og:description" content="A word and more, a link and`)
      const markdown = yield* ask(`${base}guide.md`).pipe(hasStatus(200))
      assert.include(markdown.text, "A word[^note] and more")
      assert.include(markdown.text, '[a link](https://example.com/there "Its title")')
      assert.include(markdown.text, "##### Fifth\n\n###### Sixth")
      assert.include(markdown.text, "[^note]: The **note**.")
      const whole = yield* ask(`${base}llms-full.txt`).pipe(hasStatus(200))
      assert.include(whole.text, "[^note]: The **note**.")
      const feed = yield* ask(`${base}news.atom`).pipe(hasStatus(200))
      assert.include(feed.text, "<title>New</title>")
      assert.include(feed.text, "Of the change.")
    })
  )
})
