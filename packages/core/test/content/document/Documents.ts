/** Documents to test with: short builders, and random documents with random edits. */
import * as fc from "fast-check"
import type { Block, Data, Document, Fragment, Inline, Mark, Node, Text } from "@lectern/core/content/Document"
import { entries, isBlock, mapBlocks, nodesSlot, withBlocks } from "@lectern/core/content/document/BlockTree"

export const text = (value: string, ...marks: ReadonlyArray<string>): Text => ({
  object: "text",
  leaves: [{ object: "leaf", text: value, marks: marks.map((type): Mark => ({ object: "mark", type })) }]
})

export const link = (value: string, url: string): Inline => ({
  object: "inline",
  type: "link",
  data: { ref: { kind: "url", url } },
  nodes: [text(value)]
})

export const block = (type: string, key: string, nodes: ReadonlyArray<Node>, data?: Data): Block => ({
  object: "block",
  type,
  key,
  ...(data === undefined ? {} : { data }),
  nodes
})

export const paragraph = (key: string, ...content: ReadonlyArray<string | Inline | Text>): Block =>
  block(
    "paragraph",
    key,
    content.map((part) => (typeof part === "string" ? text(part) : part))
  )

export const heading = (key: string, value: string, level = 1): Block => block(`heading-${level}`, key, [text(value)])

export const divider = (key: string): Block => ({ object: "block", type: "divider", key, isVoid: true })

/** A list of one paragraph per item; the keys are `<key>.<n>` and `<key>.<n>.p`. */
export const list = (key: string, ...items: ReadonlyArray<string>): Block =>
  block(
    "list-unordered",
    key,
    items.map((item, n) => block("list-item", `${key}.${n}`, [paragraph(`${key}.${n}.p`, item)]))
  )

export const code = (key: string, ...lines: ReadonlyArray<string>): Block =>
  block(
    "code",
    key,
    lines.map((line, n) => block("code-line", `${key}.${n}`, [text(line)])),
    { syntax: "ts" }
  )

export const fragment = (name: string, ...nodes: ReadonlyArray<Block>): Fragment => ({
  object: "fragment",
  fragment: name,
  type: name,
  nodes
})

/** A table of text columns; `ids` starts the ids of its records, columns and cells. */
export const table = (
  key: string,
  titles: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  ids = key
): Block => {
  const column = (c: number) => `${ids}-c${c}`
  const cell = (r: number, c: number) => `${ids}-f${r}-${c}`
  return {
    object: "block",
    type: "table",
    key,
    isVoid: true,
    data: {
      view: { type: "grid", columns: titles.map((_, c) => column(c)), hideHeader: false },
      definition: Object.fromEntries(
        titles.map((title, c) => [column(c), { id: column(c), type: "text", title, textAlignment: "left" }])
      ),
      records: Object.fromEntries(
        rows.map((cells, r) => [
          `${ids}-r${r}`,
          { orderIndex: `a${r}`, values: Object.fromEntries(cells.map((_, c) => [column(c), cell(r, c)])) }
        ])
      )
    },
    fragments: rows.flatMap((cells, r) =>
      cells.map((value, c): Fragment => ({
        object: "fragment",
        fragment: cell(r, c),
        nodes: [paragraph(`${ids}-p${r}-${c}`, value)]
      }))
    )
  }
}

export const document = (...nodes: ReadonlyArray<Block>): Document => ({
  object: "document",
  data: { schemaVersion: 1 },
  nodes
})

/** The same content with new keys, as reading it from Markdown gives it. */
export const rekeyed = (value: Document, start = "new"): Document => {
  let count = 0
  return mapBlocks(value, (inner) => ({ ...inner, key: `${start}${count++}` }))
}

export const keys = (value: Document): ReadonlyArray<string> => entries(value).map((entry) => entry.block.key)

export const find = (value: Document, key: string): Block | undefined =>
  entries(value).find((entry) => entry.block.key === key)?.block

/** The text of all leaves below a value. */
export const words = (value: unknown): ReadonlyArray<string> => {
  const found: Array<string> = []
  JSON.stringify(value, (name, inner: unknown) => {
    if (name === "text" && typeof inner === "string") found.push(...inner.split(/\s+/u).filter((word) => word !== ""))
    return inner
  })
  return found
}

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
      type: fc.constantFrom("blockquote", "list-unordered", "expandable", "tabs", "hint"),
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
    if (type === "list-unordered" || type === "tabs") {
      const item = type === "tabs" ? "tabs-item" : "list-item"
      return block(
        type,
        key,
        inner.map((each) => block(item, this.next(), [this.block(each)], item === "tabs-item" ? { title: "T" } : {}))
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
  readonly kind: "insert" | "delete" | "edit" | "data" | "move" | "wrap" | "type"
  readonly at: number
  readonly to: number
  readonly shape: Shape
}

export const randomEdits: fc.Arbitrary<ReadonlyArray<Edit>> = fc.array(
  fc.record({
    kind: fc.constantFrom("insert", "delete", "edit", "edit", "data", "move", "wrap", "type"),
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
    case "move": {
      const without = replace(() => [])
      return insertAt(without, to, at, target)
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

const insertAt = (current: Document, where: number, place: number, inserted: Block): Document => {
  const parents = entries(current).filter(({ block: { type } }) => type === "blockquote" || type === "hint")
  const parent = where % 3 === 0 ? parents[where % Math.max(parents.length, 1)]?.block : undefined
  const into = (blocks: ReadonlyArray<Block>) => blocks.toSpliced(place % (blocks.length + 1), 0, inserted)
  if (parent === undefined) return { ...current, nodes: into(current.nodes) }
  return mapBlocks(current, (inner, original) =>
    original === parent
      ? withBlocks(inner, (slot) => (slot === nodesSlot ? into((inner.nodes ?? []).filter(isBlock)) : []))
      : inner
  )
}
