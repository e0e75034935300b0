/**
 * Structure tree of a PDF, by which assistive technology reads it and tools extract its text in order. Elements are
 * headings, paragraphs, lists, tables, figures and links. Content drawn inside of an element belongs to that element.
 * Other content (backgrounds, rules, running heads) is an artifact, which readers skip. Empty elements are left out.
 */
import type PDFDocument from "pdfkit"
import { type Attributes, Element, type Ref } from "./Element.ts"

type PdfDocument = InstanceType<typeof PDFDocument>

interface Page {
  readonly dictionary: Ref
  readonly structParentTreeKey: number
  readonly write: (data: string) => void
}

interface ParentTree {
  readonly get: (key: number) => Array<Ref>
  readonly add: (key: number, value: Ref) => void
}

/** Fields of `pdfkit` that its types leave out. */
interface DocumentInternals {
  page: Page
  readonly ref: (data: object) => Ref
  addContent: (data: string) => unknown
  readonly getStructTreeRoot: () => Ref
  readonly getStructParentTree: () => ParentTree
  readonly createStructParentTreeNextKey: () => number
}

interface Annotation {
  readonly annotationRef: Ref
}

/** Element types that replace their paragraph if it is their only child. */
const ofOneParagraph = new Set(["LBody", "TD", "TH"])

export class Structure {
  readonly root: Element = new Element("Document")
  readonly #doc: DocumentInternals
  /** Element that is being drawn. Undefined for artifacts. */
  #current: Element | undefined
  #isRepeated = false
  #openContent: { readonly page: Page; readonly element: Element | undefined } | undefined

  constructor(doc: PdfDocument) {
    this.#doc = doc as unknown as DocumentInternals
    // All drawing passes through `addContent`, so all content belongs to an element or an artifact.
    this.#doc.addContent = (data) => {
      this.#markContent()
      this.#doc.page.write(data)
      return this.#doc
    }
  }

  drawInside(element: Element | undefined, draw: () => void): void {
    const enclosingElement = this.#current
    this.#current = this.#isRepeated ? undefined : element
    draw()
    this.#current = enclosingElement
  }

  /** Draws repeated content, such as a table header, as an artifact. */
  repeat(draw: () => void): void {
    const wasRepeated = this.#isRepeated
    this.#isRepeated = true
    this.drawInside(undefined, draw)
    this.#isRepeated = wasRepeated
  }

  /** True while content is drawn again. Links are added only the first time. */
  get isRepeated(): boolean {
    return this.#isRepeated
  }

  /** Returns a `pdfkit` structure parent that adds link annotations to an element. */
  structParent(element: Element): { readonly add: (annotation: Annotation) => void } {
    return {
      add: ({ annotationRef }) => {
        const key = this.#doc.createStructParentTreeNextKey()
        annotationRef.data["StructParent"] = key
        this.#doc.getStructParentTree().add(key, this.#refOf(element))
        element.addContent({ annotation: annotationRef, page: this.#doc.page.dictionary })
      }
    }
  }

  /** Writes a completed part of the root, which frees its memory. */
  finish(part: Element): void {
    if (part.isEmpty) return
    this.#write(part, this.#refOf(this.root))
  }

  end(): void {
    this.#close()
    const tree = this.#doc.getStructTreeRoot()
    const root = this.#refOf(this.root)
    tree.data["K"] = [root]
    root.data = {
      S: this.root.type,
      P: tree,
      K: this.root.content.flatMap((part) => (part instanceof Element ? [part.ref] : []))
    }
    root.end()
  }

  #markContent(): void {
    const { page } = this.#doc
    if (this.#openContent?.page === page && this.#openContent.element === this.#current) return
    this.#close()
    const element = this.#current
    this.#openContent = { page, element }
    if (element === undefined) return page.write("/Artifact BMC")
    const marked = this.#doc.getStructParentTree().get(page.structParentTreeKey)
    page.write(`/${element.type} <</MCID ${marked.length}>> BDC`)
    element.addContent({ id: marked.length, page: page.dictionary })
    marked.push(this.#refOf(element))
  }

  #close(): void {
    this.#openContent?.page.write("EMC")
    this.#openContent = undefined
  }

  #refOf(element: Element): Ref {
    return (element.ref ??= this.#doc.ref({}))
  }

  #write(element: Element, parent: Ref): void {
    const { content, paragraph } = contentOf(element)
    if (paragraph !== undefined) element.ref = paragraph.ref
    const ref = this.#refOf(element)
    const kids: Array<unknown> = []
    let page: Ref | undefined
    for (const kid of content) {
      if (kid instanceof Element) {
        this.#write(kid, ref)
        kids.push(kid.ref)
      } else if ("annotation" in kid) kids.push({ Type: "OBJR", Obj: kid.annotation, Pg: kid.page })
      else {
        page ??= kid.page
        kids.push(page === kid.page ? kid.id : { Type: "MCR", Pg: kid.page, MCID: kid.id })
      }
    }
    ref.data = {
      S: element.type,
      P: parent,
      ...(page && { Pg: page }),
      ...attributesOf(element.attributes),
      K: kids.length === 1 ? kids[0] : kids
    }
    ref.end()
    ref.data = {}
    element.clear()
  }
}

/**
 * Returns the content of an element. If the element replaces its only paragraph (see `ofOneParagraph`), returns the
 * content of that paragraph.
 */
const contentOf = (element: Element) => {
  const content = element.content
  const [singleItem] = content
  const isSame =
    ofOneParagraph.has(element.type) && content.length === 1 && singleItem instanceof Element && singleItem.type === "P"
  return isSame ? { content: singleItem.content, paragraph: singleItem } : { content }
}

const attributesOf = ({ alt, actual, lang, scope, across, down, numbering, box }: Attributes) => {
  const table = {
    ...(scope && { Scope: scope }),
    ...(across !== undefined && across > 1 && { ColSpan: across }),
    ...(down !== undefined && down > 1 && { RowSpan: down })
  }
  return {
    // Texts are `String` objects, since `pdfkit` writes a primitive string as a PDF name.
    ...(alt && { Alt: new String(alt) }),
    ...(actual && { ActualText: new String(actual) }),
    ...(lang && { Lang: new String(lang) }),
    ...(Object.keys(table).length > 0 && { A: { O: "Table", ...table } }),
    ...(numbering && { A: { O: "List", ListNumbering: numbering } }),
    ...(box && { A: { O: "Layout", BBox: box } })
  }
}
