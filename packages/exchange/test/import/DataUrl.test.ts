import { assert, describe, it } from "@effect/vitest"
import * as DataUrl from "@lectern/exchange/import/DataUrl"
import { Effect, Scheduler } from "effect"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import { countedTurns } from "../../../core/test/storage/CountedTurns.ts"
import { hastily } from "../../../core/test/storage/HastyClock.ts"

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

  it("reads a large one in slices to the same effect, and rests by its length", async () => {
    const bytes = Uint8Array.from({ length: 1_000_000 }, (_, n) => (n * 7919) % 251)
    const base64 = Buffer.from(bytes).toString("base64")
    const escaped = Array.from(bytes.subarray(0, 200_000), (one) => `%${one.toString(16).padStart(2, "0")}`).join("")
    const wide = "a😀".repeat(50_000)
    for (const [url, wanted] of [
      [`data:a/b;base64,${base64}`, bytes],
      [`data:a/b;base64,${base64.replaceAll(/.{76}/g, "$&\r\n")}`, bytes],
      [`data:a/b,x${escaped}`, Buffer.concat([Buffer.from("x"), bytes.subarray(0, 200_000)])],
      [`data:a/b,xx${escaped}`, Buffer.concat([Buffer.from("xx"), bytes.subarray(0, 200_000)])],
      [`data:a/b,${wide}`, new TextEncoder().encode(wide)]
    ] as const) {
      const turns = countedTurns()
      const reading = hastily(Effect.provideService(DataUrl.readInSlices(url), Scheduler.Scheduler, turns))
      const read = await Effect.runPromise(reading)
      assert.isTrue(Buffer.from(read!.bytes).equals(Buffer.from(wanted)))
      assert.isAtLeast(turns.count, Math.floor(url.length / (64 * 1024)))
    }
    assert.isUndefined(DataUrl.read(`data:;base64,${"AAA=".repeat(100_000)}`))
  })
})
