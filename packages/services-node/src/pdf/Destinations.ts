/**
 * Destinations of the links in a PDF: pages, and headings in them. A link may be drawn before its destination. A link
 * to a heading that does not exist leads to the page.
 */
import type PDFDocument from "pdfkit"
import type { Target } from "./Span.ts"

type PdfDocument = InstanceType<typeof PDFDocument>

export class Destinations {
  readonly #doc: PdfDocument
  readonly #pages: ReadonlySet<string>
  readonly #names = new Map<string, string>()
  readonly #definedNames = new Set<string>()
  readonly #tops = new Map<string, readonly [sheet: number, y: number]>()

  constructor(doc: PdfDocument, pages: ReadonlySet<string>) {
    this.#doc = doc
    this.#pages = pages
  }

  /** Returns the target of a link to a page or to one of its headings. Undefined if the page is not in this PDF. */
  target(page: string, anchor?: string): Target | undefined {
    return this.#pages.has(page) ? { destination: this.#nameOf(page, anchor) } : undefined
  }

  /**
   * Defines a height on the current sheet as the destination of links to a page or heading. Only the first definition
   * counts.
   */
  define(page: string, anchor: string | undefined, y: number): void {
    const name = this.#nameOf(page, anchor)
    if (this.#definedNames.has(name)) return
    this.#definedNames.add(name)
    if (anchor === undefined) {
      const { start, count } = this.#doc.bufferedPageRange()
      this.#tops.set(page, [start + count - 1, y])
    }
    this.#add(name, y)
  }

  /** Points links to missing headings to the top of their page. Called after all pages are drawn. */
  finish(): void {
    for (const [key, name] of this.#names) {
      const top = this.#tops.get(key.slice(0, key.indexOf("#")))
      if (this.#definedNames.has(name) || top === undefined) continue
      this.#doc.switchToPage(top[0])
      this.#add(name, top[1])
    }
  }

  #add(name: string, y: number): void {
    this.#doc.addNamedDestination(name, "XYZ", 0, y - 12, null as never)
  }

  /**
   * Returns the name of a destination. Names are ASCII and assigned in ascending order, since readers look them up in a
   * sorted list.
   */
  #nameOf(page: string, anchor: string | undefined): string {
    const key = `${page}#${anchor ?? ""}`
    let name = this.#names.get(key)
    if (name === undefined) this.#names.set(key, (name = `p${String(this.#names.size).padStart(7, "0")}`))
    return name
  }
}
