import { assert, describe, it } from "@effect/vitest"
import * as DataUrl from "@lectern/core/content/import/DataUrl"
import * as fc from "fast-check"
import { runs } from "../../Runs.ts"

const textOf = (url: string) => new TextDecoder().decode(DataUrl.read(url)?.bytes)

describe("DataUrl", () => {
  it("reads what is escaped and what is base64", () => {
    assert.strictEqual(textOf("data:text/markdown,%23%20Caf%C3%A9%"), "# Café%")
    assert.strictEqual(textOf("DATA:text/plain;charset=utf-8;BASE64,SGVsbG8="), "Hello")
    assert.strictEqual(textOf("data:;base64,SGVsbG8%3D"), "Hello")
    assert.strictEqual(DataUrl.read("data:text/plain;charset=utf-8;base64,")?.contentType, "text/plain;charset=utf-8")
    assert.notProperty(DataUrl.read("data:,x"), "contentType")
  })

  it("refuses what is none", () => {
    for (const url of [
      "",
      "data:",
      "data:text/plain",
      "data:;base64,***",
      "http://x/,",
      `data:${"x".repeat(2000)},x`
    ]) {
      assert.isUndefined(DataUrl.read(url), url)
    }
  })

  it("gives back the bytes that were written into it", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const base64 = DataUrl.read(`data:a/b;base64,${Buffer.from(bytes).toString("base64")}`)
        const escaped = DataUrl.read(
          `data:a/b,${[...bytes].map((one) => `%${one.toString(16).padStart(2, "0")}`).join("")}`
        )
        assert.deepStrictEqual([...base64!.bytes], [...bytes])
        assert.deepStrictEqual([...escaped!.bytes], [...bytes])
      }),
      runs()
    )
  })
})
