import { assert, describe, it } from "@effect/vitest"
import * as SiteHosts from "../src/server/SiteHosts.ts"

const publicUrl = "https://lectern.example.com"

/** Kind of what a host and a path mean, and the URL where it is one of a site. */
const meant = (addresses: SiteHosts.Addresses, host: string, url = "/acme/x", protocol?: "http:" | "https:") => {
  const found = SiteHosts.make(addresses)({ host, url, protocol })
  return found.type === "interface" ? "interface" : `${found.type} ${found.url.href}`
}

describe("SiteHosts", () => {
  it("keeps sites away from the interface's hostname", () => {
    for (const [sitesUrl, refused] of [
      ["https://lectern.example.com/sites", true],
      ["https://lectern.example.com:8443", true],
      ["https://*.example.com", true],
      ["https://docs.*.example.com", true],
      ["https://*.docs.example.com/all", true],
      ["https://*.docs.example.com", false],
      ["https://docs.example.com", false],
      ["https://docs.lectern.example.com", false]
    ] as const)
      assert.strictEqual(SiteHosts.configurationError({ publicUrl, sitesUrl }) !== undefined, refused, sitesUrl)
    const local = "http://127.0.0.1:4000"
    assert.isDefined(SiteHosts.configurationError({ publicUrl: local, sitesUrl: "http://localhost:4000" }))
    for (const sitesUrl of ["http://localhost:4000/sites", "http://localhost:3000", undefined])
      assert.isUndefined(SiteHosts.configurationError({ publicUrl: local, sitesUrl }))
  })

  it("tells requests for sites by a host of their own from all others", () => {
    const one = { publicUrl, sitesUrl: "https://docs.example.com/all" }
    assert.strictEqual(meant(one, "docs.example.com"), "site https://docs.example.com/acme/x")
    assert.strictEqual(meant(one, "docs.example.com", "/v1/user"), "site https://docs.example.com/v1/user")
    assert.strictEqual(meant(one, "lectern.example.com", "/all/acme/"), "interface")
    for (const host of ["127.0.0.1:4000", "localhost:4000", "10.0.0.7", "[::1]:4000", "[fe80::1]"])
      assert.strictEqual(meant(one, host), "interface", host)
    assert.strictEqual(meant(one, "help.acme.com"), "maybe https://help.acme.com/acme/x")
    assert.strictEqual(meant(one, "help.acme.com", "/", "http:"), "maybe http://help.acme.com/")
    const each = { publicUrl: "https://docs.example.com", sitesUrl: "https://*.docs.example.com" }
    assert.strictEqual(meant(each, "acme.docs.example.com", "/x"), "site https://acme.docs.example.com/x")
    assert.strictEqual(meant(each, "docs.example.com", "/x"), "interface")
    const none = { publicUrl, sitesUrl: undefined }
    assert.strictEqual(meant(none, "lectern.example.com", "/sites/acme/"), "interface")
    assert.strictEqual(meant(none, "help.acme.com", "/"), "maybe https://help.acme.com/")
  })

  it("takes no host for a part of the path, or who asks for one page would get another", () => {
    for (const sitesUrl of ["https://docs.example.com", "https://*.docs.example.com", undefined])
      for (const host of ["?", "#", "/x?", "\\x?", "@"].map((end) => `help.acme.com${end}`))
        assert.strictEqual(meant({ publicUrl, sitesUrl }, host), "interface", host)
    const each = { publicUrl, sitesUrl: "https://*.docs.example.com" }
    assert.strictEqual(meant(each, "acme.docs.example.com/x?.docs.example.com"), "interface")
  })

  it("takes this machine's names for one, and finds sites below a path there", () => {
    const local = { publicUrl: "http://127.0.0.1:4000", sitesUrl: "http://127.0.0.1:4000/sites" }
    for (const host of ["127.0.0.1:4000", "localhost:4000", "[::1]:4000"]) {
      assert.strictEqual(meant(local, host, "/sites/acme/"), "site http://127.0.0.1:4000/sites/acme/", host)
      assert.strictEqual(meant(local, host, "/sitesacme/"), "interface", host)
      assert.strictEqual(meant(local, host, "/v1/user"), "interface", host)
    }
    assert.strictEqual(meant(local, "localhost:4001", "/sites/acme/"), "interface")
    const odd = { ...local, sitesUrl: "http://localhost/sites" }
    assert.strictEqual(meant(odd, "127.0.0.1", "/sites/"), "site http://localhost/sites/")
  })
})
