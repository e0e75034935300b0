/**
 * Lays out the blocks of a document as strips (pieces of content between which a page can break, see `Strip`). A block
 * of an unknown type is displayed by its content: its text, its blocks, its fragments.
 */
import type { Block, Node } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import * as HeadingDepth from "@lectern/document/markdown/HeadingDepth"
import * as TableContent from "@lectern/document/table/TableContent"
import { startsFromRight } from "./Bidi.ts"
import { codeBlock } from "./Code.ts"
import { combineColumns } from "./Columns.ts"
import { type Frame, inElement, narrowerFrame, paragraph } from "./Frame.ts"
import { images } from "./Images.ts"
import { formulaSpan, inlines } from "./Inlines.ts"
import { list } from "./Lists.ts"
import { colors, headingSizes, narrowest, smallSize } from "./PageStyle.ts"
import { condition, expandable, hint, panel, steps, tabs, titled, update } from "./Panels.ts"
import { apiPart, integration, reference, unknown } from "./References.ts"
import { body, type Sheet } from "./Sheet.ts"
import type { Style } from "./Span.ts"
import { gap, heightOf, marked, space, type Strip, type Strips, indented } from "./Strip.ts"
import { table } from "./Tables.ts"
import { baselineOf, lineHeightOf } from "./Typesetter.ts"
import { type BlockType, isBlockType } from "@lectern/document/vocabulary/BlockTypes"

export function* blocks(nodes: ReadonlyArray<Node>, frame: Frame): Generator<Strip> {
  let isFirst = true
  for (const node of nodes) {
    if (node.object !== "block") continue
    let hasStarted = false
    for (const strip of block(node, frame)) {
      if (!hasStarted && !isFirst) yield gap(spaceBefore(node, frame))
      hasStarted = true
      isFirst = false
      yield strip
    }
  }
}

const spaceBefore = (node: Block, { tight }: Frame): number => {
  const depth = HeadingDepth.depthOf(node)
  if (depth !== undefined) return depth <= 2 ? 18 : 13
  return tight === true ? 3 : 8
}

const noteParagraph = (text: string, frame: Frame, style: Partial<Style> = {}): Strips =>
  paragraph([{ text, style: { ...frame.style, color: colors.muted, ...style } }], frame)

type BlockSetter = (node: Block, frame: Frame) => Strips

const block: BlockSetter = (node, frame) => (isBlockType(node.type) ? setters[node.type] : unknown)(node, frame)

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const prompt: BlockSetter = ({ data, nodes = [] }, frame) =>
  panel(
    titled(text(data?.description) || text(data?.title) || frame.sheet.words.prompt, frame.style),
    blocks(nodes, narrowerFrame(frame, 10).frame),
    frame
  )

const rule = ({ doc }: Sheet, x: number, y: number, width: number) =>
  doc
    .moveTo(x, y)
    .lineTo(x + width, y)
    .lineWidth(0.7)
    .stroke(colors.faint)

/** Returns the frame with the alignment that the block sets. */
const aligned = ({ data }: Block, frame: Frame): Frame =>
  data?.align === "center" || data?.align === "end"
    ? { ...frame, align: data.align === "end" ? "right" : data.align }
    : frame

function* heading(node: Block, outer: Frame): Generator<Strip> {
  const { sheet, width, align } = aligned(node, outer)
  const depth = HeadingDepth.depthOf(node)!
  const style = { ...body, bold: true, size: headingSizes[depth - 1]! }
  const title = DocumentText.inlinesText(node.nodes ?? [])
  const spans = inlines(node.nodes ?? [], style, sheet)
  const element = outer.element.add(`H${sheet.levelOf(depth)}`)
  let isFirst = true
  const lineHeight = style.size * 1.3
  for (const strip of sheet.typesetter.set(spans, { width, lineHeight, element, ...(align && { align }) })) {
    const marks = isFirst
    isFirst = false
    yield {
      ...strip,
      keep: true,
      draw: (x, y) => {
        if (marks) {
          sheet.destinations.define(sheet.page, sheet.anchors.get(node.key), y)
          sheet.headed(title, depth, y)
        }
        strip.draw?.(x, y)
      }
    }
  }
}

const quote = (node: Block, outer: Frame): Strips => {
  const { frame, by } = narrowerFrame({
    ...inElement(outer, "BlockQuote"),
    style: { ...outer.style, color: colors.muted }
  })
  const isMirrored = startsFromRight(node)
  return indented(blocks(node.nodes ?? [], frame), isMirrored ? 0 : by, (x, y, height) => {
    const barX = isMirrored ? x + outer.width - 2.5 : x
    if (by > 0) outer.sheet.doc.rect(barX, y, 2.5, height).fill(colors.faint)
  })
}

function* footnote(node: Block, enclosing: Frame): Generator<Strip> {
  const { data, nodes = [] } = node
  const outer = inElement(enclosing, "Div")
  const label = outer.element.add("P")
  const style = { ...outer.style, size: smallSize }
  const name = `[${text(data?.label).slice(0, 40)}]`
  const { structure, typesetter } = outer.sheet
  const labelWidth = typesetter.widthOf(name, style)
  const { frame, by } = narrowerFrame({ ...outer, style }, labelWidth + 6)
  const isMirrored = startsFromRight(node)
  yield* marked(indented(blocks(nodes, frame), isMirrored ? 0 : by), (x, y) => {
    const labelX = isMirrored ? x + outer.width - labelWidth : x
    structure.drawInside(label, () =>
      typesetter.drawText(name, labelX, y + baselineOf(lineHeightOf(style), style.size), style)
    )
  })
}

function* columns({ nodes = [] }: Block, frame: Frame): Generator<Strip> {
  const parts = nodes.filter((node) => node.object === "block")
  const widths = columnWidths(parts, frame.width - columnSpace * (parts.length - 1))
  // Columns that are too narrow to stand side by side follow one another vertically.
  if (widths.some((width) => !(width >= narrowest))) {
    return yield* blocks(
      parts.flatMap((part) => part.nodes ?? []),
      frame
    )
  }
  const stacks = parts.map((part, i) => [...blocks(part.nodes ?? [], { ...frame, width: widths[i]! })])
  const height = Math.max(0, ...stacks.map(heightOf))
  yield combineColumns(
    stacks.map((strips, i) => {
      const valign = parts[i]!.data?.["verticalAlignment"]
      const spaceAbove = (height - heightOf(strips)) * (valign === "middle" ? 0.5 : valign === "bottom" ? 1 : 0)
      const x = widths.slice(0, i).reduce((sum, width) => sum + width + columnSpace, 0)
      return { x, strips: spaceAbove > 0 ? [space(spaceAbove), ...strips] : strips }
    })
  )
}

const columnSpace = 16

/**
 * Returns the column widths in points. A column may set its width in percent of `totalWidth`; columns without a width share
 * the rest equally.
 */
const columnWidths = (parts: ReadonlyArray<Block>, totalWidth: number): ReadonlyArray<number> => {
  const shares = parts.map(({ data }) => {
    const { unit, value } = TableContent.objectOrEmpty(data?.["width"])
    return unit === "%" && typeof value === "number" && value > 0 && value < 100 ? value : undefined
  })
  const definedWidths = shares.flatMap((share) => share ?? [])
  const sum = definedWidths.reduce((total, share) => total + share, 0)
  const openCount = parts.length - definedWidths.length
  // All widths are scaled to fill `totalWidth` in two cases. Either the set widths leave nothing for other columns, or all
  // columns have a set width and the sum is below 100 %. Columns without a width then get the average of the set
  // widths.
  const defaultShare = openCount === 0 ? 0 : sum < 100 ? (100 - sum) / openCount : sum / definedWidths.length
  const shareSum = sum + openCount * defaultShare
  return shares.map((share) => ((share ?? defaultShare) / shareSum) * totalWidth)
}

/**
 * Layout function of each block type. Parts of a container, such as list items, are laid out by the container; outside
 * of one they are displayed by their content.
 */
const setters: { readonly [_ in BlockType]: BlockSetter } = {
  paragraph: (node, frame) => paragraph(inlines(node.nodes ?? [], frame.style, frame.sheet), aligned(node, frame)),
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": list,
  "list-unordered": list,
  "list-tasks": list,
  "list-item": unknown,
  blockquote: quote,
  divider: (_, { sheet, width }) => [{ height: 9, draw: (x, y) => void rule(sheet, x, y + 4, width) }],
  hint,
  tabs,
  "tabs-item": unknown,
  stepper: steps,
  "stepper-step": unknown,
  columns,
  column: unknown,
  updates: unknown,
  update,
  expandable,
  prompt,
  if: condition,
  "reusable-content": reference,
  code: codeBlock,
  "code-line": unknown,
  math: ({ data }, frame) =>
    paragraph([formulaSpan(text(data?.formula), true, frame.style, frame.sheet)], { ...frame, align: "center" }),
  images,
  image: images,
  drawing: images,
  embed: reference,
  file: reference,
  "content-ref": reference,
  swagger: unknown,
  "openapi-operation": apiPart,
  "openapi-schemas": apiPart,
  "openapi-webhook": apiPart,
  integration,
  table,
  // Raw HTML is parsed to other blocks before this step (see `HtmlNodes`).
  html: () => [],
  verbatim: ({ data }, frame) => noteParagraph(text(data?.markdown), frame, { mono: true, size: smallSize }),
  definition: () => [],
  "footnote-definition": footnote
}
