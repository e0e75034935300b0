/** Text and HTML of mails, with hostile texts. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { parseDocument } from "htmlparser2"
import {
  button,
  fill,
  heading,
  link,
  list,
  type MailBlock,
  type MailContent,
  paragraph,
  plainText,
  quote,
  strong
} from "@lectern/core/mail/MailContent"
import { mailTexts } from "@lectern/core/mail/MailTexts"
import { makeMailRenderer } from "@lectern/core/mail/rendering/MailRendering"
import { InterfaceLanguage } from "@lectern/core/schema/InterfaceLanguage"
import { runs } from "../Runs.ts"

const render = makeMailRenderer("https://docs.example.com")

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "a\r\nBcc: victim@example.com",
    '"><script>alert(1)</script>',
    "<img src=https://evil.example/p.png>",
    "javascript:alert(1)",
    "\u202egpj.exe",
    "]]>--><!--",
    "&lt;b&gt;",
    "\ud800"
  )
)

const text = fc.oneof(
  hostile,
  fc.array(
    fc.oneof(
      hostile,
      hostile.map(strong),
      fc.tuple(hostile, hostile).map(([a, b]) => link(a, b))
    ),
    {
      maxLength: 4
    }
  )
)

const block: fc.Arbitrary<MailBlock> = fc.oneof(
  text.map(heading),
  text.map(paragraph),
  fc.tuple(hostile, hostile).map(([a, b]) => button(a, b)),
  fc.array(text, { maxLength: 3 }).map(list),
  hostile.map(quote)
)

const content: fc.Arbitrary<MailContent> = fc.record({
  subject: hostile,
  blocks: fc.array(block, { maxLength: 5 }),
  reason: text
})

const allowedElements = new Set(
  "html head meta title style body div table tr td a h2 p ul li bdi strong blockquote br".split(" ")
)

interface Node {
  readonly type: string
  readonly name?: string
  readonly attribs?: Readonly<Record<string, string>>
  readonly children?: ReadonlyArray<Node>
}

const elementsIn = (node: Node): ReadonlyArray<Node> => [
  ...(node.name === undefined || node.type === "directive" ? [] : [node]),
  ...(node.children ?? []).flatMap(elementsIn)
]

describe("A rendered mail", () => {
  it("has only Lectern's markup, whatever its texts are", () => {
    fc.assert(
      fc.property(content, fc.constantFrom(...InterfaceLanguage.literals), (mail, language) => {
        const { subject, text, html } = render(mail, language, undefined)
        // oxlint-disable-next-line no-control-regex -- These must not occur.
        assert.notMatch(subject, /[\u0000-\u001f\u007f-\u009f\u202d\u202e]/)
        assert.isAtMost(Array.from(subject).length, 200)
        // oxlint-disable-next-line no-control-regex -- These must not occur.
        assert.notMatch(text + html, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
        assert.isTrue(html.isWellFormed() && text.isWellFormed() && subject.isWellFormed())
        for (const { name, attribs = {} } of elementsIn(parseDocument(html) as Node)) {
          assert.isTrue(allowedElements.has(name!), name)
          for (const [attribute, value] of Object.entries(attribs)) {
            assert.notMatch(attribute, /^on|^src/)
            if (attribute === "href") assert.match(value, /^https?:/)
          }
        }
      }),
      runs(200)
    )
  })

  it("loads nothing", () => {
    const { html } = render({ subject: "a", blocks: [paragraph("b")], reason: "c" }, "de", "https://docs.example.com/u")
    assert.notMatch(html, /src=|url\(|@import|<link|<img|<script/)
  })

  it("has a text of its blocks", () => {
    const blocks = [
      heading("Changes"),
      paragraph(fill("{name} changed {page}.", { name: "Ada", page: link("Install", "https://docs.example.com/a b") })),
      list(["one", [strong("two")]]),
      quote("first\nsecond"),
      button("Open", "https://docs.example.com/")
    ]
    const { text } = render({ subject: "s", blocks, reason: "You watch this at" }, "en", "https://docs.example.com/u")
    assert.strictEqual(
      text,
      [
        "CHANGES\n",
        "Ada changed Install <https://docs.example.com/a%20b>.\n",
        "- one\n- two\n",
        "> first\n> second\n",
        "Open:\nhttps://docs.example.com/\n",
        "-- ",
        "You watch this at docs.example.com\n",
        "Unsubscribe from these mails:\nhttps://docs.example.com/u\n"
      ].join("\n")
    )
  })

  it("isolates names of the other direction, and sets the direction of its language", () => {
    const blocks = [paragraph(fill("{name} asked you.", { name: "عائشة" }))]
    const { text, html } = render({ subject: "s", blocks, reason: "r" }, "en", undefined)
    assert.include(text, "\u2068عائشة\u2069 asked you.")
    assert.include(html, "<bdi>عائشة</bdi> asked you.")
    assert.include(render({ subject: "s", blocks, reason: "r" }, "ar", undefined).html, '<html lang="ar" dir="rtl">')
  })

  it("has bounded texts", () => {
    const blocks = Array.from({ length: 1_000 }, () => paragraph("a".repeat(20_000)))
    const { subject, text } = render({ subject: "s".repeat(1_000), blocks, reason: "r" }, "en", undefined)
    assert.strictEqual(subject.length, 200)
    assert.isAtMost(text.length, 200 * 10_010)
  })
})

describe("Texts of mails", () => {
  it("have equal placeholders in all languages", () => {
    const placeholders = (value: unknown): unknown =>
      typeof value === "string"
        ? [...value.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
        : Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, placeholders(inner)]))
    for (const [language, texts] of Object.entries(mailTexts)) {
      assert.deepStrictEqual(placeholders(texts), placeholders(mailTexts.en), language)
    }
  })

  it("keep the values of placeholders apart from the text", () => {
    assert.deepStrictEqual(fill("{a} and {b}{c}", { a: "{b}", b: strong("x") }), [
      { value: "{b}" },
      " and ",
      { value: "x", isStrong: true }
    ])
    assert.strictEqual(plainText(fill("{a} and {b}", { a: "{b}", b: link("x", "https://a.b") })), "{b} and x")
  })
})
