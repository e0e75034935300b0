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
const none: ReadonlySet<string> = new Set()

/** Name of the element that stands for a document node. HTML can't contain this name. */
export const nodeElement = "lectern-node"

export interface StreamOptions {
  /** False if only elements are needed. Default: true. */
  readonly wantsText?: boolean
  /** Maximum depth of nested elements. Default: 60. */
  readonly maxDepth?: number
  /** Elements whose text stays in the tree although it is not visible. Default: none. */
  readonly keepsText?: ReadonlySet<string>
}

interface Open extends Element {
  children: Array<ElementContent>
}

export class HtmlStream {
  readonly #root: Root = { type: "root", children: [] }
  readonly #open: Array<Open> = []
  readonly #wantsText: boolean
  readonly #maxDepth: number
  readonly #keepsText: ReadonlySet<string>

  constructor({ wantsText = true, maxDepth = 60, keepsText = none }: StreamOptions = {}) {
    this.#wantsText = wantsText
    this.#maxDepth = maxDepth
    this.#keepsText = keepsText
  }

  /** Parses a piece of HTML. A tag that is incomplete at the end of the piece is removed. */
  piece(html: string): void {
    let name = ""
    let attributes: Record<string, string> = {}
    let count = 0
    let attribute = ""
    let value = ""
    const ignore = () => {}
    // Self-closing tags are valid only for components of other programs, not for HTML elements.
    const begin = (isClosed: boolean) =>
      this.#begin(name.toLowerCase(), attributes, isClosed && /^[A-Z][a-z]|[.-]/.test(name))
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
        onopentagend: () => begin(false),
        onselfclosingtag: () => begin(true),
        onclosetag: (from, to) => this.#end(html.slice(from, to).toLowerCase()),
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
  node(index: number, isBlock: boolean): void {
    while (this.#open.length > 0) {
      const { tagName } = this.#open.at(-1)!
      if (!HtmlElements.withoutText.has(tagName) && !(isBlock && tagName === "p")) break
      this.#open.pop()
    }
    this.#append({ type: "element", tagName: nodeElement, properties: { index }, children: [] })
  }

  /** Returns the tree. An unclosed `details` element becomes a `div`, so that the rest of the page is not collapsed. */
  end(): Root {
    for (const element of this.#open) if (element.tagName === "details") element.tagName = "div"
    return this.#root
  }

  #append(node: ElementContent): void {
    ;(this.#open.at(-1) ?? this.#root).children.push(node)
  }

  #text(text: string): void {
    const top = this.#open.at(-1)
    if (!this.#wantsText || (top !== undefined && this.#isSilent(top))) return
    const last = (top ?? this.#root).children.at(-1)
    if (last?.type === "text") last.value += text
    else this.#append({ type: "text", value: text })
  }

  #isSilent({ tagName }: Open): boolean {
    return HtmlElements.withoutText.has(tagName) && !this.#keepsText.has(tagName)
  }

  #begin(name: string, properties: Record<string, string>, isClosed: boolean): void {
    if (name === nodeElement || HtmlElements.isFrame.has(name)) return
    if (HtmlElements.endsParagraph.has(name)) this.#endImplied({ ends: paragraph, within: HtmlElements.isTablePart })
    const implied = HtmlElements.impliedEnds.get(name)
    if (implied !== undefined) this.#endImplied(implied)
    if (this.#open.length >= this.#maxDepth) return
    const element: Open = { type: "element", tagName: name, properties, children: [] }
    this.#append(element)
    if (!HtmlElements.isVoid.has(name) && !isClosed) this.#open.push(element)
  }

  #endImplied({ ends, within }: { readonly ends: ReadonlySet<string>; readonly within: ReadonlySet<string> }): void {
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const { tagName } = this.#open[at]!
      if (ends.has(tagName)) {
        this.#open.length = at
        // An open cell ends together with the enclosing part of the table.
      } else if (within.has(tagName)) return
    }
  }

  #end(name: string): void {
    if (name === "br") this.#append({ type: "element", tagName: "br", properties: {}, children: [] })
    const isPart = HtmlElements.isTablePart.has(name)
    for (let at = this.#open.length - 1; at >= 0; at--) {
      const { tagName } = this.#open[at]!
      if (tagName === name) {
        this.#open.length = at
        return
      }
      if (isPart ? tagName === "table" : HtmlElements.closesNothingBeyond.has(tagName)) return
    }
  }
}

const paragraph: ReadonlySet<string> = new Set(["p"])
