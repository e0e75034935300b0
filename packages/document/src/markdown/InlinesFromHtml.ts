/** Converts HTML text (cells, captions, summaries) to the inlines of a document. */
import type { Inline, Text } from "../Document.ts"
import * as Emoji from "./Emoji.ts"
import * as FootnoteElement from "./FootnoteElement.ts"
import * as HtmlTree from "./HtmlTree.ts"
import { InlineList } from "./InlineList.ts"
import * as InlineElements from "./InlineElements.ts"
import { normalizeLabel, type References } from "./LinkReferences.ts"
import * as Marks from "./Marks.ts"
import { oneLine } from "./OneLine.ts"

/** Resolves the link targets and footnotes of a text. */
export type LinkTargets = Pick<References, "resolveRef" | "annotationBody" | "hasFootnote">

/** Returns the inlines; undefined if a node is not an inline. */
export const read = (nodes: ReadonlyArray<HtmlTree.Node>, targets: LinkTargets): Array<Inline | Text> | undefined => {
  const list = new InlineList()
  return readInto(list, nodes, 0, targets) ? list.nodes() : undefined
}

/** True if `read` returns inlines. This does not depend on the targets. */
export const isReadable = (nodes: ReadonlyArray<HtmlTree.Node>): boolean => read(nodes, unresolvedTargets) !== undefined

const unresolvedTargets: LinkTargets = {
  resolveRef: (url) => ({ kind: "url", url }),
  annotationBody: () => undefined,
  hasFootnote: () => false
}

const readInto = (
  list: InlineList,
  nodes: ReadonlyArray<HtmlTree.Node>,
  markSet: number,
  targets: LinkTargets
): boolean =>
  nodes.every((node) =>
    node.kind === "text" ? readText(list, node.source, markSet) : readElement(list, node, markSet, targets)
  )

// Matches a formula or an emoji.
const formulaOrEmoji = /\$\$((?:[^$\\<]|\\[^<])+)\$\$|(?<![\w]):([a-z0-9_+-]+):/g

const readText = (list: InlineList, source: string, markSet: number): boolean => {
  const text = oneLine(source)
  let from = 0
  for (const match of text.matchAll(formulaOrEmoji)) {
    const [matchedText, formula, name] = match
    const code = name === undefined ? undefined : Emoji.codeOfName(name)
    if ((markSet & Marks.code) !== 0 || (formula === undefined && code === undefined)) continue
    list.addText(HtmlTree.decodeReferences(text.slice(from, match.index)), markSet)
    const data = code === undefined ? { formula: HtmlTree.decodeReferences(formula!) } : { code }
    list.inline({ object: "inline", type: code === undefined ? "inline-math" : "emoji", data, isVoid: true })
    from = match.index + matchedText.length
  }
  list.addText(HtmlTree.decodeReferences(text.slice(from)), markSet)
  return true
}

const readElement = (list: InlineList, element: HtmlTree.Element, markSet: number, targets: LinkTargets): boolean => {
  const { name, attributes, children } = element
  if (name === "br" && attributes.size === 0) {
    list.inline({ object: "inline", type: "hard-break", isVoid: true })
    return true
  }
  if (name === "mark") {
    const style = HtmlTree.knownAttributes(element, ["style"])?.style
    const color = style === undefined ? 0 : Marks.parseColorTag(`<mark style="${style}">`)
    return color !== 0 && children.length > 0 && readInto(list, children, (markSet & ~Marks.colorMask) | color, targets)
  }
  const bit = attributes.size === 0 ? Marks.bitByElement.get(name) : undefined
  if (bit !== undefined) return readInto(list, children, markSet | bit, targets)
  if (InlineElements.isInlineElement(name)) {
    const texts = children.map((child) => (child.kind === "text" ? HtmlTree.decodeReferences(child.source) : undefined))
    const hasOnlyText = name === "picture" || !texts.includes(undefined)
    const inline = hasOnlyText ? InlineElements.read(element, texts.join(""), targets.resolveRef) : undefined
    if (inline !== undefined) {
      list.inline(inline)
      return true
    }
  }
  // Links do not nest in Markdown, so an outer link is not converted.
  if (name === "a" && hasLink(children)) return false
  const mark = FootnoteElement.read(element)
  if (mark !== undefined) return readFootnoteReference(list, mark, children, markSet, targets)
  // A link stores only `href` and `title`. With other attributes or an empty title, the element stays HTML.
  const linkAttributes = name === "a" ? HtmlTree.knownAttributes(element, ["href", "title"]) : undefined
  if (linkAttributes?.href === undefined || linkAttributes.title === "") return false
  const content = new InlineList()
  if (!readInto(content, children, markSet, targets)) return false
  const data = {
    ref: targets.resolveRef(linkAttributes.href, "link"),
    ...(linkAttributes.title === undefined ? {} : { title: linkAttributes.title })
  }
  list.inline({ object: "inline", type: "link", data, nodes: content.nodes() })
  return true
}

/** Nodes are at most 32 levels deep, so the call stack cannot overflow. */
const hasLink = (nodes: ReadonlyArray<HtmlTree.Node>): boolean =>
  nodes.some((node) => node.kind === "element" && (node.name === "a" || hasLink(node.children)))

/**
 * Reads a footnote reference. A reference without a footnote becomes a link, and so does the text of a reference to an
 * ordinary footnote.
 */
const readFootnoteReference = (
  list: InlineList,
  { label, isBare }: FootnoteElement.FootnoteMark,
  children: ReadonlyArray<HtmlTree.Node>,
  markSet: number,
  targets: LinkTargets
): boolean => {
  const identifier = normalizeLabel(label)
  const hasFootnote = targets.hasFootnote(identifier)
  const content = new InlineList()
  if (!readInto(content, children, markSet, targets)) return false
  const body = isBare ? undefined : targets.annotationBody(identifier)
  if (body !== undefined) {
    const fragments = [{ object: "fragment", type: "annotation-body", nodes: body }] as const
    list.inline({
      object: "inline",
      type: "annotation",
      data: { label },
      isVoid: false,
      nodes: content.nodes(),
      fragments
    })
    return true
  }
  if (!isBare || !hasFootnote) {
    const ref = targets.resolveRef(FootnoteElement.footnoteUrl(label), "link")
    list.inline({ object: "inline", type: "link", data: { ref }, nodes: content.nodes() })
  }
  if (hasFootnote) list.inline({ object: "inline", type: "footnote-reference", data: { label }, isVoid: true })
  return true
}
