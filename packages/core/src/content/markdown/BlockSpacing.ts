/**
 * Where blocks need a blank line between them. In a tight list there is none, unless what follows
 * would be read as a part of what precedes; then the list item is a loose one.
 */
import type { RootContent } from "mdast"
import type { Join } from "mdast-util-to-markdown"
import type { Content } from "./TagTree.ts"

type Kind = { readonly type: string }

/** Whether the blocks of an item are written with blank lines between them. */
export const isLoose = (item: { readonly spread: boolean }, contents: ReadonlyArray<Content>): boolean => {
  if (contents.some((content) => content.type === "pairedTag")) return true
  if (contents.length < 2) return false
  return item.spread || contents.some((right, i) => i > 0 && needsBlank(contents[i - 1]!, right))
}

export const join: Join = (left, right, parent) => {
  if ("spread" in parent && typeof parent.spread === "boolean") {
    return parent.spread || (parent.type === "listItem" && needsBlank(left, right)) ? 1 : 0
  }
  return left.type === "definition" && right.type === "definition" ? 0 : undefined
}

const needsBlank = (left: Kind, right: Kind): boolean => {
  if (left.type === "html" || left.type === "table" || left.type === "footnoteDefinition") return true
  if (left.type === "blockquote" && right.type === "blockquote") return true
  if (left.type === "list" && right.type === "list") return true
  const tail = lastLine(left)
  if (tail.type !== "paragraph" && tail.type !== "definition") return false
  switch (right.type) {
    case "paragraph":
    case "definition":
    case "footnoteDefinition":
    case "heading":
    case "html":
    case "table":
    case "list":
      return !(right.type === "list" && left.type === "paragraph" && interrupts(right as RootContent))
    default:
      return false
  }
}

/** A list that does not start at 1, or starts with an empty item, cannot end a paragraph. */
const interrupts = (node: RootContent): boolean =>
  node.type === "list" && (!node.ordered || (node.start ?? 1) === 1) && (node.children[0]?.children.length ?? 0) > 0

/** The innermost block that ends where the block ends: a paragraph there goes on by itself. */
const lastLine = (node: Kind): Kind => {
  let tail = node as RootContent
  while ((tail.type === "blockquote" || tail.type === "list" || tail.type === "listItem") && tail.children.length > 0) {
    tail = tail.children.at(-1)!
  }
  return tail
}
