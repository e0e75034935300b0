/** Converts a document to plain text, for the search, outlines and notifications. */
import * as Anchors from "./Anchors.ts"
import type { Block, Data, Document, Inline, Node, Text } from "./Document.ts"
import * as HtmlText from "./HtmlText.ts"
import * as Emoji from "./markdown/Emoji.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { type Fields, namesOf, type Shown } from "./vocabulary/Field.ts"
import { inlineSpec, inlineTypes } from "./vocabulary/InlineTypes.ts"

/** Returns the text of a paragraph or heading without marks. An image counts as its description. */
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

/** Returns true if the nodes are only text without marks. */
export const isPlain = (nodes: ReadonlyArray<Node>): boolean =>
  nodes.every((node) => node.object === "text" && node.leaves.every(({ marks }) => marks.length === 0))

/** Name of the displayed field of an inline, by type. */
const shownField: ReadonlyMap<string, string> = new Map(
  Object.entries(inlineTypes).flatMap(([type, { fields }]) =>
    namesOf(fields, ({ shown }) => shown !== undefined).map((name) => [type, name] as const)
  )
)

const ofInline = (inline: Inline): string => {
  const { shown } = inlineSpec(inline.type)
  if (shown === "break") return "\n"
  if (shown === "emoji" && typeof inline.data?.code === "string") return Emoji.charactersOf(inline.data.code)
  const field = shownField.get(inline.type)
  if (field !== undefined) return typeof inline.data?.[field] === "string" ? inline.data[field] : ""
  return inline.nodes === undefined ? "" : ofInlines(inline.nodes)
}

/** Returns the lines of a block without its child blocks. */
export const ownLines = (block: Block): ReadonlyArray<string> => {
  const lines: Array<string> = []
  if (block.data !== undefined) {
    for (const [name, of] of shownFields.get(block.type) ?? shownOfOthers) {
      for (const line of of(block.data[name])) lines.push(line)
    }
  }
  const nodes = block.nodes ?? []
  if (nodes.some((child) => child.object !== "block")) lines.push(ofInlines(nodes))
  return lines
}

type LinesOf = (value: unknown) => ReadonlyArray<string>

const none: ReadonlyArray<string> = []

/** Returns the visible texts in the properties of an integration's block, by common property names. */
const linesOfProps = (props: unknown): ReadonlyArray<string> => {
  if (typeof props !== "object" || props === null) return []
  const named = props as Data
  return ["title", "caption", "description", "label", "text", "content"].flatMap((name) => {
    const value = Object.hasOwn(named, name) ? named[name] : undefined
    return typeof value === "string" && value !== "" ? value : []
  })
}

/**
 * Pushes the child blocks of a block onto a stack in reverse, so that they are popped in order. Blocks of fragments
 * come last.
 */
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

/** Returns the text of a block and its descendants, one line for each paragraph, heading or cell. */
export const plainText = (block: Block): string => {
  const lines: Array<string> = []
  const open: Array<Block> = [block]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const line of ownLines(node)) lines.push(line)
    pushBlocksIn(open, node)
  }
  return lines.join("\n")
}

const titlesOfColumns = (definition: unknown): ReadonlyArray<string> => {
  if (typeof definition !== "object" || definition === null) return []
  return Object.values(definition).flatMap((column: { readonly title?: unknown } | null) =>
    typeof column?.title === "string" && column.title !== "" ? [column.title] : []
  )
}

const linesOf: { readonly [_ in Shown]: LinesOf } = {
  text: (value) => (typeof value === "string" && value !== "" ? [value] : none),
  markdown: (value) => (typeof value === "string" && value !== "" ? [HtmlText.withoutComments(value)] : none),
  html: (value) => (typeof value === "string" ? [HtmlText.of(value)] : none),
  props: linesOfProps,
  columns: titlesOfColumns
}

const shownIn = (fields: Fields): ReadonlyArray<readonly [name: string, of: LinesOf]> =>
  Object.entries(fields).flatMap(([name, { shown }]) => (shown === undefined ? [] : [[name, linesOf[shown]] as const]))

/** Displayed fields by type, with the conversion to lines. */
const shownFields = new Map(Object.entries(blockTypes).map(([type, { fields }]) => [type, shownIn(fields)]))
const shownOfOthers = shownIn(blockSpec("").fields)

export interface HeadingEntry {
  readonly key: string
  readonly level: number
  readonly text: string
  /** Anchor of the heading (see `Anchors`), unique in the document. */
  readonly id: string
}

/** Returns the level of a heading, 1 to 3. Undefined for other blocks. */
export const headingLevel = ({ type }: Block): number | undefined => blockSpec(type).level

/** Returns the headings of a document in order, including those in hints, tabs and lists. */
export const headings = (document: Document): Array<HeadingEntry> => {
  const found: Array<HeadingEntry> = []
  const idOf = Anchors.ids()
  const open: Array<Block> = document.nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const level = headingLevel(node)
    if (level !== undefined) {
      const text = ofInlines(node.nodes ?? [])
      found.push({ key: node.key, level, text, id: idOf(node, text) })
    } else pushBlocksIn(open, node)
  }
  return found
}
