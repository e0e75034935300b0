/** Content security policies of what programs answer: the sandbox stays, and may be narrowed. */
import { assert, describe, it } from "@effect/vitest"
import { policyOf } from "../src/server/EndpointPolicy.ts"

const name = "content-security-policy"
const usual = policyOf(undefined, [])

describe("The policy of an answer", () => {
  it("is a sandbox, and what the manifest says", () => {
    assert.match(usual, /^sandbox (?!.*allow-same-origin)/)
    assert.strictEqual(policyOf("default-src 'self'", []), `${usual}; default-src 'self'`)
  })

  it("is followed by all that the answer says, as policies of their own", () => {
    const said = ["default-src 'none'", "sandbox allow-same-origin, img-src *"]
    assert.strictEqual(
      policyOf(
        undefined,
        said.map((value) => [name, value])
      ),
      `${usual}, ${said.join(", ")}`
    )
  })

  it("leaves out what is no line of a header, or long", () => {
    for (const value of ["", "a\r\nset-cookie: b=c", "a\0b", "default-src é", "x".repeat(4097)]) {
      assert.strictEqual(policyOf(undefined, [[name, value]]), usual)
    }
    assert.isAbove(policyOf(undefined, [[name, "x".repeat(4096)]]).length, 4096)
  })
})
