/** Addresses and names that may be fetched from, and those that may not. */
import { AllowedHosts, rateLimitKey, isPublic } from "@lectern/core/fetch/Addresses"
import { checking, GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const inside = [
  "127.0.0.1",
  "127.255.255.255",
  "0.0.0.0",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "169.254.169.254",
  "100.64.0.1",
  "100.127.255.255",
  "192.0.0.1",
  "192.0.2.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "168.63.129.16",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::ffff:10.0.0.1",
  "::127.0.0.1",
  "::7f00:1",
  "fe80::1",
  "fec0::1",
  "fc00::1",
  "fd00:ec2::254",
  "ff02::1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "100::1",
  "2001::1",
  "2001:db8::1",
  "2002:7f00:1::",
  "3fff::1",
  "4000::1",
  "5f00::1"
]

const outside = [
  "1.1.1.1",
  "8.8.8.8",
  "172.15.0.1",
  "172.32.0.1",
  "100.63.0.1",
  "2606:4700:4700::1111",
  "::ffff:8.8.8.8"
]

const objection = (url: string, allowed: ReadonlyArray<string> = []) =>
  new AllowedHosts(allowed).objection(new URL(url))

describe("An address", () => {
  it.each(inside)("%s is private", (address) => assert.isFalse(isPublic(address)))
  it.each(outside)("%s is public", (address) => assert.isTrue(isPublic(address)))
  it("is no name", () => assert.isFalse(isPublic("example.com")))

  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2:ffff::9", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["fe80::1%eth0", "fe80::/64"],
    ["::1", "::/64"],
    ["", ""],
    ["unknown", "unknown"]
  ])("%s is counted as %s", (address, name) => assert.strictEqual(rateLimitKey(address), name))
})

describe("A URL", () => {
  it.each(inside)("may not name %s", (address) => {
    assert.match(objection(`http://${address.includes(":") ? `[${address}]` : address}/`) ?? "", /private network/)
  })

  it.each([
    "http://localhost",
    "http://LOCALHOST.",
    "http://a.localhost:80",
    "http://printer.local",
    "http://metadata.google.internal/",
    "http://0x7f.1",
    "http://2130706433",
    "http://0177.0.0.1",
    "http://127.1"
  ])("may not be %s", (url) => assert.match(objection(url) ?? "", /private network/))

  it.each(["ftp://example.com/a", "file:///etc/passwd", "data:text/plain,a", "javascript:1", "gopher://example.com"])(
    "may not be %s",
    (url) => assert.match(objection(url) ?? "", /http:\/\/ or https:\/\//)
  )

  it.each(["http://example.com:25/", "https://8.8.8.8:22/", "http://[2606:4700::1]:6667/", "http://example.com:0/"])(
    "may not be %s",
    (url) => assert.match(objection(url) ?? "", /no web server/)
  )

  it("holds no password", () => assert.match(objection("https://me:secret@example.com/") ?? "", /password/))

  it.each(["https://example.com/a", "http://8.8.8.8:8080/", "http://localhost.example.com", "http://[2606:4700::1]/"])(
    "may be %s",
    (url) => assert.isUndefined(objection(url))
  )
})

describe("What an operator allows", () => {
  it("is a name, whatever its case, and no other", () => {
    assert.isUndefined(objection("http://Specs.Internal./a", ["specs.internal"]))
    assert.isDefined(objection("http://a.specs.internal/a", ["specs.internal"]))
    assert.isDefined(objection("http://10.0.0.1/", ["specs.internal"]))
    assert.isUndefined(objection("http://specs.internal:22/", ["specs.internal"]))
  })

  it("is an address or a range", () => {
    const allowed = ["10.1.0.0/16", "fd00::/8", "127.0.0.1", " ::1 "]
    for (const url of [
      "http://10.1.2.3",
      "http://[fd00::1]",
      "http://127.0.0.1",
      "http://[::1]",
      "http://[::ffff:10.1.0.1]",
      "http://10.1.2.3:8081"
    ])
      assert.isUndefined(objection(url, allowed), url)
    for (const url of ["http://10.2.0.1", "http://127.0.0.2", "http://[fc00::1]"])
      assert.isDefined(objection(url, allowed), url)
  })

  it("is never another scheme", () => assert.isDefined(objection("file://localhost/etc/passwd", ["localhost"])))
})

describe("Fetching without an adapter", () => {
  it.effect("checks, and then refuses", () =>
    Effect.gen(function* () {
      const { check, fetch } = yield* GuardedFetch
      assert.strictEqual((yield* check("https://example.com/a")).href, "https://example.com/a")
      assert.match((yield* Effect.flip(check("no URL"))).message, /Expected a URL/)
      const failure = yield* Effect.flip(fetch("https://example.com/a", { maxBytes: 1 }))
      assert.strictEqual(failure.reason, "refused")
      assert.match(failure.message, /GuardedFetch/)
    }).pipe(Effect.provide(GuardedFetch.layer))
  )

  it.effect("knows the exceptions", () =>
    checking(new AllowedHosts(["localhost"]))("http://localhost:1/").pipe(Effect.asVoid)
  )
})
