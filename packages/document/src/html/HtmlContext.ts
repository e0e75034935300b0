/** Everything that the reader of HTML needs beside the tree: keys, references, and nodes that stand in the tree. */
import type { Element, ElementContent } from "hast"
import type { ContentRef, Node } from "../Document.ts"
import type { RefUse } from "../markdown/RefUrl.ts"
import * as HtmlElements from "./HtmlElements.ts"
import { nodeElement } from "./HtmlStream.ts"

export interface HtmlContext {
  readonly nextKey: () => string
  readonly refOf: (url: string, use: RefUse) => ContentRef
  /** Nodes of the document that the tree names by their numbers. */
  readonly nodes: ReadonlyArray<Node>
}

/** Side of the page that lines stand at, as blocks say it. */
export type Align = "center" | "end" | undefined

/** Narrows to no type: an element of other names is an element, too. */
export const isElement = (node: ElementContent | undefined, ...names: ReadonlyArray<string>): boolean =>
  node?.type === "element" && names.includes(node.tagName)

/** The elements of these names among nodes. */
export const elementsOf = (
  nodes: ReadonlyArray<ElementContent>,
  ...names: ReadonlyArray<string>
): ReadonlyArray<Element> => nodes.filter((node): node is Element => isElement(node, ...names))

/** The children of a node. */
export const childrenOf = (node: ElementContent | undefined): ReadonlyArray<ElementContent> =>
  node?.type === "element" ? node.children : []

/** An attribute; undefined where it is empty. */
export const attribute = ({ properties }: Element, name: string): string | undefined => {
  const value = properties[name]
  const text = Array.isArray(value) ? value.join(" ") : typeof value === "boolean" ? "" : value
  return text === undefined || text === null || String(text).trim() === "" ? undefined : String(text)
}

export const has = ({ properties }: Element, name: string): boolean =>
  properties[name] !== undefined && properties[name] !== null && properties[name] !== false

/** The node of the document that an element stands for. */
export const nodeOf = (node: ElementContent, { nodes }: HtmlContext): Node | undefined =>
  node.type === "element" && node.tagName === nodeElement ? nodes[Number(node.properties["index"])] : undefined

export const alignOf = (element: Element, around: Align): Align => {
  if (element.tagName === "center") return "center"
  switch (attribute(element, "align")?.toLowerCase()) {
    case "center":
    case "middle":
      return "center"
    case "right":
      return "end"
    case "left":
      return undefined
    default:
      return around
  }
}

const known = new WeakMap<Element, boolean>()

/** Tells whether a node stands by itself, or has anything in it that does. */
export const isFlow = (node: ElementContent, context: HtmlContext): boolean => {
  if (node.type !== "element") return false
  if (node.tagName === nodeElement) return nodeOf(node, context)?.object === "block"
  const before = known.get(node)
  if (before !== undefined) return before
  // Trees nest 60 deep at most.
  const is = HtmlElements.isBlock.has(node.tagName) || node.children.some((child) => isFlow(child, context))
  known.set(node, is)
  return is
}

/** The text below nodes, in the order of the tree. */
export const textOf = (nodes: ReadonlyArray<ElementContent>): string =>
  nodes
    .map((node) => (node.type === "text" ? node.value : isElement(node, "br") ? "\n" : textOf(childrenOf(node))))
    .join("")
