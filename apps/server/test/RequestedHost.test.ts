import { AddressRanges } from "@lectern/core/fetch/Addresses"
import { assert, describe, it } from "@effect/vitest"
import { forwardedHost } from "../src/edge/RequestedHost.ts"
import type { TrustedProxies } from "../src/edge/ClientAddress.ts"

const trusting = (header: TrustedProxies["header"], ...ranges: ReadonlyArray<string>): TrustedProxies => ({
  proxies: new AddressRanges(ranges),
  header
})

const host = (trusted: TrustedProxies, peer: string | undefined, headers: Record<string, string>) => {
  const { host, protocol } = forwardedHost(trusted, peer, headers)
  return [host, protocol]
}

const nobody = [undefined, undefined]

describe("RequestedHost", () => {
  it("is told by trusted proxies alone", () => {
    const headers = { "x-forwarded-host": "Help.Acme.com", "x-forwarded-proto": "https" }
    const told = ["help.acme.com", "https:"]
    assert.deepStrictEqual(host(trusting("x-forwarded-for", "10.0.0.1"), "10.0.0.1", headers), told)
    assert.deepStrictEqual(host(trusting("x-forwarded-for"), undefined, headers), told)
    assert.deepStrictEqual(host(trusting("x-forwarded-for", "10.0.0.1"), "10.0.0.2", headers), nobody)
    assert.deepStrictEqual(host(trusting("x-forwarded-for"), "127.0.0.1", headers), nobody)
    assert.deepStrictEqual(host(trusting("forwarded", "10.0.0.1"), "10.0.0.1", headers), nobody)
  })

  it("is that of the farthest proxy that is trusted", () => {
    const trusted = trusting("x-forwarded-for", "10.0.0.0/8")
    const listed = { "x-forwarded-host": "evil.example, help.acme.com", "x-forwarded-proto": "http, https" }
    const from = (client: string) => host(trusted, "10.0.0.1", { ...listed, "x-forwarded-for": client })
    assert.deepStrictEqual(from("192.0.2.7"), ["help.acme.com", "https:"])
    assert.deepStrictEqual(from("192.0.2.7, 10.0.0.2"), ["evil.example", "http:"])
    const one = { "x-forwarded-host": "help.acme.com", "x-forwarded-for": "192.0.2.7, 10.0.0.2" }
    assert.deepStrictEqual(host(trusted, "10.0.0.1", one), ["help.acme.com", undefined])
  })

  it("is read of Forwarded where the operator chose that", () => {
    const trusted = trusting("forwarded", "10.0.0.1")
    const header = 'for=192.0.2.9;host=evil.example, for="[2001:db8::1]";host="help.acme.com:8443";proto=https'
    const headers = { forwarded: header, "x-forwarded-host": "other.example" }
    assert.deepStrictEqual(host(trusted, "10.0.0.1", headers), ["help.acme.com:8443", "https:"])
  })

  it("is nothing that is no host", () => {
    const trusted = trusting("x-forwarded-for", "10.0.0.1")
    for (const text of ["", "a b", "x/y", "user@host", "a".repeat(300), "[::1", "host:port", "a?b", "a#b", "a\\b"])
      assert.deepStrictEqual(host(trusted, "10.0.0.1", { "x-forwarded-host": text }), nobody, text)
    assert.deepStrictEqual(host(trusted, "10.0.0.1", { "x-forwarded-proto": "gopher" }), nobody)
  })
})
