/** Parses the cell of an HTML table: a value of its column's type, or blocks. */
import type { Block } from "../Document.ts"
import type { Reader } from "./BlocksFromMarkdown.ts"
import * as CellContent from "./CellContent.ts"
import * as HeadingDepth from "./HeadingDepth.ts"
import * as HighlightedCode from "./HighlightedCode.ts"
import * as HtmlTree from "./HtmlTree.ts"
import * as InlinesFromHtml from "./InlinesFromHtml.ts"
import * as TableContent from "../table/TableContent.ts"
import { parseAlignment, type Column } from "./TableColumn.ts"

export type Cell = { readonly value: unknown } | { readonly blocks: (reader: Reader) => ReadonlyArray<Block> }

const attributes = ["align", "style", "valign", "rowspan", "colspan", "data-object-fit", "data-alt"] as const

/** Returns the content of a cell; null if it has no value, undefined if it is invalid. */
export const read = (cell: HtmlTree.Element, column: Column, reader: Reader): Cell | null | undefined => {
  const values = cell.name === "td" ? HtmlTree.knownAttributes(cell, attributes) : undefined
  if (values === undefined) return undefined
  const { type, textAlignment, verticalAlignment } = column.definition
  const align = parseAlignment(values)
  if (align !== undefined && align !== textAlignment) return undefined
  if (values.valign !== undefined && values.valign !== verticalAlignment) return undefined
  const { "data-object-fit": objectFit, "data-alt": alt } = values
  if (type === "image") return readImage(cell, { objectFit, alt }, reader)
  if (objectFit !== undefined || alt !== undefined) return undefined
  return type === "text" ? readText(cell, reader) : readValue(cell, column, reader)
}

const readValue = (cell: HtmlTree.Element, { definition }: Column, reader: Reader): Cell | null | undefined => {
  if (cell.children.length === 0) return null
  const text = cell.children.every((child) => child.kind === "text")
    ? HtmlTree.decodeReferences(cell.children.map((child) => (child.kind === "text" ? child.source : "")).join(""))
    : undefined
  switch (definition.type) {
    case "number":
      if (text === "null") return { value: null }
      return text !== undefined && String(Number(text)) === text && Number.isFinite(Number(text))
        ? { value: Number(text) }
        : undefined
    case "rating":
      return text !== undefined && /^(?:0|[1-9]\d{0,2})$/.test(text) ? { value: Number(text) } : undefined
    case "checkbox":
      return text === "true" || text === "false" ? { value: text === "true" } : undefined
    case "select":
      return readOptions(cell, TableContent.optionLabels(definition))
    default:
      return readRefs(cell, definition.type, reader)
  }
}

const readOptions = (cell: HtmlTree.Element, optionValues: ReadonlyMap<unknown, unknown>): Cell | undefined => {
  const options = HtmlTree.elementsOnly(cell.children)?.map((span) =>
    span.name === "span" ? HtmlTree.knownAttributes(span, ["data-option"])?.["data-option"] : undefined
  )
  return options?.every((one) => one !== undefined && optionValues.has(one)) ? { value: options } : undefined
}

interface Link {
  readonly url: string
  /** Text of the link; undefined if it equals the URL. */
  readonly label: string | undefined
}

const readLinks = (cell: HtmlTree.Element): ReadonlyArray<Link> | undefined => {
  const links: Array<Link> = []
  for (const child of cell.children) {
    if (child.kind === "text") {
      if (!/^[\s,]*$/.test(child.source)) return undefined
      continue
    }
    const href = child.name === "a" ? HtmlTree.knownAttributes(child, ["href", "data-mention"])?.href : undefined
    if (href === undefined || !child.children.every((one) => one.kind === "text")) return undefined
    const label = HtmlTree.decodeReferences(
      child.children.map((one) => (one.kind === "text" ? one.source : "")).join("")
    )
    links.push({ url: href, label: label === href ? undefined : label.replace(/\s+/g, " ") })
  }
  return links
}

const readRefs = (cell: HtmlTree.Element, type: string, { references }: Reader): Cell | undefined => {
  const links = readLinks(cell)
  if (links === undefined) return undefined
  const refs = links.map(({ url }) => references.resolveRef(url, type === "content-ref" ? "link" : "file"))
  const withLabel = (value: unknown, i: number) => {
    const { label } = links[i]!
    return label === undefined ? value : { ref: refs[i]!, label }
  }
  if (type === "content-ref") return refs.length === 1 ? { value: withLabel(refs[0], 0) } : undefined
  if (type === "users") {
    const users = refs.flatMap((ref) => (ref.kind === "user" ? [ref.user] : []))
    return users.length === refs.length ? { value: users } : undefined
  }
  // Files of the same space are stored only by their ids.
  const files = refs.flatMap((ref) => (ref.kind === "file" && ref.space === undefined ? [ref.file] : []))
  return { value: (files.length === refs.length ? files : refs).map(withLabel) }
}

const objectFits = new Set<string | undefined>([undefined, "contain", "fill", "cover"])

const readImage = (
  cell: HtmlTree.Element,
  { objectFit, alt }: { readonly objectFit: string | undefined; readonly alt: string | undefined },
  { references }: Reader
): Cell | null | undefined => {
  if (cell.children.length === 0) return objectFit === undefined && alt === undefined ? null : undefined
  const links = readLinks(cell)
  if (links?.length !== 1 || !objectFits.has(objectFit)) return undefined
  const ref = references.resolveRef(links[0]!.url, "image")
  const values = Object.entries({ objectFit, alt, label: links[0]!.label }).filter(([, one]) => one !== undefined)
  return { value: values.length === 0 ? ref : { ref, ...Object.fromEntries(values) } }
}

const readText = (cell: HtmlTree.Element, reader: Reader): Cell | undefined => {
  const contents = readContents(cell.children, reader)
  return contents && { blocks: (at) => contents.map((content) => CellContent.block(content, at)) }
}

const isBlock = (node: HtmlTree.Node): node is HtmlTree.Element =>
  node.kind === "element" &&
  (["p", "ul", "ol", "pre"].includes(node.name) || HeadingDepth.headingOfElement(node.name) !== undefined)

/** Returns blocks, with the text between them as paragraphs. Content without blocks is one paragraph. */
const readContents = (
  nodes: ReadonlyArray<HtmlTree.Node>,
  reader: Reader
): ReadonlyArray<CellContent.CellContent> | undefined => {
  const inlinesOf = (text: ReadonlyArray<HtmlTree.Node>) => InlinesFromHtml.read(text, reader.references)
  if (!nodes.some(isBlock)) {
    const inlines = inlinesOf(nodes)
    return inlines && [{ type: "paragraph", nodes: CellContent.trim(inlines) }]
  }
  const contents: Array<CellContent.CellContent> = []
  for (let at = 0; at < nodes.length;) {
    const next = nodes[at]!
    const end = isBlock(next) ? at + 1 : nodes.findIndex((node, i) => i > at && isBlock(node))
    const text = isBlock(next) ? undefined : inlinesOf(nodes.slice(at, end === -1 ? undefined : end))
    const content = isBlock(next) ? readBlock(next, reader) : text && CellContent.paragraph(text)
    if (isBlock(next) ? content === undefined : text === undefined) return undefined
    if (content !== undefined) contents.push(content)
    at = end === -1 ? nodes.length : end
  }
  return contents
}

const readBlock = (element: HtmlTree.Element, reader: Reader): CellContent.CellContent | undefined => {
  const { name, attributes, children } = element
  if (name === "pre") {
    const code = HighlightedCode.read(element)
    return code && { type: "code", ...code }
  }
  if (name === "ol" || name === "ul") return readList(element, reader)
  const nodes = attributes.size > 0 ? undefined : InlinesFromHtml.read(children, reader.references)
  return nodes && { ...(HeadingDepth.headingOfElement(name) ?? { type: "paragraph" }), nodes: CellContent.trim(nodes) }
}

const readList = (element: HtmlTree.Element, reader: Reader): CellContent.CellContent | undefined => {
  const isOrdered = element.name === "ol"
  const values = HtmlTree.knownAttributes(element, isOrdered ? ["start"] : [])
  const start = (values as { readonly start?: string } | undefined)?.start ?? "1"
  const items = HtmlTree.elementsOnly(element.children)?.map((item) =>
    item.name === "li" && item.attributes.size === 0 ? readContents(item.children, reader) : undefined
  )
  if (values === undefined || !/^[1-9]\d{0,8}$/.test(start) || !items?.every((item) => item !== undefined))
    return undefined
  return { type: isOrdered ? "list-ordered" : "list-unordered", start: Number(start), items }
}
