/**
 * A conflict about one block that both sides changed, and its resolution by a person. The document contains our
 * version, or the other side's version if one side deleted the block. The conflict holds the version of each side,
 * undefined if the side lacks the block.
 *
 * A conflict about a part of a table names the row, the column, or both (a cell). Its versions are tables of only that
 * part. A column that both sides have stands for its header.
 */
import { Result } from "effect"
import type { Block, Document } from "../Document.ts"
import type { Around } from "./Around.ts"
import { entries, inlines, mapBlocks, slots, withBlocks } from "../BlockTree.ts"
import * as TableContent from "../table/TableContent.ts"
import * as TableParts from "../table/TableParts.ts"

export interface BlockConflict extends TableParts.Part {
  readonly block: string
  /** Ancestors of the block, outermost first. Absent at the top level. */
  readonly inside?: ReadonlyArray<Around>
  readonly base: Block | undefined
  readonly main: Block | undefined
  readonly ours: Block | undefined
}

export type Keep = "main" | "ours" | "both"

export interface ConflictRefused {
  readonly message: string
}

/**
 * Returns the document with the conflict resolved:
 *
 * - `ours` keeps the block in the document, including main's changes of other parts of it.
 * - `main` takes main's type, data and text, and keeps the current child blocks.
 * - `both` puts main's block first, followed by the current block with new keys from `nextKey`.
 *
 * A block that the chosen side deleted is removed. Fails if the block is no longer in the document.
 */
export const resolve = (
  document: Document,
  conflict: BlockConflict,
  keep: Keep,
  nextKey: () => string
): Result.Result<Document, ConflictRefused> => {
  const all = entries(document)
  const current = all.find(({ block }) => block.key === conflict.block)?.block
  const { main, ours } = conflict
  if (current === undefined) {
    return Result.fail({ message: `Block ${conflict.block} is no longer in the document` })
  }
  if (conflict.row !== undefined || conflict.column !== undefined) return resolvePart(document, conflict, keep)
  const replaceBy = (blocks: ReadonlyArray<Block>) =>
    Result.succeed(mapBlocks(document, (rebuilt, original) => (original === current ? blocks : rebuilt)))
  if (keep === "ours") return ours === undefined ? replaceBy([]) : Result.succeed(document)
  if (keep === "main") {
    if (main === undefined) return replaceBy([])
    return replaceBy([ours === undefined ? elsewhere(main, document, current) : withOwn(main, current)])
  }
  if (main === undefined || ours === undefined) return Result.succeed(document)
  return replaceBy([elsewhere(main, document, current), withNewKeys(current, nextKey)])
}

const resolvePart = (
  document: Document,
  conflict: BlockConflict,
  keep: Keep
): Result.Result<Document, ConflictRefused> => {
  const { main, ours } = conflict
  const isDeletion = main === undefined || ours === undefined
  if (keep === "both" && !isDeletion) {
    return Result.fail({ message: "A cell or a header can't keep both versions: choose main or ours" })
  }
  const change = (each: (table: Block) => Block) =>
    Result.succeed(
      mapBlocks(document, (rebuilt, original) => (original.key === conflict.block ? each(rebuilt) : rebuilt))
    )
  if (keep !== "both" && conflict[keep] === undefined) return change((table) => TableParts.without(table, conflict))
  if (keep !== "main" || main === undefined || isDeletion) return Result.succeed(document)
  return change((table) => TableParts.take(table, conflict, main))
}

const alone = (block: Block): Document => ({ object: "document", data: {}, nodes: [block] })

const withNewKeys = (block: Block, nextKey: () => string): Block =>
  mapBlocks(alone(block), (inner) => ({ ...inner, key: nextKey() })).nodes[0]!

/** Returns the block without the descendants that the document contains outside of the replaced block. */
const elsewhere = (block: Block, document: Document, replaced: Block): Block => {
  const here = new Set(entries(alone(replaced)).map((entry) => entry.block.key))
  const taken = new Set(entries(document).flatMap((entry) => (here.has(entry.block.key) ? [] : [entry.block.key])))
  return mapBlocks(alone(block), (inner, original) => (original !== block && taken.has(inner.key) ? [] : inner))
    .nodes[0]!
}

/** Returns the block with its own data, and with the child blocks of `current`. */
const withOwn = (block: Block, current: Block): Block => {
  if (block.type === "table" && current.type === "table") return withFrame(block, current)
  const inside = new Map(slots(current).map(({ blocks, name }) => [name, blocks]))
  const { fragments, nodes, ...rest } = block
  const own: Block = {
    ...rest,
    ...(nodes === undefined ? {} : { nodes: inlines(block) }),
    ...(fragments === undefined ? {} : { fragments })
  }
  return withBlocks({ ...own, key: current.key }, (slot) => inside.get(slot) ?? [])
}

/** Returns the current table with the appearance of `block`. Conflicts of parts decide about rows and columns. */
const withFrame = (block: Block, current: Block): Block => {
  const own = TableContent.properties(block.data)
  const data = TableContent.properties(current.data)
  const columns = TableContent.properties(data["view"])["columns"]
  const view =
    own["view"] === undefined
      ? {}
      : { view: { ...TableContent.properties(own["view"]), ...(columns === undefined ? {} : { columns }) } }
  const { definition, records } = data
  return { ...current, data: { ...own, ...view, definition, records } }
}
