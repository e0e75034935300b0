/**
 * References of a document: targets of links, images and includes. They are in the data of blocks and inlines, and in
 * tables also within values. Each object in data with the shape of a reference is one. In table columns of files or
 * users, a plain id is a reference as well.
 */
import type { Block, ContentRef, Data, Document, Inline, Node } from "./Document.ts"
import { mapFields, mapList, withNodes, withParts } from "./DocumentMapping.ts"

/** Required field and optional fields of a reference, by kind. All are strings. */
export const refFields: ReadonlyMap<unknown, { readonly required: string; readonly optional: ReadonlyArray<string> }> =
  new Map(
    Object.entries({
      url: { required: "url", optional: [] },
      file: { required: "file", optional: ["space"] },
      page: { required: "page", optional: ["space"] },
      anchor: { required: "anchor", optional: ["page", "space"] },
      user: { required: "user", optional: [] },
      collection: { required: "collection", optional: [] },
      space: { required: "space", optional: [] },
      "reusable-content": { required: "reusableContent", optional: ["space"] },
      openapi: { required: "spec", optional: [] }
    } satisfies Record<ContentRef["kind"], unknown>)
  )

type Fields = { readonly [name: string]: unknown }

export const isRef = (value: unknown): value is ContentRef => {
  if (typeof value !== "object" || value === null || !("kind" in value)) return false
  const expectedFields = refFields.get(value.kind)
  if (expectedFields === undefined || typeof (value as Fields)[expectedFields.required] !== "string") return false
  return expectedFields.optional.every((name) => isAbsentOrText((value as Fields)[name]))
}

const isAbsentOrText = (field: unknown): boolean => field === undefined || typeof field === "string"

/**
 * Returns the name of the field that makes a value an invalid reference. Undefined if the value is valid, or not meant
 * as a reference. It is meant as one if it has the kind and the required field of a reference. `isRefExpected` is true
 * if its position requires a reference (`data.ref`).
 */
export const invalidFieldOf = (value: object, isRefExpected: boolean): string | undefined => {
  const expected = "kind" in value ? refFields.get(value.kind) : undefined
  if (expected === undefined) return undefined
  if (typeof (value as Fields)[expected.required] !== "string") return isRefExpected ? expected.required : undefined
  return expected.optional.find((name) => !isAbsentOrText((value as Fields)[name]))
}

/** Types of columns whose cells contain ids, with the reference for an id. */
const refOfIdByType: ReadonlyMap<unknown, (id: string) => ContentRef> = new Map([
  ["files", (file: string): ContentRef => ({ kind: "file", file })],
  ["users", (user: string): ContentRef => ({ kind: "user", user })]
])

/** Returns the id that represents a reference in such a column. Undefined if the reference needs more than the id. */
const idOf = (ref: unknown): string | undefined => {
  if (typeof ref === "string") return ref
  if (!isRef(ref)) return undefined
  if (ref.kind === "file") return ref.space === undefined ? ref.file : undefined
  return ref.kind === "user" ? ref.user : undefined
}

/** Returns true if the value is a reference with its label from Markdown (see `TableCells`). */
const isLabeled = (value: unknown): boolean => isProperties(value) && isRef(value["ref"])

const isProperties = (value: unknown): value is Data =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the columns of a table whose cells contain ids. */
const idColumns = (data: Data): ReadonlyArray<readonly [column: string, refOf: (id: string) => ContentRef]> => {
  if (!isProperties(data["definition"])) return []
  return Object.entries(data["definition"]).flatMap(([column, definition]) => {
    const refOf = isProperties(definition) ? refOfIdByType.get(definition["type"]) : undefined
    return refOf === undefined ? [] : [[column, refOf] as const]
  })
}

/** Returns the references that table cells make by plain ids. Empty for any other block. */
export const refsInCells = ({
  type,
  data
}: {
  readonly type?: unknown
  readonly data?: unknown
}): Array<ContentRef> => {
  if (type !== "table" || !isProperties(data) || !isProperties(data["records"])) return []
  const columns = idColumns(data)
  if (columns.length === 0) return []
  return Object.values(data["records"]).flatMap((record) => {
    const values = isProperties(record) ? record["values"] : undefined
    if (!isProperties(values)) return []
    return columns.flatMap(([column, refOf]) => {
      const cell = values[column]
      return Array.isArray(cell) ? cell.flatMap((one: unknown) => (typeof one === "string" ? refOf(one) : [])) : []
    })
  })
}

/**
 * Returns all references in document order. References by plain ids come before the other references of their table.
 */
export const refs = (document: Document): Array<ContentRef> => {
  const result: Array<ContentRef> = []
  const pending: Array<unknown> = [document.nodes]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value !== "object" || value === null) continue
    if (isRef(value)) {
      result.push(value)
      continue
    }
    for (const ref of refsInCells(value)) result.push(ref)
    const values = Object.values(value)
    for (let i = values.length - 1; i >= 0; i--) if (typeof values[i] === "object") pending.push(values[i])
  }
  return result
}

/** Returns the document with each reference mapped by `f`. Unchanged parts stay the same objects. */
export const mapRefs = (document: Document, f: (ref: ContentRef) => ContentRef): Document =>
  withNodes(
    document,
    mapList(document.nodes, (node) => mapNode(node, f))
  )

// Documents are at most 100 levels deep, so the call stack cannot overflow.
const mapNode = <A extends Block | Inline>(node: A, f: (ref: ContentRef) => ContentRef): A =>
  withParts(node, {
    data: node.data && (node.type === "table" ? mapTable(node.data, f) : (mapValue(node.data, f) as Data)),
    nodes: node.nodes && mapList<Node>(node.nodes, (child) => (child.object === "text" ? child : mapNode(child, f))),
    fragments:
      node.fragments &&
      mapList(node.fragments, (fragment) =>
        withNodes(
          fragment,
          mapList(fragment.nodes, (child) => mapNode(child, f))
        )
      )
  })

/** Returns the mapped data of a table. References in columns of ids become ids again. */
const mapTable = (data: Data, f: (ref: ContentRef) => ContentRef): Data => {
  const columns = new Map(idColumns(data))
  const mapField = (value: unknown) => mapValue(value, f)
  const mapValues = (values: unknown) => {
    if (!isProperties(values)) return mapField(values)
    return mapFields(values, (cell, column) => {
      const refOf = columns.get(column)
      return refOf !== undefined && Array.isArray(cell) ? mapCell(cell, refOf, f) : mapField(cell)
    })
  }
  const mapRecord = (fields: unknown) =>
    isProperties(fields)
      ? mapFields(fields, (field, name) => (name === "values" ? mapValues(field) : mapField(field)))
      : mapField(fields)
  return mapFields(data, (field, name) =>
    columns.size > 0 && name === "records" && isProperties(field) ? mapFields(field, mapRecord) : mapField(field)
  )
}

/** Returns the cell with plain ids if these represent all references, otherwise with reference objects. */
const mapCell = (
  cell: ReadonlyArray<unknown>,
  refOf: (id: string) => ContentRef,
  f: (ref: ContentRef) => ContentRef
): ReadonlyArray<unknown> => {
  const mappedCell = mapList(cell, (one) => {
    if (typeof one !== "string") return mapValue(one, f)
    const ref = refOf(one)
    const mappedRef = f(ref)
    return mappedRef === ref ? one : mappedRef
  })
  if (mappedCell === cell) return cell
  const ids = mappedCell.map((one) => (isLabeled(one) ? one : idOf(one)))
  if (!ids.includes(undefined)) return ids
  return mappedCell.map((one) => (typeof one === "string" ? refOf(one) : one))
}

const mapValue = (value: unknown, f: (ref: ContentRef) => ContentRef): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (isRef(value)) return f(value)
  if (Array.isArray(value)) return mapList(value as ReadonlyArray<unknown>, (item) => mapValue(item, f))
  return mapFields(value as Data, (field) => mapValue(field, f))
}
