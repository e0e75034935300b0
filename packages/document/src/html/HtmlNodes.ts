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
export const read = (document: Document): Document => withNodes(document, ofBlocks(document.nodes))

const isHtml = (node: Node): node is (Block | Inline) & { readonly type: "html" } =>
  node.object !== "text" && node.type === "html"

// Documents are at most 100 levels deep, so recursion is bounded.
const ofBlocks = (blocks: ReadonlyArray<Block>): ReadonlyArray<Block> => {
  if (!blocks.some(isHtml)) return flatMapList(blocks, ofBlock)
  const { tree, context } = treeOf(
    blocks.flatMap((block) => (isHtml(block) ? [block] : ofBlock(block))),
    blocks.find(isHtml)!.key
  )
  return HtmlFlow.read(tree.children as Children, context)
}

type Children = Parameters<typeof HtmlFlow.read>[0]

/** Parses nodes, of which some are HTML, into one tree. */
const treeOf = (nodes: ReadonlyArray<Node>, key: string) => {
  const stream = new HtmlStream()
  const refs = new Map<string, ContentRef>()
  const others: Array<Node> = []
  for (const node of nodes) {
    if (isHtml(node)) {
      stream.piece(typeof node.data?.html === "string" ? node.data.html : "")
      for (const [url, ref] of HtmlReferences.refsOf(node.data)) refs.set(url, ref)
    } else {
      stream.node(others.length, node.object === "block")
      others.push(node)
    }
  }
  let last = 0
  const context: HtmlContext = {
    nextKey: () => `${key}-${++last}`,
    refOf: (url) => refs.get(url) ?? { kind: "url", url: url.trim() },
    nodes: others
  }
  return { tree: SanitizedHtml.of(stream.end()), context }
}

const ofBlock = (block: Block): ReadonlyArray<Block> => {
  if ((block as Node).object !== "block") return [block]
  const fragments = block.fragments && mapList(block.fragments, (one): Fragment => withNodes(one, ofBlocks(one.nodes)))
  const nodes = block.nodes ?? []
  if (nodes.some(({ object }) => object === "block")) {
    return [withParts(block, { nodes: ofBlocks(nodes as ReadonlyArray<Block>), fragments })]
  }
  const inside = mapList(nodes, ofInline)
  if (!inside.some(isHtml)) return [withParts(block, { nodes: block.nodes && inside, fragments })]
  const { tree, context } = treeOf(inside, block.key)
  const children = tree.children as Children
  if (block.type !== "paragraph") return [withParts(block, { nodes: HtmlInlines.read(children, context), fragments })]
  const [first, ...rest] = HtmlFlow.read(children, context, undefined, block.data)
  if (first === undefined) return []
  return [first.type === "paragraph" ? { ...first, key: block.key } : first, ...rest]
}

const ofInline = (node: Node): Node => {
  if (node.object !== "inline" || isHtml(node)) return node
  const fragments = node.fragments && mapList(node.fragments, (one): Fragment => withNodes(one, ofBlocks(one.nodes)))
  const inside = node.nodes && mapList<Node>(node.nodes, ofInline)
  if (inside === undefined || !inside.some(isHtml))
    return withParts(node, { nodes: inside as Inline["nodes"], fragments })
  const { tree, context } = treeOf(inside, "inline")
  const nodes = HtmlInlines.read(tree.children as Children, context) as ReadonlyArray<Inline | Text>
  return withParts(node, { nodes, fragments })
}
