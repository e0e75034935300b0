/** Calls that readers have made for them are counted by address and by site. */
import { assert, it } from "@effect/vitest"
import { RateLimiter } from "../src/server/RateLimiter.ts"

it("counts addresses of IPv6 by their first 64 bits, and begins anew with each minute", () => {
  const counter = new RateLimiter({ perAddress: 2, perSite: 10 })
  const wait = (address: string, now = 0) => counter.retryAfter([address, "site"], now)
  assert.deepStrictEqual(
    ["2001:db8::1", "2001:db8::2", "2001:db8::3"].map((one) => wait(one)),
    [0, 0, 60]
  )
  assert.strictEqual(wait("2001:db8:0:1::"), 0)
  assert.strictEqual(wait("2001:db8::3", 60_000), 0)
})
