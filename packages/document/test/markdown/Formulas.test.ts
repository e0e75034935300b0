/** Tests that no line of a multi-line formula starts another block, if text follows the opening `$$`. */
import { assert, describe, it } from "@effect/vitest"
import type { Node } from "@lectern/document/Document"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import { brokenLaw, parse } from "./laws.ts"

/** Returns the types of blocks and the formulas, in order. */
const outline = (nodes: ReadonlyArray<Node>): ReadonlyArray<string> =>
  nodes.flatMap((node) => {
    if (node.object === "text") return []
    if (node.type === "inline-math") return [String(node.data?.formula)]
    return [...(node.object === "block" ? [node.type] : []), ...outline(node.nodes ?? [])]
  })

describe("a formula over several lines", () => {
  const cases: ReadonlyArray<readonly [text: string, outline: ReadonlyArray<string>]> = [
    ...["1. b", "- b", "+ b", "* b", "# b", "> b", "---", "===", "| b |", "<div>", "~~~", ":::note", "{% hint %}"].map(
      (line) => [`$$a =\n${line}\n$$`, ["paragraph", `a = ${line}`]] as const
    ),
    ["$$a\n- b$$", ["paragraph", "a - b"]],
    ["$$a\n  + b\n  + c$$.\n\n- d", ["paragraph", "a + b + c", "list-unordered", "list-item", "paragraph"]],
    ["text\n$$\n- a\n$$\nmore", ["paragraph", "- a"]],
    ["> $$a\n> - b$$", ["blockquote", "paragraph", "a - b"]],
    ["- $$a\n  - b$$", ["list-unordered", "list-item", "paragraph", "a - b"]],
    ["- $$a\n- b$$", ["list-unordered", "list-item", "paragraph", "list-item", "paragraph"]],
    ["$$a\n- b", ["paragraph", "list-unordered", "list-item", "paragraph"]],
    ["$$a\n\n- b$$", ["paragraph", "list-unordered", "list-item", "paragraph"]],
    ["$$ is a variable\n- some $$ too", ["paragraph", "list-unordered", "list-item", "paragraph"]],
    ["$$a$$ b\n- c $$d$$", ["paragraph", "a", "list-unordered", "list-item", "paragraph", "d"]]
  ]
  for (const [text, expected] of cases) {
    it(JSON.stringify(text), () => {
      assert.deepStrictEqual(outline(parse(text).document.nodes), expected)
      assert.isUndefined(brokenLaw(text))
    })
  }

  const piece = fc.constantFrom("$$", "$$", "$", "a", " ", "\n", "\n", "- ", "1. ", "> ", "#", "=", "|", "\\", ".")

  it("is read as it was printed", () =>
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 16 }), (pieces) => assert.isUndefined(brokenLaw(pieces.join("")))),
      runs(500, 20_000)
    ))
})
