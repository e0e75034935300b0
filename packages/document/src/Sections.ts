/**
 * Splits a document into sections: the content after each heading, at any depth of the tree. The first section is the
 * content before all headings, and belongs to the page itself.
 *
 * Content within conditions is excluded, since not every reader sees it, but every reader sees search results.
 */
import * as Anchors from "./Anchors.ts"
import type { Block, Document } from "./Document.ts"
import * as DocumentText from "./DocumentText.ts"
import { joinLines } from "./EastAsian.ts"
import { blockSpec } from "./vocabulary/BlockTypes.ts"

export interface Section {
  /** Anchor of the heading. Undefined for the content before the first heading. */
  readonly anchor: string | undefined
  /** Text of the heading. */
  readonly title: string
  /** One line for each paragraph or cell. */
  readonly text: string
}

export const sectionsOf = (document: Document): ReadonlyArray<Section> => {
  const anchorOf = Anchors.idAssigner()
  const sections: Array<{ anchor: string | undefined; title: string; lines: Array<string> }> = [
    { anchor: undefined, title: "", lines: [] }
  ]
  const pending: Array<Block> = document.nodes.toReversed()
  for (let block = pending.pop(); block !== undefined; block = pending.pop()) {
    if (DocumentText.headingLevel(block) !== undefined) {
      const title = joinLines(DocumentText.inlinesText(block.nodes ?? []))
      sections.push({ anchor: anchorOf(block, title), title, lines: [] })
      continue
    }
    if (blockSpec(block.type).evaluation === "choice") continue
    for (const line of DocumentText.ownLines(block)) sections.at(-1)!.lines.push(joinLines(line))
    DocumentText.pushChildBlocks(pending, block)
  }
  return sections.map(({ anchor, title, lines }) => ({ anchor, title, text: lines.join("\n") }))
}
