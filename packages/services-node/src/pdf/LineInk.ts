/** Draws lines of text, with what is behind, under and across it, and the links that it is. */
import type { Ink } from "./Ink.ts"
import type { Line } from "./Lines.ts"
import type { Style, Target } from "./Span.ts"

/** `baseline` is where its letters stand, `y` and `height` are those of the whole line. */
export const drawLine = (ink: Ink, line: Line, left: number, y: number, height: number, baseline: number): void => {
  let x = left
  for (const { span, text, width } of line.pieces) {
    if ("inset" in span) span.inset.draw(ink.doc, x, baseline + span.inset.depth - span.inset.height)
    else drawPiece(ink, text, x, width, baseline - (span.style.rise ?? 0) * span.style.size, span.style)
    x += width
  }
  drawLinks(ink, line, left, y, height)
}

const drawPiece = (ink: Ink, text: string, x: number, width: number, baseline: number, style: Style): void => {
  const { behind, colour, size, strike, underline } = style
  if (behind !== undefined && text.trim() !== "") {
    ink.doc.roundedRect(x - 1, baseline - size * 1.02, width + 2, size * 1.36, 2).fill(behind)
  }
  if (text !== " ") ink.drawText(text, x, baseline, style)
  const across = [...(strike === true ? [-0.28] : []), ...(underline === true ? [0.14] : [])]
  for (const rise of across) {
    const at = baseline + size * rise
    ink.doc
      .moveTo(x, at)
      .lineTo(x + width, at)
      .lineWidth(0.6)
      .stroke(colour)
  }
}

/** Text from its line is one link, however many pieces it has. */
const drawLinks = (ink: Ink, line: Line, left: number, y: number, height: number): void => {
  let x = left
  let from = left
  let target: Target | undefined
  const end = () => {
    if (target !== undefined && x > from) ink.link(target, from, y, x - from, height)
  }
  for (const { span, width } of line.pieces) {
    if (span.style.link !== target) {
      end()
      target = span.style.link
      from = x
    }
    x += width
  }
  end()
}
