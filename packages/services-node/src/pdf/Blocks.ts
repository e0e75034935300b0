/**
 * The blocks of a document as strips. A block of a type that is not known here is shown by what is
 * in it: its text, its blocks, its fragments.
 */
import type { Block, Node } from "@lectern/core/content/Document"
import * as DocumentText from "@lectern/core/content/DocumentText"
import { codeBlock } from "./Code.ts"
import { type Frame, narrower, paragraph } from "./Frame.ts"
import { images } from "./Images.ts"
import { inlines, isRef, linked, refOf } from "./Inlines.ts"
import { list } from "./Lists.ts"
import { colours, headingSizes, narrowest, rowPart, smallSize } from "./Look.ts"
import { expandable, hint, panel, steps, tabs, update } from "./Panels.ts"
import { body, nameOf, outward, type Sheet, targetOf } from "./Sheet.ts"
import type { Style } from "./Span.ts"
import { gap, marked, sideBySide, type Strip, type Strips, within } from "./Strip.ts"
import { table } from "./Tables.ts"
import { lineHeightOf } from "./Typesetter.ts"

export function* blocks(nodes: ReadonlyArray<Node>, frame: Frame): Generator<Strip> {
  let isFirst = true
  for (const node of nodes) {
    if (node.object !== "block") continue
    let begun = false
    for (const strip of block(node, frame)) {
      if (!begun && !isFirst) yield gap(spaceBefore(node, frame))
      begun = true
      isFirst = false
      yield strip
    }
  }
}

const spaceBefore = (node: Block, { tight }: Frame): number => {
  const level = DocumentText.headingLevel(node)
  if (level !== undefined) return level <= 2 ? 18 : 13
  return tight === true ? 3 : 8
}

const note = (text: string, frame: Frame, style: Partial<Style> = {}): Strips =>
  paragraph([{ text, style: { ...frame.style, colour: colours.muted, ...style } }], frame)

const block = (node: Block, frame: Frame): Strips => {
  const { sheet, style } = frame
  const { data, nodes = [] } = node
  switch (node.type) {
    case "paragraph":
      return paragraph(inlines(nodes, style, sheet), frame)
    case "heading-1":
    case "heading-2":
    case "heading-3":
    case "heading-4":
    case "heading-5":
    case "heading-6":
      return heading(node, frame)
    case "list-ordered":
    case "list-unordered":
    case "list-tasks":
      return list(node, frame)
    case "blockquote":
      return quote(nodes, frame)
    case "divider":
      return [{ height: 9, draw: (x, y) => void rule(sheet, x, y + 4, frame.width) }]
    case "code":
      return codeBlock(node, frame)
    case "hint":
      return hint(node, frame)
    case "tabs":
      return tabs(node, frame)
    case "stepper":
      return steps(node, frame)
    case "expandable":
      return expandable(node, frame)
    case "update":
      return update(node, frame)
    case "prompt":
      return panel(
        text(data?.description) || text(data?.title) || "Prompt",
        blocks(nodes, narrower(frame, 10).frame),
        frame
      )
    case "if":
      // What stands for some is shown to whoever sees all, with the condition.
      return panel(`If ${text(data?.expression)}`, blocks(nodes, narrower(frame, 10).frame), frame)
    case "columns":
      return columns(nodes, frame)
    case "table":
      return table(node, frame)
    case "images":
    case "image":
    case "drawing":
      return images(node, frame)
    case "math":
      return sheet.typesetter.set([{ text: text(data?.formula), style: { ...style, italic: true } }], {
        width: frame.width,
        lineHeight: lineHeightOf(style),
        align: "center"
      })
    case "verbatim":
      return note(text(data?.markdown), frame, { mono: true, size: smallSize })
    case "html":
      return html(text(data?.html), frame)
    case "footnote-definition":
      return footnote(text(data?.label), nodes, frame)
    case "definition":
      return []
    case "content-ref":
    case "file":
    case "embed":
    case "reusable-content":
      return reference(node, frame)
    default:
      return unknown(node, frame)
  }
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const rule = ({ doc }: Sheet, x: number, y: number, width: number) =>
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.7)
    .stroke(colours.faint)

function* heading(node: Block, { sheet, width }: Frame): Generator<Strip> {
  const level = DocumentText.headingLevel(node)!
  const style = { ...body, bold: true, size: headingSizes[level - 1]! }
  const title = DocumentText.ofInlines(node.nodes ?? [])
  const spans = inlines(node.nodes ?? [], style, sheet)
  let isFirst = true
  for (const strip of sheet.typesetter.set(spans, { width, lineHeight: style.size * 1.3 })) {
    const marks = isFirst
    isFirst = false
    yield {
      ...strip,
      keep: true,
      draw: (x, y) => {
        if (marks) {
          sheet.places.define(sheet.page, sheet.anchors.get(node.key), y)
          sheet.headed(title, level, y)
        }
        strip.draw?.(x, y)
      }
    }
  }
}

const quote = (nodes: ReadonlyArray<Node>, outer: Frame): Strips => {
  const { frame, by } = narrower({ ...outer, style: { ...outer.style, colour: colours.muted } })
  return within(blocks(nodes, frame), by, (x, y, height) => {
    if (by > 0) outer.sheet.doc.rect(x, y, 2.5, height).fill(colours.faint)
  })
}

function* footnote(label: string, nodes: ReadonlyArray<Node>, outer: Frame): Generator<Strip> {
  const style = { ...outer.style, size: smallSize }
  const name = `[${label.slice(0, 40)}]`
  const { frame, by } = narrower({ ...outer, style }, outer.sheet.typesetter.widthOf(name, style) + 6)
  yield* marked(within(blocks(nodes, frame), by), (x, y) =>
    outer.sheet.typesetter.drawText(name, x, y + lineHeightOf(style) / 2 + style.size * 0.35, style)
  )
}

function* columns(nodes: ReadonlyArray<Node>, frame: Frame): Generator<Strip> {
  const parts = nodes.filter((node) => node.object === "block")
  const space = 16
  const width = (frame.width - space * (parts.length - 1)) / parts.length
  // What is too narrow to stand side by side stands one below the other.
  if (!(width >= narrowest))
    return yield* blocks(
      parts.flatMap((part) => part.nodes ?? []),
      frame
    )
  const set = parts.map((part, i) => ({
    x: i * (width + space),
    strips: [...blocks(part.nodes ?? [], { ...frame, width })]
  }))
  yield* sideBySide(set, rowPart, () => {})
}

/** HTML is no text: what is left of it without its tags is. */
const html = (source: string, frame: Frame): Strips => {
  const shown = source
    .replace(/<!--[\s\S]*?(?:-->|$)/g, "")
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6])\b[^<>]*>/gi, "\n")
    .replace(/<[^<>]*>/g, "")
    .replace(/[ \t]*\n\s*/g, "\n")
    .trim()
  return shown === "" ? [] : paragraph([{ text: shown, style: frame.style }], frame)
}

/** A block that stands for something else: its name, leading there, and its caption. */
function* reference(node: Block, frame: Frame): Generator<Strip> {
  const { sheet, style } = frame
  const ref = refOf(node.data)
  const url = text(node.data?.url)
  const link = ref === undefined ? outward(url) : targetOf(ref, sheet)
  const name = ref === undefined ? url : nameOf(ref, sheet)
  const caption = (node.fragments ?? []).flatMap((fragment) => fragment.nodes)
  const inner = narrower(frame, 12)
  const around = (x: number, y: number, height: number) =>
    inner.by > 0 && sheet.doc.rect(x, y, frame.width, height).fill(colours.panel)
  const strips = function* (): Generator<Strip> {
    yield { height: 5 }
    yield* paragraph([{ text: name, style: { ...linked(style, link), bold: true } }], inner.frame)
    if (caption.length > 0) yield* blocks(caption, { ...inner.frame, style: { ...style, size: smallSize } })
    yield { height: 5 }
  }
  yield* within(strips(), inner.by, around)
}

function* unknown(node: Block, frame: Frame): Generator<Strip> {
  const { nodes = [], fragments = [], data } = node
  const own = nodes.filter((child) => child.object !== "block")
  if (own.length > 0) yield* paragraph(inlines(own, frame.style, frame.sheet), frame)
  const said = ["title", "markdown", "formula", "url", "path", "method", "spec"].flatMap(
    (name) => text(data?.[name]) || []
  )
  const ref = data?.ref
  if (isRef(ref)) said.push(nameOf(ref, frame.sheet))
  if (said.length > 0) yield* note(said.join(" "), frame)
  yield* blocks(nodes, frame)
  for (const fragment of fragments) yield* blocks(fragment.nodes, frame)
}
