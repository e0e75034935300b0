/** Converts a document to plain text, for the search, outlines and notifications. */
import * as Anchors from "./Anchors.ts"
import type { Block, Data, Document, Inline, Node, Text } from "./Document.ts"
import * as HtmlText from "./HtmlText.ts"
import { emojiCharacters } from "./EmojiCode.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { type Fields, fieldNames, type PlainTextForm } from "./vocabulary/Field.ts"
import { inlineSpec, inlineTypes } from "./vocabulary/InlineTypes.ts"

/** Returns the text of a paragraph or heading without marks. An image counts as its description. */
export const inlinesText = (nodes: ReadonlyArray<Node>): string => {
  let text = ""
  for (const node of nodes) {
    if (node.object === "text") text += textContent(node)
    else if (node.object === "inline") text += inlineText(node)
  }
  return text
}

export const textContent = (text: Text): string => {
  let result = ""
  for (const leaf of text.leaves) result += leaf.text
  return result
}

/** Returns true if the nodes are only text without marks. */
export const isPlain = (nodes: ReadonlyArray<Node>): boolean =>
  nodes.every((node) => node.object === "text" && node.leaves.every(({ marks }) => marks.length === 0))

/** Name of the displayed field of an inline, by type. */
const displayedField: ReadonlyMap<string, string> = new Map(
  Object.entries(inlineTypes).flatMap(([type, { fields }]) =>
    fieldNames(fields, ({ plainTextForm }) => plainTextForm !== undefined).map((name) => [type, name] as const)
  )
)

const inlineText = (inline: Inline): string => {
  const { plainTextForm: displayForm } = inlineSpec(inline.type)
  if (displayForm === "break") return "\n"
  if (displayForm === "emoji" && typeof inline.data?.code === "string") return emojiCharacters(inline.data.code)
  const field = displayedField.get(inline.type)
  if (field !== undefined) return typeof inline.data?.[field] === "string" ? inline.data[field] : ""
  return inline.nodes === undefined ? "" : inlinesText(inline.nodes)
}

/** Returns the lines of a block without its child blocks. */
export const ownLines = (block: Block): ReadonlyArray<string> => {
  const lines: Array<string> = []
  if (block.data !== undefined) {
    for (const [name, toLines] of displayedFieldsByType.get(block.type) ?? fallbackFields) {
      for (const line of toLines(block.data[name])) lines.push(line)
    }
  }
  const nodes = block.nodes ?? []
  if (nodes.some((child) => child.object !== "block")) lines.push(inlinesText(nodes))
  return lines
}

type LineConverter = (value: unknown) => ReadonlyArray<string>

const noLines: ReadonlyArray<string> = []

/** Returns the visible texts in the properties of an integration's block, by common property names. */
const propsLines = (props: unknown): ReadonlyArray<string> => {
  if (typeof props !== "object" || props === null) return []
  const properties = props as Data
  return ["title", "caption", "description", "label", "text", "content"].flatMap((name) => {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined
    return typeof value === "string" && value !== "" ? value : []
  })
}

/**
 * Pushes the child blocks of a block onto a stack in reverse, so that they are popped in order. Blocks of fragments
 * come last.
 */
export const pushChildBlocks = (stack: Array<Block>, { nodes, fragments }: Block): void => {
  for (let f = (fragments?.length ?? 0) - 1; f >= 0; f--) {
    const blocks = fragments![f]!.nodes
    for (let i = blocks.length - 1; i >= 0; i--) stack.push(blocks[i]!)
  }
  for (let i = (nodes?.length ?? 0) - 1; i >= 0; i--) {
    const node = nodes![i]!
    if (node.object === "block") stack.push(node)
  }
}

/** Returns the text of a block and its descendants, one line for each paragraph, heading or cell. */
export const plainText = (block: Block): string => {
  const lines: Array<string> = []
  const stack: Array<Block> = [block]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    for (const line of ownLines(node)) lines.push(line)
    pushChildBlocks(stack, node)
  }
  return lines.join("\n")
}

const columnTitles = (definition: unknown): ReadonlyArray<string> => {
  if (typeof definition !== "object" || definition === null) return []
  return Object.values(definition).flatMap((column: { readonly title?: unknown } | null) =>
    typeof column?.title === "string" && column.title !== "" ? [column.title] : []
  )
}

const lineConverters: { readonly [_ in PlainTextForm]: LineConverter } = {
  text: (value) => (typeof value === "string" && value !== "" ? [value] : noLines),
  markdown: (value) => (typeof value === "string" && value !== "" ? [HtmlText.withoutComments(value)] : noLines),
  html: (value) => (typeof value === "string" ? [HtmlText.htmlText(value)] : noLines),
  props: propsLines,
  columns: columnTitles
}

const displayedFields = (fields: Fields): ReadonlyArray<readonly [name: string, toLines: LineConverter]> =>
  Object.entries(fields).flatMap(([name, { plainTextForm }]) =>
    plainTextForm === undefined ? [] : [[name, lineConverters[plainTextForm]] as const]
  )

/** Displayed fields by type, with the conversion to lines. */
const displayedFieldsByType = new Map(
  Object.entries(blockTypes).map(([type, { fields }]) => [type, displayedFields(fields)])
)
const fallbackFields = displayedFields(blockSpec("").fields)

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
  const result: Array<HeadingEntry> = []
  const idOf = Anchors.idAssigner()
  const stack: Array<Block> = document.nodes.toReversed()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const level = headingLevel(node)
    if (level !== undefined) {
      const text = inlinesText(node.nodes ?? [])
      result.push({ key: node.key, level, text, id: idOf(node, text) })
    } else pushChildBlocks(stack, node)
  }
  return result
}
