/** Exports of an imported page of which a block came, went or moved: all others are as they were written. */
import { assert, describe, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import { entries, mapBlocks } from "@lectern/document/BlockTree"
import { Effect } from "effect"
import { changed, changedWithoutLaws } from "./OddPage.ts"
import { written } from "./RandomContents.ts"

/** The innermost block that says so, but for lines of code. */
const find = (document: Document, said: string): Block =>
  entries(document)
    .map(({ block }) => block)
    .findLast((block) => block.type !== "code-line" && JSON.stringify(block).includes(said))!

const without = (said: string) => (document: Document) => {
  const { key } = find(document, said)
  return mapBlocks(document, (block) => (block.key === key ? [] : block))
}

const withoutItem = (said: string) => (document: Document) =>
  mapBlocks(document, (block) => (block.type === "list-item" && JSON.stringify(block).includes(said) ? [] : block))

const before = (said: string, markdown: string, type?: string) => (document: Document) => {
  const { key } =
    document.nodes.find((block) => block.type === type && JSON.stringify(block).includes(said)) ?? find(document, said)
  const more = written(markdown).nodes.map((block, i) => ({ ...block, key: `more ${i}` }))
  return mapBlocks(document, (block) => (block.key === key ? [...more, block] : block))
}

type Case = readonly [name: string, was: string, change: (document: Document) => Document, is: string]

const page = (text: string): string => `# Odd\n\n__So__  \nand *so*\n\n\n${text}\n`

const hint = ":::note Be *careful*\n- a\n-   b\n:::"

describe("a block that comes or goes", () => {
  const cases: ReadonlyArray<Case> = [
    ["the title of a hint", hint, without("careful"), ":::note\n- a\n-   b\n:::"],
    ["all but the title of a hint", hint, without('"list-unordered"'), ":::note Be *careful*\n:::"],
    [
      "a block above the title of a hint",
      hint,
      before("careful", "First\n"),
      ":::note\nFirst\n\n**Be _careful_**\n\n- a\n-   b\n:::"
    ],
    [
      "a block below the title of a hint in a list",
      "-  a\n\n   :::note[Be *careful*]\n   b\n   :::",
      before('"text":"b"', "First\n"),
      "-  a\n\n   :::note[Be *careful*]\n   First\n\n   b\n   :::"
    ],
    ["the first block of an alert", "> [!NOTE]\n> a\n>\n>     b", without('"text":"a"'), "> [!NOTE]\n>\n>     b"],
    ["an item of a list", "-  a\n-  'b'\n-   c", withoutItem("'b'"), "-  a\n-   c"],
    ["the first item of a list with numbers", "3)  a\n4) __b__\n5)   c", withoutItem('"a"'), "3) __b__\n5)   c"],
    [
      "a definition, by which text is not read",
      "- *b*  [c]\n-   d\n\nnext",
      before('"next"', "[c]: /d\n"),
      "- *b*  \\[c]\n-   d\n\n[c]: /d\n\nnext"
    ],
    [
      "a list above one with the same bullets",
      "x\n\n*   a\n\n+   __b__",
      before('"a"', "* First\n", "list-unordered"),
      "x\n\n+ First\n\n*   a\n\n+   __b__"
    ],
    [
      "a footnote by which text elsewhere would be explained",
      "x\n\n[^0]: __a__\n    b\n\n-  *c*\n-  [w](#user-content-fn-1)[^1]",
      before('"a"', "[^1]: new\n", "footnote-definition"),
      "x\n\n[^1]: new\n\n[^0]: __a__\n    b\n\n-  *c*\n-  [w](#user-content-fn-1)\\[^1]"
    ],
    [
      "a block above what is set in as code is",
      "[^a]: [b]: c\n          *d*\n          e\n\n    __f__",
      before('"d"', "First\n"),
      "[^a]: [b]: c\n\n    First\n\n    *d*\n          e\n\n    __f__"
    ],
    [
      "a word in a footnote that stands alone in a step",
      "A  [w](#user-content-fn-1)[^1]\n\n{% stepper %}\n{% step %}\n[^1]: what *is* it\n{% endstep %}\n{% endstepper %}",
      (document) => JSON.parse(JSON.stringify(document).replace("what ", "who ")) as Document,
      "A  [w](#user-content-fn-1)[^1]\n\n{% stepper %}\n{% step %}\n[^1]: who *is* it\n{% endstep %}\n{% endstepper %}"
    ],
    [
      "a hint with the footnote of a word elsewhere",
      "A  [w](#user-content-fn-1)[^1]\n\n{% hint style='info' %}\n[^1]: what\n\nMore\n{% endhint %}",
      without('"hint"'),
      "A  [w](#user-content-fn-1)[^1]\n\n[^1]: what"
    ],
    [
      "a word whose footnote stands in a hint",
      "A  [w](#user-content-fn-1)[^1]\n\n{% hint style='info' %}\n[^1]: what\n\nMore\n{% endhint %}",
      without("annotation"),
      "{% hint style='info' %}\nMore\n{% endhint %}"
    ]
  ]
  for (const [name, was, change, is] of cases) {
    it.effect(`leaves the others as they were: ${name}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* changed(page(was), change), page(is))
      })
    )
  }
})

describe("a document that no Markdown says as it is", () => {
  const cases: ReadonlyArray<Case> = [
    ["one item of a list of two that has blank lines", "-  a\n\n-   __b__", withoutItem('"a"'), "-   __b__"],
    ["two blocks of an item without blank lines", "-  a\n-   __b__", before('"b"', "c\n"), "-  a\n-   c\n\n    __b__"],
    [
      "a mark without its footnote",
      "*A*  b[^1]\n\n[^1]: c\n\n__d__",
      without("footnote-definition"),
      "*A*  b\\[^1]\n\n__d__"
    ],
    [
      "a definition behind that of the same label in what explains a word",
      "> *w* [c]\n>\n> __x__\n\n[w](#user-content-fn-1)[^1]\n\n[^1]: [c]: /z\n\n__y__\n\nnext",
      before('"next"', "[C]: /d\n\n[d][c] *e*\n"),
      "> *w* [c]\n>\n> __x__\n\n[w](#user-content-fn-1)[^1]\n\n[^1]: [c]: /z\n\n__y__\n\n[C]: /d\n\n[d](/d) *e*\n\nnext"
    ],
    [
      "links without their definition",
      "[c]: /d\n\n- *b*  [c]\n-   d\n\n[C]: /e",
      without('"label":"c"'),
      "- *b*  [c](/d)\n-   d\n\n[C]: /e"
    ]
  ]
  for (const [name, was, change, is] of cases) {
    it.effect(`leaves the rest as it was: ${name}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* changedWithoutLaws(page(was), change), page(is))
      })
    )
  }
})
