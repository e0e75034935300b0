/**
 * Tests that an edit of a page in any style changes only the lines of the edited block. An edit of a word changes only
 * that word.
 */
import { assert, describe, it } from "@effect/vitest"
import * as PageTextUpdate from "@lectern/exchange/export/PageTextUpdate"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"
import { assertOneEdited, isOfBlocks, kinds, pageOf } from "./EditedText.ts"
import { edits, oneWord } from "./InlineForms.ts"
import { blocks } from "./RandomMarkdown.ts"

const pages = fc.record({
  blocks: fc.array(blocks.block, { minLength: 2, maxLength: 6 }),
  gap: fc.constantFrom("\n\n", "\n\n\n", "\n\n<!-- a remark -->\n\n"),
  lineEnd: fc.constantFrom("\n", "\r\n"),
  end: fc.constantFrom("", "\n", "\n\n"),
  kind: fc.constantFrom("text", ...kinds),
  other: blocks.block,
  edited: fc.nat(1000)
})

/** Blocks that say the same can't be told apart when one of them is elsewhere. */
const distinct = (text: string): string => {
  let words = 0
  return text.replace(/Some|here/g, (word) => `${word}${++words}`)
}

const oddOnes = [
  // A list that is set in, without a blank line before it.
  "# A\n\nTwo\n  - three\n  - four\n\n## Five\n\nSix",
  // Definitions with the same label, of which the first counts, in what explains a piece of text and elsewhere.
  "A [one](#user-content-fn-1)[^1]\n\n[^1]: [b]: /z\n\n    three\n\n*  Go [*to*][b]\n\nMore __two__ [c][b]\n\n[b]: /y",
  "> Go [*to*][b]\n\n[B]: /y\n\nMore __two__ [c][b] [one](#user-content-fn-1)[^1]\n\n[^1]: [b]: /z\n\n    three",
  "{% hint style='info' %}\n[^1]: [b]: /z\n\n    three\n{% endhint %}\n\nMore __two__ [c][b] [one](#user-content-fn-1)[^1]\n\n[B]: /y",
  "{% hint style='info' %}\nA [one](#user-content-fn-2)[^2] __two__\n{% endhint %}\n\n{% hint style='info' %}\n[^2]: [B]: /z\n\n    [^0]: three\n\nGo [*to*][B]\n{% endhint %}\n\n[b]: /y",
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
  // A link with the label that the mark of a footnote would have.
  "[^0]: [^1]: <c>\n\n    *Two*  [^1]\n\n__Three__",
  "[^0]: [\\^1]: <c>\n\n    *Two*  [\\^1]\n\n__Three__",
  // Footnotes in another order than the text that they explain.
  "A [one](#user-content-fn-1)[^1]\n\n[^2]: three\n\n[^1]: four\n\n*  Go [*to*](#user-content-fn-2)[^2]",
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
      fc.property(pages, ({ blocks, edited, end, gap, kind, lineEnd, other }) => {
        const written = (blocks.join(gap) + end).replaceAll("\n", lineEnd)
        const text = isOfBlocks(kind) ? distinct(written) : written
        fc.pre(assertOneEdited(text, kind, edited, other))
      }),
      runs(50, 4_000)
    ))

  it("changes by the word that was edited, whatever forms stand around it", () =>
    fc.assert(
      fc.property(oneWord, fc.constantFrom(...edits), ({ isPlain, source }, { edit, isOfMarks, source: [was, is] }) => {
        fc.pre(isPlain || isOfMarks !== true)
        const text = source(was)
        const page = pageOf(text)
        assert.strictEqual(PageTextUpdate.write({ ...page, document: edit(page.document) }, { text }), source(is))
      }),
      runs(150, 3_000)
    ))
})
