/**
 * Parses HTML in the form that the hosted service writes: closed elements, attributes and text. All other HTML is
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
  readonly inside: readonly [from: number, to: number]
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
interface Mutable {
  readonly from: number
  readonly inside: [number, number]
  to: number
}
interface Open {
  readonly name: string
  readonly children: Array<Node>
  readonly range?: Mutable
}

const tagAt = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w-]*(?:=(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*\/?>/y
const attributeAt = /([a-zA-Z][\w-]*)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g
const isVoid = new Set(["br", "img", "source", "hr"])

/** Returns the nodes; undefined if the HTML is not supported. */
export const parse = (html: string): ReadonlyArray<Node> | undefined => {
  const root: Array<Node> = []
  const open: Array<Open> = [{ name: "", children: root }]
  for (let at = 0; at < html.length;) {
    const { name, children, range } = open.at(-1)!
    const next = html.indexOf("<", at)
    if (next !== at) {
      children.push({ kind: "text", source: html.slice(at, next === -1 ? undefined : next) })
      if (next === -1) break
      at = next
    }
    tagAt.lastIndex = at
    const tag = tagAt.exec(html)
    if (tag === null) return undefined
    at = tagAt.lastIndex
    if (tag[1] === "/") {
      if (tag[2] !== name || tag[3] !== "") return undefined
      open.pop()
      if (range !== undefined) {
        range.inside[1] = tag.index
        range.to = at
      }
      continue
    }
    const attributes = attributesOf(tag[3]!)
    if (attributes === undefined) return undefined
    const own: Mutable = { from: tag.index, inside: [at, at], to: at }
    const element = { kind: "element", name: tag[2]!, attributes, children: [] as Array<Node>, range: own } as const
    children.push(element)
    if (isVoid.has(element.name)) continue
    open.push(element)
    if (open.length > maxDepth) return undefined
  }
  return open.length === 1 ? root : undefined
}

const attributesOf = (source: string): ReadonlyMap<string, string> | undefined => {
  const attributes = new Map<string, string>()
  for (const [, name, double, single, bare] of source.matchAll(attributeAt)) {
    if (attributes.has(name!)) return undefined
    attributes.set(name!, decode(double ?? single ?? bare ?? ""))
  }
  return attributes
}

const reference = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z][a-z0-9]{0,31}));/gi

/** Decodes the character references of a text. */
export const decode = (source: string): string =>
  source.includes("&")
    ? source.replace(reference, (whole, hex: string | undefined, decimal: string | undefined, name: string) => {
        if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
        if (decimal !== undefined) return characterOf(Number(decimal))
        return namedCharacter(name) ?? whole
      })
    : source

/** Escapes text for HTML. Joins its lines, since an empty line would end the enclosing block. */
export const text = (value: string): string =>
  Emoji.escaped(
    oneLine(value).replace(/[&<>$]/g, (character) => inText[character]!),
    "&#58;"
  )

// A `$` is also escaped, since it could start a formula.
const inText: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", $: "&#36;" }

/** Returns an opening tag. The value `true` writes an attribute without a value; undefined omits it. */
export const tag = (
  name: string,
  attributes: { readonly [name: string]: string | number | true | undefined } = {}
): string => {
  let written = `<${name}`
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    written += value === true ? ` ${attribute}` : ` ${attribute}="${attributeValue(String(value))}"`
  }
  return `${written}>`
}

const attributeValue = (value: string): string =>
  value
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll("\t", "&#9;")
    .replace(/\r\n?|\n/g, "&#10;")

/** Returns the attributes of an element; undefined if it has attributes other than `names`. */
export const only = <Name extends string>(
  { attributes }: Element,
  names: ReadonlyArray<Name>
): { readonly [_ in Name]?: string } | undefined => {
  for (const name of attributes.keys()) if (!(names as ReadonlyArray<string>).includes(name)) return undefined
  return Object.fromEntries(attributes) as { readonly [_ in Name]?: string }
}

/** Returns the elements among nodes; undefined if there is text other than white space. */
export const elements = (nodes: ReadonlyArray<Node>): ReadonlyArray<Element> | undefined => {
  const found: Array<Element> = []
  for (const node of nodes) {
    if (node.kind === "element") found.push(node)
    else if (node.source.trim() !== "") return undefined
  }
  return found
}
