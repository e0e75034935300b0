import { maxPacked, unpack } from "@lectern/core/integration/PackedRender"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import LZString from "lz-string"

const refusal = (packed: string) => {
  const result = unpack(packed)
  assert.isTrue(Result.isFailure(result))
  return Result.isFailure(result) ? result.failure.message : ""
}

describe("A packed render request", () => {
  it("is refused where it would be too long when it is unpacked", () => {
    const packed = LZString.compressToBase64(JSON.stringify({ props: "x".repeat(600_000) }))
    assert.isBelow(packed.length, maxPacked)
    assert.match(refusal(packed), /256 KiB after decompression/)
  })

  it("is refused unread where it is longer than any that unpacks to little", () => {
    assert.match(refusal("A".repeat(maxPacked + 1)), /at most 8 KiB/)
  })

  it("is refused where it is none", () => {
    for (const packed of ["", "!", "AAAA", LZString.compressToBase64("no JSON")]) assert.isNotEmpty(refusal(packed))
  })
})
