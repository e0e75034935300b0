import { assert, describe, it } from "@effect/vitest"
import { attributes, html, trusted } from "../src/html/Html.ts"
import * as SafeUrls from "../src/html/SafeUrls.ts"

describe("html", () => {
  it("escapes what stands in it, wherever it stands", () => {
    const hostile = `"><script>alert('1')</script>&amp;`
    assert.strictEqual(html`<p title="${hostile}">${hostile}</p>`.text, `<p title="${escaped}">${escaped}</p>`)
    assert.strictEqual(attributes({ title: hostile }).text, ` title="${escaped}"`)
    assert.strictEqual(html`${[hostile, [trusted("<b>"), 1, false, null, undefined]]}`.text, `${escaped}<b>1`)
  })

  it("takes line breaks of a template for nothing beside tags and values, for a space between words", () => {
    const item = html`<li>a
      b</li>`
    assert.strictEqual(
      html`<ul
        class="x">
        ${item}
        <li>c</li>
      </ul>`.text,
      `<ul class="x"><li>a b</li><li>c</li></ul>`
    )
    assert.strictEqual(html`${"a"} ${"b"}`.text, "a b")
    assert.strictEqual(html`<pre>${"a\n  b"}</pre>`.text, "<pre>a\n  b</pre>")
  })
})

const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;"

describe("Urls", () => {
  for (const url of [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "\u0001javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "blob:https://example.com/1",
    "file:///etc/passwd",
    "//[",
    `https://example.com/${"x".repeat(4096)}`
  ]) {
    it(`leads nowhere from ${JSON.stringify(url.slice(0, 40))}`, () => {
      assert.isUndefined(SafeUrls.linkUrl(url))
      assert.isUndefined(SafeUrls.sourceUrl(url))
    })
  }

  it("leads to websites, mailboxes, telephones and pages", () => {
    assert.strictEqual(SafeUrls.linkUrl("https://example.com/a b?c=d#e"), "https://example.com/a%20b?c=d#e")
    assert.strictEqual(SafeUrls.linkUrl("mailto:someone@example.com"), "mailto:someone@example.com")
    assert.strictEqual(SafeUrls.linkUrl("tel:+123"), "tel:+123")
    assert.strictEqual(SafeUrls.linkUrl("/a/b#c"), "/a/b#c")
    assert.strictEqual(SafeUrls.linkUrl("#c"), "#c")
    assert.strictEqual(SafeUrls.linkUrl("//elsewhere.example/a"), "https://elsewhere.example/a")
    assert.isUndefined(SafeUrls.sourceUrl("mailto:someone@example.com"))
  })
})
