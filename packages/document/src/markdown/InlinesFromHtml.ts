/** Text in HTML (a cell, a caption, a summary) as the inlines of a document. */
import type { Inline, Text } from "../Document.ts"
import * as Emoji from "./Emoji.ts"
import * as FootnoteElement from "./FootnoteElement.ts"
import * as HtmlTree from "./HtmlTree.ts"
import { InlineList } from "./InlineList.ts"
import * as InlineElements from "./InlineElements.ts"
import { normalise, type References } from "./LinkReferences.ts"
import * as Marks from "./Marks.ts"
import { oneLine } from "./OneLine.ts"

/** Finds whatever a text leads to. */
export type Targets = Pick<References, "refOf" | "annotationBody" | "hasFootnote">

/** Undefined where something in it is no inline. */
export const read = (nodes: ReadonlyArray<HtmlTree.Node>, targets: Targets): Array<Inline | Text> | undefined => {
  const out = new InlineList()
  return readInto(out, nodes, 0, targets) ? out.nodes() : undefined
}

/** That depends on no target. */
export const isReadable = (nodes: ReadonlyArray<HtmlTree.Node>): boolean => read(nodes, nowhere) !== undefined

const nowhere: Targets = {
  refOf: (url) => ({ kind: "url", url }),
  annotationBody: () => undefined,
  hasFootnote: () => false
}

const readInto = (out: InlineList, nodes: ReadonlyArray<HtmlTree.Node>, set: number, targets: Targets): boolean =>
  nodes.every((node) => (node.kind === "text" ? readText(out, node.source, set) : readElement(out, node, set, targets)))

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

const readElement = (out: InlineList, element: HtmlTree.Element, set: number, targets: Targets): boolean => {
  const { name, attributes, children } = element
  if (name === "br" && attributes.size === 0) {
    out.inline({ object: "inline", type: "hard-break", isVoid: true })
    return true
  }
  if (name === "mark") {
    const style = HtmlTree.only(element, ["style"])?.style
    const color = style === undefined ? 0 : Marks.colorOfTag(`<mark style="${style}">`)
    return color !== 0 && children.length > 0 && readInto(out, children, (set & ~Marks.color) | color, targets)
  }
  const bit = attributes.size === 0 ? Marks.bitOfElement.get(name) : undefined
  if (bit !== undefined) return readInto(out, children, set | bit, targets)
  if (InlineElements.isKnown(name)) {
    const texts = children.map((child) => (child.kind === "text" ? HtmlTree.decode(child.source) : undefined))
    const known = name === "picture" || !texts.includes(undefined)
    const inline = known ? InlineElements.read(element, texts.join(""), targets.refOf) : undefined
    if (inline !== undefined) {
      out.inline(inline)
      return true
    }
  }
  // Markdown has no link in a link.
  if (name === "a" && hasLink(children)) return false
  const mark = FootnoteElement.read(element)
  if (mark !== undefined) return readMark(out, mark, children, set, targets)
  // What else an element says has no form in a link, nor has a title that says nothing: it stays HTML then.
  const said = name === "a" ? HtmlTree.only(element, ["href", "title"]) : undefined
  if (said?.href === undefined || said.title === "") return false
  const inside = new InlineList()
  if (!readInto(inside, children, set, targets)) return false
  const data = { ref: targets.refOf(said.href, "link"), ...(said.title === undefined ? {} : { title: said.title }) }
  out.inline({ object: "inline", type: "link", data, nodes: inside.nodes() })
  return true
}

/** Nodes nest 32 deep at most, so recursion is bounded. */
const hasLink = (nodes: ReadonlyArray<HtmlTree.Node>): boolean =>
  nodes.some((node) => node.kind === "element" && (node.name === "a" || hasLink(node.children)))

/** One that there is no footnote for is a link, and so is the text of an ordinary footnote's mark. */
const readMark = (
  out: InlineList,
  { label, isBare }: FootnoteElement.Mark,
  children: ReadonlyArray<HtmlTree.Node>,
  set: number,
  targets: Targets
): boolean => {
  const identifier = normalise(label)
  const hasFootnote = targets.hasFootnote(identifier)
  const inside = new InlineList()
  if (!readInto(inside, children, set, targets)) return false
  const body = isBare ? undefined : targets.annotationBody(identifier)
  if (body !== undefined) {
    const fragments = [{ object: "fragment", type: "annotation-body", nodes: body }] as const
    out.inline({
      object: "inline",
      type: "annotation",
      data: { label },
      isVoid: false,
      nodes: inside.nodes(),
      fragments
    })
    return true
  }
  if (!isBare || !hasFootnote) {
    const ref = targets.refOf(FootnoteElement.urlOf(label), "link")
    out.inline({ object: "inline", type: "link", data: { ref }, nodes: inside.nodes() })
  }
  if (hasFootnote) out.inline({ object: "inline", type: "footnote-reference", data: { label }, isVoid: true })
  return true
}
