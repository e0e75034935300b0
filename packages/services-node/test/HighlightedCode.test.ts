import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { createRequire } from "node:module"
import { grammars } from "../src/rendering/LanguageNames.ts"
import { render } from "../src/rendering/HighlightedCode.ts"

const { resolve } = createRequire(import.meta.resolve("../src/rendering/HighlightedCode.ts"))

const isGrammar = (name: string): boolean => {
  try {
    return resolve(`@shikijs/langs/${name}`) !== ""
  } catch {
    return false
  }
}

describe("HighlightedCode", () => {
  afterEach(() => vi.restoreAllMocks())

  it("marks what it marks elsewhere on a machine that is so busy that the clock runs far ahead of the work", async () => {
    let now = 0
    vi.spyOn(Date, "now").mockImplementation(() => (now += 600))
    assert.deepStrictEqual(await render("const a = 1", "ts"), [
      '<span class="k">const</span> a <span class="o">= </span><span class="n">1</span>'
    ])
  })

  it("leaves plain what is beyond a line's share of the processor", async () => {
    let now = 0
    vi.spyOn(Date, "now").mockImplementation(() => (now += 600))
    vi.spyOn(process, "threadCpuUsage").mockImplementation(() => ({ user: now * 1_000, system: 0 }))
    assert.deepStrictEqual(await render("let a = [1]", "ts"), ["let a = [1]"])
  })

  it("knows languages by the names that other highlighters have for them", async () => {
    const marked = await render("@interface A : B", "objc")
    assert.include(marked?.[0], "<span")
    assert.deepStrictEqual(await render("@interface A : B", "objectivec"), marked)
    assert.deepStrictEqual(await render("@interface A : B", "Obj-C"), marked)
    assert.include((await render("int a = 1;", "C#"))?.[0], "<span")
    assert.strictEqual(await render("a", "plaintext"), undefined)
  })

  it("leads names to grammars that are there, and no grammar's own elsewhere", () => {
    for (const [name, grammar] of grammars) {
      assert.isFalse(isGrammar(name), name)
      assert.isTrue(grammar === "text" || isGrammar(grammar), grammar)
    }
  })

  it("takes the line ends of every system", async () => {
    assert.deepStrictEqual(await render("{}\r\n\r\n[]", "json"), ["{}", "", "[]"])
  })
})
