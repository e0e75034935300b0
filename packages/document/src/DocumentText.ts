/**
 * Reads a document as plain text: what search, outlines and notifications show of it.
 */
import type { Block, Data, Document, Inline, Node, Text } from "./Document.ts"
import * as HtmlText from "./HtmlText.ts"
import * as Emoji from "./markdown/Emoji.ts"

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

/** Whether it is text without marks, and nothing else. */
export const isPlain = (nodes: ReadonlyArray<Node>): boolean =>
  nodes.every((node) => node.object === "text" && node.leaves.every(({ marks }) => marks.length === 0))

/** The field of their data that says what inlines without text show. */
const shownField: ReadonlyMap<string, string> = new Map([
  ["inline-image", "alt"],
  ["inline-math", "formula"],
  ["button", "label"],
  ["mention", "text"]
])

const ofInline = (inline: Inline): string => {
  if (inline.type === "hard-break") return "\n"
  if (inline.type === "emoji" && typeof inline.data?.code === "string") return Emoji.charactersOf(inline.data.code)
  const field = shownField.get(inline.type)
  if (field !== undefined) return typeof inline.data?.[field] === "string" ? inline.data[field] : ""
  return inline.nodes === undefined ? "" : ofInlines(inline.nodes)
}

/** The lines of a block itself, without those of the blocks in it. */
export const ownLines = (block: Block): ReadonlyArray<string> => {
  const lines: Array<string> = []
  // The title of a definition is shown with its links, if anywhere.
  if (block.data !== undefined && block.type !== "definition") {
    for (const name of shownData) {
      const value = block.data[name]
      if (typeof value === "string" && value !== "")
        lines.push(name === "markdown" ? HtmlText.withoutComments(value) : value)
    }
    if (block.type === "integration") for (const line of readProps(block.data.props)) lines.push(line)
    if (block.type === "html" && typeof block.data.html === "string") lines.push(HtmlText.of(block.data.html))
    for (const column of columns(block)) lines.push(column)
  }
  const nodes = block.nodes ?? []
  if (nodes.some((child) => child.object !== "block")) lines.push(ofInlines(nodes))
  return lines
}

const shownData = ["title", "markdown", "formula", "alt"]

/** The properties of an integration's block that are read by people, by their usual names. */
const readProps = (props: unknown): ReadonlyArray<string> => {
  if (typeof props !== "object" || props === null) return []
  const named = props as Data
  return ["title", "caption", "description", "label", "text", "content"].flatMap((name) => {
    const value = Object.hasOwn(named, name) ? named[name] : undefined
    return typeof value === "string" && value !== "" ? value : []
  })
}

/** Puts the blocks right in a block on a stack, such that they come off in order, those of its fragments last. */
export const pushBlocksIn = (open: Array<Block>, { nodes, fragments }: Block): void => {
  for (let f = (fragments?.length ?? 0) - 1; f >= 0; f--) {
    const blocks = fragments![f]!.nodes
    for (let i = blocks.length - 1; i >= 0; i--) open.push(blocks[i]!)
  }
  for (let i = (nodes?.length ?? 0) - 1; i >= 0; i--) {
    const node = nodes![i]!
    if (node.object === "block") open.push(node)
  }
}

/** The text of a block and all below it, a line for each paragraph, heading or cell. */
export const plainText = (block: Block): string => {
  const lines: Array<string> = []
  const open: Array<Block> = [block]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const line of ownLines(node)) lines.push(line)
    pushBlocksIn(open, node)
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
export const headingLevel = ({ type }: Block): number | undefined => {
  if (type.length !== 9 || !type.startsWith("heading-")) return undefined
  const level = type.charCodeAt(8) - 48
  return level >= 1 && level <= 6 ? level : undefined
}

/** The headings of a document in order, also those in hints, tabs and lists. */
export const headings = (document: Document): Array<HeadingEntry> => {
  const found: Array<HeadingEntry> = []
  const anchorOf = anchors()
  const open: Array<Block> = document.nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const level = headingLevel(node)
    if (level !== undefined) {
      const text = ofInlines(node.nodes ?? [])
      found.push({ key: node.key, level, text, id: anchorOf(node, text) })
    } else pushBlocksIn(open, node)
  }
  return found
}

/** The anchors of a document's headings, asked for in their order: distinct ones, or what a heading says. */
export const anchors = (): ((heading: Block, text: string) => string) => {
  const seen = new Map<string, number>()
  return ({ data }, text) => (typeof data?.id === "string" ? data.id : distinct(anchorOf(text), seen))
}

const ascii = /^[^\u0080-\uffff]*$/
const notInAnchor = /[^\p{L}\p{M}\p{N}\s_-]+/gu
const notInAsciiAnchor = /[^a-z0-9\s_-]+/g

const anchorOf = (text: string): string => {
  const lower = text.toLowerCase()
  const kept = lower.replace(ascii.test(lower) ? notInAsciiAnchor : notInAnchor, "")
  return kept.trim().replace(/\s+/g, "-") || "section"
}

const distinct = (anchor: string, seen: Map<string, number>): string => {
  const count = seen.get(anchor) ?? 0
  seen.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}
