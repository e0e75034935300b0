/**
 * Reads a document as plain text: what search, outlines and notifications show of it.
 */
import * as Anchors from "./Anchors.ts"
import type { Block, Data, Document, Inline, Node, Text } from "./Document.ts"
import * as HtmlText from "./HtmlText.ts"
import * as Emoji from "./markdown/Emoji.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { type Fields, namesOf, type Shown } from "./vocabulary/Field.ts"
import { inlineSpec, inlineTypes } from "./vocabulary/InlineTypes.ts"

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

/** Tells whether nodes are text without marks, and nothing else. */
export const isPlain = (nodes: ReadonlyArray<Node>): boolean =>
  nodes.every((node) => node.object === "text" && node.leaves.every(({ marks }) => marks.length === 0))

/** Name of the field that an inline shows, by its type. */
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

/** The lines of a block itself, without those of the blocks in it. */
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

/** The properties of an integration's block that are read by people, by their usual names. */
const linesOfProps = (props: unknown): ReadonlyArray<string> => {
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

/** Fields that are shown, with the way, by type. */
const shownFields = new Map(Object.entries(blockTypes).map(([type, { fields }]) => [type, shownIn(fields)]))
const shownOfOthers = shownIn(blockSpec("").fields)

export interface HeadingEntry {
  readonly key: string
  readonly level: number
  readonly text: string
  /** Its anchor (see `Anchors`), distinct in the document. */
  readonly id: string
}

/** 1 to 3 of a heading; undefined for other blocks. */
export const headingLevel = ({ type }: Block): number | undefined => blockSpec(type).level

/** The headings of a document in order, also those in hints, tabs and lists. */
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
