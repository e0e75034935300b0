/**
 * Converts documents to and from the form in responses. Responses use only the blocks, inlines, marks and data of the
 * hosted service's vocabulary, so clients of that service can read them. Everything else maps to the nearest type of
 * that vocabulary, and the field `written` holds the original:
 *
 * - HTML becomes a paragraph with its text, unsupported Markdown a block of code, a footnote a quote. The definition of
 *   a link becomes an empty paragraph. A reference to a footnote becomes superscript text.
 * - Other types become a paragraph, or a quote if they contain blocks.
 * - Data fields, fragments and marks that the vocabulary lacks are in `written` only.
 * - A hard line break becomes a line feed in a leaf. A line end that exists only in the source becomes a space, or
 *   nothing between Chinese or Japanese characters.
 *
 * `read` is the inverse of `write`. If a client changed a text, the changed text counts.
 */
import * as CodeLine from "../CodeLine.ts"
import type { Block, Document, Fragment, Inline, Node } from "../Document.ts"
import { mapList, withNodes } from "../DocumentMapping.ts"
import * as DocumentText from "../DocumentText.ts"
import { blockSpec, isBlockType } from "../vocabulary/BlockTypes.ts"
import * as AnsweredTable from "./AnsweredTable.ts"
import * as AnsweredText from "./AnsweredText.ts"
import * as EditedHtml from "./EditedHtml.ts"
import * as Written from "./Written.ts"

declare const answered: unique symbol

/**
 * A document or a block in the form of responses. The type is opaque, so that it can't be confused with Lectern's own
 * form.
 */
export interface Answered {
  readonly object: "document"
  readonly data: object
  readonly nodes: ReadonlyArray<unknown>
  readonly [answered]: true
}
export interface AnsweredBlock {
  readonly object: "block"
  readonly [answered]: true
}

type Fields = Written.Data

export const write = (document: Document): Answered =>
  withNodes(document, mapList(document.nodes, writeBlock)) as unknown as Answered

/** Returns a document in the form of responses, without the fields `written`. */
export const bare = (document: Document): Answered => {
  const whole = write(document) as unknown as Document
  return withNodes(whole, mapList(whole.nodes, bareNode)) as unknown as Answered
}

/** Returns true if a document has content that the vocabulary lacks. */
export const saysMore = (document: Document): boolean => (write(document) as unknown as Document) !== document

const bareNode = <A extends Node>(node: A): A => {
  const { written: _, ...own } = node as unknown as Fields
  const { leaves, nodes, fragments } = own as { [_ in "leaves" | "nodes" | "fragments"]?: ReadonlyArray<Fields> }
  return {
    ...own,
    ...(leaves && { leaves: leaves.map(({ written: _, ...leaf }) => leaf) }),
    ...(nodes && { nodes: (nodes as unknown as ReadonlyArray<Node>).map(bareNode) }),
    ...(fragments && {
      fragments: (fragments as unknown as ReadonlyArray<Fragment>).map((one) => withNodes(one, one.nodes.map(bareNode)))
    })
  } as unknown as A
}

export const writtenBlock = (block: Block): AnsweredBlock => writeBlock(block) as unknown as AnsweredBlock

// Documents are at most 100 levels deep, so the recursion is bounded.
const writeBlock = (block: Block): Block => {
  const { type, data, isVoid } = block
  const spec = blockSpec(type)
  const nodes = block.nodes && AnsweredText.write(block.nodes, AnsweredText.isCode(block), writeBlock)
  const fragments = block.fragments && mapList(block.fragments, (one) => withNodes(one, mapList(one.nodes, writeBlock)))
  if (spec.nearest !== undefined || !isBlockType(type)) {
    const { key } = block
    return {
      object: "block",
      key,
      ...nearestOf(block, nodes),
      ...Written.of({ type, isVoid, data, fragments })
    } as Block
  }
  const own = Written.split(data, spec.fields, spec.answers)
  const table = spec.is === "table" ? AnsweredTable.write(own.data) : undefined
  const after = table?.data ?? own.data
  const isBeside = spec.hasFragmentsBeside === true && fragments !== undefined
  if (after === data && nodes === block.nodes && fragments === block.fragments && !isBeside) return block
  const { fragments: _, ...rest } = block
  return {
    ...rest,
    ...(after && { data: after }),
    ...(nodes && { nodes }),
    ...(fragments && !isBeside && { fragments }),
    ...Written.of({
      data: own.beside,
      without: own.without,
      ...table?.beside,
      fragments: isBeside ? fragments : undefined
    })
  } as Block
}

type Nearest = Pick<Block, "type" | "data" | "nodes">

const nearestOf = (block: Block, nodes: Block["nodes"] = []): Nearest => {
  switch (blockSpec(block.type).nearest) {
    case "paragraph":
      return { type: "paragraph", nodes: textOf(linesOf(block).join(" ")) }
    case "code":
      return {
        type: "code",
        data: { syntax: "markdown" },
        nodes: CodeLine.ofText(DocumentText.ownLines(block).join("\n"), block.key)
      }
    case "blockquote":
      return { type: "blockquote", nodes }
    default:
      return { type: nodes.some(({ object }) => object === "block") ? "blockquote" : "paragraph", nodes }
  }
}

const linesOf = (block: Block): ReadonlyArray<string> =>
  block.type === "definition" ? [] : DocumentText.ownLines(block).join("\n").split("\n")

const textOf = (text: string): NonNullable<Inline["nodes"]> =>
  text === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]

export const read = (document: Answered): Document => {
  const whole = document as unknown as Document
  return withNodes(whole, mapList(whole.nodes, readWhole))
}

export const readBlock = (block: AnsweredBlock): Block => readWhole(block as unknown as Block)

const readWhole = (block: Block): Block => {
  const own = restored(block as unknown as Fields) as unknown as Block
  const nodes = own.nodes && readNodes(own.nodes, AnsweredText.isCode(own))
  const fragments = own.fragments && mapList(own.fragments, readFragment)
  return nodes === own.nodes && fragments === own.fragments
    ? own
    : { ...own, ...(nodes && { nodes }), ...(fragments && { fragments }) }
}

const readFragment = (one: Fragment): Fragment => withNodes(one, mapList(one.nodes, readWhole))

const readNodes = (nodes: ReadonlyArray<Node>, asCode: boolean): ReadonlyArray<Node> =>
  mapList(AnsweredText.read(nodes, asCode) as ReadonlyArray<Node>, (node) => {
    if (node.object === "block") return readWhole(node)
    if (node.object === "text") return node
    const inside = node.nodes && (readNodes(node.nodes, false) as Inline["nodes"])
    const fragments = node.fragments && mapList(node.fragments, readFragment)
    return inside === node.nodes && fragments === node.fragments
      ? node
      : { ...node, ...(inside && { nodes: inside }), ...(fragments && { fragments }) }
  })

/**
 * Returns a block in Lectern's own form, without converting its children. The input may come from any client and is not
 * validated.
 */
export const restored = (block: Fields): Fields => {
  const { written, ...own } = block
  if (typeof own.type !== "string") return block
  if (!Written.isData(written)) {
    const data = own.type === "table" ? AnsweredTable.read(own.data, {}) : own.data
    return written === undefined && data === own.data ? block : { ...own, ...(data !== undefined && { data }) }
  }
  const fragments = written.fragments === undefined ? {} : { fragments: written.fragments }
  const other = typeof written.type === "string" ? ofType(own, written.type, written) : undefined
  if (other !== undefined) return { ...other, ...fragments }
  const spec = blockSpec(own.type)
  const joined = Written.joined(own.data, written, spec.fields)
  const data = own.type === "table" ? AnsweredTable.read(joined, written) : joined
  return { ...own, ...(data !== undefined && { data }), ...(spec.hasFragmentsBeside === true && fragments) }
}

/** Returns the block with its original type. Undefined if the block no longer matches the original in `written`. */
const ofType = (own: Fields, type: string, { isVoid, data }: Fields): Fields | undefined => {
  const spec = blockSpec(type)
  if (isBlockType(type) && own.type !== spec.nearest) return undefined
  if (own.type !== "paragraph" && own.type !== "blockquote" && own.type !== "code") return undefined
  const { key } = own
  const said = {
    object: "block",
    type,
    ...(key !== undefined && { key }),
    ...(data !== undefined && { data }),
    ...(isVoid !== undefined && { isVoid })
  }
  if (spec.is !== "void") return { ...said, ...(own.nodes !== undefined && { nodes: own.nodes }) }
  const textIn = (data: Fields) => sourceOf(nearestOf({ ...said, data } as unknown as Block).nodes)
  const known = Written.isData(data) ? data : {}
  const [was, is] = [textIn(known), sourceOf(own.nodes)]
  if (was === is) return said
  const html = type === "html" && typeof known.html === "string" ? EditedHtml.of(known.html, was, is) : undefined
  return html !== undefined && textIn({ ...known, html }) === is ? { ...said, data: { ...known, html } } : undefined
}

/** Returns the text of a paragraph, or of lines of code. */
const sourceOf = (nodes: unknown): string =>
  Written.listOf(nodes)
    .map((node) => {
      if (!Written.isData(node)) return ""
      if (node.object === "block") return `${sourceOf(node.nodes)}\n`
      return Written.listOf(node.leaves)
        .map((leaf) => (Written.isData(leaf) && typeof leaf.text === "string" ? leaf.text : ""))
        .join("")
    })
    .join("")
