/** Replaces hints and tabs by text. */
import type * as Tree from "./SyntaxTree.ts"

/**
 * Returns blocks that replace an invalid hint or invalid tabs: the `fallback` block of a hint, or else the child
 * blocks, with the opening and closing lines as text.
 */
export const toTextBlocks = (node: Tree.Admonition | Tree.Tabs): ReadonlyArray<Tree.Block> => {
  if (node.type === "tabs") return node.children.flatMap((tab) => [lineParagraph(tab.first, tab.from), ...tab.children])
  const { from, to, openingLine, closingLine, hasTitle, fallback, children } = node
  if (fallback !== undefined) return [fallback]
  return [
    lineParagraph(openingLine, from),
    ...(hasTitle ? children.slice(1) : children),
    ...(closingLine === undefined ? [] : [lineParagraph(closingLine, to - closingLine.length)])
  ]
}

const lineParagraph = (value: string, from: number): Tree.Paragraph => {
  const range = { from, to: from + value.length }
  return { type: "paragraph", ...range, children: [{ type: "text", ...range, value }] }
}
