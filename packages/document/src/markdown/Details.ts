/**
 * Parses `<details>` as an expandable block: its tags are on their own lines, and the content between them is Markdown.
 * Forms other than `<details>`, `<details open>` and `<summary>…</summary>` stay HTML.
 */
import * as HtmlTree from "./HtmlTree.ts"
import * as InlinesFromHtml from "./InlinesFromHtml.ts"
import type { Block, Html } from "./syntax/SyntaxTree.ts"
import type { TagLine } from "./TagLine.ts"
import { ofType, type Tag } from "./Tags.ts"
import type { Content } from "./TagTree.ts"

export const tag: Tag = ofType("expandable")

type Part = { readonly kind: "open"; readonly line: TagLine } | { readonly kind: "close" }

const starts = /^\s*<(?:\/?details|summary)[\s>]/
const parts = /\s*(<details(?:\s+open(?:="")?)?\s*>|<\/details>|<summary>[^]*?<\/summary>)\s*/y

export const isPart = (node: { readonly type: string }): boolean =>
  node.type === "html" && starts.test((node as Html).value)

/** Splits HTML that consists only of such tags into one node for each tag. */
export const split = (nodes: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  nodes.some(isPart)
    ? nodes.flatMap((node): ReadonlyArray<Block> => (isPart(node) ? splitOne(node as Html) : [node]))
    : nodes

const splitOne = (node: Html): ReadonlyArray<Html> => {
  const found: Array<Html> = []
  parts.lastIndex = 0
  while (parts.lastIndex < node.value.length) {
    const part = parts.exec(node.value)
    if (part === null) return [node]
    const from = node.from + part.index + part[0].indexOf("<")
    found.push({ type: "html", from, to: from + part[1]!.length, value: part[1]! })
  }
  return found
}

/** Returns the opening or closing tag in a node from `split`; undefined for a summary and for other HTML. */
export const partOf = ({ value }: Html): Part | undefined => {
  if (value === "</details>") return { kind: "close" }
  const [opening] = value.startsWith("<details") ? (parts.exec(rewound(value)) ?? []) : []
  if (opening === undefined || opening.length !== value.length) return undefined
  const isOpen = value.includes("open")
  return { kind: "open", line: { name: tag.name, attributes: isOpen ? [["open", "true"]] : [] } }
}

const rewound = (value: string): string => {
  parts.lastIndex = 0
  return value
}

/** Returns the content of a summary; undefined for other elements, or if the content is not only inlines. */
export const summaryOf = (content: Content): ReadonlyArray<HtmlTree.Node> | undefined => {
  if (content.type !== "html" || !content.value.startsWith("<summary>")) return undefined
  const [element, ...rest] = HtmlTree.parse(content.value) ?? []
  if (element?.kind !== "element" || element.name !== "summary" || rest.length > 0) return undefined
  return InlinesFromHtml.isReadable(element.children) ? element.children : undefined
}
