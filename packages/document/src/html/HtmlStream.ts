/**
 * Parses pieces of HTML into one tree, as browsers do. Unclosed tags get implied ends, and invalid markup is removed.
 * Document nodes between the pieces become nodes of the tree, because Markdown ends HTML at an empty line and continues
 * it later.
 *
 * Names of elements and attributes are in lower case, and attributes keep their HTML names. Text in elements without
 * visible text, such as scripts, is removed.
 *
 * Limits: 60 nested elements by default. Deeper tags are removed, but their content stays. 50 attributes of an element.
 */
import type { Element, ElementContent, Root } from "hast"
import { Tokenizer } from "htmlparser2"
import * as HtmlElements from "./HtmlElements.ts"

const maxAttributes = 50
const noElements: ReadonlySet<string> = new Set()

/** Name of the element that stands for a document node. HTML can't contain this name. */
export const nodeElement = "lectern-node"

export interface StreamOptions {
  /** False if only elements are needed. Default: true. */
  readonly includesText?: boolean
  /** Maximum depth of nested elements. Default: 60. */
  readonly maxDepth?: number
  /** Elements whose text stays in the tree although it is not visible. Default: none. */
  readonly textElements?: ReadonlySet<string>
}

interface OpenElement extends Element {
  children: Array<ElementContent>
}

export class HtmlStream {
  readonly #root: Root = { type: "root", children: [] }
  readonly #openElements: Array<OpenElement> = []
  readonly #includesText: boolean
  readonly #maxDepth: number
  readonly #textElements: ReadonlySet<string>

  constructor({ includesText = true, maxDepth = 60, textElements = noElements }: StreamOptions = {}) {
    this.#includesText = includesText
    this.#maxDepth = maxDepth
    this.#textElements = textElements
  }

  /** Parses a piece of HTML. A tag that is incomplete at the end of the piece is removed. */
  write(html: string): void {
    let name = ""
    let attributes: Record<string, string> = {}
    let count = 0
    let attribute = ""
    let value = ""
    const ignore = () => {}
    // Self-closing tags are valid only for components of other programs, not for HTML elements.
    const openTag = (isClosed: boolean) =>
      this.#startElement(name.toLowerCase(), attributes, isClosed && /^[A-Z][a-z]|[.-]/.test(name))
    const tokens = new Tokenizer(
      { xmlMode: false, decodeEntities: true },
      {
        ontext: (from, to) => this.#text(html.slice(from, to)),
        ontextentity: (code) => this.#text(String.fromCodePoint(code)),
        onopentagname: (from, to) => {
          name = html.slice(from, to)
          attributes = {}
          count = 0
        },
        onattribname: (from, to) => {
          attribute = html.slice(from, to).toLowerCase()
          value = ""
        },
        onattribdata: (from, to) => {
          value += html.slice(from, to)
        },
        onattribentity: (code) => {
          value += String.fromCodePoint(code)
        },
        onattribend: () => {
          if (++count <= maxAttributes && !Object.hasOwn(attributes, attribute)) attributes[attribute] = value
        },
        onopentagend: () => openTag(false),
        onselfclosingtag: () => openTag(true),
        onclosetag: (from, to) => this.#endElement(html.slice(from, to).toLowerCase()),
        oncdata: ignore,
        oncomment: ignore,
        ondeclaration: ignore,
        onprocessinginstruction: ignore,
        onend: ignore
      }
    )
    tokens.write(html)
    tokens.end()
  }

  /** Adds a document node by its index. `isBlock`: true if the node closes an open paragraph. */
  writeNode(index: number, isBlock: boolean): void {
    while (this.#openElements.length > 0) {
      const { tagName } = this.#openElements.at(-1)!
      if (!HtmlElements.removedElements.has(tagName) && !(isBlock && tagName === "p")) break
      this.#openElements.pop()
    }
    this.#append({ type: "element", tagName: nodeElement, properties: { index }, children: [] })
  }

  /** Returns the tree. An unclosed `details` element becomes a `div`, so that the rest of the page is not collapsed. */
  end(): Root {
    for (const element of this.#openElements) if (element.tagName === "details") element.tagName = "div"
    return this.#root
  }

  #append(node: ElementContent): void {
    ;(this.#openElements.at(-1) ?? this.#root).children.push(node)
  }

  #text(text: string): void {
    const topElement = this.#openElements.at(-1)
    if (!this.#includesText || (topElement !== undefined && this.#omitsText(topElement))) return
    const lastChild = (topElement ?? this.#root).children.at(-1)
    if (lastChild?.type === "text") lastChild.value += text
    else this.#append({ type: "text", value: text })
  }

  #omitsText({ tagName }: OpenElement): boolean {
    return HtmlElements.removedElements.has(tagName) && !this.#textElements.has(tagName)
  }

  #startElement(name: string, properties: Record<string, string>, isClosed: boolean): void {
    if (name === nodeElement || HtmlElements.documentElements.has(name)) return
    if (HtmlElements.paragraphClosers.has(name))
      this.#closeImplied({ closes: paragraphElements, boundaries: HtmlElements.tablePartElements })
    const impliedEndTags = HtmlElements.impliedEndTagsByName.get(name)
    if (impliedEndTags !== undefined) this.#closeImplied(impliedEndTags)
    if (this.#openElements.length >= this.#maxDepth) return
    const element: OpenElement = { type: "element", tagName: name, properties, children: [] }
    this.#append(element)
    if (!HtmlElements.voidElements.has(name) && !isClosed) this.#openElements.push(element)
  }

  #closeImplied({ closes, boundaries }: HtmlElements.ImpliedEndTags): void {
    for (let at = this.#openElements.length - 1; at >= 0; at--) {
      const { tagName } = this.#openElements[at]!
      if (closes.has(tagName)) {
        this.#openElements.length = at
        // An open cell ends together with the enclosing part of the table.
      } else if (boundaries.has(tagName)) return
    }
  }

  #endElement(name: string): void {
    if (name === "br") this.#append({ type: "element", tagName: "br", properties: {}, children: [] })
    const isTablePart = HtmlElements.tablePartElements.has(name)
    for (let at = this.#openElements.length - 1; at >= 0; at--) {
      const { tagName } = this.#openElements[at]!
      if (tagName === name) {
        this.#openElements.length = at
        return
      }
      if (isTablePart ? tagName === "table" : HtmlElements.endTagBoundaries.has(tagName)) return
    }
  }
}

const paragraphElements: ReadonlySet<string> = new Set(["p"])
