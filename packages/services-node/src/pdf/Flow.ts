/**
 * Places strips (see `Strip`) on sheets of paper, from top to bottom, and starts a new sheet when one is full. A strip
 * of at most `maxUncutHeight` is never cut.
 *
 * Limits: 12,000 sheets per PDF.
 */
import type PDFDocument from "pdfkit"
import { contentHeight, paper } from "./PageStyle.ts"
import type { Strip, Strips } from "./Strip.ts"

type PdfDocument = InstanceType<typeof PDFDocument>

export const maxSheets = 12_000

/** The book exceeds a limit of PDFs. The message states the reason. */
export class BookRefused extends Error {}

const bottom = paper.height - paper.bottom
/** Number of strips after which strips that should stay together may be separated. */
const maxStripsTogether = 40
/** Height up to which a strip is never cut, in points. */
const maxUncutHeight = contentHeight / 3
/** Least remaining height of a sheet on which the first part of a cut strip may start, in points. */
const minPartHeight = 80

export class Flow {
  readonly #doc: PdfDocument
  readonly #drawSheet: (sheet: number) => void
  #sheets = 0
  #y: number = bottom

  /** `begin` draws the recurring parts of a sheet. */
  constructor(doc: PdfDocument, begin: (sheet: number) => void) {
    this.#doc = doc
    this.#drawSheet = begin
  }

  /** Number of sheets. */
  get sheets(): number {
    return this.#sheets
  }

  newSheet(): void {
    if (this.#sheets === maxSheets) {
      throw new BookRefused(`It would have more than ${maxSheets.toLocaleString("en")} pages of paper`)
    }
    if (this.#sheets > 0) compact(this.#doc)
    this.#doc.addPage({ size: [paper.width, paper.height], margin: 0 })
    this.#sheets++
    this.#y = paper.top
    this.#drawSheet(this.#sheets)
  }

  placeStrips(strips: Strips): void {
    let group: Array<Strip> = []
    for (const strip of strips) {
      group.push(strip)
      const isContinued = strip.keep === true || strip.gap === true
      if (isContinued && group.length < maxStripsTogether) continue
      this.#placeTogether(group)
      group = []
    }
    this.#placeTogether(group)
  }

  #placeTogether(strips: ReadonlyArray<Strip>): void {
    let neededHeight = 0
    for (const strip of strips) neededHeight += canBeCut(strip) ? minPartHeight : strip.height
    if (strips.length > 1 && this.#y > paper.top && this.#y + neededHeight > bottom) this.newSheet()
    for (const strip of strips) this.#placeStrip(strip)
  }

  #placeStrip(strip: Strip): void {
    if (strip.gap === true && this.#y === paper.top) return
    let isFresh = this.#y === paper.top
    if (isFresh && strip.head !== undefined) this.#draw(strip.head)
    let rest = strip
    while (this.#y + rest.height > bottom + 0.01) {
      const remainingHeight = bottom - this.#y
      const parts =
        isFresh || (canBeCut(strip) && remainingHeight >= minPartHeight) ? rest.cut?.(remainingHeight) : undefined
      if (parts !== undefined) {
        this.#draw(parts[0])
        rest = parts[1]
      } else if (isFresh) break
      this.newSheet()
      if (strip.gap === true) return
      isFresh = true
      if (strip.head !== undefined) this.#draw(strip.head)
    }
    this.#draw(rest)
  }

  #draw(strip: Strip): void {
    strip.draw?.(paper.left, this.#y)
    this.#y += strip.height
  }
}

/**
 * Joins the drawing commands of a sheet, which is buffered until the end. Many small chunks take more memory than their
 * bytes.
 */
const compact = ({ page }: PdfDocument): void => {
  const content = page.content as unknown as { buffer: ReadonlyArray<Uint8Array> }
  content.buffer = [Buffer.concat(content.buffer)]
}

const canBeCut = ({ cut, height }: Strip): boolean => cut !== undefined && height > maxUncutHeight
