/**
 * Formulas as shapes: MathJax sets TeX, and what it gives as SVG is drawn as paths. It is loaded
 * when the first formula is met. A formula that is no TeX has no shape; it is shown as it is written.
 *
 * Limits: 4,000 characters of a formula, 1,000 macros in it.
 */
import type { Ink } from "./Ink.ts"
import { loadMathJax, numbered, type SvgNode } from "./MathJax.ts"
import type { Inset, Style } from "./Span.ts"

/** A formula as `MathJax` draws it, in thousandths of the size of the text around it. */
export interface Formula {
  readonly width: number
  /** Above the line that letters stand on, and below it. */
  readonly above: number
  readonly below: number
  readonly svg: SvgNode
}

const longest = 4_000

export class Formulas {
  readonly #known = new Map<string, Formula | undefined>()

  /** The shape of a formula that was prepared. */
  get(tex: string, display: boolean): Formula | undefined {
    return this.#known.get(keyOf(tex, display))
  }

  async prepare(tex: string, display: boolean): Promise<void> {
    const key = keyOf(tex, display)
    if (this.#known.has(key)) return
    this.#known.set(key, tex.length > longest ? undefined : await this.#shape(tex, display))
  }

  async #shape(tex: string, display: boolean): Promise<Formula | undefined> {
    const mathJax = await loadMathJax()
    try {
      return read(await mathJax.tex2svgPromise(numbered(tex), { display }))
    } catch {
      return undefined
    }
  }
}

const keyOf = (tex: string, display: boolean): string => `${display ? "block" : "inline"}:${tex}`

const read = (container: SvgNode): Formula | undefined => {
  const svg = container.children?.find(({ kind }) => kind === "svg")
  const box = numbers(svg?.attributes["viewBox"])
  if (svg === undefined || box.length !== 4 || !(box[2]! > 0 && box[3]! > 0)) return undefined
  const [, top, width, height] = box as [number, number, number, number]
  return { width, above: -top, below: height + top, svg }
}

/** A formula among text. Its source lies below it, unseen, so that it is found and copied. */
export const formulaInset = (tex: string, formula: Formula, style: Style, ink: Ink): Inset => {
  const { width, above, below, svg } = formula
  const scale = style.size / 1000
  // The source lies on one line, and no font has a sign for the end of one.
  const source = tex.replace(/\s+/g, " ").trim()
  return {
    width: width * scale,
    height: (above + below) * scale,
    depth: below * scale,
    type: "Formula",
    alt: source,
    draw: (doc, x, y) => {
      ink.drawUnseen(source, x, y + above * scale, width * scale, style)
      doc
        .save()
        .translate(x, y + above * scale)
        .scale(scale)
      for (const child of svg.children ?? []) drawNode(ink, child, style.colour)
      doc.restore()
    }
  }
}

const drawNode = (ink: Ink, node: SvgNode, colour: string): void => {
  const { doc } = ink
  const { kind, attributes, children = [] } = node
  const own = colourOf(attributes["fill"]) ?? colour
  doc.save()
  for (const [, name, values] of (attributes["transform"] ?? "").matchAll(/(\w+)\(([^)]*)\)/g)) {
    const [a = 0, b] = numbers(values)
    if (name === "translate") doc.translate(a, b ?? 0)
    else if (name === "scale") doc.scale(a, b ?? a)
    else if (name === "rotate") doc.rotate(a)
  }
  const number = (attribute: string): number => Number.parseFloat(attributes[attribute] ?? "") || 0
  const rect = () => doc.rect(number("x"), number("y"), number("width"), number("height"))
  switch (kind) {
    case "path":
      doc.path(attributes["d"] ?? "").fill(own)
      break
    case "rect":
      if (attributes["data-frame"] === undefined) rect().fill(own)
      else rect().lineWidth(lineWidth).stroke(own)
      break
    case "line":
      doc
        .moveTo(number("x1"), number("y1"))
        .lineTo(number("x2"), number("y2"))
        .lineWidth(number("stroke-width") || lineWidth)
        .stroke(own)
      break
    case "text": {
      const text = children.map(({ value }) => value ?? "").join("")
      ink.drawText(text, 0, 0, { size: number("font-size") || 1000, colour: own })
      break
    }
    case "svg": {
      // A part of a sign that stretches, of which the middle is seen.
      const [left = 0, top = 0, width = 0, height = 0] = numbers(attributes["viewBox"])
      doc.translate(number("x") - left, number("y") - top)
      doc.rect(left, top, width, height).clip()
      break
    }
  }
  if (kind !== "text") for (const child of children) drawNode(ink, child, own)
  doc.restore()
}

/** Of frames and lines in tables, in thousandths of the size of the text. */
const lineWidth = 60

const colourOf = (value: string | undefined): string | undefined =>
  value !== undefined && /^(?:#[0-9a-f]{6}|[a-z]+)$/i.test(value) && value !== "none" && value !== "currentColor"
    ? value
    : undefined

const numbers = (text: string | undefined): ReadonlyArray<number> =>
  (text ?? "").split(/[\s,]+/).flatMap((part) => {
    const number = Number.parseFloat(part)
    return Number.isFinite(number) ? [number] : []
  })
