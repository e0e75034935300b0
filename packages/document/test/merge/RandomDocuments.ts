/** Random documents with blocks of all types, and random edits, for the laws of merging. */
import * as fc from "fast-check"
import type { Block, Data, Document, Node } from "@lectern/document/Document"
import { entries, type Entry, isBlock, mapBlocks, nodesSlot, slots, withBlocks } from "@lectern/document/BlockTree"
import * as TableParts from "@lectern/document/table/TableParts"
import { type BlockType, blockSpec, blockTypes, isBlockType } from "@lectern/document/vocabulary/BlockTypes"
import { document, text } from "./Documents.ts"
import { Maker, type Shape, shape } from "./RandomBlocks.ts"

export const randomDocument: fc.Arbitrary<Document> = fc.array(shape, { maxLength: 8 }).map((shapes) => {
  const maker = new Maker("b")
  return document(...shapes.map((each) => maker.block(each)))
})

export interface Edit {
  readonly kind: "insert" | "delete" | "edit" | "data" | "move" | "wrap" | "type" | "table" | "cut" | "join" | "keep"
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
      "join",
      "keep",
      "keep"
    ),
    at: fc.nat({ max: 1000 }),
    to: fc.nat({ max: 1000 }),
    shape
  }),
  { maxLength: 6 }
)

/** Returns the document after the edits of one side. New keys and words start with `name`. */
export const edited = (start: Document, edits: ReadonlyArray<Edit>, name: string): Document => {
  const maker = new Maker(name)
  return edits.reduce((current, edit) => apply(current, edit, maker), start)
}

/** Returns the block types that a block may contain. Empty if the block contains no blocks. */
const contentsOf = ({ type }: Block): "flow" | ReadonlyArray<string> => blockSpec(type).content?.blocks ?? []

/** Types of blocks that can wrap any block. */
const wrappers = (Object.keys(blockTypes) as ReadonlyArray<BlockType>).filter((type) => {
  const { content, tag } = blockTypes[type]
  return content?.blocks === "flow" && tag?.name !== "tab" && tag?.name !== "step"
})

/** Returns the types to which a block can change without becoming another block. */
const relatives = (type: string): ReadonlyArray<BlockType> => {
  const family = blockSpec(type).family
  return (Object.keys(blockTypes) as ReadonlyArray<BlockType>).filter((other) => blockTypes[other].family === family)
}

const plainWords = (nodes: ReadonlyArray<Node>): ReadonlyArray<string> | undefined => {
  const [only, ...rest] = nodes
  const isPlain = only?.object === "text" && only.leaves.length === 1 && only.leaves[0]!.marks.length === 0
  return isPlain && rest.length === 0 ? only.leaves[0]!.text.split(" ") : undefined
}

const apply = (current: Document, edit: Edit, maker: Maker): Document => {
  const { at, kind, shape, to } = edit
  const all = entries(current)
  if (kind === "insert") return insertAt(current, at, to, maker.block(shape), "flow")
  if (all.length === 0) return current
  const target = all[at % all.length]!
  const replace = (change: (value: Block) => ReadonlyArray<Block> | Block) =>
    mapBlocks(current, (inner, original) => (original === target.block ? change(inner) : inner))
  switch (kind) {
    case "delete":
      return isNeeded(target) ? current : replace(() => [])
    case "data":
      return replace((value) => withField(value, to, shape.has, maker))
    case "type": {
      const types = blockSpec(target.block.type).family === undefined ? [] : relatives(target.block.type)
      return replace((value) => (types.length === 0 ? value : { ...value, type: types[to % types.length]! }))
    }
    case "wrap": {
      const type = wrappers[to % wrappers.length]!
      if (!isFlow(target)) return current
      return replace((value) => ({ ...maker.block({ ...shape, type, inner: [] }), nodes: [value] }))
    }
    case "table": {
      const tables = all.filter((entry) => entry.block.type === "table")
      const edited = tables[at % Math.max(tables.length, 1)]?.block
      return mapBlocks(current, (inner, original) => (original === edited ? editedTable(inner, to, at, maker) : inner))
    }
    case "move": {
      if (isNeeded(target) || (target.slot !== nodesSlot && !isFlow(target))) return current
      return insertAt(
        replace(() => []),
        to,
        at,
        target.block,
        isFlow(target) ? "flow" : target.parent!.type
      )
    }
    case "keep": {
      // Keeps one of several child blocks. If the other side keeps another one, none remains after the merge.
      const holders = all.filter(({ block }) => (block.nodes ?? []).filter(isBlock).length > 1)
      const holder = holders[at % Math.max(holders.length, 1)]?.block
      const kept = holder?.nodes?.[to % holder.nodes.length]
      if (holder === undefined || kept === undefined) return current
      return mapBlocks(current, (inner, original) => (original === holder ? { ...inner, nodes: [kept] } : inner))
    }
    case "cut":
      return replace((value) => {
        const old = value.type === "paragraph" ? (plainWords(value.nodes ?? []) ?? []) : []
        const place = 1 + (to % Math.max(1, old.length - 1))
        if (old.length < 2 || !isFlow(target)) return value
        const second = { ...maker.paragraph(), nodes: [text(old.slice(place).join(" "))] }
        return [{ ...value, nodes: [text(old.slice(0, place).join(" "))] }, second]
      })
    case "join": {
      const next = current.nodes[current.nodes.indexOf(target.block) + 1]
      if (!current.nodes.includes(target.block) || next === undefined) return current
      const [first, second] = [target.block, next].map(({ nodes = [], type }) =>
        type === "paragraph" ? plainWords(nodes) : undefined
      )
      if (first === undefined || second === undefined) return current
      const joined = { ...target.block, nodes: [text([...first, ...second].join(" "))] }
      return {
        ...current,
        nodes: current.nodes.flatMap((each) => (each === target.block ? joined : each === next ? [] : each))
      }
    }
    case "edit":
      return replace((value) => editedText(value, edit, maker))
  }
}

/** Returns true if the parent requires the block, such as the title of an expandable. */
const isNeeded = ({ parent, slot }: Entry): boolean => {
  const described = parent === undefined ? undefined : blockSpec(parent.type)
  if (described === undefined || slot === nodesSlot) return false
  return described.fragments?.[slot.slice("fragment:".length)]?.minBlocks === 1
}

/** Returns true if blocks of any type are allowed at the position of a block. */
const isFlow = ({ parent, slot }: Entry): boolean => {
  if (parent === undefined) return true
  if (slot === nodesSlot) return contentsOf(parent) === "flow"
  return blockSpec(parent.type).fragments?.[slot.slice("fragment:".length)]?.blocks === "flow"
}

/** Sets a field to a new value, or removes it. */
const withField = (value: Block, at: number, has: number, maker: Maker): Block => {
  if (!isBlockType(value.type) || value.type === "table") return value
  const fields = Object.entries(blockTypes[value.type].fields)
  const chosen = fields[at % Math.max(fields.length, 1)]
  if (chosen === undefined) return value
  const [name, field] = chosen
  if (has % 4 !== 0 || field.isRequired === true) {
    return { ...value, data: { ...value.data, [name]: maker.value(field, has) } }
  }
  const { [name]: _, ...data } = value.data ?? {}
  return value.data === undefined ? value : { ...value, data }
}

/** Inserts or replaces a word. In a text with inlines, inserts text or replaces a node. */
const editedText = (value: Block, { to, shape }: Edit, maker: Maker): Block => {
  const nodes = value.nodes ?? []
  if (nodes.length === 0 || nodes.some(isBlock)) return value
  const old = plainWords(nodes)
  if (old === undefined) {
    const place = to % nodes.length
    const inlines =
      blockSpec(value.type).contentKind === "verbatim" ? [maker.text(1)] : maker.inlines(shape.size, shape.has)
    const added = [text(" "), ...inlines, text(" ")]
    return { ...value, nodes: [...nodes.slice(0, place), ...added, ...nodes.slice(to % 2 === 0 ? place : place + 1)] }
  }
  const place = to % (old.length + 1)
  const kept = to % 2 === 0 ? old.slice(place) : old.slice(place + 1)
  return { ...value, nodes: [text([...old.slice(0, place), maker.word(), ...kept].join(" "))] }
}

/** Makes one edit of a table: of a row, a column, a header or a cell. */
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
    const name = maker.key()
    fragments.push({ object: "fragment", fragment: name, nodes: [maker.paragraph()] })
    return name
  }
  const withData = (changes: Data): Block => ({ ...value, data: { ...value.data, ...changes }, fragments })
  switch (at % 7) {
    case 0: {
      const added = maker.key()
      const record = { orderIndex: `${row?.[1].orderIndex ?? "a"}V`, values: {} }
      const values = Object.fromEntries(columns.map((id) => [id, cell()]))
      return withData({ records: { ...data.records, [added]: { ...record, values } } })
    }
    case 1: {
      const added = maker.key()
      const place = to % (columns.length + 1)
      return withData({
        view: { ...data.view, columns: columns.toSpliced(place, 0, added) },
        definition: { ...data.definition, [added]: { id: added, type: "text", title: maker.word() } },
        records: Object.fromEntries(
          rows.map(([id, record]) => [id, { ...record, values: { ...record.values, [added]: cell() } }])
        )
      })
    }
    case 2:
      return row === undefined ? value : TableParts.withoutPart(value, { row: row[0] })
    case 3:
      return column === undefined || columns.length === 1 ? value : TableParts.withoutPart(value, { column })
    case 4: {
      if (column === undefined) return value
      const definition = { ...(data.definition[column] as Data), title: maker.word() }
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

/**
 * Inserts a block at an allowed position. `among`: `flow` for positions that allow any type, otherwise the type of the
 * parent.
 */
const insertAt = (current: Document, where: number, place: number, inserted: Block, among: string): Document => {
  const isPlace = (block: Block) => (among === "flow" ? contentsOf(block) === "flow" : block.type === among)
  const parents = entries(current).filter(({ block }) => isPlace(block))
  const parent = among !== "flow" || where % 3 === 0 ? parents[where % Math.max(parents.length, 1)]?.block : undefined
  const into = (blocks: ReadonlyArray<Block>) => blocks.toSpliced(place % (blocks.length + 1), 0, inserted)
  if (parent === undefined) return among === "flow" ? { ...current, nodes: into(current.nodes) } : current
  return mapBlocks(current, (inner, original) =>
    original === parent
      ? withBlocks(inner, (slot) =>
          slot === nodesSlot ? into((inner.nodes ?? []).filter(isBlock)) : slotBlocks(inner, slot)
        )
      : inner
  )
}

const slotBlocks = (block: Block, name: string): ReadonlyArray<Block> =>
  slots(block).find((slot) => slot.name === name)?.blocks ?? []
