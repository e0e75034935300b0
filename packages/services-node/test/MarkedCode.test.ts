import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { paint } from "../src/painting/MarkedCode.ts"

describe("MarkedCode", () => {
  afterEach(() => vi.restoreAllMocks())

  it("marks what it marks elsewhere on a machine that is so busy that the clock runs far ahead of the work", async () => {
    let now = 0
    vi.spyOn(Date, "now").mockImplementation(() => (now += 600))
    assert.deepStrictEqual(await paint("const a = 1", "ts"), [
      '<span class="k">const</span> a <span class="o">= </span><span class="n">1</span>'
    ])
  })

  it("leaves plain what is beyond a line's share of the processor", async () => {
    let now = 0
    vi.spyOn(Date, "now").mockImplementation(() => (now += 600))
    vi.spyOn(process, "threadCpuUsage").mockImplementation(() => ({ user: now * 1_000, system: 0 }))
    assert.deepStrictEqual(await paint("let a = [1]", "ts"), ["let a = [1]"])
  })

  it("takes the line ends of every system", async () => {
    assert.deepStrictEqual(await paint("{}\r\n\r\n[]", "json"), ["{}", "", "[]"])
  })
})
