import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import { runs } from "../../../core/test/Runs.ts"
import type { Data, Inline, Leaf, Mark, Text } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { brokenLaw, parse, shape } from "./laws.ts"

const red = '<mark style="color:red;">'
const blue = '<mark style="background-color:blue;">'

/** Inlines of each type as Markdown, and what begins and ends marks, colours and links around them. */
const atoms = [
  "a",
  "b ",
  " ",
  "1",
  "\n",
  "\\\n",
  "$",
  "\\$",
  ":",
  "`c`",
  "**",
  "**",
  "_",
  "~~",
  "[",
  "](u)",
  "](#user-content-fn-1)[^1]",
  "![i](u)",
  '<img src="u" alt="" data-size="line">',
  "$$f$$",
  "$$g$$",
  ":rocket:",
  '<i class="fa-star">:star:</i>',
  '<code class="expression">e</code>',
  '<a href="u" class="button primary">d</a>',
  '[m](u "mention")',
  "[w](#user-content-fn-1)[^1]",
  "[^2]",
  "<br>",
  "<!-- h -->",
  ...["sup", "u", "code"].flatMap((name) => [`<${name}>`, `</${name}>`]),
  '<a href="u">',
  "</a>",
  "<mark>",
  red,
  red,
  blue,
  "</mark>",
  "</mark>",
  "</mark>"
]

const footnotes = "\n\n[^1]: One\n\n[^2]: Two\n"

/** A text as a paragraph, a heading, a cell between bars and one in HTML. */
const around: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => `# ${oneLine(text)}`,
  (text) => `| h |\n| - |\n| ${oneLine(text)} |`,
  (text) =>
    `<table data-view="cards"><thead><tr><th>h</th></tr></thead><tbody><tr><td>${oneLine(text)}</td></tr></tbody></table>`
]

const oneLine = (text: string): string => text.replaceAll("\n", " ")

// Found by searching: each broke a law once.
const found = [
  '~~<img src="u" alt="" data-size="line">~~\na',
  `${red}a</mark>\\\n${red}b</mark>`,
  `**${red}a**</mark>`,
  `<sup>a\\\n</sup>`,
  `${red}<code>:rocket:</code></mark>`,
  `${red}[<code>:rocket:</code>](u)</mark>`,
  `${red}a</mark>${blue}![i](u)</mark>${red}b</mark>`,
  `a${red}:rocket: b</mark>`,
  `a${blue}:rocket:</mark>`,
  "**[^2]**:rocket: a",
  "**a**:rocket:**b**",
  "[a]**:rocket:**\n\n[a]: /u",
  "<sup>[w](#user-content-fn-1)[^1]</sup>",
  '[<a href="y">a</a>](x)',
  "$$f$$\\$",
  "\\$**$$f$$**",
  "\\\\$**$$f$$**",
  "$$f$$**$$g$$**",
  "$$f$$~~$$g$$~~$"
]

const inline = (type: string, data: Data): Inline => ({ object: "inline", type, data, isVoid: true })

const ref = { kind: "url", url: "u" }
const inlines: ReadonlyArray<Inline> = [
  { object: "inline", type: "hard-break", isVoid: true },
  inline("emoji", { code: "1f680" }),
  inline("inline-math", { formula: "f" }),
  inline("inline-image", { ref, alt: "i" }),
  inline("inline-image", { ref, size: "line" }),
  inline("icon", { icon: "star" }),
  inline("expression", { expression: "e" }),
  inline("button", { label: "d", kind: "primary", ref }),
  inline("mention", { ref, text: "m" }),
  inline("html", { html: "<u>" })
]

const color = (text: string, background: string): Mark => ({
  object: "mark",
  type: "color",
  data: { text, background }
})
const marks = fc
  .tuple(
    fc.subarray(["bold", "italic", "superscript"]),
    fc.constantFrom([], [], [color("red", "default")], [color("red", "default")], [color("default", "blue")])
  )
  .map(([types, colors]) => [...types.map((type): Mark => ({ object: "mark", type })), ...colors])

const words = fc.string({ unit: fc.constantFrom(..."ab1$: "), minLength: 1, maxLength: 4 })

const leaf = fc.record({ text: words, marks })

const word = { text: "c", marks: [] }

const textOf = (parts: ReadonlyArray<{ readonly text: string; readonly marks: ReadonlyArray<Mark> }>): Text => {
  const leaves: Array<Leaf> = []
  for (const { text, marks } of parts) {
    const last = leaves.at(-1)
    if (last !== undefined && JSON.stringify(last.marks) === JSON.stringify(marks)) {
      leaves[leaves.length - 1] = { ...last, text: last.text + text }
    } else leaves.push({ object: "leaf", text, marks })
  }
  return { object: "text", leaves }
}

const texts = fc.array(leaf, { minLength: 1, maxLength: 3 }).map(textOf)

/** Text between inlines of all types. A word begins it and an emoji ends it: no space and no break is read there. */
const mixed = fc
  .tuple(
    fc.array(leaf, { maxLength: 3 }),
    fc.array(
      fc.tuple(
        fc.oneof(
          fc.constantFrom(...inlines),
          texts.map((text): Inline => ({ object: "inline", type: "link", data: { ref }, nodes: [text] }))
        ),
        texts
      ),
      { maxLength: 5 }
    )
  )
  .map(([first, rest]) => [textOf([word, ...first]), ...rest.flat()])
  .map((nodes) => [...nodes, inline("emoji", { code: "1f680" })])

describe("the laws of Markdown within a text", () => {
  it("hold for what broke them once", () => {
    for (const text of found) for (const as of around) assert.isUndefined(brokenLaw(as(text) + footnotes))
  })

  it("hold for soup of inlines", () => {
    const soup = fc.array(fc.constantFrom(...atoms), { maxLength: 12 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(soup, fc.constantFrom(...around), (text, as) => {
        assert.isUndefined(brokenLaw(as(text) + footnotes))
      }),
      runs(2_000)
    )
  })

  it("hold for marks and colours around inlines, which are read as they were meant", () => {
    fc.assert(
      fc.property(mixed, (nodes) => {
        const block = { object: "block" as const, type: "paragraph", key: "k", nodes }
        const document = { object: "document" as const, data: {}, nodes: [block] }
        const printed = Markdown.print(document)
        assert.deepStrictEqual(shape(parse(printed).document), shape(document), printed)
      }),
      runs(1_000)
    )
  })
})
