/**
 * The text of a paragraph, heading or cell: nested emphasis becomes leaves with marks, a line
 * break of the source a line feed in the text.
 *
 * Marks belong to text alone: a link has those of its text, an image or a break has none.
 */
import type { PhrasingContent } from "mdast"
import type { Data, Inline, Leaf, Text } from "../Document.ts"
import type { References } from "./LinkReferences.ts"
import * as Marks from "./Marks.ts"

/** `startsLine`: nothing stands before it on its line, so HTML in it could be read as a block. */
export const read = (
  nodes: ReadonlyArray<PhrasingContent>,
  references: References,
  startsLine = false
): Array<Inline | Text> => {
  const out = new InlineList(startsLine)
  readInto(out, nodes, 0, references)
  return out.nodes()
}

class InlineList {
  readonly #nodes: Array<Inline | Text> = []
  #leaves: Array<Leaf> = []
  #set = 0
  #text = ""
  readonly #startsLine: boolean

  constructor(startsLine: boolean) {
    this.#startsLine = startsLine
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

  /** HTML within text: its line goes on, as at the start of one it could be a block. */
  html(source: string): void {
    const value = source.replace(/\n[ \t]*/g, " ")
    if (this.#endElement(value)) return
    if (this.#text.endsWith("\n") && !inlineElement.test(value)) this.#text = `${this.#text.slice(0, -1)} `
    this.inline({ object: "inline", type: "html", data: { html: value }, isVoid: true })
  }

  /** Whether what comes next starts a paragraph, or a line after a hard break. */
  get atStart(): boolean {
    if (this.#text !== "" || this.#leaves.length > 0) return false
    const last = this.#nodes.at(-1)
    return last === undefined ? this.#startsLine : last.object === "inline" && last.type === "hard-break"
  }

  nodes(): Array<Inline | Text> {
    this.#endText()
    return this.#nodes
  }

  /** Text alone between the tags of an element that is a mark takes that mark. */
  #endElement(close: string): boolean {
    const bit = close.startsWith("</") ? Marks.bitOfTag.get(`<${close.slice(2)}`) : undefined
    const open = this.#nodes.at(-1)
    if (bit === undefined || open?.object !== "inline" || open.data?.html !== `<${close.slice(2)}`) return false
    this.#endLeaf()
    const inside = this.#leaves
    if (inside.length === 0) return false
    this.#nodes.pop()
    const before = this.#nodes.at(-1)
    if (before?.object === "text") this.#nodes.pop()
    this.#leaves = before?.object === "text" ? [...before.leaves] : []
    for (const leaf of inside) this.#leaf(leaf.text, Marks.toBits(leaf.marks) | bit)
    return true
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

const readInto = (
  out: InlineList,
  nodes: ReadonlyArray<PhrasingContent>,
  set: number,
  references: References
): void => {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    switch (node.type) {
      case "text":
        out.text(node.value, set)
        break
      case "strong":
        readInto(out, node.children, set | Marks.bold, references)
        break
      case "emphasis":
        readInto(out, node.children, set | Marks.italic, references)
        break
      case "delete":
        readInto(out, node.children, set | Marks.strikethrough, references)
        break
      case "inlineCode":
        out.text(node.value.replaceAll("\n", " "), set | Marks.code)
        break
      case "break":
        out.inline({ object: "inline", type: "hard-break", isVoid: true })
        break
      case "html":
        // Without the marks around it, it would be a block: then it is text.
        if (out.atStart && couldBeBlock(node.value, nodes[i + 1])) out.text(node.value, set)
        else out.html(node.value)
        break
      case "link":
      case "linkReference":
        out.inline({
          object: "inline",
          type: "link",
          data: node.type === "link" ? references.resource(node, "link") : references.reference(node, "link"),
          nodes: linkText(node.children, set, references)
        })
        break
      case "image":
      case "imageReference":
        out.inline({ object: "inline", type: "inline-image", data: imageData(node, references), isVoid: true })
        break
      case "footnoteReference":
        out.inline({
          object: "inline",
          type: "footnote-reference",
          data: { label: node.label ?? node.identifier },
          isVoid: true
        })
        break
    }
  }
}

const linkText = (nodes: ReadonlyArray<PhrasingContent>, set: number, references: References) => {
  const out = new InlineList(false)
  readInto(out, nodes, set, references)
  return out.nodes()
}

const imageData = (
  node: Extract<PhrasingContent, { type: "image" | "imageReference" }>,
  references: References
): Data => ({
  ...(node.type === "image" ? references.resource(node, "image") : references.reference(node, "image")),
  ...(node.alt ? { alt: node.alt } : {})
})

/** Elements that never start a block while other text is on their line. */
const inlineElement =
  /^<\/?(?:a|abbr|b|bdi|bdo|br|button|cite|code|del|dfn|em|i|img|input|ins|kbd|label|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr)(?=[\s/>])/i

const couldBeBlock = (html: string, next: PhrasingContent | undefined): boolean =>
  !inlineElement.test(html) || next === undefined || (next.type === "text" && /^[ \t]*(?:\n|$)/.test(next.value))
