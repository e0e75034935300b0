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
import type { RefOf } from "./InlineElements.ts"
import * as Marks from "./Marks.ts"

const maxInside = 1000

export interface InlineContext {
  /** True if the text is at the start of a line. */
  readonly startsLine?: boolean
  /** True in a table cell. */
  readonly inCell?: boolean
  /** True in the text of a link, since links do not nest. */
  readonly inLink?: boolean
}

export class InlineList {
  readonly #nodes: Array<Inline | Text> = []
  #leaves: Array<Leaf> = []
  #set = 0
  #text = ""
  /** Marks of the text that an emoji becomes within code. */
  #ofEmoji: Map<Inline, number> | undefined
  readonly #startsLine: boolean
  /** True in a table cell, in which a line break is HTML. */
  readonly inCell: boolean
  readonly #inLink: boolean

  constructor({ startsLine = false, inCell = false, inLink = false }: InlineContext = {}) {
    this.#inLink = inLink
    this.#startsLine = startsLine
    this.inCell = inCell
  }

  text(text: string, set: number): void {
    if (text === "") return
    if (set !== this.#set) this.#endLeaf()
    this.#set = set
    this.#text += text
  }

  inline(inline: Inline): void {
    this.#endText()
    this.#nodes.push(inline)
  }

  emoji(code: string, set: number): void {
    const emoji: Inline = { object: "inline", type: "emoji", data: { code }, isVoid: true }
    if (set !== 0) (this.#ofEmoji ??= new Map()).set(emoji, set)
    this.inline(emoji)
  }

  /** Adds inline HTML on one line, since at the start of a line it could start a block. */
  html(source: string, refOf: RefOf): void {
    const value = source.replace(/\n[ \t]*/g, " ")
    if (isLineBreak(value)) {
      const written = this.inCell ? {} : { data: { html: value } }
      this.inline({ object: "inline", type: "hard-break", ...written, isVoid: true })
      return
    }
    if (value.startsWith("</") && this.#endElement(value.slice(2, -1), refOf)) return
    if (!inlineElement.test(value)) this.#goOn()
    this.inline({ object: "inline", type: "html", data: HtmlReferences.htmlData(value, refOf), isVoid: true })
  }

  /** `paragraph` if the next node starts a paragraph, `line` if it follows a hard break; undefined otherwise. */
  get start(): "paragraph" | "line" | undefined {
    if (this.#text !== "" || this.#leaves.length > 0) return undefined
    const last = this.#nodes.at(-1)
    if (last === undefined) return this.#startsLine ? "paragraph" : undefined
    // After a hard break that is HTML, the line continues.
    return last.object === "inline" && last.type === "hard-break" && !this.inCell && last.data === undefined
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
  #endElement(name: string, refOf: RefOf): boolean {
    const bit = Marks.bitOfElement.get(name)
    if (bit === undefined && (name !== "a" || this.#inLink)) return false
    this.#endText()
    const at = this.#openAt(name)
    const open = at === undefined ? undefined : htmlOf(this.#nodes[at]!)
    if (at === undefined || open === undefined || at === this.#nodes.length - 1) return false
    const inside = this.#nodes.slice(at + 1)
    if (countOf(inside) > maxInside) return false
    if (bit !== undefined) {
      const nodes = open === `<${name}>` ? marked(inside, bit, this.#ofEmoji) : []
      if (!nodes.some(hasText)) return false
      this.#nodes.length = at
      for (const node of nodes) this.#append(node)
      return true
    }
    const href = hrefOf(open)
    if (href === undefined || !inside.some(isSeen) || inside.some(isTarget)) return false
    this.#nodes.length = at
    const nodes = new InlineList()
    for (const node of inside) for (const one of isLink(node) ? (node.nodes ?? []) : [node]) nodes.#append(one)
    this.inline({ object: "inline", type: "link", data: { ref: refOf(href, "link") }, nodes: nodes.nodes() })
    return true
  }

  /** Returns the index of the last HTML node, if it opens an element with this name. */
  #openAt(name: string): number | undefined {
    const last = this.#nodes.length - 1
    for (let at = last; at >= 0 && last - at < maxInside; at--) {
      const html = htmlOf(this.#nodes[at]!)
      if (html !== undefined) return html.startsWith(`<${name}`) ? at : undefined
    }
    return undefined
  }

  /** Replaces a line end at the end of the last text with a space. The text may have been within an element. */
  #goOn(): void {
    this.#endText()
    const node = this.#nodes.at(-1)
    if (node?.object !== "text") return
    const leaf = node.leaves.at(-1)!
    if (!leaf.text.endsWith("\n")) return
    const leaves = [...node.leaves.slice(0, -1), { ...leaf, text: `${leaf.text.slice(0, -1)} ` }]
    this.#nodes[this.#nodes.length - 1] = { ...node, leaves }
  }

  #append(node: Inline | Text): void {
    if (node.object === "inline") {
      this.inline(node)
      return
    }
    const before = this.#leaves.length === 0 ? this.#nodes.at(-1) : undefined
    if (before?.object === "text") {
      this.#nodes.pop()
      // The array was created by this class and is not shared yet.
      this.#leaves = before.leaves as Array<Leaf>
    }
    for (const leaf of node.leaves) this.#leaf(leaf.text, Marks.toBits(leaf.marks))
  }

  #endLeaf(): void {
    if (this.#text === "") return
    this.#leaf(this.#text, this.#set)
    this.#text = ""
  }

  #leaf(text: string, set: number): void {
    const marks = Marks.ofBits(set)
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

const htmlOf = (node: Inline | Text): string | undefined =>
  node.object === "inline" && node.type === "html" ? String(node.data?.html) : undefined

const countOf = (nodes: ReadonlyArray<Inline | Text>): number =>
  nodes.reduce((count, node) => count + (node.object === "text" ? node.leaves : (node.nodes ?? [])).length + 1, 0)

const isLink = (node: Inline | Text): node is Inline => node.object === "inline" && node.type === "link"

/**
 * True for inlines that are links themselves, which another link cannot contain. Type `link` is not included, since
 * such links are unwrapped.
 */
const isTarget = (node: Inline | Text): boolean =>
  node.object === "inline" && ["annotation", "button", "footnote-reference", "mention"].includes(node.type)

const hasText = (node: Inline | Text): boolean => node.object === "text" || (node.nodes ?? []).some(hasText)

const isSeen = (node: Inline | Text): boolean =>
  hasText(node) || (node.object === "inline" && node.type === "inline-image")

const hrefAt = /^<a\s+href=(?:"([^"]*)"|'([^']*)')\s*>$/

const hrefOf = (html: string): string | undefined => {
  const found = hrefAt.exec(html)
  return found === null ? undefined : HtmlTree.decode(found[1] ?? found[2]!)
}

/** Adds a mark to nodes. An emoji in code becomes its name. */
const marked = (
  nodes: ReadonlyArray<Inline | Text>,
  bit: number,
  ofEmoji: ReadonlyMap<Inline, number> | undefined
): ReadonlyArray<Inline | Text> =>
  nodes.map((node): Inline | Text => {
    if (node.object === "text") return { ...node, leaves: node.leaves.map((leaf) => markedLeaf(leaf, bit)) }
    const name = bit === Marks.code && node.type === "emoji" ? Emoji.nameOfCode(String(node.data?.code)) : undefined
    if (name !== undefined) {
      const marks = Marks.ofBits((ofEmoji?.get(node) ?? 0) | bit)
      return { object: "text", leaves: [{ object: "leaf", text: `:${name}:`, marks }] }
    }
    return node.nodes === undefined ? node : { ...node, nodes: marked(node.nodes, bit, ofEmoji) }
  })

const markedLeaf = ({ text, marks }: Leaf, bit: number): Leaf => ({
  object: "leaf",
  text: bit === Marks.code ? text.replaceAll("\n", " ") : text,
  marks: Marks.ofBits(Marks.toBits(marks) | bit)
})

/** True if HTML is a line break. */
export const isLineBreak = (html: string): boolean => /^<br\s*\/?>$/i.test(html)

/** Elements that never start a block if other text is on their line. */
const inlineElement =
  /^<\/?(?:a|abbr|b|bdi|bdo|br|button|cite|code|del|dfn|em|i|img|input|ins|kbd|label|mark|picture|q|s|samp|small|source|span|strong|sub|sup|time|u|var|wbr)(?=[\s/>])/i
