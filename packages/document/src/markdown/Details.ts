/**
 * Parses `<details>` as an expandable block: its tags are on their own lines, and the content between them is Markdown.
 * Forms other than `<details>`, `<details open>` and `<summary>…</summary>` stay HTML.
 */
import type { TagPart, TagSyntax } from "./dialect/Dialect.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlinesFromHtml from "./InlinesFromHtml.ts"
import type { Block, Html } from "./syntax/SyntaxTree.ts"
import { tagOfType } from "./Tags.ts"
import type { Content } from "./TagTree.ts"

const tag = tagOfType("expandable")

const detailsTag = /^\s*<(?:\/?details|summary)[\s>]/
const tagPattern = /\s*(<details(?:\s+open(?:="")?)?\s*>|<\/details>|<summary>[^]*?<\/summary>)\s*/y

const isCandidate = (node: Block): boolean => node.type === "html" && detailsTag.test(node.value)

/** Splits HTML that consists only of such tags into one node for each tag. */
const split = (node: Block): ReadonlyArray<Block> => {
  if (node.type !== "html" || !isCandidate(node)) return [node]
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

/** Returns the opening or closing tag in a node from `split`; undefined for a summary and for other nodes. */
const parse = (node: Block): TagPart | undefined => {
  if (node.type !== "html") return undefined
  const { value } = node
  if (value === "</details>") return { kind: "close", name: tag.name }
  const [opening] = value.startsWith("<details") ? (tagPattern.exec(resetPattern(value)) ?? []) : []
  if (opening === undefined || opening.length !== value.length) return undefined
  const isOpen = value.includes("open")
  return { kind: "open", tag, line: { name: tag.name, attributes: isOpen ? [["open", "true"]] : [] } }
}

const resetPattern = (value: string): string => {
  tagPattern.lastIndex = 0
  return value
}

export const tags: TagSyntax = { isCandidate, split, parse }

/** Returns the content of a summary; undefined for other elements, or if the content is not only inlines. */
export const summaryContent = (content: Content): ReadonlyArray<HtmlTree.Node> | undefined => {
  if (content.type !== "html" || !content.value.startsWith("<summary>")) return undefined
  const [element, ...rest] = HtmlTree.parse(content.value) ?? []
  if (element?.kind !== "element" || element.name !== "summary" || rest.length > 0) return undefined
  return InlinesFromHtml.isReadable(element.children) ? element.children : undefined
}
