/**
 * Reads a document as plain text: what search, outlines and notifications show of it.
 */
import type { Block, Document, Inline, Node, Text } from "./Document.ts"

/** The text of a paragraph or heading, without marks. An image gives its description. */
export const ofInlines = (nodes: ReadonlyArray<Node>): string => {
  let text = ""
  for (const node of nodes) {
    if (node.object === "text") text += ofText(node)
    else if (node.object === "inline") text += ofInline(node)
  }
  return text
}

export const ofText = (text: Text): string => {
  let all = ""
  for (const leaf of text.leaves) all += leaf.text
  return all
}

const ofInline = (inline: Inline): string => {
  if (inline.type === "hard-break") return "\n"
  if (inline.type === "inline-image") return typeof inline.data?.alt === "string" ? inline.data.alt : ""
  return inline.nodes === undefined ? "" : ofInlines(inline.nodes)
}

/** The lines of a block itself, without those of the blocks in it. */
export const ownLines = (block: Block): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const name of ["title", "markdown", "formula", "alt"]) {
    const value = block.data?.[name]
    if (typeof value === "string" && value !== "") lines.push(value)
  }
  if (block.type === "html" && typeof block.data?.html === "string") {
    lines.push(block.data.html.replace(/<[^<>]*>/g, ""))
  }
  for (const column of columns(block)) lines.push(column)
  const nodes = block.nodes ?? []
  if (nodes.some((child) => child.object !== "block")) lines.push(ofInlines(nodes))
  return lines
}

/** The blocks right in a block, those of its fragments last. */
export const blocksIn = (block: Block): ReadonlyArray<Block> => [
  ...(block.nodes ?? []).filter((node) => node.object === "block"),
  ...(block.fragments ?? []).flatMap((fragment) => fragment.nodes)
]

/** The text of a block and all below it, a line for each paragraph, heading or cell. */
export const plainText = (block: Block): string => {
  const lines: Array<string> = []
  const open: Array<Block> = [block]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const line of ownLines(node)) lines.push(line)
    for (const below of blocksIn(node).toReversed()) open.push(below)
  }
  return lines.join("\n")
}

const columns = (block: Block): ReadonlyArray<string> => {
  const definition = block.type === "table" ? block.data?.definition : undefined
  if (typeof definition !== "object" || definition === null) return []
  return Object.values(definition).flatMap((column: { readonly title?: unknown } | null) =>
    typeof column?.title === "string" && column.title !== "" ? [column.title] : []
  )
}

export interface HeadingEntry {
  readonly key: string
  readonly level: number
  readonly text: string
  /** Its anchor: the id it was given, or one made of its text, distinct in the document. */
  readonly id: string
}

/** 1 to 6 of a heading; undefined for other blocks. */
export const headingLevel = (block: Block): number | undefined => {
  const level = /^heading-([1-6])$/.exec(block.type)
  return level === null ? undefined : Number(level[1])
}

/** The headings of a document in order, also those in hints, tabs and lists. */
export const headings = (document: Document): Array<HeadingEntry> => {
  const found: Array<HeadingEntry> = []
  const seen = new Map<string, number>()
  const open: Array<Block> = document.nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const level = headingLevel(node)
    if (level !== undefined) {
      const text = ofInlines(node.nodes ?? [])
      const given = node.data?.id
      found.push({
        key: node.key,
        level,
        text,
        id: typeof given === "string" ? given : distinct(anchorOf(text), seen)
      })
    } else {
      for (const below of blocksIn(node).toReversed()) open.push(below)
    }
  }
  return found
}

const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]+/gu, "")
    .trim()
    .replace(/\s+/g, "-") || "section"

const distinct = (anchor: string, seen: Map<string, number>): string => {
  const count = seen.get(anchor) ?? 0
  seen.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}
