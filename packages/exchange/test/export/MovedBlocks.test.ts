/** Exports of an imported page of which a block moved into another block, or out of it: all others stay as written. */
import { assert, describe, it } from "@effect/vitest"
import type { Block, Document } from "@lectern/document/Document"
import { entries, mapBlocks } from "@lectern/document/BlockTree"
import { Effect } from "effect"
import { changed } from "./OddPage.ts"

type Case = readonly [name: string, was: string, move: (document: Document) => Document, is: string]

const page = (text: string): string => `# Odd\n\n__So__  \nand *so*\n\n\n${text}\n`

/** The outermost block of a type that says so. */
const find = (document: Document, type: string, said: string): Block =>
  entries(document)
    .map(({ block }) => block)
    .find((block) => block.type === type && JSON.stringify(block).includes(said))!

type Named = readonly [type: string, said: string]

/** Moves a block before another, or to the end of it. */
const move =
  (one: Named, where: "before" | "into", other: Named) =>
  (document: Document): Document => {
    const block = find(document, ...one)
    const { key } = find(document, ...other)
    return mapBlocks(document, (rebuilt, original) => {
      if (original.key === block.key) return []
      if (original.key !== key) return rebuilt
      return where === "before" ? [block, rebuilt] : ({ ...rebuilt, nodes: [...rebuilt.nodes!, block] } as Block)
    })
  }

const long = "A long text of many words, more than there are in all that stands beside it here"

describe("a block that moves into another, or out of it", () => {
  const cases: ReadonlyArray<Case> = [
    [
      "an item that is most of its list",
      `-  *a*\n-   ${long}\n\n+  __b__`,
      move(["list-item", "long"], "into", ["list-unordered", '"b"']),
      `-  *a*\n\n+  __b__\n+ ${long}`
    ],
    [
      "a paragraph that is most of its hint",
      `{% hint style='info' %}\n*a*\n\n${long}\n{% endhint %}\n\n:::note\n*b*\n:::`,
      move(["paragraph", "long"], "into", ["hint", '"b"']),
      `{% hint style='info' %}\n*a*\n{% endhint %}\n\n:::note\n*b*\n\n${long}\n:::`
    ],
    [
      "a block of a hint whose title others have",
      `:::note Be *careful*\n${long}\n:::\n\n:::note Be *careful*\nb __c__\n:::`,
      move(["paragraph", "long"], "into", ["hint", '"c"']),
      `:::note Be *careful*\n:::\n\n:::note Be *careful*\nb __c__\n\n${long}\n:::`
    ],
    [
      "a list between two with other bullets",
      "> *   *a*\n>\n> b\n\n*   *c*\n\n+   __d__",
      move(["list-unordered", '"a"'], "before", ["list-unordered", '"d"']),
      "> b\n\n*   *c*\n\n- *a*\n\n+   __d__"
    ],
    [
      "a block with a footnote that explains a word elsewhere",
      "A  [w](#user-content-fn-1)[^1]\n\n<details>\n<summary>M</summary>\n\n[^1]: what\n\n__b__ and much more\n\n</details>\n\n> *q*",
      move(["expandable", '"b"'], "into", ["blockquote", '"q"']),
      "A  [w](#user-content-fn-1)[^1]\n\n> *q*\n>\n> <details>\n>\n> <summary>M</summary>\n>\n> **b** and much more\n>\n> </details>\n\n[^1]: what"
    ],
    [
      "a block below a footnote, which stays between the others",
      "A  [w](#user-content-fn-1)[^1]\n\n* *b*\n\n~~~ js\ne\n~~~\n\n[^1]: what\n\n***c***  and *d*\n\n> *q*",
      move(["paragraph", '"c"'], "before", ["list-unordered", '"b"']),
      "A  [w](#user-content-fn-1)[^1]\n\n***c***  and *d*\n\n* *b*\n\n~~~ js\ne\n~~~\n\n[^1]: what\n\n> *q*"
    ]
  ]
  for (const [name, was, move, is] of cases) {
    it.effect(`leaves the others as they were: ${name}`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* changed(page(was), move), page(is))
      })
    )
  }
})
