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
import type { BlockAncestor } from "./BlockAncestor.ts"
import { entries, inlines, mapBlocks, slots, withBlocks } from "../BlockTree.ts"
import * as TableContent from "../table/TableContent.ts"
import * as TableParts from "../table/TableParts.ts"

export interface BlockConflict extends TableParts.Part {
  readonly block: string
  /** Ancestors of the block, outermost first. Absent at the top level. */
  readonly inside?: ReadonlyArray<BlockAncestor>
  readonly base: Block | undefined
  readonly main: Block | undefined
  readonly ours: Block | undefined
}

export type Resolution = "main" | "ours" | "both"

export interface ResolutionError {
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
export const resolveConflict = (
  document: Document,
  conflict: BlockConflict,
  resolution: Resolution,
  nextKey: () => string
): Result.Result<Document, ResolutionError> => {
  const all = entries(document)
  const current = all.find(({ block }) => block.key === conflict.block)?.block
  const { main, ours } = conflict
  if (current === undefined) {
    return Result.fail({ message: `Block ${conflict.block} is no longer in the document` })
  }
  if (conflict.row !== undefined || conflict.column !== undefined) return resolvePart(document, conflict, resolution)
  const replaceCurrent = (blocks: ReadonlyArray<Block>) =>
    Result.succeed(mapBlocks(document, (rebuilt, original) => (original === current ? blocks : rebuilt)))
  if (resolution === "ours") return ours === undefined ? replaceCurrent([]) : Result.succeed(document)
  if (resolution === "main") {
    if (main === undefined) return replaceCurrent([])
    return replaceCurrent([
      ours === undefined ? withoutBlocksElsewhere(main, document, current) : withChildrenOf(main, current)
    ])
  }
  if (main === undefined || ours === undefined) return Result.succeed(document)
  return replaceCurrent([withoutBlocksElsewhere(main, document, current), withNewKeys(current, nextKey)])
}

const resolvePart = (
  document: Document,
  conflict: BlockConflict,
  resolution: Resolution
): Result.Result<Document, ResolutionError> => {
  const { main, ours } = conflict
  const isDeletion = main === undefined || ours === undefined
  if (resolution === "both" && !isDeletion) {
    return Result.fail({ message: "A cell or a header can't keep both versions: choose main or ours" })
  }
  const changeTable = (mapTable: (table: Block) => Block) =>
    Result.succeed(
      mapBlocks(document, (rebuilt, original) => (original.key === conflict.block ? mapTable(rebuilt) : rebuilt))
    )
  if (resolution !== "both" && conflict[resolution] === undefined)
    return changeTable((table) => TableParts.withoutPart(table, conflict))
  if (resolution !== "main" || main === undefined || isDeletion) return Result.succeed(document)
  return changeTable((table) => TableParts.withPartFrom(table, conflict, main))
}

const documentOfBlock = (block: Block): Document => ({ object: "document", data: {}, nodes: [block] })

const withNewKeys = (block: Block, nextKey: () => string): Block =>
  mapBlocks(documentOfBlock(block), (inner) => ({ ...inner, key: nextKey() })).nodes[0]!

/** Returns the block without the descendants that the document contains outside of the replaced block. */
const withoutBlocksElsewhere = (block: Block, document: Document, replaced: Block): Block => {
  const replacedKeys = new Set(entries(documentOfBlock(replaced)).map((entry) => entry.block.key))
  const otherKeys = new Set(
    entries(document).flatMap((entry) => (replacedKeys.has(entry.block.key) ? [] : [entry.block.key]))
  )
  return mapBlocks(documentOfBlock(block), (inner, original) =>
    original !== block && otherKeys.has(inner.key) ? [] : inner
  ).nodes[0]!
}

/** Returns the block with its own data, and with the child blocks of `current`. */
const withChildrenOf = (block: Block, current: Block): Block => {
  if (block.type === "table" && current.type === "table") return withAppearanceOf(block, current)
  const blocksBySlot = new Map(slots(current).map(({ blocks, name }) => [name, blocks]))
  const { fragments, nodes, ...rest } = block
  const ownContent: Block = {
    ...rest,
    ...(nodes === undefined ? {} : { nodes: inlines(block) }),
    ...(fragments === undefined ? {} : { fragments })
  }
  return withBlocks({ ...ownContent, key: current.key }, (slot) => blocksBySlot.get(slot) ?? [])
}

/** Returns the current table with the appearance of `block`. Conflicts of parts decide about rows and columns. */
const withAppearanceOf = (block: Block, current: Block): Block => {
  const blockData = TableContent.objectOrEmpty(block.data)
  const currentData = TableContent.objectOrEmpty(current.data)
  const columns = TableContent.objectOrEmpty(currentData["view"])["columns"]
  const view =
    blockData["view"] === undefined
      ? {}
      : { view: { ...TableContent.objectOrEmpty(blockData["view"]), ...(columns === undefined ? {} : { columns }) } }
  const { definition, records } = currentData
  return { ...current, data: { ...blockData, ...view, definition, records } }
}
