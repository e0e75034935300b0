/** Measures and draws single pieces of text. */
import type PDFDocument from "pdfkit"
import type { FontRun, Fonts } from "./Fonts.ts"
import type { Element } from "./Element.ts"
import { type EmbeddedFont, patchFont } from "./GlyphTexts.ts"
import type { Style, Target } from "./Span.ts"
import type { Structure } from "./Structure.ts"

type PdfDocument = InstanceType<typeof PDFDocument>

/** Maximum number of cached text widths. The cache is cleared above this number. */
const maxWidths = 200_000
const maxRuns = 50_000

export class TextRenderer {
  readonly doc: PdfDocument
  readonly structure: Structure
  readonly #fonts: Fonts
  readonly #widths = new Map<string, number>()
  readonly #runs = new Map<string, ReadonlyArray<FontRun>>()
  /** Text to extract in place of the text that is being drawn. Undefined if both are equal. */
  #extractedText: string | undefined

  constructor(doc: PdfDocument, fonts: Fonts, structure: Structure) {
    this.doc = doc
    this.structure = structure
    this.#fonts = fonts
  }

  /** Clears cached measurements, since newly loaded fonts change them. */
  clearMeasurements(): void {
    this.#runs.clear()
    this.#widths.clear()
  }

  widthOf(text: string, style: Style): number {
    if (text === "") return 0
    const key = `${faceOf(style)}${text}`
    let width = this.#widths.get(key)
    if (width === undefined) {
      width = 0
      for (const run of this.runsOf(text, style)) {
        width += this.#font(run).fontSize(100).widthOfString(run.text)
      }
      if (this.#widths.size > maxWidths) this.#widths.clear()
      this.#widths.set(key, width)
    }
    return (width * style.size) / 100
  }

  /** Draws text on one line without breaking it. `said` is the text to extract. Default: `text`. */
  drawText(text: string, x: number, baseline: number, style: Style, extractedText = text): void {
    this.doc.fontSize(style.size).fillColor(style.color)
    const runs = this.runsOf(text, style)
    const isOther = extractedText !== text && runs.length === 1 && runs[0]!.text.length === extractedText.length
    this.#extractedText = isOther ? extractedText : undefined
    let pieceX = x
    for (const run of runs) {
      this.#font(run).text(run.text, pieceX, baseline, { lineBreak: false, baseline: "alphabetic" })
      // `text` has advanced to the end of the run.
      pieceX = this.doc.x
    }
    this.#extractedText = undefined
  }

  #font({ font }: FontRun): PdfDocument {
    const doc = this.doc.font(font.name)
    patchFont((doc as unknown as { readonly _font: EmbeddedFont })._font, () => this.#extractedText)
    return doc
  }

  /** Draws invisible text for search and copying, scaled to a width in points. */
  drawInvisible(text: string, x: number, baseline: number, width: number, style: Style): void {
    const fullWidth = this.widthOf(text, style)
    if (fullWidth === 0) return
    this.doc.addContent("3 Tr")
    this.drawText(text, x, baseline, { ...style, size: (style.size * width) / fullWidth })
    this.doc.addContent("0 Tr")
  }

  /** Adds a link annotation over a rectangle. `text` is its description for assistive technology. */
  link(target: Target, x: number, y: number, width: number, height: number, element: Element, text: string): void {
    if (this.structure.isRepeated) return
    const options = {
      structParent: this.structure.structParent(element) as never,
      Contents: new String(text) as string
    }
    if ("url" in target) this.doc.link(x, y, width, height, target.url, options)
    else this.doc.goTo(x, y, width, height, target.destination, options)
  }

  /** Splits a text where its font changes. */
  runsOf(text: string, style: Style): ReadonlyArray<FontRun> {
    const key = `${faceOf(style)}${text}`
    let runs = this.#runs.get(key)
    if (runs === undefined) {
      runs = this.#fonts.runs(text, style)
      if (this.#runs.size > maxRuns) this.#runs.clear()
      this.#runs.set(key, runs)
    }
    return runs
  }
}

const faceOf = ({ bold, italic, mono }: Style): string =>
  `${bold === true ? "b" : ""}${italic === true ? "i" : ""}${mono === true ? "m" : ""}:`
