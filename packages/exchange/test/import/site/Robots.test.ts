import { assert, describe, it } from "@effect/vitest"
import * as Robots from "@lectern/exchange/import/site/Robots"

const url = "https://example.com/robots.txt"
const parse = (...lines: ReadonlyArray<string>) => Robots.parse(url, lines.join("\n"))

describe("Robots", () => {
  it("keeps to the rules that are written to it, or to everyone", () => {
    const everyone = parse("User-agent: *", "Disallow: /private", "Allow: /private/open")
    assert.isTrue(everyone.allows("https://example.com/docs"))
    assert.isFalse(everyone.allows("https://example.com/private/x"))
    assert.isTrue(everyone.allows("https://example.com/private/open"))
    const named = parse("User-agent: *", "Disallow: /", "", "User-agent: Lectern", "Disallow:")
    assert.isTrue(named.allows("https://example.com/docs"))
    assert.isTrue(parse("<html>").allows("https://example.com/docs"))
  })

  it("takes the delay and the maps, within bounds", () => {
    const rules = parse("User-agent: *", "Crawl-delay: 3600", "Sitemap: /map.xml", "Sitemap: https://a.example/b.xml")
    assert.strictEqual(rules.delay, 10)
    assert.deepStrictEqual(rules.sitemaps, ["https://example.com/map.xml", "https://a.example/b.xml"])
    assert.strictEqual(parse("User-agent: *", "Crawl-delay: -1").delay, 0)
    assert.strictEqual(parse("User-agent: *", "Crawl-delay: soon").delay, 0)
  })
})
