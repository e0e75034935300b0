/**
 * Adapts the labels of reference-style links and images to their definitions. A link or image keeps its label only if
 * the definition still has the same target and title. Otherwise it is written inline, such as after an edit of the link
 * or a removal of the definition.
 */
import type { Block, ContentRef, Data, Document, Inline, Node } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import * as BlocksToHtml from "./BlocksToHtml.ts"
import { referenceOf } from "./InlinesToMarkdown.ts"
import * as Writers from "./Writer.ts"
import type { Writer } from "./Writer.ts"

/**
 * Returns the same document if all labels are valid. `href`: returns the URL of a reference. `whole`: document in the
 * order of the text, in which definitions may have another order.
 */
export const held = (document: Document, href: (ref: ContentRef) => string, whole = document): Document => {
  const { writer } = Writers.make(document, whole, href, false)
  return withNodes(
    document,
    mapList(document.nodes, (node) => heldIn(node, writer, true))
  )
}

// Recursion is bounded: documents nest at most 100 deep.
const heldIn = <A extends Block | Inline>(node: A, writer: Writer, inMarkdown: boolean): A => {
  const isMarkdown = inMarkdown && !(node.object === "block" && node.type === "images" && BlocksToHtml.isFigure(node))
  const within = <B extends Block | Inline>(child: B) => heldIn(child, writer, isMarkdown)
  return withParts(node, {
    data: dataOf(node, writer, isMarkdown),
    nodes: node.nodes && mapList<Node>(node.nodes, (child) => (child.object === "text" ? child : within(child))),
    fragments:
      node.fragments && mapList(node.fragments, (fragment) => withNodes(fragment, mapList(fragment.nodes, within)))
  })
}

const dataOf = (node: Block | Inline, writer: Writer, isMarkdown: boolean): Data | undefined => {
  const { data } = node
  if (typeof data?.reference !== "string") return data
  const written = node.object === "block" ? BlocksToHtml.titled(node) : data
  if (isMarkdown && referenceOf(written, writer) !== undefined) return data
  const { reference: _, ...others } = data
  return others
}
