/**
 * Natural-language texts of a document: paragraphs, headings, cells, captions, titles of tabs, and descriptions of
 * images. Code, formulas, HTML, unknown tags, URLs and references are excluded.
 *
 * One traversal serves to collect and to replace texts: a visitor receives each text and returns its replacement.
 * Unchanged parts stay the same objects.
 */
import type { Block, Data, Document, Fragment, Inline, Node } from "./Document.ts"
import { mapFields, mapList, withNodes, withParts } from "./DocumentMapping.ts"
import * as DocumentText from "./DocumentText.ts"
import { blockSpec, blockTypes } from "./vocabulary/BlockTypes.ts"
import { type Fields, fieldNames } from "./vocabulary/Field.ts"
import { inlineTypes } from "./vocabulary/InlineTypes.ts"

export interface TextVisitor {
  /** Maps the text of a paragraph, a heading or a cell. */
  readonly inlines: (nodes: ReadonlyArray<Node>) => ReadonlyArray<Node>
  /** Maps a text without marks, such as a title or a description. */
  readonly text: (text: string) => string
}

/** Returns the translated fields by type. */
const translatedByType = (types: { readonly [type: string]: { readonly fields: Fields } }) =>
  new Map(
    Object.entries(types).map(([type, { fields }]) => [
      type,
      fieldNames(fields, (field) => field.isTranslated === true)
    ])
  )

const translatedFields = {
  block: translatedByType(blockTypes),
  inline: translatedByType(inlineTypes)
} as const

type Properties = { readonly [name: string]: unknown }

const isProperties = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the current anchors of headings by key. A translated heading keeps its anchor. */
export const anchorsOf = (document: Document): ReadonlyMap<string, string> =>
  new Map(DocumentText.headings(document).map(({ key, id }) => [key, id]))

const noAnchors: ReadonlyMap<string, string> = new Map()

// Documents are at most 100 levels deep, so the call stack cannot overflow.
export const mapBlock = (block: Block, visitor: TextVisitor, anchors = noAnchors): Block => {
  const data = mapData(block, visitor, anchors)
  if (blockSpec(block.type).isUntranslated === true) return withParts(block, { data })
  return withParts(block, {
    data,
    nodes: block.nodes && mapNodes(block.nodes, visitor, anchors),
    fragments: block.fragments && mapList(block.fragments, (fragment) => mapFragment(fragment, visitor, anchors))
  })
}

const mapFragment = (fragment: Fragment, visitor: TextVisitor, anchors: ReadonlyMap<string, string>): Fragment =>
  withNodes(
    fragment,
    mapList(fragment.nodes, (block) => mapBlock(block, visitor, anchors))
  )

/** Maps nodes. Adjacent inlines and texts are passed to the visitor as one text. */
const mapNodes = (nodes: ReadonlyArray<Node>, visitor: TextVisitor, anchors: ReadonlyMap<string, string>) => {
  if (nodes.length === 0) return nodes
  if (!nodes.some((node) => node.object === "block")) return mapText(nodes, visitor, anchors)
  const result: Array<Node> = []
  let inlineRun: Array<Node> = []
  const flushRun = () => {
    if (inlineRun.length > 0) result.push(...mapText(inlineRun, visitor, anchors))
    inlineRun = []
  }
  for (const node of nodes) {
    if (node.object !== "block") {
      inlineRun.push(node)
      continue
    }
    flushRun()
    result.push(mapBlock(node, visitor, anchors))
  }
  flushRun()
  return result.length === nodes.length && result.every((node, i) => node === nodes[i]) ? nodes : result
}

const mapText = (nodes: ReadonlyArray<Node>, visitor: TextVisitor, anchors: ReadonlyMap<string, string>) =>
  visitor.inlines(mapList(nodes, (node) => (node.object === "inline" ? mapInline(node, visitor, anchors) : node)))

/** Maps the data and fragments of an inline. The visitor maps its text together with the enclosing text. */
const mapInline = (inline: Inline, visitor: TextVisitor, anchors: ReadonlyMap<string, string>): Inline =>
  withParts(inline, {
    data: mapData(inline, visitor, anchors),
    nodes:
      inline.nodes &&
      mapList(inline.nodes, (node) => (node.object === "inline" ? mapInline(node, visitor, anchors) : node)),
    fragments: inline.fragments && mapList(inline.fragments, (fragment) => mapFragment(fragment, visitor, anchors))
  })

const mapData = (
  node: Block | Inline,
  visitor: TextVisitor,
  anchors: ReadonlyMap<string, string>
): Data | undefined => {
  if (node.object === "block") {
    if (node.type === "table") return node.data && tableData(node, node.data, visitor)
    if (DocumentText.headingLevel(node) !== undefined) return headingData(node, anchors)
  }
  const names = translatedFields[node.object].get(node.type)
  return names === undefined || node.data === undefined ? node.data : mapNames(node.data, names, visitor)
}

const mapNames = (data: Properties, names: ReadonlyArray<string>, visitor: TextVisitor): Properties =>
  names.reduce((mappedFields, name) => {
    const value = mappedFields[name]
    return typeof value === "string" ? withField(mappedFields, name, visitor.text(value)) : mappedFields
  }, data)

const headingData = (block: Block, anchors: ReadonlyMap<string, string>): Data | undefined => {
  const id = anchors.get(block.key)
  return id === undefined || block.data?.id !== undefined ? block.data : { ...block.data, id }
}

/** Maps titles of columns, labels of options, and cells that are plain values. */
const tableData = (table: Block, data: Data, visitor: TextVisitor): Data => {
  const { definition, records } = data
  if (!isProperties(definition) || !isProperties(records)) return data
  const fragmentNames = new Set(table.fragments?.map(({ fragment }) => fragment))
  const columns = mapFields(definition, (column) => (isProperties(column) ? mapColumn(column, visitor) : column))
  const rows = mapFields(records, (record) => {
    if (!isProperties(record) || !isProperties(record.values)) return record
    const values = mapFields(record.values, (value, columnId) => {
      const column = definition[columnId]
      const isText = isProperties(column) && (column.type === undefined || column.type === "text")
      return isText && typeof value === "string" && !fragmentNames.has(value) ? visitor.text(value) : value
    })
    return withField(record, "values", values)
  })
  return withField(withField(data, "definition", columns), "records", rows)
}

const mapColumn = (column: Properties, visitor: TextVisitor): Properties => {
  const titledColumn = mapNames(column, ["title"], visitor)
  if (!Array.isArray(column.options)) return titledColumn
  const options = mapList(column.options as ReadonlyArray<unknown>, (option) =>
    isProperties(option) ? mapNames(option, ["label"], visitor) : option
  )
  return withField(titledColumn, "options", options)
}

const withField = (data: Properties, name: string, value: unknown): Properties =>
  data[name] === value ? data : { ...data, [name]: value }
