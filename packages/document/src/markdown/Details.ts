/**
 * Parses `<details>` as an expandable block: its tags are on their own lines, and the content between them is Markdown.
 * Forms other than `<details>`, `<details open>` and `<summary>…</summary>` stay HTML.
 */
import * as HtmlTree from "./HtmlTree.ts"
import * as InlinesFromHtml from "./InlinesFromHtml.ts"
import type { Block, Html } from "./syntax/SyntaxTree.ts"
import type { TagLine } from "./TagLine.ts"
import { tagOfType, type Tag } from "./Tags.ts"
import type { Content } from "./TagTree.ts"

export const tag: Tag = tagOfType("expandable")

type DetailsTag = { readonly kind: "open"; readonly line: TagLine } | { readonly kind: "close" }

const detailsTag = /^\s*<(?:\/?details|summary)[\s>]/
const tagPattern = /\s*(<details(?:\s+open(?:="")?)?\s*>|<\/details>|<summary>[^]*?<\/summary>)\s*/y

export const isDetailsTag = (node: { readonly type: string }): boolean =>
  node.type === "html" && detailsTag.test((node as Html).value)

/** Splits HTML that consists only of such tags into one node for each tag. */
export const split = (nodes: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  nodes.some(isDetailsTag)
    ? nodes.flatMap((node): ReadonlyArray<Block> => (isDetailsTag(node) ? splitNode(node as Html) : [node]))
    : nodes

const splitNode = (node: Html): ReadonlyArray<Html> => {
  const tags: Array<Html> = []
  tagPattern.lastIndex = 0
  while (tagPattern.lastIndex < node.value.length) {
    const part = tagPattern.exec(node.value)
    if (part === null) return [node]
    const from = node.from + part.index + part[0].indexOf("<")
    tags.push({ type: "html", from, to: from + part[1]!.length, value: part[1]! })
  }
  return tags
}

/** Returns the opening or closing tag in a node from `split`; undefined for a summary and for other HTML. */
export const parseTag = ({ value }: Html): DetailsTag | undefined => {
  if (value === "</details>") return { kind: "close" }
  const [opening] = value.startsWith("<details") ? (tagPattern.exec(resetPattern(value)) ?? []) : []
  if (opening === undefined || opening.length !== value.length) return undefined
  const isOpen = value.includes("open")
  return { kind: "open", line: { name: tag.name, attributes: isOpen ? [["open", "true"]] : [] } }
}

const resetPattern = (value: string): string => {
  tagPattern.lastIndex = 0
  return value
}

/** Returns the content of a summary; undefined for other elements, or if the content is not only inlines. */
export const summaryContent = (content: Content): ReadonlyArray<HtmlTree.Node> | undefined => {
  if (content.type !== "html" || !content.value.startsWith("<summary>")) return undefined
  const [element, ...rest] = HtmlTree.parse(content.value) ?? []
  if (element?.kind !== "element" || element.name !== "summary" || rest.length > 0) return undefined
  return InlinesFromHtml.isReadable(element.children) ? element.children : undefined
}
