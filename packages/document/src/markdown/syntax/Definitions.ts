/** Parses link definitions at the start of a paragraph: `[label]: url "title"`. */
import { normalizeLabel } from "../LinkReferences.ts"
import { decodeText } from "./CharacterReference.ts"
import type { InlineSource } from "./Content.ts"
import { footnoteLabelAt } from "./LeafStarts.ts"
import { LinkParts } from "./LinkParts.ts"
import type { Definition } from "./SyntaxTree.ts"

/**
 * Returns the definitions at the start of a text, and the offset after them. If `hasFootnotes`, a footnote label such
 * as `[^a]:` is not a definition.
 */
export const read = (
  content: InlineSource,
  hasFootnotes: boolean
): { readonly definitions: ReadonlyArray<Definition>; readonly end: number } => {
  const { text } = content
  const definitions: Array<Definition> = []
  const parts = new LinkParts(text)
  let at = 0
  while (text.charCodeAt(at) === 91) {
    const label = parts.labelEnd(at)
    if (label === -1 || text.charCodeAt(label) !== 58) break
    if (hasFootnotes && footnoteLabelAt(text, at) !== undefined) break
    const url = parts.readDestination(parts.skipSpaces(label + 1), false)
    if (url === -1) break
    let end = parts.blankLineEnd(url)
    const before = parts.skipSpaces(url)
    const title = before > url ? parts.readTitle(before) : -1
    const afterTitle = title === -1 ? -1 : parts.blankLineEnd(title)
    if (afterTitle !== -1) end = afterTitle
    if (end === -1) break
    const source = text.slice(at + 1, label - 1)
    definitions.push({
      type: "definition",
      from: content.toSourceOffset(at),
      to: content.toSourceOffset(end),
      identifier: normalizeLabel(source),
      label: decodeText(source),
      url: parts.destination,
      ...(afterTitle === -1 || parts.title === "" ? {} : { title: parts.title })
    })
    at = end + 1
  }
  return { definitions, end: Math.min(at, text.length) }
}
