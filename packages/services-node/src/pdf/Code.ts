/**
 * Lays out a code block: its lines on a background. A line that is too long continues on the next line, indented and
 * after an arrow.
 */
import type { Block } from "@lectern/document/Document"
import * as DocumentText from "@lectern/document/DocumentText"
import { type Frame, narrowerFrame, paragraph } from "./Frame.ts"
import { codeSize, colors, smallSize } from "./PageStyle.ts"
import { padded, type Strip, indented } from "./Strip.ts"
import { baselineOf } from "./Typesetter.ts"

const lineHeight = codeSize * 1.45
const edge = 9

export function* codeBlock(node: Block, outer: Frame): Generator<Strip> {
  const { doc, typesetter } = outer.sheet
  const { data, nodes = [] } = node
  const title = typeof data?.title === "string" ? data.title : ""
  const style = { size: codeSize, color: colors.text, mono: true }
  const muted = { ...style, color: colors.muted }
  const lines = nodes.filter((line) => line.object === "block")
  const digits = typesetter.widthOf(String(lines.length), style)
  const gutter = data?.lineNumbers === true ? digits + 8 : 0
  const { frame, by } = narrowerFrame(outer, 2 * edge + gutter)
  const numbered = by > 0 && gutter > 0
  const indent = by === 0 ? 0 : edge + gutter

  const strips = function* (): Generator<Strip> {
    const element = outer.element.add("P").add("Code")
    for (const [i, line] of lines.entries()) {
      const text = (line.object === "block" ? DocumentText.inlinesText(line.nodes ?? []) : "").replaceAll("\t", "    ")
      const set = typesetter.set([{ text, style }], { width: frame.width, lineHeight, code: codeSize, element })
      let isFirst = true
      for (const strip of set) {
        const number = isFirst && numbered ? String(i + 1) : ""
        const goesOn = !isFirst
        isFirst = false
        const numberX = gutter - 8 - typesetter.widthOf(number, muted) + edge - indent
        const draw = (x: number, y: number) => {
          if (goesOn) drawArrow(outer, x, y + lineHeight / 2)
          else if (number !== "") typesetter.drawText(number, x + numberX, y + baselineOf(lineHeight, codeSize), muted)
          strip.draw?.(x, y)
        }
        yield { ...strip, draw }
      }
    }
  }

  if (title !== "") {
    const name = { ...outer.style, size: smallSize, bold: true, color: colors.muted }
    for (const strip of paragraph([{ text: title, style: name }], { ...outer, style: name })) {
      yield { ...strip, keep: true }
    }
  }
  yield* indented(padded(strips(), edge - 3), indent, (x, y, height) => {
    // The rectangle is slightly higher than the strip, so that no gap is visible between two strips.
    doc.rect(x, y, outer.width, height + 0.3).fill(colors.panel)
  })
}

/** Draws an arrow in the margin of a line that continues the line above. */
const drawArrow = ({ sheet }: Frame, x: number, y: number): void => {
  sheet.doc
    .moveTo(x + 0.5, y - 2.5)
    .lineTo(x + 0.5, y + 1)
    .lineTo(x + 5, y + 1)
    .moveTo(x + 3.5, y - 0.6)
    .lineTo(x + 5, y + 1)
    .lineTo(x + 3.5, y + 2.6)
    .lineWidth(0.6)
    .stroke(colors.muted)
}
