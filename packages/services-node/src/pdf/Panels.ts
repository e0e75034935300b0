/** Lays out blocks with a border: hints, tabs, steps, expandable blocks. All of their content is visible. */
import type { Block, Node } from "@lectern/document/Document"
import type { LocalizedMessages } from "@lectern/site/page/LocalizedMessages"
import { startsFromRight } from "./Bidi.ts"
import { type Frame, inElement, narrowerFrame, paragraph } from "./Frame.ts"
import { inlines } from "./Inlines.ts"
import { accents, colors, smallSize } from "./PageStyle.ts"
import { gap, marked, padded, type Strip, type Strips, indented } from "./Strip.ts"
import type { Span, Style } from "./Span.ts"
import { baselineOf } from "./Typesetter.ts"

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const partsOf = ({ nodes = [] }: Block): ReadonlyArray<Block> => nodes.filter((node) => node.object === "block")

/** Lays out a hint with a bar in its color and an icon. The icon identifies the hint style without colors. */
export const hint = (node: Block, enclosing: Frame): Strips => {
  const outer = inElement(enclosing, "Div")
  const { sheet, width } = outer
  const style = text(node.data?.["style"])
  const kind = style in accents ? style : "info"
  const accent = accents[kind]!
  const hintElement = outer.element.add("P", { actual: sheet.words.hints[kind as keyof LocalizedMessages["hints"]] })
  const { frame, by } = narrowerFrame(outer, 42)
  const isMirrored = startsFromRight(node)
  const content = by === 0 ? 0 : isMirrored ? 10 : 32
  const inner = indented(outer.blocks(node.nodes ?? [], frame), content)
  const sign = (x: number, y: number) => {
    if (by === 0) return
    const centerX = isMirrored ? x + width - 19 : x + 19
    sheet.structure.drawInside(hintElement, () => drawSign(centerX, y))
  }
  const drawSign = (centerX: number, y: number) => {
    sheet.doc.circle(centerX, y + 7.5, 6.5).fill(accent)
    if (style === "success") drawTick(outer, centerX - 3, y + 4.7)
    else {
      const letter = style === "warning" || style === "danger" ? "!" : "i"
      const letterStyle = { size: 9, color: "#ffffff", bold: true }
      const halfWidth = sheet.typesetter.widthOf(letter, letterStyle) / 2
      sheet.typesetter.drawText(letter, centerX - halfWidth, y + 7.5 + 3.2, letterStyle)
    }
  }
  return indented(padded(marked(inner, sign), 7), 0, (x, y, height) => {
    sheet.doc.rect(x, y, width, height + 0.3).fill(colors.panel)
    sheet.doc.rect(isMirrored ? x + width - 3 : x, y, 3, height + 0.3).fill(accent)
  })
}

const drawTick = ({ sheet }: Frame, x: number, y: number): void => {
  sheet.doc
    .moveTo(x, y + 3)
    .lineTo(x + 2.2, y + 5.3)
    .lineTo(x + 6, y + 0.4)
    .lineWidth(1.3)
    .stroke("#ffffff")
}

/** Lays out blocks with a title, to the right of a vertical line. */
export function* panel(title: ReadonlyArray<Span>, inner: Strips, outer: Frame): Generator<Strip> {
  const indent = narrowerFrame(outer, 10).by
  const strips = function* (): Generator<Strip> {
    if (title.length > 0) {
      for (const strip of paragraph(title, { ...outer, width: outer.width - indent })) {
        yield { ...strip, keep: true }
      }
      yield { ...gap(3), keep: true }
    }
    yield* inner
  }
  yield* indented(strips(), indent, (x, y, height) => {
    if (indent > 0) outer.sheet.doc.rect(x, y, 1, height + 0.3).fill(colors.faint)
  })
}

/** Returns a bold title. Empty if the title is empty. */
export const titled = (title: string, style: Style): ReadonlyArray<Span> =>
  title === "" ? [] : [{ text: title, style: { ...style, bold: true } }]

const inPanel = (nodes: ReadonlyArray<Node>, outer: Frame): Strips =>
  outer.blocks(nodes, narrowerFrame(outer, 10).frame)

export function* tabs(node: Block, outer: Frame): Generator<Strip> {
  for (const [i, tab] of partsOf(node).entries()) {
    if (i > 0) yield gap(8)
    yield* panel(titled(text(tab.data?.["title"]), outer.style), inPanel(tab.nodes ?? [], outer), outer)
  }
}

export function* steps(node: Block, outer: Frame): Generator<Strip> {
  const { sheet } = outer
  const { frame, by } = narrowerFrame(outer, 26)
  const element = outer.element.add("L", { numbering: "Decimal" })
  for (const [i, step] of partsOf(node).entries()) {
    if (i > 0) yield gap(10)
    const number = String(i + 1)
    const style = { size: smallSize, color: "#ffffff", bold: true }
    const halfWidth = sheet.typesetter.widthOf(number, style) / 2
    const entry = element.add("LI")
    const label = entry.add("Lbl")
    const body = { ...frame, element: entry.add("LBody") }
    yield* marked(indented(outer.blocks(step.nodes ?? [], body), by), (x, y) => {
      sheet.doc.circle(x + 8, y + 8, 8).fill(accents["info"]!)
      sheet.structure.drawInside(label, () =>
        sheet.typesetter.drawText(number, x + 8 - halfWidth, y + baselineOf(16, smallSize), style)
      )
    })
  }
}

export const expandable = (node: Block, outer: Frame): Strips => {
  const part = (name: string): ReadonlyArray<Node> =>
    node.fragments?.find((fragment) => (fragment.fragment ?? fragment.type) === name)?.nodes ?? []
  const style = { ...outer.style, bold: true }
  const title = part("expandable-title").flatMap((child) =>
    child.object === "block" ? inlines(child.nodes ?? [], style, outer.sheet) : []
  )
  return panel(title, inPanel([...part("expandable-body"), ...(node.nodes ?? [])], outer), outer)
}

/** Lays out a conditional block with its condition, since a PDF is made for readers who may see everything. */
export function* condition(node: Block, outer: Frame): Generator<Strip> {
  const { paper } = outer.sheet.words
  const otherwise = node.fragments?.find(({ fragment }) => fragment === "else")?.nodes ?? []
  yield* panel(
    titled(paper.condition(text(node.data?.["expression"])), outer.style),
    inPanel(node.nodes ?? [], outer),
    outer
  )
  if (otherwise.length === 0) return
  yield gap(6)
  yield* panel(titled(paper.otherwise, outer.style), inPanel(otherwise, outer), outer)
}

/** Lays out an entry of a changelog below its date and tags. */
export const update = (node: Block, outer: Frame): Strips => {
  const tags = Array.isArray(node.data?.["tags"]) ? node.data["tags"] : []
  const names = tags.flatMap((tag: { readonly tag?: unknown } | null) => text(tag?.tag) || [])
  const muted = { ...outer.style, color: colors.muted }
  const title = titled(text(node.data?.["date"]).slice(0, 10), outer.style)
  const heading = names.length === 0 ? title : [...title, { text: `  ${names.join(", ")}`, style: muted }]
  return panel(heading, inPanel(node.nodes ?? [], outer), outer)
}

/** Lays out the text of a fragment in small muted letters, as a caption. */
export const caption = (nodes: ReadonlyArray<Node>, outer: Frame): Strips => {
  const style = { ...outer.style, size: smallSize, color: colors.muted }
  const spans = nodes.flatMap((node, i) => [
    ...(i > 0 ? [{ text: "\n", style }] : []),
    ...(node.object === "block" ? inlines(node.nodes ?? [], style, outer.sheet) : [])
  ])
  return spans.length === 0 ? [] : paragraph(spans, { ...outer, style })
}
