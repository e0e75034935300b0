/** Things that were seen are known again, and new ones are hardly ever taken for them. */
import { assert, describe, it } from "@effect/vitest"
import { SeenBefore } from "@lectern/http/server/SeenBefore"

const tokens = Array.from({ length: 40 }, (_, n) => `Bearer ${String(n * 7_919).padStart(8, "0")}`)

/** Texts that differ in one place, by one character. */
const alike = (n: number) => `/v1/spaces/abcdefgh${String.fromCharCode(48 + (n % 75))}jklmnop/${Math.floor(n / 75)}`

describe("SeenBefore", () => {
  it("knows again what it has seen", () => {
    const seen = new SeenBefore()
    for (let n = 0; n < 10_000; n++) seen.again(tokens[n % 40]!, alike(n))
    for (let n = 0; n < 10_000; n++) assert.isTrue(seen.again(tokens[n % 40]!, alike(n)))
  })

  it("takes one in two hundred new ones for seen at most, however alike they are", () => {
    const seen = new SeenBefore()
    let mistaken = 0
    for (let n = 0; n < 40_000; n++) if (seen.again(tokens[n % 40]!, alike(n))) mistaken++
    assert.isBelow(mistaken, 200)
  })

  it("begins anew behind 50,000", () => {
    const seen = new SeenBefore()
    for (let n = 0; n < 51_000; n++) seen.again("a", alike(n))
    assert.isFalse(seen.again("a", alike(0)))
  })
})
