import { basenameIn, basenameRefusal, directUrl } from "@lectern/core/site/SiteAddress"
import { assert, describe, it } from "@effect/vitest"

const found = (sites: string, href: string) => {
  const url = new URL(href)
  return basenameIn(sites)(
    url,
    url.pathname.split("/").filter((segment) => segment !== "")
  )
}

const site = { basename: "acme" }

describe("SiteAddress", () => {
  it("has sites below one address, or each at a host of its own", () => {
    assert.strictEqual(directUrl(site, "https://docs.example.com"), "https://docs.example.com/acme/")
    assert.strictEqual(directUrl(site, "https://docs.example.com/all"), "https://docs.example.com/all/acme/")
    assert.strictEqual(directUrl(site, "https://*.docs.example.com"), "https://acme.docs.example.com/")
    assert.strictEqual(directUrl(site, "http://*.localhost:4000"), "http://acme.localhost:4000/")
  })

  it("refuses basenames that no host has, and those that are for something else", () => {
    const [one, path, each] = ["https://docs.example.com", "https://docs.example.com/all", "https://*.docs.example.com"]
    const names: ReadonlyArray<readonly [basename: string, ...at: ReadonlyArray<boolean>]> = [
      ["acme", true, true, true],
      ["Acme-2", true, true, true],
      ["a".repeat(63), true, true, true],
      ["a".repeat(64), true, true, false],
      ["acme_docs", true, true, false],
      ["acme.docs", true, true, false],
      ["acme~", true, true, false],
      ["-acme", true, true, false],
      ["acme-", true, true, false],
      ["~lectern", false, false, false],
      [".well-known", false, false, false],
      ["Robots.txt", false, true, false],
      ["favicon.ico", false, true, false]
    ]
    for (const [basename, ...isGood] of names)
      for (const [i, sites] of [one, path, each].entries()) {
        const refusal = basenameRefusal(sites, basename)
        assert.strictEqual(refusal === undefined, isGood[i], `${basename} at ${sites}: ${refusal}`)
      }
  })

  it("finds the basename that a URL names", () => {
    const [one, path, each] = ["https://docs.example.com", "https://docs.example.com/all", "https://*.docs.example.com"]
    assert.deepStrictEqual(found(one, "https://docs.example.com/Acme/x"), { name: "acme", length: 1 })
    assert.deepStrictEqual(found(path, "https://docs.example.com/all/acme"), { name: "acme", length: 2 })
    assert.deepStrictEqual(found(each, "https://acme.docs.example.com/x"), { name: "acme", length: 0 })
    assert.deepStrictEqual(found(`${each}:443`, "https://Acme.docs.example.com/x"), { name: "acme", length: 0 })
    for (const [sites, url] of [
      [one, "https://docs.example.com/"],
      [one, "https://other.example.com/acme"],
      [path, "https://docs.example.com/acme/all"],
      [each, "https://docs.example.com/acme"],
      [each, "https://.docs.example.com/"],
      [each, "https://acme.docs.example.com:8443/"],
      [each, "https://acme.docs.example.com.evil.example/"]
    ] as const)
      assert.isUndefined(found(sites, url), url)
  })
})
