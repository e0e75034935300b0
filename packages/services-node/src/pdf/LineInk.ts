/** Draws lines of text, with background, underline, strikethrough, and links. */
import { mirrored } from "./Bidi.ts"
import type { Element } from "./Element.ts"
import type { Ink } from "./Ink.ts"
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

  of(span: Span): Element | undefined {
    const around = this.ofLink(span.style.link) ?? this.#element
    if (!("inset" in span)) return around
    const { type, alt } = span.inset
    return around?.add(type, { alt })
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
  ink: Ink,
  elements: TextElements,
  line: Line,
  left: number,
  y: number,
  height: number,
  baseline: number
): void => {
  let x = left
  const placed = line.pieces.map((piece) => {
    const at = x
    x += piece.width
    return { piece, x: at }
  })
  let run: Turned | undefined
  // Pieces are drawn in reading order, which differs from visual order if text runs from right to left.
  for (const { piece, x } of placed.toSorted((a, b) => a.piece.order - b.piece.order)) {
    const { span, said, level } = piece
    const around = elements.of(span)
    run = (level & 1) === 0 || "inset" in span || around === undefined ? undefined : turnedIn(around, said, run)
    ink.structure.inside(run?.element ?? around, () => {
      if ("inset" in span) span.inset.draw(ink.doc, x, baseline + span.inset.depth - span.inset.height)
      else drawPiece(ink, piece, x, baseline - (span.style.rise ?? 0) * span.style.size, span.style)
    })
  }
  drawLinks(ink, elements, line, left, y, height)
}

/** Right-to-left text of a line. Its glyphs are drawn in another order than they are read. */
interface Turned {
  readonly around: Element
  readonly element: Element
  readonly said: string
}

const turnedIn = (around: Element, said: string, before: Turned | undefined): Turned => {
  const isSame = before?.around === around
  const element = isSame ? before.element : around.add("Span")
  const all = isSame ? before.said + said : said
  element.attributes = { actual: all }
  return { around, element, said: all }
}

const drawPiece = (ink: Ink, { text, width, level }: Piece, x: number, baseline: number, style: Style): void => {
  const { behind, colour, size, strike, underline } = style
  if (behind !== undefined && text.trim() !== "") {
    ink.doc.roundedRect(x - 1, baseline - size * 1.02, width + 2, size * 1.36, 2).fill(behind)
  }
  ink.drawText(text, x, baseline, style, (level & 1) === 1 ? mirrored(text) : text)
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

/** Adds link annotations. Adjacent pieces with one target share an annotation. */
const drawLinks = (ink: Ink, elements: TextElements, line: Line, left: number, y: number, height: number): void => {
  let x = left
  let from = left
  let target: Target | undefined
  let pieces: Array<Piece> = []
  const end = () => {
    const element = elements.ofLink(target)
    if (target === undefined || element === undefined || x <= from) return
    const text = pieces
      .toSorted((a, b) => a.order - b.order)
      .map(({ said }) => said)
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
