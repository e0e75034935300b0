/** The headings and the number of words of the open document. */
import type { Node } from "prosemirror-model"

export interface OutlineHeading {
  /** Key of the block. */
  readonly key: string
  readonly title: string
  /** Level from 1 to 3. */
  readonly level: number
}

export interface Outline {
  readonly headings: ReadonlyArray<OutlineHeading>
  readonly words: number
}

/** Returns the outline of a document. `language`: BCP 47 tag by whose rules words are separated. */
export const outlineOf = (doc: Node, language?: string): Outline => {
  const segmenter = new Intl.Segmenter(language, { granularity: "word" })
  const headings: Array<OutlineHeading> = []
  let words = 0
  doc.descendants((node) => {
    if (!node.isTextblock) return true
    const text = node.textBetween(0, node.content.size, undefined, " ")
    for (const { isWordLike } of segmenter.segment(text)) if (isWordLike === true) words++
    const level = /^heading-([123])$/.exec(node.type.name)?.[1]
    if (level !== undefined && text.trim() !== "")
      headings.push({ key: String(node.attrs["key"]), title: text, level: Number(level) })
    return false
  })
  return { headings, words }
}
