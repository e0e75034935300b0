/** Context of the HTML reader in addition to the tree: keys, references, and document nodes that the tree contains. */
import type { Element, ElementContent } from "hast"
import type { ContentRef, Data, Mark, Node } from "../Document.ts"
import type { RefUse } from "../markdown/RefUrl.ts"
import * as HtmlElements from "./HtmlElements.ts"
import { nodeElement } from "./HtmlStream.ts"

export interface HtmlContext {
  readonly nextKey: () => string
  readonly resolveRef: (url: string, use: RefUse) => ContentRef
  /** Nodes of the document that the tree refers to by index. */
  readonly nodes: ReadonlyArray<Node>
  /**
   * True if the result is stored. It may then contain only types of the vocabulary and HTML, and a table cell only
   * blocks that Markdown can print in a cell. Default: false, the result is for readers.
   */
  readonly isStored?: boolean
  /** Called for each loss of structure that a table can't store. Text is never lost. Default: losses are ignored. */
  readonly onLoss?: (loss: Loss) => void
  /** Inline elements around the blocks that are read: their marks and their link. Default: none. */
  readonly inherited?: InheritedFormatting
}

/**
 * `table`: a table in a cell became paragraphs. `header`: a header row with merged cells became a body row. `columns`:
 * cells beyond the maximum number of columns follow after the table.
 */
export type Loss = "table" | "header" | "columns"

export interface InheritedFormatting {
  readonly marks: ReadonlyArray<Mark>
  /** Data of the link. */
  readonly link?: Data
}

/** Alignment of lines, in the values of blocks. Undefined: the start of the line. */
export type Align = "center" | "end" | undefined

/**
 * Returns true if the node is an element with one of these names. Not a type guard, since the node may be an element of
 * another name if the result is false.
 */
export const isElement = (node: ElementContent | undefined, ...names: ReadonlyArray<string>): boolean =>
  node?.type === "element" && names.includes(node.tagName)

/** Returns the elements with these names among nodes. */
export const elementsOf = (
  nodes: ReadonlyArray<ElementContent>,
  ...names: ReadonlyArray<string>
): ReadonlyArray<Element> => nodes.filter((node): node is Element => isElement(node, ...names))

/** Returns the children of a node; an empty list unless the node is an element. */
export const childrenOf = (node: ElementContent | undefined): ReadonlyArray<ElementContent> =>
  node?.type === "element" ? node.children : []

/** Returns the value of an attribute; undefined if it is missing or empty. */
export const attributeValue = ({ properties }: Element, name: string): string | undefined => {
  const value = properties[name]
  const text = Array.isArray(value) ? value.join(" ") : typeof value === "boolean" ? "" : value
  return text === undefined || text === null || String(text).trim() === "" ? undefined : String(text)
}

export const hasAttribute = ({ properties }: Element, name: string): boolean =>
  properties[name] !== undefined && properties[name] !== null && properties[name] !== false

/** Returns the document node that an element stands for; undefined for any other node. */
export const documentNodeOf = (node: ElementContent, { nodes }: HtmlContext): Node | undefined =>
  node.type === "element" && node.tagName === nodeElement ? nodes[Number(node.properties["index"])] : undefined

export const alignmentOf = (element: Element, inherited: Align): Align => {
  if (element.tagName === "center") return "center"
  switch (attributeValue(element, "align")?.toLowerCase()) {
    case "center":
    case "middle":
      return "center"
    case "right":
      return "end"
    case "left":
      return undefined
    default:
      return inherited
  }
}

const flowCache = new WeakMap<Element, boolean>()

/** Returns true if the node is a block element or contains one. */
export const isFlowContent = (node: ElementContent, context: HtmlContext): boolean => {
  if (node.type !== "element") return false
  if (node.tagName === nodeElement) return documentNodeOf(node, context)?.object === "block"
  const cached = flowCache.get(node)
  if (cached !== undefined) return cached
  // Trees are at most 60 levels deep, so the call stack cannot overflow.
  const isFlowElement =
    HtmlElements.blockElements.has(node.tagName) || node.children.some((child) => isFlowContent(child, context))
  flowCache.set(node, isFlowElement)
  return isFlowElement
}

/** Returns the text of all descendants of nodes, in tree order. */
export const textOf = (nodes: ReadonlyArray<ElementContent>): string =>
  nodes
    .map((node) => (node.type === "text" ? node.value : isElement(node, "br") ? "\n" : textOf(childrenOf(node))))
    .join("")
