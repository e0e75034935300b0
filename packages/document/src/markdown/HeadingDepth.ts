/**
 * The depth of a heading in Markdown and HTML, 1 to 6, and in documents, which have three levels below the
 * title of the page: `##` is the first, `####` and all that is deeper the third. A second `#` is of the first
 * level too. What the level doesn't say is kept beside it.
 */
import type { Block, Data } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"

export type Depth = 1 | 2 | 3 | 4 | 5 | 6

/** The type of a heading, and its data but for an id. */
export const read = (depth: Depth): { readonly type: string; readonly data: Data } => {
  const level = levelOf(depth)
  return { type: `heading-${level}`, data: depth === level + 1 ? {} : { depth } }
}

/** Tells whether a block is a heading like that of a page's title. */
export const isTitle = (block: Block | undefined): block is Block => block !== undefined && of(block) === 1

/** The same as `read` of an HTML element; undefined for one that is no heading. */
export const ofElement = (name: string): ReturnType<typeof read> | undefined =>
  /^h[1-6]$/.test(name) ? read(Number(name.slice(1)) as Depth) : undefined

/** Undefined for a block that is no heading. */
export const of = (block: Block): Depth | undefined => {
  const level = DocumentText.headingLevel(block)
  if (level === undefined) return undefined
  const depth = block.data?.depth as Depth
  return [1, 5, 6].includes(depth) && levelOf(depth) === level ? depth : ((level + 1) as Depth)
}

const levelOf = (depth: Depth): number => Math.min(Math.max(depth - 1, 1), 3)
