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
 * `decode` is the inverse of `encode`. If a client changed a text, the changed text counts.
 */
import * as CodeLine from "../CodeLine.ts"
import type { Block, Document, Fragment, Inline, Node } from "../Document.ts"
import { mapList, withNodes } from "../DocumentMapping.ts"
import * as DocumentText from "../DocumentText.ts"
import { blockSpec, isBlockType } from "../vocabulary/BlockTypes.ts"
import * as WireTable from "./WireTable.ts"
import * as WireText from "./WireText.ts"
import * as HtmlTextEdit from "./HtmlTextEdit.ts"
import * as WrittenField from "./WrittenField.ts"

declare const wireForm: unique symbol

/**
 * A document or a block in the form of responses. The type is opaque, so that it can't be confused with Lectern's own
 * form.
 */
export interface WireDocument {
  readonly object: "document"
  readonly data: object
  readonly nodes: ReadonlyArray<unknown>
  readonly [wireForm]: true
}
export interface WireBlock {
  readonly object: "block"
  readonly [wireForm]: true
}

type Fields = WrittenField.Data

export const encode = (document: Document): WireDocument =>
  withNodes(document, mapList(document.nodes, encodeNode)) as unknown as WireDocument

/** Returns a document in the form of responses, without the fields `written`. */
export const encodeWithoutWritten = (document: Document): WireDocument => {
  const encodedDocument = encode(document) as unknown as Document
  return withNodes(encodedDocument, mapList(encodedDocument.nodes, withoutWritten)) as unknown as WireDocument
}

/** Returns true if a document has content that the vocabulary lacks. */
export const hasUnsupportedContent = (document: Document): boolean =>
  (encode(document) as unknown as Document) !== document

const withoutWritten = <A extends Node>(node: A): A => {
  const { written: _, ...own } = node as unknown as Fields
  const { leaves, nodes, fragments } = own as { [_ in "leaves" | "nodes" | "fragments"]?: ReadonlyArray<Fields> }
  return {
    ...own,
    ...(leaves && { leaves: leaves.map(({ written: _, ...leaf }) => leaf) }),
    ...(nodes && { nodes: (nodes as unknown as ReadonlyArray<Node>).map(withoutWritten) }),
    ...(fragments && {
      fragments: (fragments as unknown as ReadonlyArray<Fragment>).map((fragment) =>
        withNodes(fragment, fragment.nodes.map(withoutWritten))
      )
    })
  } as unknown as A
}

export const encodeBlock = (block: Block): WireBlock => encodeNode(block) as unknown as WireBlock

// Documents are at most 100 levels deep, so the call stack cannot overflow.
const encodeNode = (block: Block): Block => {
  const { type, data, isVoid } = block
  const spec = blockSpec(type)
  const nodes = block.nodes && WireText.encodeInlines(block.nodes, WireText.isCode(block), encodeNode)
  const fragments =
    block.fragments && mapList(block.fragments, (fragment) => withNodes(fragment, mapList(fragment.nodes, encodeNode)))
  if (spec.wireType !== undefined || !isBlockType(type)) {
    const { key } = block
    return {
      object: "block",
      key,
      ...nearestBlock(block, nodes),
      ...WrittenField.writtenField({ type, isVoid, data, fragments })
    } as Block
  }
  const splitFields = WrittenField.splitData(data, spec.fields, spec.wireOnlyFields)
  const table = spec.contentKind === "table" ? WireTable.encodeTable(splitFields.data) : undefined
  const wireData = table?.data ?? splitFields.data
  const omitsFragments = spec.omitsFragmentsOnWire === true && fragments !== undefined
  if (wireData === data && nodes === block.nodes && fragments === block.fragments && !omitsFragments) return block
  const { fragments: _, ...rest } = block
  return {
    ...rest,
    ...(wireData && { data: wireData }),
    ...(nodes && { nodes }),
    ...(fragments && !omitsFragments && { fragments }),
    ...WrittenField.writtenField({
      data: splitFields.unsupported,
      without: splitFields.filled,
      ...table?.omitted,
      fragments: omitsFragments ? fragments : undefined
    })
  } as Block
}

type NearestBlock = Pick<Block, "type" | "data" | "nodes">

const nearestBlock = (block: Block, nodes: Block["nodes"] = []): NearestBlock => {
  switch (blockSpec(block.type).wireType) {
    case "paragraph":
      return { type: "paragraph", nodes: textNodes(textLines(block).join(" ")) }
    case "code":
      return {
        type: "code",
        data: { syntax: "markdown" },
        nodes: CodeLine.codeLines(DocumentText.ownLines(block).join("\n"), block.key)
      }
    case "blockquote":
      return { type: "blockquote", nodes }
    default:
      return { type: nodes.some(({ object }) => object === "block") ? "blockquote" : "paragraph", nodes }
  }
}

const textLines = (block: Block): ReadonlyArray<string> =>
  block.type === "definition" ? [] : DocumentText.ownLines(block).join("\n").split("\n")

const textNodes = (text: string): NonNullable<Inline["nodes"]> =>
  text === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]

export const decode = (document: WireDocument): Document => {
  const whole = document as unknown as Document
  return withNodes(whole, mapList(whole.nodes, decodeNode))
}

export const decodeBlock = (block: WireBlock): Block => decodeNode(block as unknown as Block)

const decodeNode = (block: Block): Block => {
  const own = restoreBlock(block as unknown as Fields) as unknown as Block
  const nodes = own.nodes && decodeNodes(own.nodes, WireText.isCode(own))
  const fragments = own.fragments && mapList(own.fragments, decodeFragment)
  return nodes === own.nodes && fragments === own.fragments
    ? own
    : { ...own, ...(nodes && { nodes }), ...(fragments && { fragments }) }
}

const decodeFragment = (fragment: Fragment): Fragment => withNodes(fragment, mapList(fragment.nodes, decodeNode))

const decodeNodes = (nodes: ReadonlyArray<Node>, asCode: boolean): ReadonlyArray<Node> =>
  mapList(WireText.decodeInlines(nodes, asCode) as ReadonlyArray<Node>, (node) => {
    if (node.object === "block") return decodeNode(node)
    if (node.object === "text") return node
    const children = node.nodes && (decodeNodes(node.nodes, false) as Inline["nodes"])
    const fragments = node.fragments && mapList(node.fragments, decodeFragment)
    return children === node.nodes && fragments === node.fragments
      ? node
      : { ...node, ...(children && { nodes: children }), ...(fragments && { fragments }) }
  })

/**
 * Returns a block in Lectern's own form, without converting its children. The input may come from any client and is not
 * validated.
 */
export const restoreBlock = (block: Fields): Fields => {
  const { written, ...own } = block
  if (typeof own.type !== "string") return block
  if (!WrittenField.isData(written)) {
    const data = own.type === "table" ? WireTable.decodeTable(own.data, {}) : own.data
    return written === undefined && data === own.data ? block : { ...own, ...(data !== undefined && { data }) }
  }
  const fragments = written.fragments === undefined ? {} : { fragments: written.fragments }
  const originalBlock = typeof written.type === "string" ? restoreType(own, written.type, written) : undefined
  if (originalBlock !== undefined) return { ...originalBlock, ...fragments }
  const spec = blockSpec(own.type)
  const originalData = WrittenField.joinData(own.data, written, spec.fields)
  const data = own.type === "table" ? WireTable.decodeTable(originalData, written) : originalData
  return { ...own, ...(data !== undefined && { data }), ...(spec.omitsFragmentsOnWire === true && fragments) }
}

/** Returns the block with its original type. Undefined if the block no longer matches the original in `written`. */
const restoreType = (own: Fields, type: string, { isVoid, data }: Fields): Fields | undefined => {
  const spec = blockSpec(type)
  if (isBlockType(type) && own.type !== spec.wireType) return undefined
  if (own.type !== "paragraph" && own.type !== "blockquote" && own.type !== "code") return undefined
  const { key } = own
  const original = {
    object: "block",
    type,
    ...(key !== undefined && { key }),
    ...(data !== undefined && { data }),
    ...(isVoid !== undefined && { isVoid })
  }
  if (spec.contentKind !== "void") return { ...original, ...(own.nodes !== undefined && { nodes: own.nodes }) }
  const nearestText = (data: Fields) => textOf(nearestBlock({ ...original, data } as unknown as Block).nodes)
  const originalData = WrittenField.isData(data) ? data : {}
  const [originalText, currentText] = [nearestText(originalData), textOf(own.nodes)]
  if (originalText === currentText) return original
  const html =
    type === "html" && typeof originalData.html === "string"
      ? HtmlTextEdit.applyTextEdit(originalData.html, originalText, currentText)
      : undefined
  return html !== undefined && nearestText({ ...originalData, html }) === currentText
    ? { ...original, data: { ...originalData, html } }
    : undefined
}

/** Returns the text of a paragraph, or of lines of code. */
const textOf = (nodes: unknown): string =>
  WrittenField.arrayOrEmpty(nodes)
    .map((node) => {
      if (!WrittenField.isData(node)) return ""
      if (node.object === "block") return `${textOf(node.nodes)}\n`
      return WrittenField.arrayOrEmpty(node.leaves)
        .map((leaf) => (WrittenField.isData(leaf) && typeof leaf.text === "string" ? leaf.text : ""))
        .join("")
    })
    .join("")
