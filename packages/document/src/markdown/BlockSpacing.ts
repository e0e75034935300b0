/**
 * Decides on blank lines between blocks. In a tight list there is none, unless the next block would be read as
 * a part of the one before; then the list item is a loose one.
 */
import type { Content } from "./TagTree.ts"

/** The parts of a block that decide on a blank line, by the names of the syntax tree. */
export interface Shape {
  readonly type: string
  /** The innermost block that ends where the block ends: a paragraph there goes on by itself. */
  readonly tail: string
  /** It ends a paragraph that it follows. */
  readonly mayInterrupt: boolean
}

/** Tells whether the blocks of an item are written with blank lines between them. */
export const isLoose = (item: { readonly spread: boolean }, contents: ReadonlyArray<Content>): boolean => {
  if (contents.some(({ type }) => type === "pairedTag" || type === "admonition" || type === "tabs")) return true
  if (contents.length < 2) return false
  return item.spread || contents.some((right, i) => i > 0 && needsBlank(shapeOf(contents[i - 1]!), shapeOf(right)))
}

export const needsBlank = (left: Shape, right: Shape): boolean => {
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

/** A list that does not start at 1, or starts with an empty item, cannot end a paragraph. */
const mayInterrupt = (node: Content): boolean =>
  node.type === "list" && (!node.ordered || (node.start ?? 1) === 1) && (node.children[0]?.children.length ?? 0) > 0

type Inner = Content | Extract<Content, { readonly type: "list" }>["children"][number]

const tailOf = (node: Content): string => {
  let tail: Inner = node
  while ((tail.type === "blockquote" || tail.type === "list" || tail.type === "listItem") && tail.children.length > 0) {
    tail = tail.children.at(-1)!
  }
  return tail.type
}
