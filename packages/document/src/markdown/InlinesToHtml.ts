/** Serializes inlines as HTML, for cells, captions and summaries. */
import type { Inline, Leaf, Node } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as HtmlReferences from "../html/HtmlReferences.ts"
import { emojiCharacters } from "../EmojiCode.ts"
import * as Emoji from "./Emoji.ts"
import * as FootnoteElement from "./FootnoteElement.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlineElements from "./InlineElements.ts"
import { titleOf } from "./LinkTitle.ts"
import * as Marks from "./Marks.ts"
import type { Writer } from "./Writer.ts"
import { type InlineType, isInlineType } from "../vocabulary/InlineTypes.ts"

export const write = (nodes: ReadonlyArray<Node>, writer: Writer): string => {
  let html = ""
  for (const node of nodes) {
    if (node.object === "text") for (const one of node.leaves) html += leaf(one)
    else if (node.object === "inline")
      html += isEmojiInWord(node, html) ? Emoji.emojiElement(codeOf(node)) : inline(node, writer)
  }
  return html
}

/** True if the text before an emoji would turn the emoji's name into text. */
const isEmojiInWord = ({ type }: Inline, before: string): boolean => type === "emoji" && /\w$/.test(before)

const codeOf = ({ data }: Inline): string => String(data?.code)

const leaf = ({ text, marks }: Leaf): string => {
  if (text === "") return ""
  const markSet = Marks.toBits(marks)
  let html = HtmlTree.escapeText(text)
  for (const [bit, tag] of Marks.elementBits.toReversed()) if ((markSet & bit) !== 0) html = `<${tag}>${html}</${tag}>`
  return (markSet & Marks.colorMask) === 0 ? html : `${Marks.printColorTag(markSet)}${html}</mark>`
}

type InlineWriter = (inline: Inline, writer: Writer) => string

const inline: InlineWriter = (node, writer) =>
  (isInlineType(node.type) ? writers[node.type] : writePlainText)(node, writer)

const writePlainText: InlineWriter = (node) => HtmlTree.escapeText(DocumentText.inlinesText([node]))

const element: InlineWriter = (node, writer) => {
  const { open, text = "", close } = InlineElements.write(node, writer.urlOfData, true)!
  return close === undefined ? open : `${open}${HtmlTree.escapeText(text)}${close}`
}

/** Writers by inline type. */
const writers: { readonly [_ in InlineType]: InlineWriter } = {
  link: ({ data, nodes = [] }, writer) =>
    `${HtmlTree.openTag("a", { href: writer.urlOfData(data ?? {}), title: titleOf(data) })}${write(nodes, writer)}</a>`,
  mention: element,
  annotation: ({ data, nodes = [], fragments }, writer) => {
    const body = fragments?.find(({ type, fragment }) => (type ?? fragment) === "annotation-body")?.nodes ?? []
    return FootnoteElement.annotationReference(writer.annotate(data?.label, body), write(nodes, writer))
  },
  emoji: (node) => emoji(codeOf(node)),
  icon: element,
  "inline-image": element,
  "inline-math": ({ data }) => `$$${HtmlTree.escapeText(String(data?.formula)).replaceAll("&#36;", "$")}$$`,
  expression: element,
  button: element,
  "hard-break": () => "<br>",
  "footnote-reference": ({ data }, writer) => {
    const label = typeof data?.label === "string" ? data.label : ""
    return writer.hasFootnote(label) ? FootnoteElement.ordinaryReference(label) : HtmlTree.escapeText(`[^${label}]`)
  },
  html: ({ data }, writer) => HtmlReferences.printHtml(data, writer.urlOfRef)
}

const emoji = (code: string): string => {
  const name = Emoji.nameOfCode(code)
  return name === undefined ? HtmlTree.escapeText(emojiCharacters(code)) : `:${name}:`
}
