/** Converts HTML text (cells, captions, summaries) to the inlines of a document. */
import type { Inline, Text } from "../Document.ts"
import * as Emoji from "./Emoji.ts"
import * as FootnoteElement from "./FootnoteElement.ts"
import * as HtmlTree from "./HtmlTree.ts"
import { InlineList } from "./InlineList.ts"
import * as InlineElements from "./InlineElements.ts"
import { normalise, type References } from "./LinkReferences.ts"
import * as Marks from "./Marks.ts"
import { oneLine } from "./OneLine.ts"

/** Resolves the link targets and footnotes of a text. */
export type Targets = Pick<References, "refOf" | "annotationBody" | "hasFootnote">

/** Returns the inlines; undefined if a node is not an inline. */
export const read = (nodes: ReadonlyArray<HtmlTree.Node>, targets: Targets): Array<Inline | Text> | undefined => {
  const out = new InlineList()
  return readInto(out, nodes, 0, targets) ? out.nodes() : undefined
}

/** True if `read` returns inlines. This does not depend on the targets. */
export const isReadable = (nodes: ReadonlyArray<HtmlTree.Node>): boolean => read(nodes, nowhere) !== undefined

const nowhere: Targets = {
  refOf: (url) => ({ kind: "url", url }),
  annotationBody: () => undefined,
  hasFootnote: () => false
}

const readInto = (out: InlineList, nodes: ReadonlyArray<HtmlTree.Node>, set: number, targets: Targets): boolean =>
  nodes.every((node) => (node.kind === "text" ? readText(out, node.source, set) : readElement(out, node, set, targets)))

// Matches a formula or an emoji.
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
  // Links do not nest in Markdown, so an outer link is not converted.
  if (name === "a" && hasLink(children)) return false
  const mark = FootnoteElement.read(element)
  if (mark !== undefined) return readMark(out, mark, children, set, targets)
  // A link stores only `href` and `title`. With other attributes or an empty title, the element stays HTML.
  const said = name === "a" ? HtmlTree.only(element, ["href", "title"]) : undefined
  if (said?.href === undefined || said.title === "") return false
  const inside = new InlineList()
  if (!readInto(inside, children, set, targets)) return false
  const data = { ref: targets.refOf(said.href, "link"), ...(said.title === undefined ? {} : { title: said.title }) }
  out.inline({ object: "inline", type: "link", data, nodes: inside.nodes() })
  return true
}

/** Recursion is bounded: nodes nest at most 32 deep. */
const hasLink = (nodes: ReadonlyArray<HtmlTree.Node>): boolean =>
  nodes.some((node) => node.kind === "element" && (node.name === "a" || hasLink(node.children)))

/**
 * Reads a footnote reference. A reference without a footnote becomes a link, and so does the text of a reference to an
 * ordinary footnote.
 */
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
