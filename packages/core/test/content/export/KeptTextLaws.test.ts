/** Of a page in any style, an edit changes the lines of the block that it is made in, and no other. */
import { describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { runs } from "../../Runs.ts"
import { assertOneEdited, kinds } from "./EditedText.ts"

const word = fc.constantFrom(
  "alpha",
  "beta",
  "gamma *delta*",
  "__epsilon__",
  "`zeta` eta",
  "[theta](https://a.b 't')",
  "[iota][B]"
)
const line = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `Some ${words.join("  ")} here`)
const indented = (text: string, prefix: string) => text.replaceAll("\n", `\n${prefix}`)

/** Text whose meaning stands elsewhere on the page, which may be missing. */
const elsewhere = fc.oneof(
  fc.nat(3).map((label) => `Some [text](#user-content-fn-${label})[^${label}] here`),
  fc.constantFrom("![an image][B]", "![an image][c]", "More[^note]")
)

const leaf = fc.oneof(
  elsewhere,
  line,
  fc.tuple(line, line).map(([one, other]) => `${one}\n${other}`),
  line.map((text) => `${text}\n---`),
  line.map((text) => `###   ${text} ###`),
  fc.tuple(line, line).map(([one, other]) => `~~~ js\n${one}\n${other}\n~~~`),
  fc.tuple(line, line).map(([one, other]) => `    ${one}\n      ${other}`),
  fc.tuple(line, line, line).map(([a, b, c]) => `|  A|B  |\n|:---|:-:|\n|${a}|   ${b} |\n| ${c}||`)
)

const html = fc.oneof(
  line.map((text) => `<div class="own">\n  ${text}\n</div>`),
  line.map((text) => `<!-- ${text} -->`),
  line.map((text) => `<p align="center">${text}</p>`),
  line.map((text) => `<figure style="width:1px"><img src="a.png" alt=""><figcaption>${text}</figcaption></figure>`),
  line.map(
    (text) => `<table>\n<thead><tr><th>A</th></tr></thead>\n<tbody><tr><td><p>${text}</p></td></tr></tbody>\n</table>`
  )
)

const blocks = fc.letrec<{ block: string; body: string }>((tie) => ({
  body: fc.array(tie("block"), { minLength: 1, maxLength: 3 }).map((all) => all.join("\n\n")),
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom("- ", "*   ", "+ ", "1) ", "3. "), fc.array(tie("body"), { minLength: 1, maxLength: 3 }))
      .map(([bullet, items]) =>
        items.map((item) => bullet + indented(item, " ".repeat(bullet.length))).join(items.length > 2 ? "\n" : "\n\n")
      ),
    tie("body").map((body) => `> ${indented(body, "> ")}`),
    tie("body").map((body) => `{% hint style='info' %}\n${body}\n{% endhint %}`),
    tie("body").map((body) => `:::note Be *careful*\n${body}\n:::`),
    tie("body").map((body) => `> [!NOTE]\n> ${indented(body, "> ")}`),
    html,
    fc
      .tuple(fc.constantFrom("0", "1", "2", "3", "note"), tie("body"))
      .map(([label, body]) => `[^${label}]: ${indented(body, "    ")}`),
    // Two definitions of a label that differ are among the odd ones.
    fc.constantFrom("[b]: https://b.c 'A *caption*'", "[C]:\n  /d/e\n  (More)"),
    tie("body").map((body) => `<details>\n<summary>More</summary>\n\n${body}\n\n</details>`)
  )
}))

const pages = fc.record({
  blocks: fc.array(blocks.block, { minLength: 2, maxLength: 6 }),
  gap: fc.constantFrom("\n\n", "\n\n\n", "\n\n<!-- a remark -->\n\n"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  end: fc.constantFrom("", "\n", "\n\n"),
  kind: fc.constantFrom("text", ...kinds),
  edited: fc.nat(1000)
})

const oddOnes = [
  // A list that is set in, without a blank line before it.
  "# A\n\nTwo\n  - three\n  - four\n\n## Five\n\nSix",
  // Definitions with the same label, of which the first counts, in what explains a piece of text and elsewhere.
  "A [one](#user-content-fn-1)[^1]\n\n[^1]: [b]: /z\n\n    three\n\n*  Go [*to*][b]\n\nMore __two__ [c][b]\n\n[b]: /y",
  "> Go [*to*][b]\n\n[B]: /y\n\nMore __two__ [c][b] [one](#user-content-fn-1)[^1]\n\n[^1]: [b]: /z\n\n    three",
  "{% hint style='info' %}\n[^1]: [b]: /z\n\n    three\n{% endhint %}\n\nMore __two__ [c][b] [one](#user-content-fn-1)[^1]\n\n[B]: /y",
  // Two equal lines, of which the first stands behind a marker and the second has a margin.
  "[^0]: [iota][B]\n    -     Some here\n          Some here",
  // White space behind what ends the page.
  "# A\n\nTwo \n\nThree  \n",
  // Printed with one mark around both lines.
  "_`left`_\\\n_`right`_\n\nMore",
  "> **Note:**  \n> [**u**](https://x.y)\n\nMore",
  "- *one*\\\n  *two*\n-  three",
  // Definitions and footnotes that stand in other blocks.
  "Go *[to][b]* it.\n\n***\n\n[b]: https://b.c/d",
  "[b]: https://b.c/d\n-  Go [to][b] it.\n-  ![i][b]\n\n[b][]",
  "*  One[^1] *two*\n\n***\n\n[^1]: three",
  "*  A [one](#user-content-fn-1)[^1] and [two](#user-content-fn-2)[^2]\n\n***\n\n[^1]: three *four*\n[^2]: five [b]\n\n[b]: /z",
  "A [one](#user-content-fn-1)[^1]\n\n[^1]: three *four*\n\n    1)  five\n    2)  *six*\n[^2]: seven\n\n***",
  "[b]: /z 'y'\n\n[B]: /f\n\n- *go*  [to][b] *it*\n\n[c][b]",
  // A definition that stands in what explains a piece of text.
  "A [one](#user-content-fn-1)[^1]\n\n*  Go [*to*][b]\n\nMore [c][b]\n\n[^1]: [b]: /z\n\n    three",
  // A caption that stands in a definition.
  "*  ![i][b]\n*  [j][b]\n\n***\n\n[b]: /z 'Four'",
  "[![i][b] *k*][c]\n\n***\n\n[b]: /z 'Four'\n[c]: /y"
]

describe("the text of a page", () => {
  it("changes by the lines of the block that was edited, for what broke it once", () => {
    for (const text of oddOnes) {
      for (const kind of kinds) for (const edited of [0, 1, 2, 3, 4, 5, 6]) assertOneEdited(text, kind, edited)
    }
  })

  it("changes by the lines of the block that was edited", () =>
    fc.assert(
      fc.property(pages, ({ blocks, edited, end, gap, kind, lineEnd }) => {
        const text = (blocks.join(gap) + end).replaceAll("\n", lineEnd)
        fc.pre(assertOneEdited(text, kind, edited))
      }),
      runs(50, 10_000)
    ))
})
