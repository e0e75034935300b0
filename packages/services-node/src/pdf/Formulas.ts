/**
 * Converts formulas to shapes: MathJax renders TeX as SVG, which is drawn as paths. MathJax is loaded with the first
 * formula. A formula that is not valid TeX has no shape and is displayed as its source.
 *
 * Limits: 4,000 characters and 1,000 macros per formula.
 */
import type { TextRenderer } from "./TextRenderer.ts"
import { loadMathJax, numbered, type SvgNode } from "./MathJax.ts"
import type { Inset, Style } from "./Span.ts"

/** A formula rendered by `MathJax`. Lengths are in thousandths of the font size. */
export interface Formula {
  readonly width: number
  /** Height above the baseline, and depth below it. */
  readonly above: number
  readonly below: number
  readonly svg: SvgNode
}

const maxLength = 4_000

export class Formulas {
  readonly #cache = new Map<string, Formula | undefined>()

  /** Returns the shape of a prepared formula. Undefined if it has none. */
  get(tex: string, display: boolean): Formula | undefined {
    return this.#cache.get(keyOf(tex, display))
  }

  async prepare(tex: string, display: boolean): Promise<void> {
    const key = keyOf(tex, display)
    if (this.#cache.has(key)) return
    this.#cache.set(key, tex.length > maxLength ? undefined : await this.#shape(tex, display))
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

/** Returns the inset of a formula. Its source is drawn invisibly below it, so that search and copying find it. */
export const formulaInset = (tex: string, formula: Formula, style: Style, ink: TextRenderer): Inset => {
  const { width, above, below, svg } = formula
  const scale = style.size / 1000
  // The source stays on one line, since no font has a glyph for a line feed.
  const source = tex.replace(/\s+/g, " ").trim()
  return {
    width: width * scale,
    height: (above + below) * scale,
    depth: below * scale,
    type: "Formula",
    alt: source,
    draw: (doc, x, y) => {
      ink.drawInvisible(source, x, y + above * scale, width * scale, style)
      doc
        .save()
        .translate(x, y + above * scale)
        .scale(scale)
      for (const child of svg.children ?? []) drawNode(ink, child, style.color)
      doc.restore()
    }
  }
}

const drawNode = (ink: TextRenderer, node: SvgNode, color: string): void => {
  const { doc } = ink
  const { kind, attributes, children = [] } = node
  const fill = colorOf(attributes["fill"]) ?? color
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
      doc.path(attributes["d"] ?? "").fill(fill)
      break
    case "rect":
      if (attributes["data-frame"] === undefined) rect().fill(fill)
      else rect().lineWidth(lineWidth).stroke(fill)
      break
    case "line":
      doc
        .moveTo(number("x1"), number("y1"))
        .lineTo(number("x2"), number("y2"))
        .lineWidth(number("stroke-width") || lineWidth)
        .stroke(fill)
      break
    case "text": {
      const text = children.map(({ value }) => value ?? "").join("")
      ink.drawText(text, 0, 0, { size: number("font-size") || 1000, color: fill })
      break
    }
    case "svg": {
      // An inner `svg` is a part of a stretched symbol, cropped to its view box.
      const [left = 0, top = 0, width = 0, height = 0] = numbers(attributes["viewBox"])
      doc.translate(number("x") - left, number("y") - top)
      doc.rect(left, top, width, height).clip()
      break
    }
  }
  if (kind !== "text") for (const child of children) drawNode(ink, child, fill)
  doc.restore()
}

/** Width of frames and of lines in tables, in thousandths of the font size. */
const lineWidth = 60

const colorOf = (value: string | undefined): string | undefined =>
  value !== undefined && /^(?:#[0-9a-f]{6}|[a-z]+)$/i.test(value) && value !== "none" && value !== "currentColor"
    ? value
    : undefined

const numbers = (text: string | undefined): ReadonlyArray<number> =>
  (text ?? "").split(/[\s,]+/).flatMap((part) => {
    const number = Number.parseFloat(part)
    return Number.isFinite(number) ? [number] : []
  })
