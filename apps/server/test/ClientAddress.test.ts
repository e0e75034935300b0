/** The address of a client behind proxies, by what they write of it. */
import { AddressRanges } from "@lectern/core/fetch/Addresses"
import { assert, describe, it } from "@effect/vitest"
import { clientAddress, type TrustedProxies } from "../src/edge/ClientAddress.ts"

describe("The address of a client", () => {
  const proxies = new AddressRanges(["10.0.0.0/8", "2001:db8::/32"])
  const behind = (header: TrustedProxies["header"], peer: string | undefined, value?: string) =>
    clientAddress({ proxies, header }, peer, value === undefined ? {} : { [header]: value })

  it("is the last that no trusted proxy has", () => {
    for (const [peer, value, client] of [
      ["192.0.2.9", "192.0.2.1", "192.0.2.9"],
      ["10.0.0.1", undefined, "10.0.0.1"],
      ["10.0.0.1", "", "10.0.0.1"],
      ["10.0.0.1", "192.0.2.1", "192.0.2.1"],
      ["10.0.0.1", "203.0.113.5, 192.0.2.1, 10.2.3.4", "192.0.2.1"],
      ["10.0.0.1", "10.9.9.9,10.8.8.8", "10.9.9.9"],
      ["10.0.0.1", "192.0.2.1, unknown", "10.0.0.1"],
      ["10.0.0.1", "192.0.2.1, unknown, 10.0.0.2", "10.0.0.2"],
      ["10.0.0.1", "192.0.2.1:4711", "192.0.2.1"],
      ["::ffff:10.0.0.1", "::ffff:192.0.2.1", "192.0.2.1"],
      ["2001:db8::1", "2a00:0:0::1", "2a00::1"],
      [undefined, "192.0.2.1", "192.0.2.1"],
      [undefined, undefined, undefined]
    ] as const) {
      assert.strictEqual(behind("x-forwarded-for", peer, value), client, `${peer}: ${value}`)
    }
  })

  it("is read from the one header that the proxies write", () => {
    const both = { "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.2" }
    assert.strictEqual(clientAddress({ proxies, header: "x-forwarded-for" }, "10.0.0.1", both), "192.0.2.1")
    assert.strictEqual(clientAddress({ proxies, header: "forwarded" }, "10.0.0.1", both), "192.0.2.2")
    for (const [value, client] of [
      [`for=192.0.2.1;proto=https;by=10.0.0.9`, "192.0.2.1"],
      [`For="[2a00::1]:4711", for=10.0.0.2`, "2a00::1"],
      [`proto=https; for="192.0.2.1:80"`, "192.0.2.1"],
      [`for=_hidden, for=192.0.2.3`, "192.0.2.3"],
      [`for=192.0.2.3, for=_hidden`, "10.0.0.1"],
      [`host="a,b", for=10.0.0.3`, "10.0.0.3"],
      // Nothing that a client leaves open swallows what a proxy adds.
      [`for="192.0.2.66, for=192.0.2.4`, "192.0.2.4"]
    ] as const) {
      assert.strictEqual(behind("forwarded", "10.0.0.1", value), client, value)
    }
  })
})
