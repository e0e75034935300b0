import { assert, describe, it } from "@effect/vitest"
import { blocksOf, type ProgramOutput, parseOutput } from "@lectern/core/pdf/ContentKitBlocks"
import type { Block, Node } from "@lectern/document/Document"

/** Blocks as their types, with the text in them, and where they lead. */
const shown = (nodes: ReadonlyArray<Node>): unknown =>
  nodes.map((node) => {
    if (node.object === "text") return node.leaves.map(({ text }) => text).join("")
    const ref = (node.data?.["ref"] as { readonly url: string } | undefined)?.url
    return [node.type, ...(ref === undefined ? [] : [ref]), ...(shown(node.nodes ?? []) as ReadonlyArray<unknown>)]
  })

const drawn = (element: ProgramOutput["element"], state: ProgramOutput["state"] = {}): ReadonlyArray<Block> => {
  let keys = 0
  return blocksOf({ element, state }, () => `k${++keys}`)
}

describe("what an integration draws, on paper", () => {
  it("is its texts, links, code and pictures, in their order", () => {
    const element = {
      type: "block",
      children: [
        {
          type: "text",
          children: ["Rain ", { type: "link", target: { url: "https://a.example/" }, children: ["today"] }]
        },
        { type: "divider" },
        {
          type: "hstack",
          children: [
            { type: "box", children: [{ type: "text", children: [{ $state: "city" }] }] },
            { type: "vstack", children: { type: "hint", children: [{ type: "text", children: ["Wet"] }] } }
          ]
        },
        { type: "card", title: "Card", children: [{ type: "markdown", content: "* One\n* **Two**" }] },
        { type: "image", source: { url: "https://a.example/rain.png" }, aspectRatio: 1 },
        {
          type: "codeblock",
          content: { $state: "code" },
          syntax: "mermaid",
          footer: [{ type: "webframe", source: { url: "https://a.example/frame" } }]
        },
        { type: "button", label: "Again", onPress: { action: "again" } },
        { type: "input", label: "City", element: { type: "textinput", state: "city" } }
      ]
    }
    assert.deepStrictEqual(shown(drawn(element, { city: "Oslo", code: "graph TD\n\nA" })), [
      ["paragraph", "Rain ", ["link", "https://a.example/", "today"]],
      ["paragraph", "Oslo"],
      ["hint", ["paragraph", "Wet"]],
      ["paragraph", "Card"],
      ["list-unordered", ["list-item", ["paragraph", "One"]], ["list-item", ["paragraph", "Two"]]],
      ["images", ["image", "https://a.example/rain.png"]],
      ["code", ["code-line", "graph TD"], ["code-line"], ["code-line", "A"]]
    ])
  })

  it("is nothing where it is no element, and what can be read where it is a strange one", () => {
    for (const text of [
      "",
      "<p>",
      "[]",
      "null",
      '{"type":"complete"}',
      '{"type":"element","element":[]}',
      "{}",
      '{"type":"element","element":{"type":"text","children":["x"]}}'
    ]) {
      assert.isUndefined(parseOutput(text), text)
    }
    for (const strange of [
      {},
      { type: "constructor", children: ["x"] },
      { type: "text", children: { $state: "toString" } },
      { type: "text", children: [null, 1, [], {}] },
      { type: "codeblock", content: 1 },
      { type: "image", source: "https://a.example/" },
      { type: "block", children: [[["x"]]] }
    ]) {
      assert.deepStrictEqual(drawn(strange), [], JSON.stringify(strange))
    }
  })

  it("is bounded: elements, depth and characters", () => {
    const many = { type: "block", children: Array.from({ length: 5_000 }, () => ({ type: "text", children: ["x"] })) }
    assert.isAtMost(drawn(many).length, 1_000)
    let deep: ProgramOutput["element"] = { type: "text", children: ["deep"] }
    for (let i = 0; i < 1_000; i++)
      deep = i % 2 === 0 ? { type: "box", children: [deep] } : { type: "text", children: [deep] }
    assert.deepStrictEqual(drawn(deep), [])
    const nested = `{"type":"element","element":{"type":"block","children":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`
    assert.deepStrictEqual(
      blocksOf(parseOutput(nested)!, () => "k"),
      []
    )
    const long = {
      type: "block",
      children: Array.from({ length: 3 }, () => ({ type: "text", children: ["😀".repeat(25_000)] }))
    }
    const text = JSON.stringify(shown(drawn(long)))
    assert.isBelow(text.length, 66 * 1024)
    assert.isTrue(text.isWellFormed())
  })
})
