import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as DocumentInput from "@lectern/document/DocumentInput"
import type { Block } from "@lectern/document/Document"
import { runs } from "../../core/test/Runs.ts"

const normalise = (value: unknown) => {
  let last = 0
  return DocumentInput.normalizeDocument(value, () => `new${++last}`)
}
const document = (value: unknown) => Result.getOrThrow(normalise(value))
const problem = (value: unknown) => {
  const result = normalise(value)
  return Result.isFailure(result) ? result.failure : undefined
}
const block = (rest: object = {}) => ({ object: "block", type: "paragraph", ...rest })
const leaf = (text: unknown) => ({ object: "leaf", text, marks: [] })

describe("a document that a client sends", () => {
  it("is kept as it is where it is whole", () => {
    const value = {
      object: "document",
      data: { schemaVersion: 7, own: { x: [1, null, true] } },
      nodes: [
        block({ key: "a", nodes: [{ object: "text", key: "t", leaves: [leaf("x")] }] }),
        { object: "block", type: "of-tomorrow", key: "b", isVoid: true, data: { any: ["thing"] }, fragments: [] }
      ]
    }
    assert.deepStrictEqual(document(value), value as never)
  })

  it("gets keys where they are missing or not its own", () => {
    const { nodes } = document({
      nodes: [block({ key: "new1" }), block(), block({ key: "x" }), block({ key: "x" }), block({ key: 7 })]
    })
    assert.deepStrictEqual(
      nodes.map(({ key }) => key),
      ["new1", "new2", "x", "new3", "new4"]
    )
  })

  it("has one end of lines in its texts, as its Markdown has", () => {
    const text = (text: string) => ({ object: "text", leaves: [leaf(text)] })
    const hardBreak = { object: "inline", type: "hard-break", isVoid: true }
    const [paragraph, code] = document({
      nodes: [
        block({ nodes: [text("a\r\nb\rc")] }),
        block({ type: "code", nodes: [block({ type: "code-line", nodes: [text("d\re")] })] })
      ]
    }).nodes
    assert.deepStrictEqual(paragraph?.nodes, [text("a"), hardBreak, text("b"), hardBreak, text("c")] as never)
    assert.deepStrictEqual((code?.nodes?.[0] as Block | undefined)?.nodes, [text("d\ne")] as never)
  })

  it("has an empty paragraph in hints and items that hold nothing, a block of its own", () => {
    const { nodes } = document({
      nodes: [
        block({ type: "hint", key: "h" }),
        block({ type: "list-unordered", key: "l", nodes: [block({ type: "list-item", key: "i", nodes: [] })] }),
        block({ type: "blockquote", key: "q", nodes: [] })
      ]
    })
    const within = (block: Block | undefined) => block?.nodes?.[0] as Block | undefined
    for (const [holder, key] of [
      [nodes[0], "new1"],
      [within(nodes[1]), "new2"]
    ] as const) {
      assert.deepStrictEqual(holder?.nodes, [{ object: "block", type: "paragraph", key, nodes: [] }])
    }
    assert.deepStrictEqual(nodes[2]?.nodes, [])
  })

  it("loses fields that no document has", () => {
    assert.deepStrictEqual(document({ nodes: [block({ key: "a", meta: { id: 1 } })] }).nodes, [
      { object: "block", type: "paragraph", key: "a", nodes: [] }
    ])
  })

  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["no object", 7, ""],
    ["an array", [], ""],
    ["another object", { object: "page" }, "object"],
    ["nodes that are no array", { nodes: {} }, "nodes"],
    ["a node that is no object", { nodes: [null] }, "nodes[0]"],
    ["text outside of blocks", { nodes: [{ object: "text", leaves: [] }] }, "nodes[0].object"],
    ["a block without a type", { nodes: [{ object: "block" }] }, "nodes[0].type"],
    [
      "a block in an inline",
      { nodes: [block({ nodes: [{ object: "inline", type: "link", nodes: [block()] }] })] },
      "nodes[0].nodes[0].nodes[0].object"
    ],
    ["a text without leaves", { nodes: [block({ nodes: [{ object: "text" }] })] }, "nodes[0].nodes[0].leaves"],
    [
      "a leaf without text",
      { nodes: [block({ nodes: [{ object: "text", leaves: [leaf(1)] }] })] },
      "nodes[0].nodes[0].leaves[0].text"
    ],
    [
      "a mark without a type",
      { nodes: [block({ nodes: [{ object: "text", leaves: [{ text: "", marks: [{}] }] }] })] },
      "nodes[0].nodes[0].leaves[0].marks[0].type"
    ],
    ["data that is a list", { nodes: [block({ data: [] })] }, "nodes[0].data"],
    [
      "half a character",
      { nodes: [block({ nodes: [{ object: "text", leaves: [leaf("\ud800")] }] })] },
      "nodes[0].nodes[0].leaves[0].text"
    ],
    [
      "NUL in a text",
      { nodes: [block({ nodes: [{ object: "text", leaves: [leaf("a\u0000")] }] })] },
      "nodes[0].nodes[0].leaves[0].text"
    ],
    ["NUL in data", { nodes: [block({ data: { align: "\u0000" } })] }, "nodes[0].data"],
    ["NUL in a name", { nodes: [block({ data: { "\u0000": 1 } })] }, "nodes[0].data"]
  ]
  for (const [name, value, path] of wrong) {
    it(`is refused with ${name}`, () => {
      assert.strictEqual(problem(value)?.path, path)
      assert.match(problem(value)?.message ?? "", /^[A-Z]/)
    })
  }

  it("nests 100 deep and no deeper, in blocks and in data", () => {
    const nested = (depth: number) => {
      let value: object = block()
      for (let i = 1; i < depth; i++) value = block({ nodes: [value] })
      return { nodes: [value] }
    }
    const data = (depth: number) => {
      let value: unknown = 1
      for (let i = 0; i < depth; i++) value = [value]
      return { nodes: [block({ data: { value } })] }
    }
    assert.isUndefined(problem(nested(100)))
    assert.match(problem(nested(101))?.message ?? "", /100 deep/)
    assert.match(problem(nested(50_000))?.message ?? "", /100 deep/)
    assert.isUndefined(problem(data(90)))
    assert.match(problem(data(50_000))?.message ?? "", /100 deep/)
  })

  it("has 100,000 nodes and no more, of 8 MiB and no more", () => {
    assert.isUndefined(problem({ nodes: Array.from({ length: 100_000 }, () => block()) }))
    assert.match(problem({ nodes: Array.from({ length: 100_001 }, () => block()) })?.message ?? "", /100,000/)
    const text = (length: number) => ({
      nodes: [block({ nodes: [{ object: "text", leaves: [leaf("é".repeat(length))] }] })]
    })
    assert.isUndefined(problem(text(4_000_000)))
    assert.match(problem(text(4_200_000))?.message ?? "", /8 MiB/)
  })

  it("never throws, and is at rest once it is normal", () => {
    const object = fc.constantFrom("block", "inline", "text", "leaf", "mark", "document", "fragment")
    const { node } = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 5 },
        fc.anything(),
        fc.record(
          { object, type: fc.constantFrom("a", "b"), key: fc.constantFrom("k", "l", 1) },
          { requiredKeys: ["object"] }
        ),
        fc.record({ object: fc.constant("block"), type: fc.constant("p"), nodes: fc.array(tie("node")) })
      )
    }))
    fc.assert(
      fc.property(fc.array(node, { maxLength: 5 }), (nodes) => {
        const first = normalise({ nodes })
        if (Result.isFailure(first)) return
        assert.deepStrictEqual(document(first.success), first.success)
        const keys = new Set<string>()
        const open: Array<Block> = [...first.success.nodes]
        for (let next = open.pop(); next !== undefined; next = open.pop()) {
          assert.isFalse(keys.has(next.key))
          keys.add(next.key)
          for (const child of next.nodes ?? []) if (child.object === "block") open.push(child)
        }
      }),
      runs()
    )
  })
})
