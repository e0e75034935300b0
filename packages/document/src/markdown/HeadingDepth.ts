/**
 * Converts heading depths. Markdown and HTML have depths 1 to 6. Documents have three levels below the page title: `##`
 * is level 1, `####` and deeper are level 3. A `#` heading in the content also has level 1. The depth is stored in the
 * data if the level does not determine it.
 */
import type { Block, Data } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"

export type Depth = 1 | 2 | 3 | 4 | 5 | 6

/** Returns the type of a heading block, and its data without an id. */
export const read = (depth: Depth): { readonly type: string; readonly data: Data } => {
  const level = levelOf(depth)
  return { type: `heading-${level}`, data: depth === level + 1 ? {} : { depth } }
}

/** True if a block is a heading of depth 1, as is the title of a page. */
export const isTitle = (block: Block | undefined): block is Block => block !== undefined && depthOf(block) === 1

/** Returns the same as `read` for an HTML element; undefined if it is not a heading. */
export const headingOfElement = (name: string): ReturnType<typeof read> | undefined =>
  /^h[1-6]$/.test(name) ? read(Number(name.slice(1)) as Depth) : undefined

/** Returns the depth of a heading block; undefined for other blocks. */
export const depthOf = (block: Block): Depth | undefined => {
  const level = DocumentText.headingLevel(block)
  if (level === undefined) return undefined
  const depth = block.data?.depth as Depth
  return [1, 5, 6].includes(depth) && levelOf(depth) === level ? depth : ((level + 1) as Depth)
}

const levelOf = (depth: Depth): number => Math.min(Math.max(depth - 1, 1), 3)
