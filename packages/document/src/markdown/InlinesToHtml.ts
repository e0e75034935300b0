/** The inlines of a document as text in HTML, as it stands in cells, captions and summaries. */
import type { Inline, Leaf, Node } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as Emoji from "./Emoji.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlineElements from "./InlineElements.ts"
import * as Marks from "./Marks.ts"
import type { Writer } from "./Writer.ts"

const tags: ReadonlyArray<readonly [bit: number, tag: string]> = [
  [Marks.bold, "strong"],
  [Marks.italic, "em"],
  [Marks.strikethrough, "del"],
  ...Marks.elements,
  [Marks.code, "code"]
]

export const write = (nodes: ReadonlyArray<Node>, writer: Writer): string => {
  let html = ""
  for (const node of nodes) {
    if (node.object === "text") for (const one of node.leaves) html += leaf(one)
    else if (node.object === "inline") html += inline(node, writer)
  }
  return html
}

const leaf = ({ text, marks }: Leaf): string => {
  if (text === "") return ""
  const set = Marks.toBits(marks)
  let html = HtmlTree.text(text)
  for (const [bit, tag] of tags.toReversed()) if ((set & bit) !== 0) html = `<${tag}>${html}</${tag}>`
  return (set & Marks.color) === 0 ? html : `${Marks.tagOfColor(set)}${html}</mark>`
}

const inline = (node: Inline, writer: Writer): string => {
  const element = InlineElements.write(node, writer.urlOf, true)
  if (element !== undefined) {
    return element.close === undefined
      ? element.open
      : `${element.open}${HtmlTree.text(element.text ?? "")}${element.close}`
  }
  const { data = {} } = node
  switch (node.type) {
    case "hard-break":
      return "<br>"
    case "html":
      return typeof data.html === "string" ? data.html : ""
    case "link":
      return `${HtmlTree.tag("a", { href: writer.urlOf(data) })}${write(node.nodes ?? [], writer)}</a>`
    case "emoji":
      return emoji(String(data.code))
    case "inline-math": {
      const formula = HtmlTree.text(String(data.formula))
      return `$$${formula.replaceAll("&#36;", "$")}$$`
    }
    default:
      return HtmlTree.text(DocumentText.ofInlines([node]))
  }
}

const emoji = (code: string): string => {
  const name = Emoji.nameOfCode(code)
  return name === undefined ? HtmlTree.text(Emoji.charactersOf(code)) : `:${name}:`
}
