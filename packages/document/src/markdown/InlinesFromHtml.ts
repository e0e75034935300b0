/** Text in HTML (a cell, a caption, a summary) as the inlines of a document. */
import type { Inline, Text } from "../Document.ts"
import * as Emoji from "./Emoji.ts"
import * as HtmlTree from "./HtmlTree.ts"
import { InlineList } from "./InlineList.ts"
import * as InlineElements from "./InlineElements.ts"
import * as Marks from "./Marks.ts"
import { oneLine } from "./OneLine.ts"

/** Undefined where something in it is no inline. */
export const read = (
  nodes: ReadonlyArray<HtmlTree.Node>,
  refOf: InlineElements.RefOf
): Array<Inline | Text> | undefined => {
  const out = new InlineList()
  return readInto(out, nodes, 0, refOf) ? out.nodes() : undefined
}

export const isReadable = (nodes: ReadonlyArray<HtmlTree.Node>): boolean =>
  read(nodes, (url) => ({ kind: "url", url })) !== undefined

const readInto = (
  out: InlineList,
  nodes: ReadonlyArray<HtmlTree.Node>,
  set: number,
  refOf: InlineElements.RefOf
): boolean =>
  nodes.every((node) => (node.kind === "text" ? readText(out, node.source, set) : readElement(out, node, set, refOf)))

// A formula or an emoji.
const piece = /\$\$((?:[^$\\<]|\\[^<])+)\$\$|(?<![\w]):([a-z0-9_+-]+):/g

const readText = (out: InlineList, source: string, set: number): boolean => {
  const text = oneLine(source)
  let from = 0
  for (const found of text.matchAll(piece)) {
    const [whole, formula, name] = found
    const code = name === undefined ? undefined : Emoji.codeOfName(name)
    if ((set & Marks.code) !== 0 || (formula === undefined && code === undefined)) continue
    out.text(HtmlTree.decode(text.slice(from, found.index)), set)
    const data = code === undefined ? { formula: HtmlTree.decode(formula!) } : { code }
    out.inline({ object: "inline", type: code === undefined ? "inline-math" : "emoji", data, isVoid: true })
    from = found.index + whole.length
  }
  out.text(HtmlTree.decode(text.slice(from)), set)
  return true
}

const readElement = (out: InlineList, element: HtmlTree.Element, set: number, refOf: InlineElements.RefOf): boolean => {
  const { name, attributes, children } = element
  if (name === "br" && attributes.size === 0) {
    out.inline({ object: "inline", type: "hard-break", isVoid: true })
    return true
  }
  if (name === "mark") {
    const style = HtmlTree.only(element, ["style"])?.style
    const color = style === undefined ? 0 : Marks.colorOfTag(`<mark style="${style}">`)
    return color !== 0 && children.length > 0 && readInto(out, children, (set & ~Marks.color) | color, refOf)
  }
  const bit = attributes.size === 0 ? Marks.bitOfElement.get(name) : undefined
  if (bit !== undefined) return readInto(out, children, set | bit, refOf)
  if (InlineElements.isKnown(name)) {
    const texts = children.map((child) => (child.kind === "text" ? HtmlTree.decode(child.source) : undefined))
    const known = name === "picture" || !texts.includes(undefined)
    const inline = known ? InlineElements.read(element, texts.join(""), refOf) : undefined
    if (inline !== undefined) {
      out.inline(inline)
      return true
    }
  }
  // What else an element says has no form in a link, nor has a title that says nothing: it stays HTML then.
  const said = name === "a" ? HtmlTree.only(element, ["href", "title"]) : undefined
  if (said?.href === undefined || said.title === "") return false
  const inside = new InlineList()
  if (!readInto(inside, children, set, refOf)) return false
  const data = { ref: refOf(said.href, "link"), ...(said.title === undefined ? {} : { title: said.title }) }
  out.inline({ object: "inline", type: "link", data, nodes: inside.nodes() })
  return true
}
