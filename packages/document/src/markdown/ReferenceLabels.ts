/**
 * A document as its Markdown comes back: a link or an image has the label of a definition only where that still
 * gives it its target and title. What was edited by itself, or lost its definition, is written with both in place.
 */
import type { Block, ContentRef, Data, Document, Inline, Node } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import * as BlocksToHtml from "./BlocksToHtml.ts"
import { referenceOf } from "./InlinesToMarkdown.ts"
import * as Writers from "./Writer.ts"
import type { Writer } from "./Writer.ts"

/**
 * The document itself where every label holds; `href`: the URL that a reference is written as; `whole`: the document as
 * it stands in a text, in which definitions may come in another order.
 */
export const held = (document: Document, href: (ref: ContentRef) => string, whole = document): Document => {
  const { writer } = Writers.make(document, whole, href, false)
  return withNodes(
    document,
    mapList(document.nodes, (node) => heldIn(node, writer, true))
  )
}

// Documents nest 100 deep at most, so recursion is bounded.
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
