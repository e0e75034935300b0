/**
 * Puts strips on sheets of paper, one below the other, and begins another sheet where one is full.
 *
 * Limits: 5,000 sheets.
 */
import type PDFDocument from "pdfkit"
import { paper } from "./Look.ts"
import { heightOf, type Strip, type Strips } from "./Strip.ts"

type Doc = InstanceType<typeof PDFDocument>

export const maxSheets = 5_000

/** No PDF can be made of this. */
export class Refused extends Error {}

const bottom = paper.height - paper.bottom
/** What has to stay together is let go beyond so many strips. */
const maxHeld = 40

export class Flow {
  readonly #doc: Doc
  readonly #begin: (sheet: number) => void
  #sheets = 0
  #y: number = bottom

  /** `begin` draws what stands on every sheet. */
  constructor(doc: Doc, begin: (sheet: number) => void) {
    this.#doc = doc
    this.#begin = begin
  }

  /** How many sheets there are. */
  get sheets(): number {
    return this.#sheets
  }

  newSheet(): void {
    if (this.#sheets === maxSheets) {
      throw new Refused(`It would have more than ${maxSheets.toLocaleString("en")} pages of paper`)
    }
    this.#doc.addPage({ size: [paper.width, paper.height], margin: 0 })
    this.#sheets++
    this.#y = paper.top
    this.#begin(this.#sheets)
  }

  place(strips: Strips): void {
    let held: Array<Strip> = []
    for (const strip of strips) {
      held.push(strip)
      const goesOn = strip.keep === true || strip.gap === true
      if (goesOn && held.length < maxHeld) continue
      this.#together(held)
      held = []
    }
    this.#together(held)
  }

  #together(strips: ReadonlyArray<Strip>): void {
    if (strips.length > 1 && this.#y > paper.top && this.#y + heightOf(strips) > bottom) this.newSheet()
    for (const strip of strips) this.#put(strip)
  }

  #put(strip: Strip): void {
    if (this.#y > paper.top && this.#y + strip.height > bottom + 0.01) this.newSheet()
    if (this.#y === paper.top) {
      if (strip.gap === true) return
      if (strip.head !== undefined) this.#draw(strip.head)
    }
    this.#draw(strip)
  }

  #draw(strip: Strip): void {
    strip.draw?.(paper.left, this.#y)
    this.#y += strip.height
  }
}
