/** Parts that are not translated survive every engine: random texts, and answers of every kind. */
import { serialize, parseDocument } from "@lectern/core/content/documents/StoredDocument"
import { assert, describe, it } from "@effect/vitest"
import type { Document, Inline, Leaf, Node } from "@lectern/document/Document"
import * as Documents from "@lectern/document/Document"
import * as MarkedTranslation from "@lectern/core/translation/MarkedTranslation"
import * as MarkedText from "@lectern/core/translation/MarkedText"
import * as PageTranslation from "@lectern/core/translation/PageTranslation"
import { pseudoTranslate } from "@lectern/core/translation/PseudoTranslator"
import { Translator } from "@lectern/core/translation/Translator"
import { Threads } from "@lectern/core/thread/Threads"
import { Effect } from "effect"
import * as fc from "fast-check"
import { find, keys } from "../../../document/test/merge/Documents.ts"
import { randomDocument } from "../../../document/test/merge/RandomDocuments.ts"
import { shouted } from "./Engine.ts"
import { runs } from "../Runs.ts"

const words = fc.constantFrom(
  "Hello world",
  "a < b && c > d",
  "50 % of it",
  "Straße",
  "日本語の文",
  " spaced ",
  "x",
  "1, 2"
)
/** Parts that an engine must never see, nor change. */
const kept = fc.constantFrom(
  "{{ space.vars.name }}",
  "{% hint %}",
  "${HOME}",
  "https://example.com/a?b=c#d",
  "ada@example.com",
  ":rocket:",
  "$$a^2 + b^2$$",
  "}}"
)
const text = fc.array(fc.oneof(words, kept), { maxLength: 4 }).map((parts) => parts.join(" "))

const leaf: fc.Arbitrary<Leaf> = fc.record({
  object: fc.constant("leaf" as const),
  text,
  marks: fc.constantFrom<Leaf["marks"]>(
    [],
    [],
    [{ object: "mark", type: "bold" }],
    [
      { object: "mark", type: "bold" },
      { object: "mark", type: "italic" }
    ],
    [{ object: "mark", type: "code" }]
  )
})
const textNode = fc.record({ object: fc.constant("text" as const), leaves: fc.array(leaf, { maxLength: 3 }) })
const voidInline: fc.Arbitrary<Inline> = fc.constantFrom<Inline>(
  { object: "inline", type: "hard-break", isVoid: true },
  { object: "inline", type: "html", data: { html: "<br>" }, isVoid: true },
  { object: "inline", type: "inline-math", data: { formula: "e = mc^2" }, isVoid: true },
  { object: "inline", type: "emoji", data: { code: "1f680" }, isVoid: true },
  { object: "inline", type: "mention", data: { ref: { kind: "user", user: "u1" } }, isVoid: true }
)
const link = (inner: fc.Arbitrary<ReadonlyArray<Node>>): fc.Arbitrary<Inline> =>
  fc.tuple(inner, fc.webUrl()).map(([nodes, url]) => ({
    object: "inline",
    type: "link",
    data: { ref: { kind: "url", url } },
    nodes: nodes as NonNullable<Inline["nodes"]>
  }))
const inlines: fc.Arbitrary<ReadonlyArray<Node>> = fc.array(
  fc.oneof(textNode, voidInline, link(fc.array(fc.oneof(textNode, voidInline), { maxLength: 3 }))),
  { maxLength: 5 }
)

const tokens =
  /\{\{ space\.vars\.name \}\}|\{% hint %\}|\$\{HOME\}|https:\/\/example\.com\/a\?b=c#d|ada@example\.com|:rocket:|\$\$a\^2 \+ b\^2\$\$|\}\}/g

/** Everything in some nodes that is nobody's language, as it comes. */
const untouchable = (nodes: ReadonlyArray<Node>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const node of nodes) {
    if (node.object === "text") {
      for (const { text, marks } of node.leaves) {
        if (marks.some(({ type }) => type === "code")) {
          if (text !== "") found.push(`code ${text}`)
        } else found.push(...(text.match(tokens) ?? []))
      }
    } else if (node.object === "inline") {
      const { nodes: inner, ...rest } = node
      found.push(JSON.stringify(rest))
      if (inner !== undefined) found.push(...untouchable(inner))
    }
  }
  return found.sort()
}

const reordered = (text: string): string => {
  // Swaps what stands side by side at the top, as languages do.
  const parts = text.match(/<m[^]*<\/m>|<x[^<>]*>|[^<]+/g) ?? []
  return parts.toReversed().join(" ")
}

const engines: ReadonlyArray<readonly [name: string, answer: (text: string) => string]> = [
  ["accents", pseudoTranslate],
  ["upper case", shouted],
  ["order", reordered],
  ["spaces in tags", (text) => text.replace(/<x id="(\d+)"\/>/g, "<x id='$1'></x>")],
  ["loses tags", (text) => text.replace(/<[^<>]*>/g, "")],
  ["doubles tags", (text) => text + text],
  ["renumbers", (text) => text.replace(/id="(\d+)"/g, (_, id) => `id="${Number(id) + 1}"`)],
  ["says half", (text) => text.slice(0, text.length / 2)],
  ["says nothing", () => ""],
  ["closes nothing", (text) => text.replaceAll("</m>", "")],
  ["brings URLs", (text) => `${text} https://evil.example`],
  ["brings expressions", (text) => `${text} {{ secrets }}`],
  ["breaks Unicode", (text) => `${text}\ud800\u0000`],
  ["talks", (text) => `Here is the translation: ${text}. Anything else?`]
]

describe("MarkedText", () => {
  it("survives every answer, in its place", () => {
    fc.assert(
      fc.property(inlines, fc.constantFrom(...engines), (nodes, [, engine]) => {
        const marked = MarkedText.encode(nodes)
        if (marked === undefined) return
        const decoded = MarkedTranslation.decode(marked, engine(marked.text))
        if (decoded !== undefined) assert.deepStrictEqual(untouchable(decoded), untouchable(nodes))
      }),
      runs(3_000)
    )
  })

  it("comes back as it was from an engine that changes nothing", () => {
    fc.assert(
      fc.property(inlines, (nodes) => {
        const marked = MarkedText.encode(nodes)
        if (marked === undefined) return
        const decoded = MarkedTranslation.decode(marked, marked.text)
        assert.isDefined(decoded)
        assert.strictEqual(flat(decoded!), flat(nodes))
      }),
      runs(1_000)
    )
  })

  it("shows an engine nothing of what is kept", () => {
    fc.assert(
      fc.property(inlines, (nodes) => {
        const marked = MarkedText.encode(nodes)
        if (marked === undefined) return
        for (const hidden of ["{{", "}}", "{%", "${", "https:", "ada@", ":rocket:", "$$", "mc^2", "<br>", "u1"]) {
          assert.notInclude(marked.text, hidden)
        }
      }),
      runs()
    )
  })

  const marked = MarkedText.encode([
    {
      object: "text",
      leaves: [
        { object: "leaf", text: "See ", marks: [] },
        { object: "leaf", text: "this", marks: [{ object: "mark", type: "bold" }] },
        { object: "leaf", text: " or ", marks: [] },
        { object: "leaf", text: "that", marks: [{ object: "mark", type: "code" }] }
      ]
    }
  ])!

  const refused: ReadonlyArray<string> = [
    "",
    "Siehe dies oder das",
    'Siehe <m id="1">dies</m> oder',
    'Siehe <m id="1">dies oder <x id="2"/></m>',
    'Siehe <m id="1">dies</m> oder <x id="2"/> <x id="2"/>',
    'Siehe <m id="1">dies</m> oder <x id="3"/>',
    'Siehe <m id="1"/> oder <x id="2"/>',
    'Siehe <x id="1"/>dies oder <m id="2">das</m>',
    'Siehe </m>dies<m id="1"> oder <x id="2"/>',
    '<m id="1"></m><x id="2"/>',
    `Siehe <m id="1">dies</m> oder <x id="2"/> ${"weiter ".repeat(200)}`,
    'Siehe <m id="1">dies</m> oder <x id="2"/> {{ mehr }}',
    'Siehe <m id="1">dies</m> oder <x id="2"/> http://evil.example',
    'Siehe <m id="1">dies</m> oder <x id="2"/> \u0000',
    'Siehe <m id="1">dies</m> oder <x id="2"/> &#123;&#123; mehr'
  ]

  for (const answer of refused) {
    it(`refuses ${JSON.stringify(answer.slice(0, 60))}`, () => {
      assert.strictEqual(marked.text, 'See <m id="1">this</m> or <x id="2"/>')
      assert.isUndefined(MarkedTranslation.decode(marked, answer))
    })
  }

  it("takes what means the same", () => {
    for (const answer of [
      'Siehe <m id="1">dies</m> oder <x id="2"/>',
      "Siehe <M id=1>dies</M> oder <x id='2'></x>",
      ' <x id="2">das</x> oder siehe <m id = "1" >dies</m >'.replace("</m >", "</m>"),
      'Siehe\n<m id="1">dies &lt;b&gt;</m> oder <x id="2" />'
    ]) {
      assert.isDefined(MarkedTranslation.decode(marked, answer), answer)
    }
  })

  it("stays linear on hostile texts", () => {
    const deep = (depth: number): Node =>
      depth === 0
        ? { object: "text", leaves: [{ object: "leaf", text: "x", marks: [] }] }
        : { object: "inline", type: "link", data: {}, nodes: [deep(depth - 1) as Inline] }
    assert.isDefined(MarkedText.encode([deep(90)]))
    for (const hostile of ["{%", "$a", "{{", "https://", "a@", ":a", `a${" ".repeat(50)}`, "$$", "<m id="]) {
      MarkedText.encodePlain(hostile.repeat(20_000))
    }
  })
})

const flat = (nodes: ReadonlyArray<Node>): string =>
  nodes
    .map((node) =>
      node.object === "text"
        ? node.leaves.map(({ text, marks }) => text && `${text}|${marks.map(({ type }) => type).join()}|`).join("")
        : JSON.stringify({ ...node, nodes: undefined }) + flat((node as Inline).nodes ?? [])
    )
    .join("")
    // Text without marks may be joined, since its neighbours are.
    .replaceAll("||", "")

describe("PageTranslation", () => {
  const translate = Effect.fnUntraced(function* (document: Document, answer: (text: string) => string) {
    const done = yield* PageTranslation.translate(
      yield* Threads,
      { texts: { title: "Title", document: serialize(document) }, knownTranslations: [], source: "source" },
      Translator.of({
        engine: "test",
        batch: { texts: 3, characters: 100 },
        translate: ({ texts }) => Effect.succeed(texts.map(answer))
      }),
      { from: "en", to: "de", instructions: undefined, terms: [] }
    )
    return { ...done!, document: parseDocument({ json: done!.document! }) }
  }, Effect.provide(Threads.layer))

  it.effect("keeps the blocks of every document, and the code in them, whatever is answered", () =>
    Effect.gen(function* () {
      for (const document of fc.sample(randomDocument, runs(300))) {
        for (const [, engine] of engines.slice(0, 8)) {
          const { document: done } = yield* translate(document, engine)
          assert.deepStrictEqual(keys(done), keys(document))
          for (const key of keys(document)) {
            const [before, after] = [find(document, key)!, find(done, key)!]
            assert.strictEqual(after.type, before.type)
            if (before.type === "code") assert.deepStrictEqual(after, before)
          }
        }
      }
    })
  )

  it.effect("leaves code, formulas, HTML, references and unknown tags as they are, whatever is answered", () =>
    Effect.gen(function* () {
      const document: Document = {
        ...Documents.emptyDocument,
        nodes: [
          block("code", "b1", {
            nodes: [block("code-line", "b2", { nodes: [textOf("const hello = 1")] })],
            data: { title: "hello.ts" }
          }),
          block("math", "b3", { data: { formula: "hello" }, isVoid: true }),
          block("html", "b4", { data: { html: "<p>hello</p>" }, isVoid: true }),
          block("verbatim", "b5", { data: { markdown: "{% hello %}" }, isVoid: true }),
          block("embed", "b6", { data: { url: "https://example.com/hello" }, isVoid: true }),
          block("reusable-content", "b7", {
            data: { ref: { kind: "reusable-content", reusableContent: "hello" } },
            isVoid: true
          })
        ]
      }
      for (const [, engine] of engines) {
        const done = yield* translate(document, engine)
        assert.deepStrictEqual(done.document, document)
      }
    })
  )

  it.effect("translates titles of tabs, captions, cells, columns, descriptions of images and anchored headings", () =>
    Effect.gen(function* () {
      const table: Documents.Block = {
        ...block("table", "t", { isVoid: true }),
        data: {
          definition: {
            c1: { id: "c1", title: "name", type: "text" },
            c2: { id: "c2", title: "state", type: "select", options: [{ value: "o1", label: "open" }] }
          },
          records: {
            r1: { orderIndex: "1", values: { c1: "r1-c1", c2: ["o1"] } },
            r2: { orderIndex: "2", values: { c1: "plain" } }
          },
          view: { type: "grid", columns: ["c1", "c2"] }
        },
        fragments: [
          { object: "fragment", fragment: "r1-c1", nodes: [block("paragraph", "p", { nodes: [textOf("cell")] })] }
        ]
      }
      const document: Document = {
        ...Documents.emptyDocument,
        nodes: [
          block("heading-2", "h", { nodes: [textOf("first steps")] }),
          block("tabs", "x", { nodes: [block("tabs-item", "y", { data: { title: "tab", slug: "tab" }, nodes: [] })] }),
          block("images", "i", {
            nodes: [
              {
                ...block("image", "j", { data: { ref: { kind: "file", file: "f" }, alt: "a cat" } }),
                fragments: [
                  {
                    object: "fragment",
                    fragment: "caption",
                    nodes: [block("paragraph", "k", { nodes: [textOf("cats")] })]
                  }
                ]
              }
            ]
          }),
          table
        ]
      }
      const done = yield* translate(document, shouted)
      const json = JSON.stringify(done.document)
      for (const shown of ["FIRST STEPS", "TAB", "A CAT", "CATS", "NAME", "STATE", "OPEN", "CELL", "PLAIN"]) {
        assert.include(json, `"${shown}"`)
      }
      for (const stays of ['"slug":"tab"', '"file":"f"', '"value":"o1"', '"c1":"r1-c1"', '"id":"first-steps"']) {
        assert.include(json, stays)
      }
      assert.strictEqual(done.untranslated, 0)
      assert.strictEqual(done.title, "TITLE")
    })
  )
})

const block = (
  type: string,
  key: string,
  rest: Omit<Partial<Documents.Block>, "object" | "type" | "key">
): Documents.Block => ({ object: "block", type, key, ...rest })

const textOf = (text: string): Documents.Text => ({ object: "text", leaves: [{ object: "leaf", text, marks: [] }] })
