/** Blocks with a frame of their own: hints, tabs, steps, what expands. All of it is shown. */
import type { Block, Node } from "@lectern/core/content/Document"
import * as DocumentText from "@lectern/core/content/DocumentText"
import { type Frame, narrower, paragraph } from "./Frame.ts"
import { inlines } from "./Inlines.ts"
import { accents, colours, smallSize } from "./Look.ts"
import { gap, marked, type Strip, type Strips, within } from "./Strip.ts"

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const partsOf = ({ nodes = [] }: Block): ReadonlyArray<Block> => nodes.filter((node) => node.object === "block")

/** Strips with space above and below, which belongs to their ground. */
function* padded(strips: Strips, by: number): Generator<Strip> {
  yield { height: by, keep: true }
  yield* strips
  yield { height: by }
}

export const hint = (node: Block, outer: Frame): Strips => {
  const accent = accents[text(node.data?.style)] ?? accents["info"]!
  const { frame, by } = narrower(outer, 22)
  return within(padded(outer.blocks(node.nodes ?? [], frame), 6), by === 0 ? 0 : 12, (x, y, height) => {
    outer.sheet.doc.rect(x, y, outer.width, height + 0.3).fill(colours.panel)
    outer.sheet.doc.rect(x, y, 3, height + 0.3).fill(accent)
  })
}

/** Blocks with a title, beside a line. */
export function* panel(title: string, inner: Strips, outer: Frame): Generator<Strip> {
  const by = narrower(outer, 10).by
  const style = { ...outer.style, bold: true }
  const strips = function* (): Generator<Strip> {
    if (title !== "") {
      for (const strip of paragraph([{ text: title, style }], { ...outer, width: outer.width - by })) {
        yield { ...strip, keep: true }
      }
      yield { ...gap(3), keep: true }
    }
    yield* inner
  }
  yield* within(strips(), by, (x, y, height) => {
    if (by > 0) outer.sheet.doc.rect(x, y, 1, height + 0.3).fill(colours.faint)
  })
}

export function* tabs(node: Block, outer: Frame): Generator<Strip> {
  for (const [i, tab] of partsOf(node).entries()) {
    if (i > 0) yield gap(8)
    yield* panel(text(tab.data?.title), outer.blocks(tab.nodes ?? [], narrower(outer, 10).frame), outer)
  }
}

export function* steps(node: Block, outer: Frame): Generator<Strip> {
  const { sheet } = outer
  const { frame, by } = narrower(outer, 26)
  for (const [i, step] of partsOf(node).entries()) {
    if (i > 0) yield gap(10)
    const number = String(i + 1)
    const style = { size: smallSize, colour: "#ffffff", bold: true }
    const at = sheet.typesetter.widthOf(number, style) / 2
    yield* marked(within(outer.blocks(step.nodes ?? [], frame), by), (x, y) => {
      sheet.doc.circle(x + 8, y + 8, 8).fill(accents["info"]!)
      sheet.typesetter.drawText(number, x + 8 - at, y + 8 + smallSize * 0.35, style)
    })
  }
}

export const expandable = (node: Block, outer: Frame): Strips => {
  const fragments = node.fragments ?? []
  const part = (name: string): ReadonlyArray<Node> =>
    fragments.find((fragment) => (fragment.fragment ?? fragment.type) === name)?.nodes ?? []
  const title = part("expandable-title")
    .flatMap((child) => (child.object === "block" ? [DocumentText.plainText(child)] : []))
    .join(" ")
  const rest = [...part("expandable-body"), ...(node.nodes ?? [])]
  return panel(title, outer.blocks(rest, narrower(outer, 10).frame), outer)
}

/** An entry of a list of changes, under its date. */
export const update = (node: Block, outer: Frame): Strips =>
  panel(text(node.data?.date).slice(0, 10), outer.blocks(node.nodes ?? [], narrower(outer, 10).frame), outer)

/** The text of a fragment in small letters below something. */
export const caption = (nodes: ReadonlyArray<Node>, outer: Frame): Strips => {
  const style = { ...outer.style, size: smallSize, colour: colours.muted }
  const spans = nodes.flatMap((node, i) => [
    ...(i > 0 ? [{ text: "\n", style }] : []),
    ...(node.object === "block" ? inlines(node.nodes ?? [], style, outer.sheet) : [])
  ])
  return spans.length === 0 ? [] : paragraph(spans, { ...outer, style })
}
