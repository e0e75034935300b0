/**
 * Computes the differences between two documents, block by block: added, removed, moved and edited blocks. The text of
 * an edited block is compared word by word. Blocks are matched by key.
 *
 * A block that was added or removed together with its descendants is one change, of the outermost block. A block that
 * was moved among its siblings counts as moved only if the siblings did not move past it. Tables are compared by row
 * and column (see `TableDiff`).
 */
import type { Block, Document } from "../Document.ts"
import type { BlockAncestor } from "../merge/BlockAncestor.ts"
import { ancestorFinder } from "../merge/BlockAncestors.ts"
import { contentFingerprint } from "../merge/BlockMerge.ts"
import { inlines, withUniqueKeys } from "../BlockTree.ts"
import { type DocumentIndex, indexOf } from "../alignment/DocumentIndex.ts"
import { Fingerprints } from "../alignment/Fingerprints.ts"
import { longestIncreasingSubsequence } from "../alignment/SequenceMatch.ts"
import { diffTables, type PartChange } from "./TableDiff.ts"
import { readTable } from "../table/TableContent.ts"
import { tableAppearance } from "../merge/TableMerge.ts"
import * as TableParts from "../table/TableParts.ts"
import { textRuns } from "./TextDiff.ts"
import { tokenizeNodes } from "../alignment/TextTokens.ts"

/** A change of a block, or of a row, a column or a cell of a table. */
export type BlockChange = PartChange & {
  /** Ancestors of the block, outermost first. For a removed block, the ancestors in the document before. */
  readonly inside?: ReadonlyArray<BlockAncestor>
}

/** Returns the changes in the order of the document after. Removals come last. */
export const diff = (before: Document, after: Document): ReadonlyArray<BlockChange> => {
  const fingerprints = new Fingerprints()
  const [from, to] = [indexOf(withUniqueKeys(before)), indexOf(withUniqueKeys(after))]
  const movedKeys = movedBlocks(from, to)
  const tableBlocks = blocksInTables(from, to)
  const changes: Array<BlockChange> = []
  const [ancestorsBefore, ancestorsAfter] = [from, to].map((index) =>
    ancestorFinder({ positionOf: (key) => index.positions.get(key), blockOf: (key) => index.blocks.get(key) })
  )
  const location = (block: string, ancestorsOf = ancestorsAfter!) => {
    const ancestors = ancestorsOf(block)
    return { block, ...(ancestors.length === 0 ? {} : { inside: ancestors }) }
  }
  for (const [block, blockAfter] of to.blocks) {
    const blockBefore = from.blocks.get(block)
    if (tableBlocks.to.has(block)) continue
    if (blockBefore === undefined) {
      const parent = to.positions.get(block)!.parent
      if (parent === undefined || from.blocks.has(parent))
        changes.push({ kind: "added", ...location(block), after: blockAfter })
      continue
    }
    const isMoved = movedKeys.has(block)
    if (blockAfter === blockBefore && !isMoved) continue
    const parts = isTable(blockBefore, blockAfter) ? diffTables(blockBefore, blockAfter, fingerprints) : undefined
    if (
      parts === undefined
        ? contentFingerprint(blockBefore, fingerprints) !== contentFingerprint(blockAfter, fingerprints)
        : isEdited(blockBefore, blockAfter, parts, fingerprints)
    ) {
      const text = textRuns(
        tokenizeNodes(inlines(blockBefore), fingerprints),
        tokenizeNodes(inlines(blockAfter), fingerprints),
        fingerprints.budget
      )
      const [before, after] =
        parts === undefined ? [blockBefore, blockAfter] : [tableHeader(blockBefore), tableHeader(blockAfter)]
      changes.push({ kind: "edited", ...location(block), before, after, moved: isMoved, text })
    } else if (isMoved) {
      changes.push({ kind: "moved", ...location(block), before: blockBefore, after: blockAfter })
    }
    for (const part of parts ?? []) changes.push({ ...part, ...location(block) })
  }
  for (const [block, blockBefore] of from.blocks) {
    if (to.blocks.has(block) || tableBlocks.from.has(block)) continue
    const parent = from.positions.get(block)!.parent
    if (parent === undefined || to.blocks.has(parent)) {
      changes.push({ kind: "removed", ...location(block, ancestorsBefore), before: blockBefore })
    }
  }
  return changes
}

const isTable = (before: Block, after: Block) => before.type === "table" && after.type === "table"

/** Returns true if a table changed outside of its rows and columns, such as its appearance. */
const isEdited = (
  before: Block,
  after: Block,
  parts: ReadonlyArray<PartChange>,
  fingerprints: Fingerprints
): boolean => {
  if (fingerprints.of(tableAppearance(before)) !== fingerprints.of(tableAppearance(after))) return true
  // Changes that are not visible are reported too, so that no difference is empty.
  return parts.length === 0 && contentFingerprint(before, fingerprints) !== contentFingerprint(after, fingerprints)
}

const tableHeader = (table: Block): Block => TableParts.tablePartExtractor(table)?.extract({}) ?? table

/** Returns the blocks in cells of tables that both documents have. Their changes are reported as changes of rows. */
const blocksInTables = (from: DocumentIndex, to: DocumentIndex) => {
  const tables = new Set<string>()
  for (const [key, block] of from.blocks) {
    const otherBlock = to.blocks.get(key)
    // Each table is read once, since it may have very many cells.
    if (
      otherBlock !== undefined &&
      isTable(block, otherBlock) &&
      readTable(block) !== undefined &&
      readTable(otherBlock) !== undefined
    ) {
      tables.add(key)
    }
  }
  const blocksInside = ({ positions }: DocumentIndex): ReadonlySet<string> => {
    const result = new Set<string>()
    for (const [key, { parent }] of positions) {
      if (parent !== undefined && (result.has(parent) || tables.has(parent))) result.add(key)
    }
    return result
  }
  return { from: blocksInside(from), to: blocksInside(to) }
}

const movedBlocks = (from: DocumentIndex, to: DocumentIndex): ReadonlySet<string> => {
  const movedBlockKeys = new Set<string>()
  for (const [id, keys] of to.keysBySlot) {
    const positions = new Map((from.keysBySlot.get(id) ?? []).map((key, position) => [key, position]))
    const commonKeys = keys.filter((key) => positions.has(key))
    for (const key of keys) if (from.blocks.has(key)) movedBlockKeys.add(key)
    for (const k of longestIncreasingSubsequence(commonKeys.map((key) => positions.get(key)!)))
      movedBlockKeys.delete(commonKeys[k]!)
  }
  return movedBlockKeys
}
