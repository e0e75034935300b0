/** An element of the structure of a PDF: what it is, and in order what it holds. */

/** An object of a PDF as `pdfkit` has it, which its types leave out. */
export interface Ref {
  data: Record<string, unknown>
  readonly end: () => void
}

export type ElementType =
  | "Document"
  | "Sect"
  | "Div"
  | "BlockQuote"
  | `H${1 | 2 | 3 | 4 | 5 | 6}`
  | "P"
  | "Code"
  | "Span"
  | "L"
  | "LI"
  | "Lbl"
  | "LBody"
  | "Table"
  | "TR"
  | "TH"
  | "TD"
  | "Figure"
  | "Formula"
  | "Link"
  | "TOC"
  | "TOCI"
  | "Reference"

export interface Attributes {
  /** Read instead of what is seen. */
  readonly alt?: string
  /** The text that something drawn stands for. */
  readonly actual?: string
  readonly lang?: string
  /** Which cells the header of a table is of. */
  readonly scope?: "Column"
  readonly across?: number
  readonly down?: number
  readonly numbering?: "Decimal" | "Disc"
  /** Its place on its sheet, from the bottom left. */
  readonly box?: ReadonlyArray<number>
}

export type Held =
  | Element
  /** A marked part of a sheet. */
  | { readonly id: number; readonly page: Ref }
  | { readonly annotation: Ref; readonly page: Ref }

export class Element {
  readonly type: ElementType
  attributes: Attributes
  /** Of the object in the PDF, once there is one. */
  ref: Ref | undefined = undefined
  #parent: Element | undefined
  #held: Array<Held> = []
  #isEmpty = true

  constructor(type: ElementType, attributes: Attributes = {}, parent?: Element) {
    this.type = type
    this.attributes = attributes
    this.#parent = parent
  }

  /** An element in this one, behind what is in it. */
  add(type: ElementType, attributes?: Attributes): Element {
    const element = new Element(type, attributes, this)
    this.#held.push(element)
    return element
  }

  hold(content: Exclude<Held, Element>): void {
    this.#held.push(content)
    this.#fill()
  }

  #fill(): void {
    if (!this.#isEmpty) return
    this.#isEmpty = false
    if (this.#parent !== undefined) this.#parent.#fill()
  }

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  /** Without elements that nothing came into. */
  get content(): ReadonlyArray<Held> {
    return this.#held.filter((held) => !(held instanceof Element && held.isEmpty))
  }

  forget(): void {
    this.#held = []
  }
}
