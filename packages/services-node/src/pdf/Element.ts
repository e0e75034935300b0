/** Element of the structure tree of a PDF: a type, attributes, and content in order. */

/** A PDF object of `pdfkit`, which its types leave out. */
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
  /** Alternative text, read instead of the content. */
  readonly alt?: string
  /** Replacement text of graphics that stand for text. */
  readonly actual?: string
  readonly lang?: string
  /** Cells that a header cell applies to. */
  readonly scope?: "Column"
  readonly across?: number
  readonly down?: number
  readonly numbering?: "Decimal" | "Disc"
  /** Bounding box on the sheet, from the bottom left corner, in points. */
  readonly box?: ReadonlyArray<number>
}

export type ElementContent =
  | Element
  /** Marked content of a sheet. */
  | { readonly id: number; readonly page: Ref }
  | { readonly annotation: Ref; readonly page: Ref }

export class Element {
  readonly type: ElementType
  attributes: Attributes
  /** Reference to the element's PDF object. Undefined until the object exists. */
  ref: Ref | undefined = undefined
  #parent: Element | undefined
  #content: Array<ElementContent> = []
  #isEmpty = true

  constructor(type: ElementType, attributes: Attributes = {}, parent?: Element) {
    this.type = type
    this.attributes = attributes
    this.#parent = parent
  }

  /** Appends a child element. */
  add(type: ElementType, attributes?: Attributes): Element {
    const element = new Element(type, attributes, this)
    this.#content.push(element)
    return element
  }

  addContent(content: Exclude<ElementContent, Element>): void {
    this.#content.push(content)
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

  /** Content without empty elements. */
  get content(): ReadonlyArray<ElementContent> {
    return this.#content.filter((content) => !(content instanceof Element && content.isEmpty))
  }

  clear(): void {
    this.#content = []
  }
}
