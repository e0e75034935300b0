import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Block, Data, Document, Node } from "@lectern/document/Document"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import * as DocumentText from "@lectern/document/DocumentText"
import { mapBlock } from "@lectern/document/DocumentTexts"
import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import { inlineTypes } from "@lectern/document/vocabulary/InlineTypes"
import { markTypes } from "@lectern/document/vocabulary/MarkTypes"
import { runs } from "../../../core/test/Runs.ts"
import { parse } from "../markdown/laws.ts"
import { rows } from "../markdown/Vocabulary.ts"
import { check } from "./Conformance.ts"

/** Markdown without tags and HTML, which the rows leave out. */
const plainMarkdown = `# a *b* ~~c~~ \`d\`

e[^1] [f][g]\\
q

#### h

##### i

###### j

> k

3. l

***

<!-- m -->

{% n %}

[g]: https://example.com "o"

[^1]: p`

const texts = [plainMarkdown, ...rows.map(({ markdown }) => markdown)]
const documents = texts.map((markdown) => parse(markdown).document)

/** Every text to translate of a document, as it stands in it. */
const translated = ({ nodes }: Document): ReadonlyArray<string> => {
  const found: Array<string> = []
  const visitor = {
    inlines: (all: ReadonlyArray<Node>) => {
      found.push(DocumentText.inlinesText(all))
      return all
    },
    text: (text: string) => {
      found.push(text)
      return text
    }
  }
  for (const block of nodes) mapBlock(block, visitor)
  return found
}

const plain = ({ nodes }: Document) => nodes.map(DocumentText.plainText).join("\n")

describe("the types of blocks, inlines and marks", () => {
  it("describe what Markdown is read as", () => {
    for (const [i, document] of documents.entries()) {
      assert.deepStrictEqual(check(document).problems, [], texts[i])
    }
  })

  it("describe whatever Markdown is read as, cut and joined anyhow", () => {
    const lines = texts.flatMap((markdown) => markdown.split("\n"))
    const text = fc.array(fc.constantFrom(...lines), { maxLength: 12 }).map((some) => some.join("\n"))
    fc.assert(
      fc.property(text, (markdown) => {
        assert.deepStrictEqual(check(parse(markdown).document).problems, [])
      }),
      runs(300)
    )
  })

  it("are all read of Markdown, but for underlining, which it does not know", () => {
    const read = new Set(documents.flatMap((document) => [...check(document).types]))
    const known = [
      ...Object.keys(blockTypes).map((type) => `block ${type}`),
      ...Object.keys(inlineTypes).map((type) => `inline ${type}`),
      ...Object.keys(markTypes).map((type) => `mark ${type}`)
    ]
    assert.deepStrictEqual(
      known.filter((type) => !read.has(type)),
      ["mark underline"]
    )
  })
})

describe("what people read", () => {
  const said = [
    ["the caption of an embed", '{% embed url="https://example.com" caption="Words" %}'],
    ["the caption of a file", '{% file src="/files/a" caption="Words" %}'],
    ["the description of a prompt", '{% prompt description="Words" %}\nText\n{% endprompt %}'],
    ["the title of a tab", '{% tabs %}\n{% tab title="Words" %}\nText\n{% endtab %}\n{% endtabs %}'],
    ["the title of models", '{% openapi-schemas spec="petstore" schemas="Pet" title="Words" %}'],
    ["the description of a drawing", '<img src="/files/a" alt="Words" class="gitbook-drawing">'],
    ["the description of an image", "![Words](/files/a)"]
  ] as const

  for (const [name, markdown] of said) {
    it(`is its text, and translated: ${name}`, () => {
      const { document } = parse(markdown)
      assert.include(plain(document), "Words")
      assert.include(translated(document), "Words")
    })
  }

  it("is no attribute that a tag does not have, and so no part of the text, nor translated", () => {
    const steps = '{% stepper %}\n{% step title="Words" %}\nText\n{% endstep %}\n{% endstepper %}'
    for (const markdown of ['{% hint style="info" title="Words" %}\nText\n{% endhint %}', steps]) {
      const { document } = parse(markdown)
      assert.notInclude(plain(document), "Words")
      assert.deepStrictEqual(translated(document), ["Text"])
    }
  })
})

describe("what is not known", () => {
  const unknown = (data: Data, ...nodes: ReadonlyArray<Block>): Document => ({
    object: "document",
    data: {},
    nodes: [{ object: "block", type: "constructor", key: "k", data, nodes }]
  })
  const text: Block = {
    object: "block",
    type: "paragraph",
    key: "p",
    nodes: [{ object: "text", leaves: [{ object: "leaf", text: "Text", marks: [] }] }]
  }

  it("is read by the usual names, and what is in it is translated", () => {
    const document = unknown({ title: "Title", toString: "No" }, text)
    assert.strictEqual(plain(document), "Title\nText")
    assert.deepStrictEqual(translated(document), ["Text"])
    assert.strictEqual(DocumentText.headings(document).length, 0)
  })

  it("refers to what it refers to", () => {
    const [link] = DocumentLinks.linksOf(unknown({ ref: { kind: "page", page: "p" } })).links
    assert.strictEqual(DocumentLinks.relationOf(link!), "reference")
  })
})
