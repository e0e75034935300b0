/** Draws lines of text, with background, underline, strikethrough, and links. */
import { mirrored } from "./Bidi.ts"
import type { Element } from "./Element.ts"
import type { TextRenderer } from "./TextRenderer.ts"
import type { Line, Piece } from "./Lines.ts"
import type { Span, Style, Target } from "./Span.ts"

/**
 * Structure elements of a text, shared by all of its lines: the element of the text, and one for each link, image and
 * formula.
 */
export class TextElements {
  readonly #element: Element | undefined
  readonly #links = new Map<Target, Element>()

  constructor(element: Element | undefined) {
    this.#element = element
  }

  ofSpan(span: Span): Element | undefined {
    const enclosing = this.ofLink(span.style.link) ?? this.#element
    if (!("inset" in span)) return enclosing
    const { type, alt } = span.inset
    return enclosing?.add(type, { alt })
  }

  ofLink(target: Target | undefined): Element | undefined {
    if (target === undefined || this.#element === undefined) return undefined
    let link = this.#links.get(target)
    if (link === undefined) this.#links.set(target, (link = this.#element.add("Link")))
    return link
  }
}

/** Draws a line. `y` and `height` span the whole line; `baseline` is the baseline of its letters. */
export const drawLine = (
  ink: TextRenderer,
  elements: TextElements,
  line: Line,
  lineX: number,
  y: number,
  height: number,
  baseline: number
): void => {
  let x = lineX
  const placedPieces = line.pieces.map((piece) => {
    const pieceX = x
    x += piece.width
    return { piece, x: pieceX }
  })
  let run: ReversedRun | undefined
  // Pieces are drawn in reading order, which differs from visual order if text runs from right to left.
  for (const { piece, x } of placedPieces.toSorted((a, b) => a.piece.order - b.piece.order)) {
    const { span, extractedText, level } = piece
    const enclosing = elements.ofSpan(span)
    run =
      (level & 1) === 0 || "inset" in span || enclosing === undefined
        ? undefined
        : reversedRun(enclosing, extractedText, run)
    ink.structure.drawInside(run?.element ?? enclosing, () => {
      if ("inset" in span) span.inset.draw(ink.doc, x, baseline + span.inset.depth - span.inset.height)
      else drawPiece(ink, piece, x, baseline - (span.style.baselineShift ?? 0) * span.style.size, span.style)
    })
  }
  drawLinks(ink, elements, line, lineX, y, height)
}

/** Right-to-left text of a line. Its glyphs are drawn in another order than they are read. */
interface ReversedRun {
  readonly enclosing: Element
  readonly element: Element
  readonly text: string
}

const reversedRun = (enclosing: Element, text: string, previousRun: ReversedRun | undefined): ReversedRun => {
  const isSame = previousRun?.enclosing === enclosing
  const element = isSame ? previousRun.element : enclosing.add("Span")
  const fullText = isSame ? previousRun.text + text : text
  element.attributes = { actual: fullText }
  return { enclosing, element, text: fullText }
}

const drawPiece = (
  ink: TextRenderer,
  { text, width, level }: Piece,
  x: number,
  baseline: number,
  style: Style
): void => {
  const { background, color, size, strike, underline } = style
  if (background !== undefined && text.trim() !== "") {
    ink.doc.roundedRect(x - 1, baseline - size * 1.02, width + 2, size * 1.36, 2).fill(background)
  }
  ink.drawText(text, x, baseline, style, (level & 1) === 1 ? mirrored(text) : text)
  const across = [...(strike === true ? [-0.28] : []), ...(underline === true ? [0.14] : [])]
  for (const rise of across) {
    const strokeY = baseline + size * rise
    ink.doc
      .moveTo(x, strokeY)
      .lineTo(x + width, strokeY)
      .lineWidth(0.6)
      .stroke(color)
  }
}

/** Adds link annotations. Adjacent pieces with one target share an annotation. */
const drawLinks = (
  ink: TextRenderer,
  elements: TextElements,
  line: Line,
  lineX: number,
  y: number,
  height: number
): void => {
  let x = lineX
  let from = lineX
  let target: Target | undefined
  let pieces: Array<Piece> = []
  const end = () => {
    const element = elements.ofLink(target)
    if (target === undefined || element === undefined || x <= from) return
    const text = pieces
      .toSorted((a, b) => a.order - b.order)
      .map(({ extractedText }) => extractedText)
      .join("")
    ink.link(target, from, y, x - from, height, element, text)
  }
  for (const piece of line.pieces) {
    const { span, width } = piece
    if (span.style.link !== target) {
      end()
      target = span.style.link
      from = x
      pieces = []
    }
    pieces.push(piece)
    x += width
  }
  end()
}
