/**
 * Parses the cell of a Markdown table: text, or blocks in HTML: `<p>`, `<ul>`, `<ol>`, `<li>` and headings. The content
 * of these elements is Markdown. Unclosed and misplaced elements stay text.
 *
 * Limits: lists nest 8 deep.
 */
import type { Inline, Text } from "../Document.ts"
import * as CellContent from "./CellContent.ts"
import * as HeadingDepth from "./HeadingDepth.ts"

type Node = Inline | Text

const maxDepth = 8

/** Returns the content of a cell. A cell without blocks is one paragraph. */
export const read = (nodes: ReadonlyArray<Node>): ReadonlyArray<CellContent.CellContent> => {
  const contents = nodes.some((node) => parseTag(node) !== undefined) ? new CellReader(nodes).contents() : undefined
  return contents ?? [{ type: "paragraph", nodes }]
}

interface Tag {
  readonly name: string
  readonly isEnd: boolean
  /** First number of a list. */
  readonly start: number
}

const tagPattern = /^<(\/?)(p|ul|ol|li|h[1-6])(?: start="([1-9]\d{0,8})")?\s*>$/

const parseTag = (node: Node | undefined): Tag | undefined => {
  if (node?.object !== "inline" || node.type !== "html") return undefined
  const match = tagPattern.exec(String(node.data?.html))
  if (match === null || (match[3] !== undefined && match[2] !== "ol")) return undefined
  return { name: match[2]!, isEnd: match[1] === "/", start: Number(match[3] ?? 1) }
}

class CellReader {
  readonly #nodes: ReadonlyArray<Node>
  #index = 0

  constructor(nodes: ReadonlyArray<Node>) {
    this.#nodes = nodes
  }

  /** Returns the content of the cell; undefined if its tags do not match. */
  contents(): ReadonlyArray<CellContent.CellContent> | undefined {
    const contents = this.#flow(0)
    return this.#index < this.#nodes.length ? undefined : contents
  }

  /** Returns the nodes up to the next tag. */
  #text(): ReadonlyArray<Node> {
    const from = this.#index
    while (this.#index < this.#nodes.length && parseTag(this.#nodes[this.#index]) === undefined) this.#index++
    return this.#nodes.slice(from, this.#index)
  }

  /** Returns blocks and the text between them, up to an end tag. Returns undefined if a block is invalid. */
  #flow(depth: number): Array<CellContent.CellContent> | undefined {
    const contents: Array<CellContent.CellContent> = []
    for (;;) {
      const text = CellContent.paragraph(this.#text())
      if (text !== undefined) contents.push(text)
      const tag = parseTag(this.#nodes[this.#index])
      if (tag === undefined || tag.isEnd) return contents
      const content = tag.name === "li" ? undefined : this.#block(tag, depth)
      if (content === undefined) return undefined
      contents.push(content)
    }
  }

  #block(tag: Tag, depth: number): CellContent.CellContent | undefined {
    this.#index++
    if (tag.name === "ul" || tag.name === "ol") return this.#list(tag, depth)
    const nodes = CellContent.trim(this.#text())
    return this.#end(tag.name)
      ? { ...(HeadingDepth.headingOfElement(tag.name) ?? { type: "paragraph" }), nodes }
      : undefined
  }

  #list({ name, start }: Tag, depth: number): CellContent.CellContent | undefined {
    const items: Array<ReadonlyArray<CellContent.CellContent>> = []
    for (;;) {
      if (CellContent.paragraph(this.#text()) !== undefined) return undefined
      if (this.#end(name)) break
      const tag = parseTag(this.#nodes[this.#index])
      if (tag?.name !== "li" || tag.isEnd || depth === maxDepth) return undefined
      this.#index++
      const item = this.#flow(depth + 1)
      if (item === undefined || !this.#end("li")) return undefined
      items.push(item.length === 0 ? [{ type: "paragraph", nodes: [] }] : item)
    }
    if (items.length === 0) return undefined
    return { type: name === "ul" ? "list-unordered" : "list-ordered", start, items }
  }

  #end(name: string): boolean {
    const tag = parseTag(this.#nodes[this.#index])
    if (tag?.name !== name || !tag.isEnd) return false
    this.#index++
    return true
  }
}
