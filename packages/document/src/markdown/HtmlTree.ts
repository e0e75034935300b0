/**
 * Parses HTML in the form that the printer writes: closed elements, attributes and text. All other HTML is
 * rejected, so that its source is preserved: comments, scripts, unclosed tags.
 *
 * This parser is strict because Markdown files keep their bytes: HTML becomes a block only if the block prints as the
 * same HTML. The parser for readers and imports repairs invalid HTML (see `html/HtmlFlow`).
 *
 * Limits: elements nest 32 deep.
 */
import { namedCharacter } from "../NamedCharacter.ts"
import { characterOf } from "./syntax/CharacterReference.ts"
import * as Emoji from "./Emoji.ts"
import { oneLine } from "./OneLine.ts"

export interface Element {
  readonly kind: "element"
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: ReadonlyArray<Node>
  /** Range in the parsed HTML. */
  readonly range: ElementRange
}
export interface ElementRange {
  /** Start of the opening tag. */
  readonly from: number
  /** Start and end of the content between the tags. */
  readonly content: readonly [from: number, to: number]
  /** End of the closing tag. */
  readonly to: number
}
/** Source of a text, with its character references. */
export interface Text {
  readonly kind: "text"
  readonly source: string
}
export type Node = Element | Text

const maxDepth = 32

/** Range of an element that is not closed yet. */
interface MutableRange {
  readonly from: number
  readonly content: [number, number]
  to: number
}
interface OpenElement {
  readonly name: string
  readonly children: Array<Node>
  readonly range?: MutableRange
}

const tagPattern = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w-]*(?:=(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/y
const attributePattern = /([a-zA-Z][\w-]*)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
const voidElements = new Set(["br", "img", "source", "hr"])

/** Returns the nodes; undefined if the HTML is not supported. */
export const parse = (html: string): ReadonlyArray<Node> | undefined => {
  const root: Array<Node> = []
  const stack: Array<OpenElement> = [{ name: "", children: root }]
  for (let at = 0; at < html.length;) {
    const { name, children, range } = stack.at(-1)!
    const next = html.indexOf("<", at)
    if (next !== at) {
      children.push({ kind: "text", source: html.slice(at, next === -1 ? undefined : next) })
      if (next === -1) break
      at = next
    }
    tagPattern.lastIndex = at
    const tag = tagPattern.exec(html)
    if (tag === null) return undefined
    at = tagPattern.lastIndex
    if (tag[1] === "/") {
      if (tag[2] !== name || tag[3] !== "") return undefined
      stack.pop()
      if (range !== undefined) {
        range.content[1] = tag.index
        range.to = at
      }
      continue
    }
    const attributes = parseAttributes(tag[3]!)
    if (attributes === undefined) return undefined
    const ownRange: MutableRange = { from: tag.index, content: [at, at], to: at }
    const element = {
      kind: "element",
      name: tag[2]!,
      attributes,
      children: [] as Array<Node>,
      range: ownRange
    } as const
    children.push(element)
    if (voidElements.has(element.name)) continue
    stack.push(element)
    if (stack.length > maxDepth) return undefined
  }
  return stack.length === 1 ? root : undefined
}

const parseAttributes = (source: string): ReadonlyMap<string, string> | undefined => {
  const attributes = new Map<string, string>()
  for (const [, name, double, single, bare] of source.matchAll(attributePattern)) {
    if (attributes.has(name!)) return undefined
    attributes.set(name!, decodeReferences(double ?? single ?? bare ?? ""))
  }
  return attributes
}

const reference = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z][a-z0-9]{0,31}));/gi

/** Decodes the character references of a text. */
export const decodeReferences = (source: string): string =>
  source.includes("&")
    ? source.replace(reference, (matchedText, hex: string | undefined, decimal: string | undefined, name: string) => {
        if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
        if (decimal !== undefined) return characterOf(Number(decimal))
        return namedCharacter(name) ?? matchedText
      })
    : source

/** Escapes text for HTML. Joins its lines, since an empty line would end the enclosing block. */
export const escapeText = (value: string): string =>
  Emoji.escapeNames(
    oneLine(value).replace(/[&<>$]/g, (character) => textEscapes[character]!),
    "&#58;"
  )

// A `$` is also escaped, since it could start a formula.
const textEscapes: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", $: "&#36;" }

/** Returns an opening tag. The value `true` writes an attribute without a value; undefined omits it. */
export const openTag = (
  name: string,
  attributes: { readonly [name: string]: string | number | true | undefined } = {}
): string => {
  let html = `<${name}`
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    html += value === true ? ` ${attribute}` : ` ${attribute}="${attributeValue(String(value))}"`
  }
  return `${html}>`
}

const attributeValue = (value: string): string =>
  value
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll("\t", "&#9;")
    .replace(/\r\n?|\n/g, "&#10;")

/** Returns the attributes of an element; undefined if it has attributes other than `names`. */
export const knownAttributes = <Name extends string>(
  { attributes }: Element,
  names: ReadonlyArray<Name>
): { readonly [_ in Name]?: string } | undefined => {
  for (const name of attributes.keys()) if (!(names as ReadonlyArray<string>).includes(name)) return undefined
  return Object.fromEntries(attributes) as { readonly [_ in Name]?: string }
}

/** Returns the elements among nodes; undefined if there is text other than white space. */
export const elementsOnly = (nodes: ReadonlyArray<Node>): ReadonlyArray<Element> | undefined => {
  const result: Array<Element> = []
  for (const node of nodes) {
    if (node.kind === "element") result.push(node)
    else if (node.source.trim() !== "") return undefined
  }
  return result
}
