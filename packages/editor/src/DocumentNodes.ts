/**
 * Converts a document to a node of the editor and back. Law: a document that is not edited stays the same (see `Inlines`
 * for the two details of texts). A block that the schema can't express becomes an `opaque` node.
 *
 * Expects documents with all required parts, as stored documents have them.
 */
import type { Block, Document, Fragment, Inline, Text } from "@lectern/document/Document"
import { isBlock } from "@lectern/document/BlockTree"
import { type BlockType, blockSpec, isBlockType } from "@lectern/document/vocabulary/BlockTypes"
import { requiredBlockParts } from "@lectern/document/vocabulary/RequiredParts"
import type { Node } from "prosemirror-model"
import { fragmentName, schema } from "./EditorSchema.ts"
import { isVoidAttribute, isVoidOf } from "./Equality.ts"
import { fragmentWith, isPlain } from "./Fragments.ts"
import { inlineNodes, inlinesOf } from "./Inlines.ts"
import { type CellBlocks, tableBlock, tableNode } from "./table/TableNodes.ts"

/** Returns the root node of the editor for a document. */
export const documentNode = (document: Document): Node => schema.node("doc", null, flowNodes(document.nodes))

/** Returns the document of a root node. `data`: the data of the document that was opened. */
export const documentOf = (node: Node, data: Document["data"]): Document => ({
  object: "document",
  data,
  nodes: flowBlocks(node)
})

/** Returns the nodes of blocks, or a filler for an empty list. */
export const flowNodes = (blocks: ReadonlyArray<Block>): ReadonlyArray<Node> =>
  blocks.length === 0 ? [schema.node("paragraph", { filler: true })] : blocks.map(flowNode)

/** Returns the node of a block among any others. A part outside of its whole, such as a tab, is opaque. */
const flowNode = (block: Block): Node => {
  const node = blockNode(block)
  return node.type.isInGroup("flow") ? node : schema.node("opaque", { block })
}

/** Returns the blocks of the children of a node, without fillers. */
export const flowBlocks = (node: Node): ReadonlyArray<Block> =>
  node.children.filter((child) => !isFiller(child)).map(blockOf)

/** True if a node is not part of the document, since it is only a position for the cursor. */
export const isFiller = ({ attrs, content }: Node): boolean => attrs["filler"] === true && content.size === 0

export const blockNode = (block: Block): Node =>
  (isBlockType(block.type) && expressibleNode(block, block.type)) || schema.node("opaque", { block })

const properties = new Set(["object", "type", "key", "data", "isVoid", "nodes", "fragments"])

const expressibleNode = (block: Block, type: BlockType): Node | undefined => {
  const required = requiredBlockParts(type)
  const hasAllNodes = (block.nodes !== undefined) === (required.nodes !== undefined)
  if (!hasAllNodes || !Object.keys(block).every((name) => properties.has(name))) return undefined
  const attrs = { key: block.key, data: block.data ?? null, isVoid: isVoidAttribute(block.isVoid, required.isVoid) }
  if (type === "table") return tableNode(block, attrs, cells)
  const own = ownNodes(block, type)
  const fragments = fragmentNodes(block, type)
  if (own === undefined || fragments === undefined) return undefined
  const content = [...own, ...fragments]
  const node = schema.nodes[type]!.create(attrs, content)
  return node.type.validContent(node.content) ? node : undefined
}

const ownNodes = (block: Block, type: BlockType): ReadonlyArray<Node> | undefined => {
  const nodes = block.nodes ?? []
  const { contentKind, content } = blockSpec(type)
  if (contentKind === "text" || contentKind === "verbatim") {
    if (nodes.some(isBlock)) return undefined
    return inlineNodes(nodes as ReadonlyArray<Inline | Text>)
  }
  if (content === undefined) return nodes.length === 0 ? [] : undefined
  if (!nodes.every(isBlock)) return undefined
  if (nodes.length === 0 && content.blocks !== "flow") {
    return content.blocks.includes("code-line") ? [schema.node("code-line", { filler: true })] : undefined
  }
  return content.blocks === "flow" ? flowNodes(nodes) : nodes.map(blockNode)
}

const fragmentNodes = (block: Block, type: BlockType): ReadonlyArray<Node> | undefined => {
  const { fragments = [] } = block
  const isRequired = requiredBlockParts(type).fragments !== undefined
  if (block.fragments !== undefined && fragments.length === 0 && !isRequired) return undefined
  if (block.fragments === undefined && isRequired) return undefined
  const names = Object.keys(blockSpec(type).fragments ?? {})
  const nodes: Array<Node> = []
  let last = -1
  for (const fragment of fragments) {
    const position = names.indexOf(fragment.fragment ?? "")
    if (position <= last || !isPlain(fragment)) return undefined
    last = position
    const attrs = { key: fragment.key ?? null, type: fragment.type ?? null }
    nodes.push(schema.nodes[fragmentName(type, names[position]!)]!.create(attrs, flowNodes(fragment.nodes)))
  }
  return nodes.every(({ content, type }) => type.validContent(content)) ? nodes : undefined
}

/** Blocks by their nodes, which never change. So unchanged blocks stay the same objects. */
const blocks = new WeakMap<Node, Block>()

export const blockOf = (node: Node): Block => {
  const known = blocks.get(node)
  if (known !== undefined) return known
  const block = newBlockOf(node)
  blocks.set(node, block)
  return block
}

const newBlockOf = (node: Node): Block => {
  const { attrs } = node
  const type = node.type.name
  if (type === "opaque") return attrs["block"]
  if (type === "table") return tableBlock(node, cells)
  const required = requiredBlockParts(type)
  const { contentKind } = blockSpec(type)
  const isText = contentKind === "text" || contentKind === "verbatim"
  const fragments = node.children.filter((child) => child.type.name.startsWith(fragmentName(type, "")))
  const own = node.children.filter((child) => !fragments.includes(child) && !isFiller(child))
  const hasFragments = fragments.length > 0 || required.fragments !== undefined
  return {
    object: "block",
    type,
    key: attrs["key"] ?? "",
    ...(attrs["data"] !== null && { data: attrs["data"] }),
    ...isVoidOf(attrs["isVoid"], required.isVoid),
    ...(required.nodes !== undefined && { nodes: isText ? inlinesOf(own) : own.map(blockOf) }),
    ...(hasFragments && { fragments: fragments.map((fragment) => fragmentOf(fragment, type)) })
  }
}

const fragmentOf = (node: Node, block: string): Fragment =>
  fragmentWith(node.type.name.slice(fragmentName(block, "").length), node.attrs, flowBlocks(node))

const cells: CellBlocks = { nodes: flowNodes, blocks: flowBlocks }
