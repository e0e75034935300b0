/**
 * Edits of a page that insert, remove, move or transfer a block or list item at any depth. The ranges of an edit are
 * the lines that its export may change.
 *
 * Such an edit also changes other lines:
 * - lines that use a label which the block defines
 * - the first line of a block that comes to follow a marker, or followed one before
 * - the markers of a list that comes to follow another list
 * - indented code that would be read as a part of the block above
 * - the number of the first item of a list
 * - a block whose type depends on the block above
 *
 * Footnotes are never put into other footnotes, since the parser reads none there.
 *
 * Left out: blocks in table cells, which have no ranges, and the only block of another block. With new seeds, about two
 * of 10,000 block edits change more than their ranges. Causes: the body of an annotation enters another one; a new
 * label turns text elsewhere into marks; a swap of two blocks reports the other block as moved. Text edits never do.
 */
import type { Block, Document } from "@lectern/document/Document"
import { serializeContent } from "@lectern/document/markdown/AnnotationFootnotes"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { normalizeLabel } from "@lectern/document/markdown/LinkReferences"
import type { TextRange } from "@lectern/document/markdown/syntax/SyntaxTree"
import { type Edited, ends, hasFootnotes, isExplaining, one, type Page, replaced } from "./PageParts.ts"

/** Kinds of block edits. `move`: to another position among its siblings; `transfer`: into or out of another block. */
export const blockKinds = ["insert", "remove", "move", "transfer"] as const
export type BlockKind = (typeof blockKinds)[number]

/** Sibling blocks, one below the other. */
interface Flow {
  /** Block that contains the siblings. Undefined for the page. */
  readonly parent: Block | undefined
  readonly blocks: ReadonlyArray<Block>
}

const flowsOf = ({ document, ranges }: Page): ReadonlyArray<Flow> => {
  const flows: Array<Flow> = []
  const add = (parent: Block | undefined, blocks: ReadonlyArray<Block>) => {
    if (blocks.length === 0 || !blocks.every((block) => ranges.has(block))) return
    flows.push({ parent, blocks })
    for (const block of blocks) add(block, bodyOf(block))
  }
  add(undefined, document.nodes)
  return flows
}

const bodyOf = ({ fragments = [], nodes = [] }: Block): ReadonlyArray<Block> => {
  const body = fragments.find(({ type }) => type === "expandable-body")?.nodes ?? nodes
  return body.flatMap((node) => (node.object === "block" ? [node] : []))
}

/**
 * Returns the labels in a value. `given`: labels of definitions and footnotes; `used`: labels of links, images, marks
 * and text.
 */
const labelsIn = (value: unknown, isOwn: (value: object) => boolean = () => true) => {
  const given = new Set<string>()
  const used = new Set<string>()
  const open: Array<unknown> = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null || !isOwn(next)) continue
    const { data, text, type } = next as {
      type?: string
      text?: unknown
      data?: { label?: string; reference?: string }
    }
    if (type === "definition") given.add(normalizeLabel(data!.label!))
    if (type === "footnote-definition") given.add(`^${normalizeLabel(data!.label!)}`)
    if (type === "annotation") given.add(`^${normalizeLabel(data!.label ?? "")}`)
    if (type === "annotation" || type === "footnote-reference") used.add(`^${normalizeLabel(data!.label ?? "")}`)
    if (data?.reference !== undefined) used.add(normalizeLabel(data.reference))
    if (typeof text === "string")
      for (const [, label] of text.matchAll(/\[([^[\]]+)\]/g)) used.add(normalizeLabel(label!))
    open.push(...Object.values(next).filter((one) => typeof one === "object" && one !== null))
  }
  return { given, used }
}

/**
 * Returns the ranges of all blocks that use a label which the given blocks define, and of footnotes with such a label.
 */
const users = ({ ranges }: Page, blocks: ReadonlyArray<Block>): Array<TextRange> => {
  const { given } = labelsIn(blocks)
  if (given.size === 0) return []
  return Array.from(ranges).flatMap(([block, range]) => {
    const isOwn = (value: object) => value === block || !ranges.has(value as Block)
    const own = labelsIn(block, isOwn)
    const isFootnote =
      block.type === "footnote-definition" && given.has(`^${normalizeLabel(String(block.data?.label))}`)
    return isFootnote || [...own.used].some((label) => given.has(label)) ? [range] : []
  })
}

const read = (text: string): ReadonlyArray<Block> => {
  let keys = 0
  return Markdown.parse(text, { nextKey: () => `read ${++keys}` }).document.nodes
}

/** Returns the block that results from printing and parsing a block. */
const asPrinted = (block: Block): Block => read(Markdown.print({ object: "document", data: {}, nodes: [block] }))[0]!

const isOfItems = ({ blocks }: Flow): boolean => blocks[0]!.type === "list-item"

const listOf = (block: Block): Block => ({
  object: "block",
  type: "list-unordered",
  key: "list",
  nodes: [{ object: "block", type: "list-item", key: "item", nodes: [block] }]
})

/** Returns a copy of a block with new keys. */
const anew = (block: Block): Block =>
  JSON.parse(JSON.stringify(block), (name, value: unknown) =>
    name === "key" ? `new ${String(value)}` : value
  ) as Block

const has = (block: Block, type: string): boolean => JSON.stringify(block).includes(`"type":"${type}"`)

/**
 * Returns true if a block may be put among these siblings. Footnotes and annotations are not allowed inside footnotes.
 */
const isAllowed = (page: Page, block: Block, { parent }: Flow): boolean =>
  parent === undefined ||
  !(parent.type === "footnote-definition" || isExplaining(page, parent)) ||
  !(has(block, "annotation") || has(block, "footnote-definition"))

interface Given {
  /** Markdown of the page. */
  readonly text: string
  /** Markdown of a block that an edit inserts. */
  readonly other: string
}

/**
 * Edits a page. `number` is any number, and selects the block and the position. Undefined if the page has no block for
 * this kind of edit.
 */
export const edit = (page: Page, kind: BlockKind, number: number, { other, text }: Given): Edited | undefined => {
  const flows = flowsOf(page)
  const edits = { insert: inserted, remove: removed, move: moved, transfer: transferred }
  const edited = edits[kind]({ page, flows, text, other }, number)
  // A footnote that the document lacks is written before or after the existing footnotes.
  const starts = Array.from(page.ranges).flatMap(([{ type }, { from }]) =>
    type === "footnote-definition" ? [lineBefore(text, from)] : []
  )
  return edited && { ...edited, ranges: [...edited.ranges, ...starts, ...ends(page, text.length)] }
}

interface Context extends Given {
  readonly page: Page
  readonly flows: ReadonlyArray<Flow>
}

const inserted = (context: Context, number: number): Edited | undefined => {
  const { flows, other, page } = context
  const [more] = read(other.replaceAll("Some", "New"))
  if (more === undefined) return undefined
  // Some blocks hold only blocks of one type, such as steps.
  const candidates = flows.filter(
    (flow) => isAllowed(page, more, flow) && (isOfItems(flow) || holds(flow) === undefined)
  )
  const flow = one(candidates, number)
  if (flow === undefined) return undefined
  const fresh = anew(asPrinted(isOfItems(flow) ? listOf(more) : more))
  const block = isOfItems(flow) ? (fresh.nodes![0] as Block) : fresh
  // If two siblings are equal, the export can't tell which one is new.
  if (flow.blocks.some((each) => serializeContent([each]) === serializeContent([block]))) return undefined
  const { document, ranges } = put(context, { document: page.document, flow, block, number: Math.floor(number / 7) })
  return { document, open: openOf(flow), ranges: [...ranges, ...users(page, [fresh])] }
}

const removed = (context: Context, number: number): Edited | undefined => {
  const { page } = context
  const gone = goneOf(context, number)
  if (gone === undefined) return undefined
  const { block, flow, ranges } = gone
  if (leavesMarks(page, block)) return undefined
  const isLess = ranges.length === 1 && !has(block, "annotation") && !hasFootnotes(page, block)
  return { document: replaced(page.document, block, []), open: openOf(flow), ranges, isLess }
}

/** Returns true if removing a block leaves marks without their footnote. Markdown can't express such marks. */
const leavesMarks = ({ document }: Page, block: Block): boolean => {
  const rest = labelsIn(document.nodes, (value) => value !== block)
  return [...labelsIn(block).given].some((label) => label.startsWith("^") && rest.used.has(label))
}

const moved = (context: Context, number: number): Edited | undefined => {
  const gone = goneOf(context, number)
  if (gone === undefined) return undefined
  const { block, flow } = gone
  const { document, ranges } = put(context, {
    document: replaced(context.page.document, block, []),
    flow: { ...flow, blocks: flow.blocks.filter((each) => each !== block) },
    block: { ...block },
    number: Math.floor(number / 11)
  })
  return { document, open: openOf(flow), ranges: [...gone.ranges, ...ranges] }
}

const transferred = (context: Context, number: number): Edited | undefined => {
  const gone = goneOf(context, number)
  if (gone === undefined) return undefined
  const { block, flow } = gone
  const candidates = context.flows.filter(
    (each) => each.parent !== flow.parent && holds(each) === holds(flow) && !isWithin(each, block)
  )
  const other = one(
    candidates.filter((each) => isAllowed(context.page, block, each)),
    Math.floor(number / 5)
  )
  if (other === undefined) return undefined
  const { document, ranges } = put(context, {
    document: replaced(context.page.document, block, []),
    flow: other,
    block: { ...block },
    number: Math.floor(number / 13)
  })
  return { document, open: [...openOf(flow), ...openOf(other)], ranges: [...gone.ranges, ...ranges] }
}

/** Returns the only type that these siblings may have, such as `list-item`. Undefined if any type is allowed. */
const holds = ({ blocks }: Flow): string | undefined =>
  blocks.map(({ type }) => type).find((type) => /^(?:list-item|tabs-item|stepper-step|column|update)$/.test(type))

/** Returns true if the siblings are inside the block. */
const isWithin = ({ parent }: Flow, block: Block): boolean =>
  parent !== undefined && (parent === block || find(bodyOf(block), parent.key) !== undefined)

/** Selects a block with siblings, and the ranges that its removal changes. */
const goneOf = ({ flows, page, text }: Context, number: number) => {
  const flow = one(
    flows.filter(({ blocks }) => blocks.length > 1),
    number
  )
  if (flow === undefined) return undefined
  // If two blocks are equal, the export can't tell which one was removed.
  const all = flows.flatMap(({ blocks }) => blocks.map((each) => serializeContent([each])))
  const isOnly = (each: Block) => all.filter((content) => content === serializeContent([each])).length === 1
  const block = one(flow.blocks.filter(isOnly), Math.floor(number / 7))
  if (block === undefined) return undefined
  const own = page.ranges.get(block)!
  const at = flow.blocks.indexOf(block)
  const behind = flow.blocks[at + 1]
  const ranges = [own, ...users(page, [block])]
  if (behind === undefined) return { block, flow, ranges }
  const range = page.ranges.get(behind)!
  // Indented code can't follow a marker directly.
  const first = behind.type === "code" ? range : lineAt(text, range.from)
  const isNumbered = at === 0 && flow.parent?.type === "list-ordered"
  const beside = beginsLine(text, own.from) && !isNumbered ? [] : [first]
  return { block, flow, ranges: [...ranges, ...beside, ...besides(page, text, flow, flow.blocks[at - 1], behind)] }
}

interface Put {
  readonly document: Document
  readonly flow: Flow
  readonly block: Block
  readonly number: number
}

/** Inserts a block among siblings. Returns the ranges that the insertion changes. */
const put = ({ page, text }: Context, { block, document, flow, number }: Put): Edited => {
  const place = number % (flow.blocks.length + 1)
  const behind = flow.blocks[place]
  const beside = behind ?? flow.blocks.at(-1)!
  // `replaced` may have rebuilt the sibling, if a block was removed from it.
  const found = find(document, beside.key)!
  const after = replaced(document, found, behind === undefined ? [found, block] : [block, found])
  const { from, to } = page.ranges.get(beside)!
  if (behind === undefined) return { document: after, ranges: [{ from: to, to }] }
  const at = beginsLine(text, from) ? lineBefore(text, from) : lineAt(text, from)
  // A new list gets another bullet than the list below it. For ordered lists only two delimiters exist.
  const above = behind.type === "list-unordered" || behind.type === "list-tasks" ? undefined : block
  return { document: after, ranges: [at, ...besides(page, text, flow, above, behind)] }
}

/** Returns the ranges that change because the block above a block is another one now. */
const besides = (page: Page, text: string, flow: Flow, above: Block | undefined, below: Block) => [
  ...goesOn(page, text, flow, below),
  ...flowsInto(page, text, above, below)
]

const openOf = ({ parent }: Flow): ReadonlyArray<string> =>
  parent?.type.startsWith("list-") === true ? [parent.key] : []

/** Returns the range of a block whose text has another meaning without the block above, up to the end of its parent. */
const goesOn = ({ ranges }: Page, text: string, { blocks, parent }: Flow, block: Block): ReadonlyArray<TextRange> => {
  const range = ranges.get(block)!
  const marginOf = (at: number) => text.slice(text.lastIndexOf("\n", at - 1) + 1, at).replace(/[^>\s]/g, " ")
  const margin = marginOf(range.from)
  const [alone, ...others] = read(text.slice(range.from, range.to).replaceAll(`\n${margin}`, "\n"))
  // A paragraph below a definition can be indented as deeply as code.
  const least = Math.min(...blocks.map((each) => marginOf(ranges.get(each)!.from).length))
  const isSetIn = margin.length - least >= 4 && blocks.indexOf(block) > 0
  if (!isSetIn && others.length === 0 && (alone?.type === block.type || block.type === "list-item")) return []
  return [{ from: range.from, to: parent === undefined ? text.length : ranges.get(parent)!.to }]
}

/**
 * Returns the range of a list below another list, or of indented code that the block above would absorb. Both get other
 * markers.
 */
const flowsInto = (
  { ranges }: Page,
  text: string,
  above: Block | undefined,
  below: Block
): ReadonlyArray<TextRange> => {
  const range = ranges.get(below)!
  const isList = below.type.startsWith("list-") && below.type !== "list-item"
  const isSetIn = below.type === "code" && /^(?: {4}|\t)/.test(text.slice(range.from))
  const takes = isSetIn ? /^(?:code|list-.*|footnote-definition)$/ : isList ? /^list-/ : /^$/
  return takes.test(above?.type ?? "") ? [range] : []
}

const beginsLine = (text: string, at: number): boolean =>
  /^[>\s]*$/.test(text.slice(text.lastIndexOf("\n", at - 1) + 1, at))

/** Returns the empty range at the end of the previous line. */
const lineBefore = (text: string, at: number): TextRange => {
  const end = text.lastIndexOf("\n", at - 1)
  return { from: end, to: end }
}

/** Returns the range of the rest of a line. */
const lineAt = (text: string, at: number): TextRange => {
  const end = text.indexOf("\n", at)
  return { from: at, to: end === -1 ? text.length : end }
}

const find = (value: unknown, key: string): Block | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  if ("key" in value && value.key === key) return value as Block
  for (const each of Object.values(value)) {
    const found = find(each, key)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Yields the document with every combination of loose and tight for these lists and items. The edit does not determine
 * blank lines.
 */
export function* spaced(document: Document, keys: ReadonlyArray<string>): Generator<Document> {
  const [key, ...others] = keys
  if (key === undefined) return yield document
  yield* spaced(document, others)
  const block = find(document, key)
  if (block === undefined) return
  const { loose, ...data } = block.data ?? {}
  const { data: _, ...bare } = block
  const all = loose === true ? data : { ...data, loose: true }
  yield* spaced(replaced(document, block, [Object.keys(all).length === 0 ? bare : { ...bare, data: all }]), others)
}
