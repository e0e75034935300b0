/** The work that the footnotes of annotations take when a page is printed with its text (see `ReprintFootnotes`). */
import { assert, describe, it } from "@effect/vitest"
import type { Block } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as ReprintFootnotes from "@lectern/document/markdown/ReprintFootnotes"
import { reprintBlocks } from "@lectern/document/markdown/Reprint"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"

/** Values of which each part that is looked at counts. */
const counting = () => {
  let looks = 0
  const known = new Map<object, object>()
  const counted = <A>(value: A): A => {
    if (typeof value !== "object" || value === null) return value
    const own = known.get(value) ?? new Proxy(value, { get: look })
    known.set(value, own).set(own, own)
    return own as A
  }
  const look = (target: object, name: string | symbol): unknown => {
    looks++
    return counted(Reflect.get(target, name) as unknown)
  }
  return { counted, looks: () => looks }
}

const pageOf = (footnotes: number): string => {
  const all = Array.from({ length: footnotes }, (_, i) => i + 1)
  const words = all.map((i) => `Some [word](#user-content-fn-${i})[^${i}]  here`)
  return `${words.join("\n\n")}\n\n${all.map((i) => `[^${i}]: said  *${i}*`).join("\n")}\n`
}

/** The looks at the document before, and at the one by now, that printing takes. */
const looksFor = (footnotes: number): number => {
  const text = pageOf(footnotes)
  const ranges = new Map<Block, TextRange>()
  const before = counting()
  let keys = 0
  const { nodes } = Markdown.parse(text, {
    nextKey: () => `${++keys}`,
    onBlock: (block, range) => void ranges.set(before.counted(block), before.counted(range))
  }).document
  const after = counting()
  const changed = Markdown.parse(text.replace("said", "told"), { nextKey: () => `new ${++keys}` }).document.nodes
  const page = ReprintFootnotes.splitPage(after.counted(changed))
  const located = ReprintFootnotes.withFootnotes({ text, from: 0, nodes: before.counted(nodes), ranges })
  const written = {
    ...located,
    nodes: before.counted(located.nodes),
    bare: before.counted(located.blocks),
    placed: before.counted(located.positions),
    ranges: new Map(Array.from(located.ranges, ([block, range]) => [before.counted(block), range] as const))
  }
  const printed = reprintBlocks(written, ReprintFootnotes.insertIntoPage(page, written, "end"), (blocks) =>
    Markdown.print(
      { object: "document", data: {}, nodes: blocks },
      {
        contextDocument: { object: "document", data: {}, nodes: changed },
        footnotes: ReprintFootnotes.separateFootnotes(page)
      }
    )
  )
  assert.strictEqual(printed, text.replace("said", "told"))
  return before.looks() + after.looks()
}

describe("the footnotes of a page", () => {
  it("take work in proportion to their number", () => {
    const [few, many] = [looksFor(500), looksFor(2000)]
    assert.isAbove(few, 500)
    assert.isBelow(many, 4.5 * few)
  })
})
