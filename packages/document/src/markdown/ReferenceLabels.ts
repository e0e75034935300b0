/**
 * Adapts the labels of reference-style links and images to their definitions. A link or image keeps its label only if
 * the definition still has the same target and title. Otherwise it is written inline, such as after an edit of the link
 * or a removal of the definition.
 */
import type { Block, ContentRef, Data, Document, Inline, Node } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import * as BlocksToHtml from "./BlocksToHtml.ts"
import { referenceLabel } from "./InlinesToMarkdown.ts"
import * as Writers from "./Writer.ts"
import type { Writer } from "./Writer.ts"

/**
 * Returns the same document if all labels are valid. `href`: returns the URL of a reference. `contextDocument`: the
 * document with its definitions in the order of the text. Default: `document`.
 */
export const withValidLabels = (
  document: Document,
  href: (ref: ContentRef) => string,
  contextDocument = document
): Document => {
  const { writer } = Writers.createWriter(document, contextDocument, href, false)
  return withNodes(
    document,
    mapList(document.nodes, (node) => withValidLabelsIn(node, writer, true))
  )
}

// Documents are at most 100 levels deep, so the call stack cannot overflow.
const withValidLabelsIn = <A extends Block | Inline>(node: A, writer: Writer, inMarkdown: boolean): A => {
  const isMarkdown = inMarkdown && !(node.object === "block" && node.type === "images" && BlocksToHtml.isFigure(node))
  const mapChild = <B extends Block | Inline>(child: B) => withValidLabelsIn(child, writer, isMarkdown)
  return withParts(node, {
    data: withValidLabel(node, writer, isMarkdown),
    nodes: node.nodes && mapList<Node>(node.nodes, (child) => (child.object === "text" ? child : mapChild(child))),
    fragments:
      node.fragments && mapList(node.fragments, (fragment) => withNodes(fragment, mapList(fragment.nodes, mapChild)))
  })
}

const withValidLabel = (node: Block | Inline, writer: Writer, isMarkdown: boolean): Data | undefined => {
  const { data } = node
  if (typeof data?.reference !== "string") return data
  const linkData = node.object === "block" ? BlocksToHtml.withCaptionAsTitle(node) : data
  if (isMarkdown && referenceLabel(linkData, writer) !== undefined) return data
  const { reference: _, ...others } = data
  return others
}
