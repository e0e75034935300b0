/**
 * Pages hold blocks where Markdown has words alone (paragraphs in cells, boxes in headings), and words
 * where it has blocks. Here each becomes what it has to be, so that none is lost.
 */
import { oneLine } from "@lectern/document/markdown/OneLine"
import type { Nodes, Paragraph, PhrasingContent, Root, RootContent } from "mdast"

/**
 * HTML among words. Whatever makes paragraphs of words takes HTML for a block, so until `mend` it has a type that is
 * known as words.
 */
interface InlineHtml {
  readonly type: typeof inlineHtml
  readonly value: string
}
const inlineHtml = "mdxTextExpression"

declare module "mdast" {
  interface PhrasingContentMap {
    inlineHtml: InlineHtml
  }
  interface RootContentMap {
    inlineHtml: InlineHtml
  }
}

export const html = (value: string): InlineHtml => ({ type: inlineHtml, value })

const holders = new Set(["paragraph", "heading", "tableCell", "emphasis", "strong", "delete", "link"])

const words = new Set([
  "break",
  "delete",
  "emphasis",
  "footnoteReference",
  "html",
  "image",
  "imageReference",
  "inlineCode",
  inlineHtml,
  "link",
  "linkReference",
  "strong",
  "text"
])

const blockHolders = new Set(["root", "blockquote", "listItem"])

/** Makes words of the blocks that stand where only words may, and paragraphs of words among blocks. */
export const mend = (root: Root): void => {
  const open: Array<Nodes> = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === inlineHtml) Object.assign(node, { type: "html" })
    if (!("children" in node)) continue
    if (holders.has(node.type) && node.children.some((child) => !words.has(child.type))) {
      const separator: PhrasingContent = node.type === "tableCell" ? { type: "break" } : { type: "text", value: " " }
      node.children = lines(node.children as ReadonlyArray<Nodes>).flatMap((line, i) =>
        i === 0 ? line : [separator, ...line]
      )
    }
    if (blockHolders.has(node.type)) node.children = inParagraphs(node.children as ReadonlyArray<RootContent>)
    open.push(...(node.children as ReadonlyArray<Nodes>))
  }
}

/** HTML may stand by itself. */
const inParagraphs = (nodes: ReadonlyArray<RootContent>): Array<never> => {
  const found: Array<RootContent> = []
  let paragraph: Paragraph | undefined
  for (const node of nodes) {
    if (!words.has(node.type) || (node.type === "html" && paragraph === undefined)) {
      paragraph = undefined
      // An item outside of any list is one of its own.
      found.push(node.type === "listItem" ? { type: "list", ordered: false, spread: false, children: [node] } : node)
      continue
    }
    if (paragraph === undefined) found.push((paragraph = { type: "paragraph", children: [] }))
    paragraph.children.push(node as PhrasingContent)
  }
  return found as Array<never>
}

/** The words of nodes, a list for each block. */
const lines = (nodes: ReadonlyArray<Nodes>): Array<Array<PhrasingContent>> => {
  const found: Array<Array<PhrasingContent>> = []
  let line: Array<PhrasingContent> = []
  const end = () => {
    if (line.length > 0) found.push(line)
    line = []
  }
  for (const node of nodes) {
    if (words.has(node.type)) {
      line.push(node as PhrasingContent)
      continue
    }
    end()
    if (node.type === "code") found.push([{ type: "inlineCode", value: oneLine(node.value) }])
    else if ("children" in node)
      found.push(...lines(node.children as ReadonlyArray<Nodes>).map((one) => marked(node, one)))
  }
  end()
  return found
}

const marked = (node: Nodes, line: Array<PhrasingContent>): Array<PhrasingContent> =>
  node.type === "listItem" ? [{ type: "text", value: "• " }, ...line] : line
