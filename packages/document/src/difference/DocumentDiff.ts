/**
 * Computes the differences between two documents, block by block: added, removed, moved and edited blocks. The text of
 * an edited block is compared word by word. Blocks are matched by key.
 *
 * A block that was added or removed together with its descendants is one change, of the outermost block. A block that
 * was moved among its siblings counts as moved only if the siblings did not move past it. Tables are compared by row
 * and column (see `TableDiff`).
 */
import type { Block, Document } from "../Document.ts"
import { type Around, aroundIn } from "../merge/Around.ts"
import { ownPrint } from "../merge/BlockMerge.ts"
import { inlines, withUniqueKeys } from "../BlockTree.ts"
import { type DocumentIndex, indexOf } from "../alignment/DocumentIndex.ts"
import { Fingerprints } from "../alignment/Fingerprints.ts"
import { longestIncreasingSubsequence } from "../alignment/SequenceMatch.ts"
import { diffTables, type PartChange } from "./TableDiff.ts"
import { read } from "../table/TableContent.ts"
import { frame } from "../merge/TableMerge.ts"
import * as TableParts from "../table/TableParts.ts"
import { textRuns } from "./TextDiff.ts"
import { tokenizeNodes } from "../alignment/TextTokens.ts"

/** A change of a block, or of a row, a column or a cell of a table. */
export type BlockChange = PartChange & {
  /** Ancestors of the block, outermost first. For a removed block, the ancestors in the document before. */
  readonly inside?: ReadonlyArray<Around>
}

/** Returns the changes in the order of the document after. Removals come last. */
export const diff = (before: Document, after: Document): ReadonlyArray<BlockChange> => {
  const prints = new Fingerprints()
  const [from, to] = [indexOf(withUniqueKeys(before)), indexOf(withUniqueKeys(after))]
  const moved = movedBlocks(from, to)
  const inTables = blocksInTables(from, to)
  const changes: Array<BlockChange> = []
  const [aroundBefore, aroundAfter] = [from, to].map((index) =>
    aroundIn({ place: (key) => index.positions.get(key), block: (key) => index.blocks.get(key) })
  )
  const about = (block: string, around = aroundAfter!) => {
    const inside = around(block)
    return { block, ...(inside.length === 0 ? {} : { inside }) }
  }
  for (const [block, now] of to.blocks) {
    const then = from.blocks.get(block)
    if (inTables.to.has(block)) continue
    if (then === undefined) {
      const parent = to.positions.get(block)!.parent
      if (parent === undefined || from.blocks.has(parent)) changes.push({ kind: "added", ...about(block), after: now })
      continue
    }
    const isMoved = moved.has(block)
    if (now === then && !isMoved) continue
    const parts = isTable(then, now) ? diffTables(then, now, prints) : undefined
    if (parts === undefined ? ownPrint(then, prints) !== ownPrint(now, prints) : isEdited(then, now, parts, prints)) {
      const text = textRuns(tokenizeNodes(inlines(then), prints), tokenizeNodes(inlines(now), prints), prints.budget)
      const [before, after] = parts === undefined ? [then, now] : [header(then), header(now)]
      changes.push({ kind: "edited", ...about(block), before, after, moved: isMoved, text })
    } else if (isMoved) {
      changes.push({ kind: "moved", ...about(block), before: then, after: now })
    }
    for (const part of parts ?? []) changes.push({ ...part, ...about(block) })
  }
  for (const [block, then] of from.blocks) {
    if (to.blocks.has(block) || inTables.from.has(block)) continue
    const parent = from.positions.get(block)!.parent
    if (parent === undefined || to.blocks.has(parent)) {
      changes.push({ kind: "removed", ...about(block, aroundBefore), before: then })
    }
  }
  return changes
}

const isTable = (before: Block, after: Block) => before.type === "table" && after.type === "table"

/** Returns true if a table changed outside of its rows and columns, such as its appearance. */
const isEdited = (before: Block, after: Block, parts: ReadonlyArray<PartChange>, prints: Fingerprints): boolean => {
  if (prints.of(frame(before)) !== prints.of(frame(after))) return true
  // Changes that are not visible are reported too, so that no difference is empty.
  return parts.length === 0 && ownPrint(before, prints) !== ownPrint(after, prints)
}

const header = (table: Block): Block => TableParts.of(table)?.show({}) ?? table

/** Returns the blocks in cells of tables that both documents have. Their changes are reported as changes of rows. */
const blocksInTables = (from: DocumentIndex, to: DocumentIndex) => {
  const tables = new Set<string>()
  for (const [key, block] of from.blocks) {
    const other = to.blocks.get(key)
    // Each table is read once, since it may have very many cells.
    if (other !== undefined && isTable(block, other) && read(block) !== undefined && read(other) !== undefined) {
      tables.add(key)
    }
  }
  const inside = ({ positions: places }: DocumentIndex): ReadonlySet<string> => {
    const found = new Set<string>()
    for (const [key, { parent }] of places) {
      if (parent !== undefined && (found.has(parent) || tables.has(parent))) found.add(key)
    }
    return found
  }
  return { from: inside(from), to: inside(to) }
}

const movedBlocks = (from: DocumentIndex, to: DocumentIndex): ReadonlySet<string> => {
  const moved = new Set<string>()
  for (const [id, keys] of to.keysBySlot) {
    const places = new Map((from.keysBySlot.get(id) ?? []).map((key, place) => [key, place]))
    const stayed = keys.filter((key) => places.has(key))
    for (const key of keys) if (from.blocks.has(key)) moved.add(key)
    for (const k of longestIncreasingSubsequence(stayed.map((key) => places.get(key)!))) moved.delete(stayed[k]!)
  }
  return moved
}
