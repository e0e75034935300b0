/** Edits of a document as a tree of blocks, and of its Markdown, at any depth. */
import type { Block, Data, Document, Fragment, Node } from "@lectern/document/Document"
import * as fc from "fast-check"
import { type Rearrangement, rearranged, rearrangement } from "./Rearrangement.ts"
import type { Words } from "./Words.ts"

export interface DocumentEdit {
  /** Sequence to rearrange: the blocks of the document, or of one block. */
  readonly of: "blocks" | "children" | "rows" | "columns" | "words"
  readonly at: number
  readonly rearrangement: Rearrangement
}

export const documentEdit: fc.Arbitrary<DocumentEdit> = fc.record({
  of: fc.constantFrom("blocks", "blocks", "children", "rows", "columns", "words", "words"),
  at: fc.nat(200),
  rearrangement
})

type Json = { readonly [name: string]: unknown }

const text = (value: string): Node => ({ object: "text", leaves: [{ object: "leaf", text: value, marks: [] }] })

const freshBlock = (words: Words): Block =>
  ({ object: "block", type: "paragraph", nodes: [text(words.text(3))] }) as unknown as Block

/** Returns all blocks of the document, outer blocks first. */
const blocksIn = (nodes: ReadonlyArray<Node | Fragment>): ReadonlyArray<Block> =>
  nodes.flatMap((node) => {
    if (node.object === "text") return []
    const inner = [...(node.nodes ?? []), ...("fragments" in node ? (node.fragments ?? []) : [])]
    return node.object === "block" ? [node, ...blocksIn(inner)] : blocksIn(inner)
  })

/** Returns the document with one block replaced. */
const replaced = <A>(value: A, old: object, by: object): A => {
  if ((value as unknown) === old) return by as A
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map((each) => replaced(each, old, by)) as A
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, old, by)])) as A
}

const rewritten = <A>(value: A, words: Words): A => JSON.parse(words.rewrite(JSON.stringify(value)))

const sizeOf = (block: Block) => (block.fragments ?? block.nodes ?? []).length + textOf(block).length

const isText = ({ nodes = [] }: Block) => nodes.length > 0 && nodes.every(({ object }) => object === "text")

const holds = (of: DocumentEdit["of"], block: Block): boolean =>
  of === "children"
    ? (block.nodes ?? []).some(({ object }) => object === "block")
    : of === "words"
      ? isText(block)
      : block.type === "table"

export const edited = (document: Document, { at, of, rearrangement }: DocumentEdit, words: Words): Document => {
  const change = <A>(items: ReadonlyArray<A>, fresh: () => A) =>
    rearranged(items, rearrangement, fresh, (item) => rewritten(item, words))
  const candidates = blocksIn(document.nodes).filter((block) => holds(of, block))
  // Every second edit changes the largest sequence, where most can go wrong.
  const bySize = at % 2 === 0 ? candidates.toSorted((a, b) => sizeOf(b) - sizeOf(a)) : candidates
  const target = bySize[at % 2 === 0 ? 0 : at % Math.max(1, candidates.length)]
  if (of === "blocks" || target === undefined) {
    return { ...document, nodes: change(document.nodes, () => freshBlock(words)) }
  }
  if (of === "children") {
    const nodes = target.nodes as ReadonlyArray<Block>
    return replaced(document, target, { ...target, nodes: change(nodes, () => likeFirst(nodes, words)) })
  }
  if (of === "words") {
    const changed = change(textOf(target).split(/\s+/u), words.next)
    return replaced(document, target, { ...target, nodes: [text(changed.join(" "))] })
  }
  return replaced(document, target, of === "rows" ? withRows(target, change) : withColumns(target, change))
}

const textOf = ({ nodes = [] }: Block) =>
  nodes.map((node) => (node.object === "text" ? node.leaves.map((leaf) => leaf.text).join("") : "")).join("")

/** Returns a block with the type of `first`, if its parent allows no other type. */
const likeFirst = ([first]: ReadonlyArray<Block>, words: Words): Block => {
  const { key: _, ...rest } = rewritten(first ?? freshBlock(words), words)
  return rest as Block
}

type Change = <A>(items: ReadonlyArray<A>, fresh: () => A) => ReadonlyArray<A>

/** Rows are ordered by an index; repeated and new rows get new names. */
const withRows = (table: Block, change: Change): Block => {
  const { records = {} } = (table.data ?? {}) as { readonly records?: { readonly [id: string]: Json } }
  const rows = Object.entries(records).toSorted(([, a], [, b]) =>
    String(a.orderIndex) < String(b.orderIndex) ? -1 : 1
  )
  const changed = change(rows, () => ["fresh", { values: {} }] as [string, Json])
  const next = Object.fromEntries(
    changed.map(([id, row], n) => {
      const name = changed.findIndex(([other]) => other === id) === n ? id : `${id}-${n}`
      return [name, { ...row, orderIndex: String(n).padStart(6, "0") }]
    })
  )
  return { ...table, data: { ...(table.data as Data), records: next } }
}

const withColumns = (table: Block, change: Change): Block => {
  const data = (table.data ?? {}) as { readonly view?: { readonly columns?: ReadonlyArray<string> } }
  const columns = data.view?.columns ?? []
  // A new column has no definition.
  const next = [...new Set(change(columns, () => "fresh"))]
  return { ...table, data: { ...data, view: { ...data.view, columns: next } } }
}

/** Returns the Markdown with its paragraphs, lines or words rearranged. */
export const editedMarkdown = (markdown: string, { of, rearrangement }: DocumentEdit, words: Words): string => {
  const between = of === "blocks" || of === "children" ? "\n\n" : of === "words" ? " " : "\n"
  const items = rearranged(markdown.split(between), rearrangement, () => words.text(2), words.rewrite)
  return items.join(between)
}
