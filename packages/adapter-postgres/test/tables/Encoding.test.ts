/** Encoded values are equal and ordered as the values are, also if some texts are long. */
import { assert, describe, it } from "@effect/vitest"
import { afterPrefix, encode, encodeText, isLong } from "@lectern/adapter-postgres/tables/Encoding"
import { compare } from "@lectern/core/storage/ScalarOrder"
import type { Scalar } from "@lectern/core/storage/Table"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"

const limit = 12

/** Texts of few characters with 1 to 4 bytes, so that many share a beginning. */
const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "\uffff", "😀"), maxLength: 12 })
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)
const scalar: fc.Arbitrary<Scalar> = fc.oneof(text, number, fc.boolean(), fc.constant(null))

const bytesInOrder = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

describe("Encoding", () => {
  it("preserves order and equality, except the order of two long texts", () => {
    const property = fc.property(scalar, scalar, (a, b) => {
      const order = Math.sign(compare(a, b))
      const encoded = Math.sign(bytesInOrder(encode(a, limit), encode(b, limit)))
      if (isLong(a, limit) && isLong(b, limit)) assert.strictEqual(encoded === 0, order === 0)
      else assert.strictEqual(encoded, order)
    })
    fc.assert(property, runs(2_000))
  })

  it("preserves prefixes that are not long", () => {
    const property = fc.property(text, text, (value, prefix) => {
      fc.pre(!isLong(prefix, limit))
      const encoded = encode(value, limit)
      const isInRange =
        bytesInOrder(encoded, encode(prefix, limit)) >= 0 &&
        bytesInOrder(encoded, afterPrefix(encode(prefix, limit))!) < 0
      assert.strictEqual(isInRange, value.startsWith(prefix))
    })
    fc.assert(property, runs(2_000))
  })

  it("limits the length", () => {
    const property = fc.property(text, (value) => {
      assert.isAtMost(Buffer.byteLength(encodeText(value, limit)), limit + 3 + 1 + 43)
    })
    fc.assert(property, runs(500))
  })
})
