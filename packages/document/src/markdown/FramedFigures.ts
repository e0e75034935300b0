/**
 * Finds figures between `<div align="left">` and `</div>` with blank lines around them. CommonMark parses each of the two
 * tags as a separate HTML block.
 */
import type { TextRange } from "./syntax/SyntaxTree.ts"
import type { Content } from "./TagTree.ts"

export interface FramedFigures extends TextRange {
  readonly html: string
  /** Index of the closing tag. */
  readonly end: number
}

const opening = /^<div(?:\s+(?:align|data-full-width|data-with-frame)="[^"]*")+\s*>$/

/** Returns the figures that start with the content at an index; undefined if none start there. */
export const framedFiguresAt = (contents: ReadonlyArray<Content>, index: number): FramedFigures | undefined => {
  const first = contents[index]
  if (first?.type !== "html" || !opening.test(first.value)) return undefined
  let html = first.value
  for (let end = index + 1; end < contents.length; end++) {
    const next = contents[end]!
    if (next.type !== "html") return undefined
    html += next.value
    if (next.value.trim() === "</div>") return { html, end, from: first.from, to: next.to }
    if (!/^<figure[\s>]/.test(next.value)) return undefined
  }
  return undefined
}
