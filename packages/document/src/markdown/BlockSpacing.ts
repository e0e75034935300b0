/**
 * Decides on blank lines between blocks. A tight list has none, unless the next block would be parsed as part of the
 * previous one. In that case the list item is loose.
 */
import type { Content } from "./TagTree.ts"

/** Properties of a block that determine blank lines, with types of the syntax tree. */
export interface Shape {
  readonly type: string
  /** Type of the innermost last block. A paragraph would continue on the next line. */
  readonly tail: string
  /** True if the block can interrupt a paragraph. */
  readonly mayInterrupt: boolean
}

/** True if blank lines separate the blocks of an item. */
export const isLooseItem = (item: { readonly isLoose: boolean }, contents: ReadonlyArray<Content>): boolean => {
  if (contents.some(({ type }) => type === "pairedTag" || type === "admonition" || type === "tabs")) return true
  if (contents.length < 2) return false
  return item.isLoose || contents.some((right, i) => i > 0 && needsBlankLine(shapeOf(contents[i - 1]!), shapeOf(right)))
}

export const needsBlankLine = (left: Shape, right: Shape): boolean => {
  if (left.type === "html" || left.type === "table" || left.type === "footnoteDefinition") return true
  if (left.type === "blockquote" && right.type === "blockquote") return true
  if (left.type === "list" && right.type === "list") return true
  if (left.tail !== "paragraph" && left.tail !== "definition") return false
  switch (right.type) {
    case "paragraph":
    case "definition":
    case "footnoteDefinition":
    case "heading":
    case "html":
    case "table":
      return true
    case "list":
      return left.type !== "paragraph" || !right.mayInterrupt
    default:
      return false
  }
}

const shapeOf = (node: Content): Shape => ({ type: node.type, tail: tailOf(node), mayInterrupt: mayInterrupt(node) })

/** True if a list can interrupt a paragraph: its first number is 1 and its first item is not empty. */
const mayInterrupt = (node: Content): boolean =>
  node.type === "list" && (!node.ordered || (node.start ?? 1) === 1) && (node.children[0]?.children.length ?? 0) > 0

type ContentOrItem = Content | Extract<Content, { readonly type: "list" }>["children"][number]

const tailOf = (node: Content): string => {
  let tail: ContentOrItem = node
  while ((tail.type === "blockquote" || tail.type === "list" || tail.type === "listItem") && tail.children.length > 0) {
    tail = tail.children.at(-1)!
  }
  return tail.type
}
