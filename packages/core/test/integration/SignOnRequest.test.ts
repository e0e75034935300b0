/** Requests to sign on, as integrations are told of them. */
import { assert, describe, it } from "@effect/vitest"
import { signOnRequest } from "@lectern/core/integration/SignOnRequest"

const cookiesOf = (header: string) => signOnRequest(new URLSearchParams(), header, false).cookies

describe("a request to sign on", () => {
  it("tells the cookies that came with it", () => {
    assert.deepStrictEqual(cookiesOf(""), {})
    assert.deepStrictEqual(cookiesOf("a=1; b = 2;c= x=y ; =z; d; e="), { a: "1", c: "x=y", e: "" })
  })

  it("takes a long cookie for no more than it is", () => {
    const long = `${" ".repeat(400_000)}x`
    assert.deepStrictEqual(cookiesOf(`a=1${long}`), { a: `1${long}` })
  })
})
