import { assert, describe, it } from "@effect/vitest"
import * as SiteAddress from "@lectern/exchange/import/site/SiteAddress"

const base = "https://docs.example.com"

describe("SiteAddress", () => {
  it.each([
    ["/docs/", [], "/docs/"],
    ["/docs", [`${base}/docs/start`], "/docs/"],
    ["/docs", [`${base}/docs`, `${base}/docsearch`], "/"],
    ["/docs/intro", [`${base}/docs/start`], "/docs/"],
    ["/docs/index.html", [`${base}/docs/index.html/x`], "/docs/"],
    ["/", [`${base}/docs/start`], "/"]
  ])("crawls from %s within %s%s", (path, links, folder) => {
    const scope = SiteAddress.scopeOf(new URL(path, base), links)
    assert.deepStrictEqual(scope, { origin: base, folder })
    assert.isTrue(SiteAddress.isWithin(scope, new URL(path, base)))
  })

  it("knows what is within, and what only looks like it", () => {
    const scope = { origin: base, folder: "/docs/" }
    for (const url of ["/docs", "/docs/", "/docs/a/b?c=d"])
      assert.isTrue(SiteAddress.isWithin(scope, new URL(url, base)))
    for (const url of ["/", "/docsearch", "/docs/../x", "http://docs.example.com/docs/", `${base}:8080/docs/`]) {
      assert.isFalse(SiteAddress.isWithin(scope, new URL(url, base)), url)
    }
  })

  it("takes different addresses of one page for the same", () => {
    for (const same of ["/docs", "/docs/", "/docs/index.html", "/docs/#part", "/docs//"]) {
      assert.strictEqual(SiteAddress.keyOf(base + same), "docs.example.com/docs", same)
    }
    assert.notStrictEqual(SiteAddress.keyOf(`${base}/docs?a=1`), SiteAddress.keyOf(`${base}/docs`))
    assert.strictEqual(SiteAddress.keyOf("embedded:a/b"), "embedded:a/b")
  })

  it("follows no link that leads nowhere good", () => {
    const bad = ["/a.pdf", "/a.zip", "/a?b", "/x/x/x", `/${"a/".repeat(20)}`, `/${"a".repeat(2000)}`]
    for (const url of bad) assert.isFalse(SiteAddress.isPage(new URL(url, base), false), url)
    for (const url of ["/", "/a.html", "/x/y/x", "/v1.2"])
      assert.isTrue(SiteAddress.isPage(new URL(url, base), false), url)
    assert.isTrue(SiteAddress.isPage(new URL("/a?b", base), true))
  })
})
