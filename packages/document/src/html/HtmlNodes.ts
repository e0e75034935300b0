/**
 * Converts the raw HTML of a document to blocks, inlines and marks of the vocabulary, and to nodes of the type
 * `element` (see `HtmlFlow`, `HtmlInlines`). The result is for readers and never stored; the stored document does not
 * change.
 *
 * Markdown blocks between a start tag and its end tag become children of the element, as in browsers.
 */
import type { Block, ContentRef, Document, Fragment, Inline, Node, Text } from "../Document.ts"
import { flatMapList, mapList, withNodes, withParts } from "../DocumentMapping.ts"
import type { HtmlContext } from "./HtmlContext.ts"
import * as HtmlFlow from "./HtmlFlow.ts"
import * as HtmlInlines from "./HtmlInlines.ts"
import * as HtmlReferences from "./HtmlReferences.ts"
import { HtmlStream } from "./HtmlStream.ts"
import * as SanitizedHtml from "./SanitizedHtml.ts"

/** Returns the same object if the document contains no HTML. */
export const convertHtml = (document: Document): Document => withNodes(document, convertBlocks(document.nodes))

const isHtml = (node: Node): node is (Block | Inline) & { readonly type: "html" } =>
  node.object !== "text" && node.type === "html"

// Documents are at most 100 levels deep, so the call stack cannot overflow.
const convertBlocks = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  if (!blocks.some(isHtml)) return flatMapList(blocks, convertBlock)
  const { tree, context } = parseNodes(
    blocks.flatMap((block) => (isHtml(block) ? [block] : convertBlock(block))),
    blocks.find(isHtml)!.key
  )
  return HtmlFlow.readBlocks(tree.children as Children, context)
}

type Children = Parameters<typeof HtmlFlow.readBlocks>[0]

/** Parses nodes, of which some are HTML, into one tree. */
const parseNodes = (nodes: ReadonlyArray<Node>, key: string) => {
  const stream = new HtmlStream()
  const refs = new Map<string, ContentRef>()
  const documentNodes: Array<Node> = []
  for (const node of nodes) {
    if (isHtml(node)) {
      stream.write(typeof node.data?.html === "string" ? node.data.html : "")
      for (const [url, ref] of HtmlReferences.storedRefs(node.data)) refs.set(url, ref)
    } else {
      stream.writeNode(documentNodes.length, node.object === "block")
      documentNodes.push(node)
    }
  }
  let last = 0
  const context: HtmlContext = {
    nextKey: () => `${key}-${++last}`,
    resolveRef: (url) => refs.get(url) ?? { kind: "url", url: url.trim() },
    nodes: documentNodes
  }
  return { tree: SanitizedHtml.sanitizeHtml(stream.end()), context }
}

const convertBlock = (block: Block): ReadonlyArray<Block> => {
  if ((block as Node).object !== "block") return [block]
  const fragments =
    block.fragments && mapList(block.fragments, (one): Fragment => withNodes(one, convertBlocks(one.nodes)))
  const nodes = block.nodes ?? []
  if (nodes.some(({ object }) => object === "block")) {
    return [withParts(block, { nodes: convertBlocks(nodes as ReadonlyArray<Block>), fragments })]
  }
  const inlines = mapList(nodes, convertInline)
  if (!inlines.some(isHtml)) return [withParts(block, { nodes: block.nodes && inlines, fragments })]
  const { tree, context } = parseNodes(inlines, block.key)
  const children = tree.children as Children
  if (block.type !== "paragraph")
    return [withParts(block, { nodes: HtmlInlines.readLine(children, context), fragments })]
  const [first, ...rest] = HtmlFlow.readBlocks(children, context, undefined, block.data)
  if (first === undefined) return []
  return [first.type === "paragraph" ? { ...first, key: block.key } : first, ...rest]
}

const convertInline = (node: Node): Node => {
  if (node.object !== "inline" || isHtml(node)) return node
  const fragments =
    node.fragments && mapList(node.fragments, (one): Fragment => withNodes(one, convertBlocks(one.nodes)))
  const children = node.nodes && mapList<Node>(node.nodes, convertInline)
  if (children === undefined || !children.some(isHtml))
    return withParts(node, { nodes: children as Inline["nodes"], fragments })
  const { tree, context } = parseNodes(children, "inline")
  const nodes = HtmlInlines.readLine(tree.children as Children, context) as ReadonlyArray<Inline | Text>
  return withParts(node, { nodes, fragments })
}
