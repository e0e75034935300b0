/** Random documents of all blocks that hold blocks, and random edits of them, for the laws. */
import * as fc from "fast-check"
import type { Block, Data, Document, Text } from "@lectern/document/Document"
import { entries, isBlock, mapBlocks, nodesSlot, withBlocks } from "@lectern/document/BlockTree"
import * as TableParts from "@lectern/document/table/TableParts"
import { block, divider, document, fragment, paragraph, table, text, words } from "./Documents.ts"

/** Type of the items that each type of list holds. */
const itemTypes: ReadonlyMap<string, string> = new Map([
  ["list-unordered", "list-item"],
  ["list-ordered", "list-item"],
  ["list-tasks", "list-item"],
  ["tabs", "tabs-item"],
  ["columns", "column"],
  ["stepper", "stepper-step"]
])

/** Shapes of random blocks; keys and words come when one is built. */
type Shape = { readonly type: string; readonly size: number; readonly inner: ReadonlyArray<Shape> }

const shape: fc.Arbitrary<Shape> = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({
      type: fc.constantFrom("paragraph", "heading-1", "paragraph", "divider", "code"),
      size: fc.integer({ min: 0, max: 6 }),
      inner: fc.constant([])
    }),
    fc.record({
      type: fc.constantFrom("blockquote", "expandable", "hint", ...itemTypes.keys(), "table", "table"),
      size: fc.constant(0),
      inner: fc.array(tie("shape"), { maxLength: 4 })
    })
  )
})).shape

/** Makes keys and words that no other maker makes. */
export class Maker {
  readonly #name: string
  #count = 0

  constructor(name: string) {
    this.#name = name
  }

  next(): string {
    return `${this.#name}${this.#count++}`
  }

  text(size: number): Text {
    return text(Array.from({ length: size }, () => this.next()).join(" "))
  }

  block({ inner, size, type }: Shape): Block {
    const key = this.next()
    if (type === "divider") return divider(key)
    if (type === "code") {
      return block(
        type,
        key,
        Array.from({ length: size }, () => block("code-line", this.next(), [this.text(2)]))
      )
    }
    if (type === "expandable") {
      const title = fragment("expandable-title", paragraph(this.next(), this.text(2)))
      return {
        object: "block",
        type,
        key,
        fragments: [title, fragment("expandable-body", ...inner.map((each) => this.block(each)))]
      }
    }
    const item = itemTypes.get(type)
    if (item !== undefined) {
      const data = () =>
        item === "tabs-item" ? { title: this.next() } : type === "list-tasks" ? { checked: false } : undefined
      return block(
        type,
        key,
        inner.map((each) => block(item, this.next(), [this.block(each)], data()))
      )
    }
    if (type === "table") {
      const width = 1 + (inner.length % 3)
      const titles = Array.from({ length: width }, () => this.next())
      return table(
        key,
        titles,
        inner.map(() => titles.map(() => this.next()))
      )
    }
    if (type === "blockquote" || type === "hint") {
      return block(
        type,
        key,
        inner.map((each) => this.block(each)),
        type === "hint" ? { style: "info" } : undefined
      )
    }
    return block(type, key, size === 0 ? [] : [this.text(size)])
  }
}

export const randomDocument: fc.Arbitrary<Document> = fc.array(shape, { maxLength: 8 }).map((shapes) => {
  const maker = new Maker("b")
  return document(...shapes.map((each) => maker.block(each)))
})

export interface Edit {
  readonly kind: "insert" | "delete" | "edit" | "data" | "move" | "wrap" | "type" | "table" | "cut" | "join"
  readonly at: number
  readonly to: number
  readonly shape: Shape
}

export const randomEdits: fc.Arbitrary<ReadonlyArray<Edit>> = fc.array(
  fc.record({
    kind: fc.constantFrom(
      "insert",
      "delete",
      "edit",
      "edit",
      "data",
      "move",
      "wrap",
      "type",
      "table",
      "table",
      "cut",
      "join"
    ),
    at: fc.nat({ max: 1000 }),
    to: fc.nat({ max: 1000 }),
    shape
  }),
  { maxLength: 6 }
)

/** The document after the edits of one side, whose new keys and words start with `name`. */
export const edited = (start: Document, edits: ReadonlyArray<Edit>, name: string): Document => {
  const maker = new Maker(name)
  return edits.reduce((current, edit) => apply(current, edit, maker), start)
}

const apply = (current: Document, { at, kind, shape, to }: Edit, maker: Maker): Document => {
  const all = entries(current)
  if (kind === "insert") return insertAt(current, at, to, maker.block(shape))
  if (all.length === 0) return current
  const target = all[at % all.length]!.block
  const replace = (change: (value: Block) => ReadonlyArray<Block> | Block) =>
    mapBlocks(current, (inner, original) => (original === target ? change(inner) : inner))
  switch (kind) {
    case "delete":
      return replace(() => [])
    case "data":
      return replace((value) => ({ ...value, data: { ...value.data, note: maker.next() } }))
    case "type":
      return replace((value) => (value.type === "paragraph" ? { ...value, type: "heading-2" } : value))
    case "wrap":
      return replace((value) => block("blockquote", maker.next(), [value]))
    case "table": {
      const tables = all.filter((entry) => entry.block.type === "table")
      const edited = tables[at % Math.max(tables.length, 1)]?.block
      return mapBlocks(current, (inner, original) => (original === edited ? editedTable(inner, to, at, maker) : inner))
    }
    case "move": {
      const without = replace(() => [])
      return insertAt(without, to, at, target)
    }
    case "cut":
      return replace((value) => {
        const old = value.type === "paragraph" ? words(value) : []
        const place = 1 + (to % Math.max(1, old.length - 1))
        if (old.length < 2) return value
        const second = paragraph(maker.next(), old.slice(place).join(" "))
        return [{ ...value, nodes: [text(old.slice(0, place).join(" "))] }, second]
      })
    case "join": {
      const next = current.nodes[current.nodes.indexOf(target) + 1]
      if (!current.nodes.includes(target) || next === undefined) return current
      const isText = ({ nodes = [], type }: Block) => type === "paragraph" && nodes.length > 0
      if (!isText(target) || !isText(next)) return current
      const joined = { ...target, nodes: [text([...words(target), ...words(next)].join(" "))] }
      return {
        ...current,
        nodes: current.nodes.flatMap((each) => (each === target ? joined : each === next ? [] : each))
      }
    }
    case "edit":
      return replace((value) => {
        const nodes = value.nodes ?? []
        if (nodes.length === 0 || nodes.some(isBlock)) return value
        const old = words(value)
        const place = to % (old.length + 1)
        const kept = to % 2 === 0 ? old.slice(place) : old.slice(place + 1)
        return { ...value, nodes: [text([...old.slice(0, place), maker.next(), ...kept].join(" "))] }
      })
  }
}

/** One edit of a table: of a row, a column, a header or a cell that is a value. */
const editedTable = (value: Block, at: number, to: number, maker: Maker): Block => {
  const data = value.data as {
    readonly view: { readonly columns: ReadonlyArray<string> }
    readonly definition: Data
    readonly records: { readonly [id: string]: { readonly orderIndex: string; readonly values: Data } }
  }
  const { columns } = data.view
  const column = columns[to % columns.length]
  const rows = Object.entries(data.records).toSorted(([, a], [, b]) => (a.orderIndex < b.orderIndex ? -1 : 1))
  const row = rows[to % Math.max(rows.length, 1)]
  const fragments = [...(value.fragments ?? [])]
  const cell = () => {
    const name = maker.next()
    fragments.push({ object: "fragment", fragment: name, nodes: [paragraph(maker.next(), maker.next())] })
    return name
  }
  const withData = (changes: Data): Block => ({ ...value, data: { ...value.data, ...changes }, fragments })
  switch (at % 7) {
    case 0: {
      const added = maker.next()
      const record = { orderIndex: `${row?.[1].orderIndex ?? "a"}V`, values: {} }
      const values = Object.fromEntries(columns.map((id) => [id, cell()]))
      return withData({ records: { ...data.records, [added]: { ...record, values } } })
    }
    case 1: {
      const added = maker.next()
      const place = to % (columns.length + 1)
      return withData({
        view: { ...data.view, columns: columns.toSpliced(place, 0, added) },
        definition: { ...data.definition, [added]: { id: added, type: "text", title: maker.next() } },
        records: Object.fromEntries(
          rows.map(([id, record]) => [id, { ...record, values: { ...record.values, [added]: cell() } }])
        )
      })
    }
    case 2:
      return row === undefined ? value : TableParts.without(value, { row: row[0] })
    case 3:
      return column === undefined || columns.length === 1 ? value : TableParts.without(value, { column })
    case 4: {
      if (column === undefined) return value
      const definition = { ...(data.definition[column] as Data), title: maker.next() }
      return withData({ definition: { ...data.definition, [column]: definition } })
    }
    case 5: {
      if (row === undefined) return value
      const moved = { ...row[1], orderIndex: at % 2 === 0 ? "a" : `b${to}` }
      return withData({ records: { ...data.records, [row[0]]: moved } })
    }
    default: {
      if (row === undefined || column === undefined) return value
      const values = { ...row[1].values, [column]: cell() }
      const old = row[1].values[column]
      const kept = fragments.filter((each) => each.fragment !== old)
      return { ...withData({ records: { ...data.records, [row[0]]: { ...row[1], values } } }), fragments: kept }
    }
  }
}

/** The blocks that hold any block. */
const holders = new Set(["blockquote", "hint", "list-item", "tabs-item", "column", "stepper-step"])

const insertAt = (current: Document, where: number, place: number, inserted: Block): Document => {
  const parents = entries(current).filter(({ block: { type } }) => holders.has(type))
  const parent = where % 3 === 0 ? parents[where % Math.max(parents.length, 1)]?.block : undefined
  const into = (blocks: ReadonlyArray<Block>) => blocks.toSpliced(place % (blocks.length + 1), 0, inserted)
  if (parent === undefined) return { ...current, nodes: into(current.nodes) }
  return mapBlocks(current, (inner, original) =>
    original === parent
      ? withBlocks(inner, (slot) => (slot === nodesSlot ? into((inner.nodes ?? []).filter(isBlock)) : []))
      : inner
  )
}
