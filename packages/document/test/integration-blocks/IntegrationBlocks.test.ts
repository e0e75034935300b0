import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import {
  withIntegrationBlocks,
  type IntegrationBlock,
  linkKey,
  integrationLinks
} from "@lectern/document/integration-blocks/IntegrationBlocks"
import * as DocumentInput from "@lectern/document/DocumentInput"
import { mayContainBlocks } from "@lectern/core/evaluation/PresentDocument"
import { serialize, isSmall } from "@lectern/core/content/documents/StoredDocument"
import { Result } from "effect"
import { runs } from "../../../core/test/Runs.ts"
import { keys, parse, shape } from "../markdown/laws.ts"

const blocks: ReadonlyArray<IntegrationBlock> = [
  { integration: "mermaid", block: "diagram", fence: { language: "mermaid", body: "content" }, urls: [] },
  { integration: "notes", block: "note", urls: ["https://notes.example/**"] }
]

const fence = fc
  .tuple(
    fc.constantFrom("mermaid", "MERMAID", "js", ""),
    fc.constantFrom(
      "",
      ' a="b"',
      " a='5' content='x'",
      " {1,3}",
      ' a="true" fullWidth="true"',
      ' "x"',
      ' a="`"',
      ' a="%}"'
    ),
    fc.array(fc.constantFrom("graph TD", "", "  A --> B", "\t<b>", "{% x %}"), { maxLength: 4 }),
    fc.boolean()
  )
  .map(([language, meta, lines, isTagged]) => {
    const code = `~~~${language}${language === "" ? "" : meta}\n${lines.join("\n")}\n~~~`
    return isTagged ? `{% code title="T" lineNumbers="true" fullWidth="false" %}\n${code}\n{% endcode %}` : code
  })
const embed = fc
  .tuple(
    fc.constantFrom("https://notes.example/a", "https://else.example"),
    fc.constantFrom("", ' fullWidth="true"', ' caption="C"')
  )
  .map(([url, more]) => `{% embed url="${url}"${more} %}`)
const tag = fc
  .tuple(
    fc.constantFrom("mermaid", "Mermaid", "other"),
    fc.constantFrom(' content="a"', " content='5'", ' a="b"', ' "u" content="a" fullWidth="true"')
  )
  .map(([name, more]) => `{% @${name}/block${more} %}`)
const part = fc.oneof(fence, embed, tag, fc.constant("Text"))
const props = fc.constantFrom(undefined, null, {}, { note: 1, parts: [{ a: "b" }, null] })
const text = fc
  .array(
    fc.oneof(
      part,
      part.map((inner) => `{% hint style="info" %}\n${inner}\n{% endhint %}`)
    ),
    { maxLength: 6 }
  )
  .map((parts) => parts.join("\n\n"))

describe("a document as it is answered", () => {
  it("is stored as it was when it is sent back", () => {
    fc.assert(
      fc.property(text, props, (markdown, props) => {
        const { document } = parse(markdown)
        const links = integrationLinks(document, blocks)
        const known = props === undefined ? undefined : new Map(links.map((link) => [linkKey(link), props]))
        const answered = JSON.parse(JSON.stringify(withIntegrationBlocks(document, blocks, known))) as unknown
        const back = Result.getOrThrow(DocumentInput.normalizeDocument(answered, keys()))
        assert.deepStrictEqual(shape(back), shape(document))
        // Whoever stored it in this order of fields stores the same again.
        assert.strictEqual(
          JSON.stringify(shape(back)),
          JSON.stringify(shape(Result.getOrThrow(DocumentInput.normalizeDocument(document, keys()))))
        )
      }),
      runs()
    )
  })

  it("is stored as wide as it was made", () => {
    for (const text of [
      "```mermaid\na\n```",
      '{% embed url="https://notes.example/a" %}',
      '{% @mermaid/other content="a" fullWidth="false" %}'
    ]) {
      const { nodes } = withIntegrationBlocks(parse(text).document, blocks)
      const wide = nodes.map((block) => ({ ...block, data: { ...block.data, fullWidth: true } }))
      const back = Result.getOrThrow(DocumentInput.normalizeDocument({ object: "document", nodes: wide }, keys()))
      assert.strictEqual(back.nodes[0]?.data?.fullWidth, true, text)
      assert.strictEqual(back.nodes[0]?.type, parse(text).document.nodes[0]?.type)
    }
  })

  it("is the same object where nothing is drawn", () => {
    const { document } = parse('```js\nrun()\n```\n\n{% embed url="https://else.example/a" %}\n\n* a\n')
    assert.strictEqual(withIntegrationBlocks(document, blocks), document)
    assert.notStrictEqual(withIntegrationBlocks(parse("```mermaid\na\n```").document, blocks), document)
  })

  it("is looked through where it is large only if something in it may be drawn", () => {
    const long = "Text of some length.\n\n".repeat(5000)
    const largeOf = (markdown: string) => serialize(parse(markdown).document)
    const drawing = { blocks, replacesContent: true }
    assert.isFalse(isSmall(largeOf(long)))
    assert.isFalse(mayContainBlocks(largeOf(long), drawing))
    assert.isTrue(mayContainBlocks(largeOf(`${long}~~~mermaid\na\n~~~`), drawing))
    assert.isFalse(mayContainBlocks(largeOf("~~~mermaid\na\n~~~"), { blocks: [], replacesContent: true }))
  })

  it("has blocks of an integration that is not there drawn by what draws its language", () => {
    const text =
      '{% @mermaid/chart content="a" theme="b" %}\n\n{% @mermaid/diagram content="a" %}\n\n{% @mermaid/chart %}'
    const named = (...names: ReadonlyArray<string>) =>
      withIntegrationBlocks(
        parse(text).document,
        blocks.map((block, i) => ({ ...block, integration: names[i]! }))
      ).nodes.map(({ data }) => [data?.integration, data?.block, data?.props])
    assert.deepStrictEqual(named("drawing", "notes"), [
      ["drawing", "diagram", { content: "a", theme: "b" }],
      ["drawing", "diagram", { content: "a" }],
      ["mermaid", "chart", {}]
    ])
    assert.deepStrictEqual(named("mermaid", "notes")[1], ["mermaid", "diagram", { content: "a" }])
  })

  it("takes no more links than there is time for", () => {
    const urls = Array.from({ length: 50 }, (_, i) => `https://*.example/${i}/**`)
    const many = Array.from({ length: 100 }, (_, i) => `{% embed url="https://a.example/${i % 50}/${i}" %}`)
    const { nodes } = withIntegrationBlocks(parse(many.join("\n\n")).document, [{ integration: "a", block: "b", urls }])
    assert.lengthOf(
      nodes.filter(({ type }) => type === "integration"),
      40
    )
  })
})
