/**
 * Collects the text and inlines of a paragraph. Adjacent texts with the same marks become one leaf. HTML tags that
 * enclose nodes become a mark or a link.
 *
 * Limits: an element contains at most 1,000 nodes. Larger ones stay HTML.
 */
import type { Inline, Leaf, Text } from "../Document.ts"
import * as HtmlReferences from "../html/HtmlReferences.ts"
import * as Emoji from "./Emoji.ts"
import * as HtmlTree from "./HtmlTree.ts"
import type { ResolveRef } from "./InlineElements.ts"
import * as Marks from "./Marks.ts"

const maxContentNodes = 1000

export interface InlineContext {
  /** True if the text is at the start of a line. */
  readonly startsLine?: boolean
  /** True in a table cell. */
  readonly isInCell?: boolean
  /** True in the text of a link, since links do not nest. */
  readonly isInLink?: boolean
}

export class InlineList {
  readonly #nodes: Array<Inline | Text> = []
  #leaves: Array<Leaf> = []
  #marks = 0
  #text = ""
  /** Marks of the text around each emoji. An emoji within code becomes text with these marks. */
  #marksOfEmoji: Map<Inline, number> | undefined
  readonly #startsLine: boolean
  /** True in a table cell, in which a line break is HTML. */
  readonly isInCell: boolean
  readonly #isInLink: boolean

  constructor({ startsLine = false, isInCell = false, isInLink = false }: InlineContext = {}) {
    this.#isInLink = isInLink
    this.#startsLine = startsLine
    this.isInCell = isInCell
  }

  addText(text: string, markSet: number): void {
    if (text === "") return
    if (markSet !== this.#marks) this.#endLeaf()
    this.#marks = markSet
    this.#text += text
  }

  inline(inline: Inline): void {
    this.#endText()
    this.#nodes.push(inline)
  }

  emoji(code: string, markSet: number): void {
    const emoji: Inline = { object: "inline", type: "emoji", data: { code }, isVoid: true }
    if (markSet !== 0) (this.#marksOfEmoji ??= new Map()).set(emoji, markSet)
    this.inline(emoji)
  }

  /** Adds inline HTML on one line, since at the start of a line it could start a block. */
  html(source: string, refOf: ResolveRef): void {
    const value = source.replace(/\n[ \t]*/g, " ")
    if (isLineBreak(value)) {
      const data = this.isInCell ? {} : { data: { html: value } }
      this.inline({ object: "inline", type: "hard-break", ...data, isVoid: true })
      return
    }
    if (value.startsWith("</") && this.#endElement(value.slice(2, -1), refOf)) return
    if (!inlineElement.test(value)) this.#joinLastLine()
    this.inline({ object: "inline", type: "html", data: HtmlReferences.htmlData(value, refOf), isVoid: true })
  }

  /** `paragraph` if the next node starts a paragraph, `line` if it follows a hard break; undefined otherwise. */
  get start(): "paragraph" | "line" | undefined {
    if (this.#text !== "" || this.#leaves.length > 0) return undefined
    const last = this.#nodes.at(-1)
    if (last === undefined) return this.#startsLine ? "paragraph" : undefined
    // After a hard break that is HTML, the line continues.
    return last.object === "inline" && last.type === "hard-break" && !this.isInCell && last.data === undefined
      ? "line"
      : undefined
  }

  nodes(): Array<Inline | Text> {
    this.#endText()
    return this.#nodes
  }

  /**
   * Closes an element: its content gets the element's mark or becomes a link. Returns false if this is not possible.
   */
  #endElement(name: string, refOf: ResolveRef): boolean {
    const bit = Marks.bitByElement.get(name)
    if (bit === undefined && (name !== "a" || this.#isInLink)) return false
    this.#endText()
    const openIndex = this.#openTagIndex(name)
    const openTag = openIndex === undefined ? undefined : htmlSource(this.#nodes[openIndex]!)
    if (openIndex === undefined || openTag === undefined || openIndex === this.#nodes.length - 1) return false
    const content = this.#nodes.slice(openIndex + 1)
    if (countNodes(content) > maxContentNodes) return false
    if (bit !== undefined) {
      const nodes = openTag === `<${name}>` ? withMark(content, bit, this.#marksOfEmoji) : []
      if (!nodes.some(hasText)) return false
      this.#nodes.length = openIndex
      for (const node of nodes) this.#appendNode(node)
      return true
    }
    const href = parseHref(openTag)
    if (href === undefined || !content.some(isVisible) || content.some(isLinkLike)) return false
    this.#nodes.length = openIndex
    const nodes = new InlineList()
    for (const node of content) for (const child of isLink(node) ? (node.nodes ?? []) : [node]) nodes.#appendNode(child)
    this.inline({ object: "inline", type: "link", data: { ref: refOf(href, "link") }, nodes: nodes.nodes() })
    return true
  }

  /** Returns the index of the last HTML node, if it opens an element with this name. */
  #openTagIndex(name: string): number | undefined {
    const last = this.#nodes.length - 1
    for (let at = last; at >= 0 && last - at < maxContentNodes; at--) {
      const html = htmlSource(this.#nodes[at]!)
      if (html !== undefined) return html.startsWith(`<${name}`) ? at : undefined
    }
    return undefined
  }

  /** Replaces a line end at the end of the last text with a space. The text may have been within an element. */
  #joinLastLine(): void {
    this.#endText()
    const node = this.#nodes.at(-1)
    if (node?.object !== "text") return
    const leaf = node.leaves.at(-1)!
    if (!leaf.text.endsWith("\n")) return
    const leaves = [...node.leaves.slice(0, -1), { ...leaf, text: `${leaf.text.slice(0, -1)} ` }]
    this.#nodes[this.#nodes.length - 1] = { ...node, leaves }
  }

  #appendNode(node: Inline | Text): void {
    if (node.object === "inline") {
      this.inline(node)
      return
    }
    const previousNode = this.#leaves.length === 0 ? this.#nodes.at(-1) : undefined
    if (previousNode?.object === "text") {
      this.#nodes.pop()
      // The array was created by this class and is not shared yet.
      this.#leaves = previousNode.leaves as Array<Leaf>
    }
    for (const leaf of node.leaves) this.#addLeaf(leaf.text, Marks.toBits(leaf.marks))
  }

  #endLeaf(): void {
    if (this.#text === "") return
    this.#addLeaf(this.#text, this.#marks)
    this.#text = ""
  }

  #addLeaf(text: string, markSet: number): void {
    const marks = Marks.fromBits(markSet)
    const last = this.#leaves.at(-1)
    if (last?.marks === marks) this.#leaves[this.#leaves.length - 1] = { ...last, text: last.text + text }
    else this.#leaves.push({ object: "leaf", text, marks })
  }

  #endText(): void {
    this.#endLeaf()
    if (this.#leaves.length === 0) return
    this.#nodes.push({ object: "text", leaves: this.#leaves })
    this.#leaves = []
  }
}

const htmlSource = (node: Inline | Text): string | undefined =>
  node.object === "inline" && node.type === "html" ? String(node.data?.html) : undefined

const countNodes = (nodes: ReadonlyArray<Inline | Text>): number =>
  nodes.reduce((count, node) => count + (node.object === "text" ? node.leaves : (node.nodes ?? [])).length + 1, 0)

const isLink = (node: Inline | Text): node is Inline => node.object === "inline" && node.type === "link"

/**
 * True for inlines that are links themselves, which another link cannot contain. Type `link` is not included, since
 * such links are unwrapped.
 */
const isLinkLike = (node: Inline | Text): boolean =>
  node.object === "inline" && ["annotation", "button", "footnote-reference", "mention"].includes(node.type)

const hasText = (node: Inline | Text): boolean => node.object === "text" || (node.nodes ?? []).some(hasText)

const isVisible = (node: Inline | Text): boolean =>
  hasText(node) || (node.object === "inline" && node.type === "inline-image")

const anchorTag = /^<a\s+href=(?:"([^"]*)"|'([^']*)')\s*>$/

const parseHref = (html: string): string | undefined => {
  const match = anchorTag.exec(html)
  return match === null ? undefined : HtmlTree.decodeReferences(match[1] ?? match[2]!)
}

/** Adds a mark to nodes. An emoji in code becomes its name. */
const withMark = (
  nodes: ReadonlyArray<Inline | Text>,
  bit: number,
  marksOfEmoji: ReadonlyMap<Inline, number> | undefined
): ReadonlyArray<Inline | Text> =>
  nodes.map((node): Inline | Text => {
    if (node.object === "text") return { ...node, leaves: node.leaves.map((leaf) => withLeafMark(leaf, bit)) }
    const name = bit === Marks.code && node.type === "emoji" ? Emoji.nameOfCode(String(node.data?.code)) : undefined
    if (name !== undefined) {
      const marks = Marks.fromBits((marksOfEmoji?.get(node) ?? 0) | bit)
      return { object: "text", leaves: [{ object: "leaf", text: `:${name}:`, marks }] }
    }
    return node.nodes === undefined ? node : { ...node, nodes: withMark(node.nodes, bit, marksOfEmoji) }
  })

const withLeafMark = ({ text, marks }: Leaf, bit: number): Leaf => ({
  object: "leaf",
  text: bit === Marks.code ? text.replaceAll("\n", " ") : text,
  marks: Marks.fromBits(Marks.toBits(marks) | bit)
})

/** True if HTML is a line break. */
export const isLineBreak = (html: string): boolean => /^<br\s*\/?>$/i.test(html)

/** Elements that never start a block if other text is on their line. */
const inlineElement =
  /^<\/?(?:a|abbr|b|bdi|bdo|br|button|cite|code|del|dfn|em|i|img|input|ins|kbd|label|mark|picture|q|s|samp|small|source|span|strong|sub|sup|time|u|var|wbr)(?=[\s/>])/i
