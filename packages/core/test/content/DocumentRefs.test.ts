import { assert, describe, it } from "@effect/vitest"
import { mapRefs, refs } from "@lectern/core/content/DocumentRefs"
import * as DocumentText from "@lectern/core/content/DocumentText"
import * as Markdown from "@lectern/core/content/markdown/Markdown"

const parse = (text: string) => {
  let last = 0
  return Markdown.parse(text, { nextKey: () => `k${++last}` }).document
}

describe("the references of a document", () => {
  const document = parse(
    '# A\n\n[a](/pages/p1) ![b](/files/f1)\n\n| [c](/pages/p2#x) |\n| - |\n| [d](https://d.x) |\n\n{% content-ref url="/pages/p1" %}\n{% endcontent-ref %}'
  )

  it("are found wherever they stand", () => {
    assert.sameDeepMembers(refs(document), [
      { kind: "page", page: "p1" },
      { kind: "file", file: "f1" },
      { kind: "anchor", anchor: "x", page: "p2" },
      { kind: "url", url: "https://d.x" },
      { kind: "page", page: "p1" }
    ])
  })

  it("are rewritten, and nothing else is", () => {
    const mapped = mapRefs(document, (ref) => (ref.kind === "page" ? { kind: "page", page: "p9" } : ref))
    assert.strictEqual(mapped.nodes[0], document.nodes[0])
    assert.strictEqual(mapped.nodes[2], document.nodes[2])
    assert.strictEqual(refs(mapped).filter((ref) => ref.kind === "page" && ref.page === "p9").length, 2)
    assert.strictEqual(
      mapRefs(document, (ref) => ref),
      document
    )
  })
})

describe("the text of a document", () => {
  it("has the words without their marks", () => {
    const [quote] = parse("> **a** [b](c) `d`\n>\n> | e | f |\n> | - | - |\n> | _g_ | h |").nodes
    assert.strictEqual(DocumentText.plainText(quote!), "a b d\ne\nf\ng\nh")
  })

  it("has an outline with anchors of their own", () => {
    const headings = DocumentText.headings(parse('# One Two!\n\n- ## One two\n\n### Ünï <a href="#x" id="x"></a>'))
    assert.deepStrictEqual(
      headings.map(({ level, text, id }) => [level, text, id]),
      [
        [1, "One Two!", "one-two"],
        [2, "One two", "one-two-1"],
        [3, "Ünï", "x"]
      ]
    )
  })
})
