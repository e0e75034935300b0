/**
 * A document in sections: what stands under each heading, wherever the heading stands. The first is
 * what stands before all headings; it belongs to the page itself.
 *
 * What a condition decides about is left out: it is not for everyone, and what is found is.
 */
import * as Anchors from "./Anchors.ts"
import type { Block, Document } from "./Document.ts"
import * as DocumentText from "./DocumentText.ts"
import { joinLines } from "./EastAsian.ts"
import { blockSpec } from "./vocabulary/BlockTypes.ts"

export interface Section {
  /** Undefined for what stands before the first heading. */
  readonly anchor: string | undefined
  /** The text of the heading. */
  readonly title: string
  /** A line for each paragraph or cell. */
  readonly text: string
}

export const sectionsOf = (document: Document): ReadonlyArray<Section> => {
  const anchorOf = Anchors.ids()
  const sections: Array<{ anchor: string | undefined; title: string; lines: Array<string> }> = [
    { anchor: undefined, title: "", lines: [] }
  ]
  const open: Array<Block> = document.nodes.toReversed()
  for (let block = open.pop(); block !== undefined; block = open.pop()) {
    if (DocumentText.headingLevel(block) !== undefined) {
      const title = joinLines(DocumentText.ofInlines(block.nodes ?? []))
      sections.push({ anchor: anchorOf(block, title), title, lines: [] })
      continue
    }
    if (blockSpec(block.type).evaluates === "choice") continue
    for (const line of DocumentText.ownLines(block)) sections.at(-1)!.lines.push(joinLines(line))
    DocumentText.pushBlocksIn(open, block)
  }
  return sections.map(({ anchor, title, lines }) => ({ anchor, title, text: lines.join("\n") }))
}
