import { assert, describe, it } from "@effect/vitest"
import { Call, Code, readExpression, readModule } from "@lectern/document/LiteralValue"

const mainOf = (source: string) => readModule(source)?.main

describe("LiteralValue", () => {
  it("reads literals", () =>
    assert.deepStrictEqual(readExpression(`[1, -2, "a", 'b' + "c", \`d\`, true, null, { e: [undefined], "f": {} }]`), [
      1,
      -2,
      "a",
      "bc",
      "d",
      true,
      null,
      { e: [undefined], f: {} }
    ]))

  it("reads no code", () => {
    for (const source of ["a", "f()", "`${a}`", "1 + 2", "() => 1", "a.b", "{", "/x/", "[1] 2"]) {
      const value = readExpression(source)
      assert.isTrue(value instanceof Code || value instanceof Call, source)
    }
    assert.deepStrictEqual((readExpression("[f(), { a: () => 1 }]") as ReadonlyArray<unknown>)[1], {
      a: new Code(11)
    })
  })

  it("reads the value of a module, with constants and calls", () => {
    assert.deepStrictEqual(mainOf("const a = [1]; module.exports = { b: [...a, 2], a }"), { b: [1, 2], a: [1] })
    assert.deepStrictEqual(
      mainOf("import f from 'f'\nexport default f({ a: 1 }, g)"),
      new Call("f", [{ a: 1 }, new Code(45)])
    )
    assert.deepStrictEqual(
      mainOf(
        "import type { A } from 'a'\nconst b: A<string>[] = ['c'] as const\nexport default { b, ...{ d: 1 } } satisfies A"
      ),
      { b: ["c"], d: 1 }
    )
    assert.isUndefined(mainOf("const a = 1"))
    assert.isUndefined(readModule("const a ="))
  })

  it("limits constants that repeat each other", () => {
    const names = Array.from({ length: 40 }, (_, i) => `const a${i} = [a${i + 1}, a${i + 1}, a${i + 1}]`)
    assert.isArray(mainOf(`${names.join("\n")}\nexport default a0`))
    assert.instanceOf(mainOf("const a = b; const b = a; export default a"), Code)
    assert.instanceOf(readExpression("[".repeat(100_000)), Code)
  })
})
