import { Result } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import * as CodeLine from "@lectern/document/CodeLine"
import type { Block, Document } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import * as DocumentInput from "@lectern/document/DocumentInput"
import * as VisitorDocument from "@lectern/document/VisitorDocument"
import { runs } from "../../../core/test/Runs.ts"
import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import { inlineTypes } from "@lectern/document/vocabulary/InlineTypes"
import { keys, parse } from "../markdown/laws.ts"
import { rows } from "../markdown/Vocabulary.ts"
import { randomDocument } from "../merge/RandomDocuments.ts"
import { problems } from "./HostedVocabulary.ts"

/** As it goes over the wire. */
const sent = (document: Document) =>
  JSON.parse(JSON.stringify(WireDocument.encode(document))) as WireDocument.WireDocument

const plain = (document: Document) => JSON.parse(JSON.stringify(document)) as Document

const readBack = (document: unknown) => Result.getOrThrow(DocumentInput.normalizeDocument(document, keys()))

/** The nodes of the first block of a text, as they are answered. */
const first = (markdown: string) => {
  const { nodes } = sent(parse(markdown).document) as unknown as Document
  const { key: _, ...block } = nodes[0]!
  return block as object
}

const leaf = (text: string, ...marks: ReadonlyArray<string>) => ({
  object: "leaf",
  text,
  marks: marks.map((type) => ({ object: "mark", type }))
})
const text = (...leaves: ReadonlyArray<object>) => ({ object: "text", leaves })
const paragraph = (...nodes: ReadonlyArray<object>) => ({ object: "block", type: "paragraph", nodes })

const markdown = [
  ...rows.map((row) => row.markdown),
  "Street 12<br>London <BR />\n*two*<br/>\nthree\n\n## a<br>b\n\n* c<br>d",
  "a\\\nb *c\\\nd* `e`\\\n`f` [g\\\nh](https://x.y)\nsoft\nlines",
  "<!-- m -->\n\n<div class='x'>x</div>\n\n{% unknown %}\n\na <b>c</b> [^1] [d][e]\n\n[e]: https://x.y 'T'\n\n[^1]: p\n\n    q",
  "1. a\n\n   b\n2. c\n\n* [ ] d\n\n```js title=x\ncode\n\nlines\n```",
  "| *a* | b |\n| :-- | --- |\n| c<br>d | e |",
  '{% embed url="https://x.y" %}\ncaption\n{% endembed %}\n\n{% hint %}\nx\n{% endhint %}\n\n{% openapi-operation spec="p" %}\nbody\n{% endopenapi-operation %}'
]
const documents = markdown.map((each) => parse(each).document)

describe("a document as it is answered", () => {
  it("holds what the vocabulary has, whatever Markdown it is read of", () => {
    for (const [i, document] of documents.entries()) {
      assert.deepStrictEqual([...problems(sent(document))], [], markdown[i])
      assert.deepStrictEqual([...problems(WireDocument.encodeWithoutWritten(document))], [], markdown[i])
      assert.notInclude(JSON.stringify(WireDocument.encodeWithoutWritten(document)), '"written"')
    }
  })

  it("tells visitors captions of embeds and files, where there are some", () => {
    const caption = { fragments: [{ object: "fragment", fragment: "caption", nodes: [] }] }
    for (const tag of ["embed url", "file src"]) {
      const name = tag.split(" ")[0]!
      const { document } = parse(
        `{% ${tag}="https://x.y/z" %}\nA *caption*\n{% end${name} %}\n\n{% ${tag}="https://x.y/z" %}`
      )
      const [described, plain] = (WireDocument.encodeWithoutWritten(document) as unknown as Document).nodes as [
        Block,
        Block
      ]
      assert.strictEqual(described.fragments?.[0]?.fragment, caption.fragments[0]!.fragment)
      assert.strictEqual(DocumentText.plainText(described).includes("A caption"), true)
      assert.notProperty(plain, "fragments")
      assert.notProperty(described, "written")
    }
  })

  it("has no types, and no fields of data, but those of the vocabulary, whatever blocks it is of", () => {
    fc.assert(
      fc.property(randomDocument, (document) => {
        const found = [...problems(sent(document))].filter((problem) => !problem.includes(" without "))
        assert.deepStrictEqual(found, [])
      }),
      runs(200)
    )
  })

  it("has the parts that each type has, whatever was left out of it", () => {
    const bare = {
      object: "document",
      nodes: Object.keys(blockTypes).map((type) => ({
        object: "block",
        type,
        nodes: type === "paragraph" ? Object.keys(inlineTypes).map((type) => ({ object: "inline", type })) : undefined
      }))
    }
    const document = readBack(bare)
    const found = [...problems(sent(document))].filter((problem) => problem.includes(" without "))
    // Nobody knows what they would say.
    assert.isTrue(
      found.every((problem) => problem.startsWith("data of ")),
      found.join("\n")
    )
    assert.notInclude(found, "data of block integration without props")
    assert.deepStrictEqual(readBack(sent(document)), document)
  })

  it("is the same document when it is read again, and sent back", () => {
    for (const [i, document] of documents.entries()) {
      assert.deepStrictEqual(WireDocument.decode(sent(document)), plain(document), markdown[i])
      assert.deepStrictEqual(plain(readBack(sent(document))), plain(document), markdown[i])
    }
    fc.assert(
      fc.property(randomDocument, (random) => {
        // As it is written: hints and items without anything hold an empty paragraph.
        const document = readBack(random)
        const answer = sent(document)
        assert.deepStrictEqual(WireDocument.decode(answer), plain(document))
        assert.deepStrictEqual(sent(WireDocument.decode(answer)), answer)
        assert.deepStrictEqual(sent(readBack(answer)), answer)
      }),
      runs(200)
    )
  })

  it("is the same document whatever stands beside the ends of its lines", () => {
    const piece = fc.constantFrom(
      ..."字。あ한aé",
      "\u{20bb7}",
      "\u3000",
      "\n",
      "\n",
      " ",
      "**",
      "\\\n",
      "[字](/x)",
      "`x`",
      "\u{1f600}"
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const { document } = parse(pieces.join(""))
        const answer = sent(document)
        assert.deepStrictEqual(WireDocument.decode(answer), plain(document))
        assert.deepStrictEqual(sent(readBack(answer)), answer)
      }),
      runs(300, 10_000)
    )
  })

  it("is the same object where the vocabulary has words for all of it", () => {
    const { document } = parse("## a\n\n*b* [c](https://x.y)\n\n* d\n\n> e\n\n```\nf\n```")
    assert.strictEqual<unknown>(WireDocument.encode(document), document)
    assert.strictEqual(WireDocument.decode(WireDocument.encode(document)), document)
    assert.isFalse(WireDocument.hasUnsupportedContent(document))
  })

  const says: ReadonlyArray<readonly [what: string, markdown: string, block: object]> = [
    ["a break in a line", "a\\\nb", paragraph(text(leaf("a\nb")))],
    ["a break between marks", "a\\\n*b*", paragraph(text(leaf("a"), leaf("\n"), leaf("b", "italic")))],
    [
      "a break that is HTML",
      "a<br/>b",
      paragraph(
        text(leaf("a")),
        { ...text(leaf("\n")), written: { type: "hard-break", isVoid: true, data: { html: "<br/>" } } },
        text(leaf("b"))
      )
    ],
    ["a line of the source", "a\nb", paragraph(text({ ...leaf("a b"), written: { softBreaks: [1] } }))],
    [
      "lines of Japanese text",
      "これは\n文です。\n次の **行**\nで the\n英語",
      paragraph(
        text({ ...leaf("これは文です。次の "), written: { joinedLines: [3, 7] } }, leaf("行", "bold"), {
          ...leaf("で the 英語"),
          written: { softBreaks: [5], joinedLines: [0] }
        })
      )
    ],
    ["lines of Korean text", "한국어\n문장", paragraph(text({ ...leaf("한국어 문장"), written: { softBreaks: [3] } }))],
    [
      "HTML",
      "<div class='x'>words</div>",
      {
        ...paragraph(text(leaf("words"))),
        written: { type: "html", isVoid: true, data: { html: "<div class='x'>words</div>" } }
      }
    ],
    [
      "HTML in a line",
      "a<b>",
      paragraph(text(leaf("a")), { ...text(leaf("")), written: { type: "html", isVoid: true, data: { html: "<b>" } } })
    ],
    [
      "the mark of a footnote",
      "[^1]\n\n[^1]: x",
      paragraph({
        ...text(leaf("1", "superscript")),
        written: { type: "footnote-reference", isVoid: true, data: { label: "1" } }
      })
    ]
  ]
  for (const [what, source, block] of says) {
    it(`has the nearest to ${what}`, () => assert.deepStrictEqual(first(source), block))
  }

  it("has what is in a footnote, and in blocks that nobody knows", () => {
    const types = (document: Document) => (sent(document) as unknown as Document).nodes.map(({ type }) => type)
    assert.deepStrictEqual(types(parse("[^1]: a\n\n    b").document), ["blockquote"])
    const block = (nodes: Block["nodes"]): Block => ({
      object: "block",
      type: "carousel",
      key: "k",
      ...(nodes && { nodes })
    })
    const holding = { object: "document", data: {}, nodes: [block(parse("a").document.nodes), block([])] } as const
    assert.deepStrictEqual(types(holding), ["blockquote", "paragraph"])
  })

  it("says what it says now, where somebody changed it", () => {
    const edited = (source: string, from: string, to: string): Block => {
      const json = JSON.stringify(sent(parse(source).document)).replace(from, to)
      return readBack(JSON.parse(json)).nodes[0]!
    }
    const html = edited("<div class='x'>words</div>", '"words"', '"others"')
    assert.deepStrictEqual([html.type, html.data], ["html", { html: "<div class='x'>others</div>" }])
    assert.strictEqual(edited("<div class='x'>&lt;words</div>", '"<words"', '"others"').type, "paragraph")
    assert.strictEqual(edited("{% unknown %}", "% unknown %", "% known %").type, "code")
    const line = edited("one two\nthree", '"one two three"', '"one two, three"')
    assert.deepStrictEqual(line.nodes, [text(leaf("one two, three"))] as never)
    assert.strictEqual(
      (edited("[^a] b\n\n[^a]: x", '"text":"a"', '"text":"c"').nodes![0] as { object: string }).object,
      "text"
    )
  })

  it("is not much more than its text where that has more lines than a document may hold", () => {
    const source = Array.from({ length: 60_000 }, (_, i) => `line ${i}`).join("\n")
    const { document } = parse(source)
    const json = JSON.stringify(WireDocument.encode(document))
    assert.isBelow(json.length, 2.5 * source.length)
    const answered = JSON.parse(json) as Document
    const [code] = answered.nodes
    assert.strictEqual(code!.nodes!.length, 1_000)
    assert.strictEqual(code!.nodes!.map((line) => DocumentText.plainText(line as Block)).join("\n"), source)
    assert.deepStrictEqual(readBack(answered), plain(document))
    const shown = WireDocument.encodeWithoutWritten(VisitorDocument.visitorDocument(document))
    assert.isBelow(JSON.stringify(shown).length, 2.5 * source.length)
    // As it was answered and stored before.
    const lines = source.split("\n").map((line, i) => CodeLine.codeLine(line, `${code!.key}.${i + 1}`))
    const before = { ...answered, nodes: [{ ...code!, nodes: lines }] }
    assert.deepStrictEqual(plain(WireDocument.decode(before as never)), plain(document))
  })

  it("is refused where its blocks would be answered in more lines than a document may hold", () => {
    const markdown = `x${"\n".repeat(2_000)}y`
    const blocks = (count: number) =>
      DocumentInput.normalizeDocument(
        { nodes: Array.from({ length: count }, () => ({ object: "block", type: "verbatim", data: { markdown } })) },
        keys()
      )
    assert.isTrue(Result.isSuccess(blocks(90)))
    assert.isTrue(Result.isFailure(blocks(110)))
  })

  it("tells visitors no HTML, nor anything beside", () => {
    const json = JSON.stringify(WireDocument.encodeWithoutWritten(VisitorDocument.visitorDocument(documents.at(-4)!)))
    assert.notInclude(json, "div")
    assert.notInclude(json, "written")
  })

  it("is refused or read where what stands beside is nonsense", () => {
    const leaves = [{ object: "leaf", text: "a b", marks: [] }]
    const nonsense: ReadonlyArray<unknown> = [
      1,
      null,
      [],
      "x",
      { type: 1 },
      { type: "html", data: 1 },
      { type: "hint" }
    ]
    for (const written of [
      ...nonsense,
      { softBreaks: 1, joinedLines: 1, marks: 2, without: 3, columns: 4, data: null, fragments: "x" }
    ]) {
      for (const [type, data] of [
        ["paragraph", {}],
        ["table", { definition: { c: { type: "text", textAlignment: "left" }, d: null } }],
        ["code", undefined]
      ] as const) {
        const nodes = [
          { object: "text", leaves: leaves.map((one) => ({ ...one, written })), written },
          { object: "inline", type: "link", data: {}, nodes: [{ object: "text", leaves, written }], written }
        ]
        const block = { object: "block", type, data, nodes, written }
        const read = DocumentInput.normalizeDocument({ object: "document", nodes: [block] }, keys())
        if (Result.isSuccess(read)) assert.isString(JSON.stringify(WireDocument.encode(read.success)))
      }
    }
    const reference = { data: { ref: { kind: "anchor", anchor: "x", page: null } } }
    const wrong = DocumentInput.normalizeDocument({ nodes: [{ ...paragraph(), written: reference }] }, keys())
    assert.isTrue(Result.isFailure(wrong))
  })

  it("is refused where its breaks are more than a document may hold", () => {
    const read = DocumentInput.normalizeDocument({ nodes: [paragraph(text(leaf("\n".repeat(1_000_000))))] }, keys())
    assert.isTrue(Result.isFailure(read))
  })
})
