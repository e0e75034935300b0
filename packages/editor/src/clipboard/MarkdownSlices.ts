/** Converts Markdown to content of the editor and back, and HTML to content. Loaded late (see `LateMarkdown`). */
import type { Block } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { Fragment, type Node, Slice } from "prosemirror-model"
import { documentOf, flowNodes } from "../DocumentNodes.ts"
import { schema } from "../EditorSchema.ts"

export { codeOfName, emojiMatching } from "@lectern/document/markdown/Emoji"
export { parseHtml } from "./HtmlSlices.ts"

export const parseMarkdown = (text: string, nextKey: () => string): Slice => {
  const nodes = flowNodes(Markdown.parse(text, { nextKey }).document.nodes)
  // Words within one paragraph are pasted into the text at the cursor.
  const depth = nodes.length === 1 && nodes[0]!.type.name === "paragraph" ? 1 : 0
  return new Slice(Fragment.from(withoutKeys(nodes)), depth, depth)
}

/** Pasted blocks get new keys (see `BlockKeys`). */
const withoutKeys = (nodes: ReadonlyArray<Node>): ReadonlyArray<Node> =>
  nodes.map((node) => {
    if (node.isText) return node
    const attrs = "key" in node.attrs ? { ...node.attrs, key: null } : node.attrs
    return node.type.create(attrs, withoutKeys(node.children), node.marks)
  })

/** Returns whole blocks as Markdown. */
export const printMarkdown = (content: Fragment): string => {
  const blocks: ReadonlyArray<Block> = documentOf(schema.nodes["doc"]!.create(null, content), {}).nodes
  return Markdown.print({ object: "document", data: {}, nodes: blocks }).trimEnd()
}
