/**
 * Ancestors of a block. They describe the position of the block to a person, such as "in this tab" or "in that cell".
 */
import type { Block } from "../Document.ts"
import type { BlockPosition } from "../alignment/DocumentIndex.ts"
import type { BlockAncestor } from "./BlockAncestor.ts"
import { readTable, stringValue } from "../table/TableContent.ts"

interface BlockLookup {
  readonly positionOf: (key: string) => BlockPosition | undefined
  readonly blockOf: (key: string) => Block | undefined
}

/** Returns a function that returns the ancestors of a block, outermost first. */
export const ancestorFinder = ({
  blockOf,
  positionOf
}: BlockLookup): ((key: string) => ReadonlyArray<BlockAncestor>) => {
  const cellsByTable = new Map<string, ReturnType<typeof cellsOf>>()
  const cellOf = (table: Block, slot: string) => {
    const tableCells = cellsByTable.get(table.key) ?? cellsOf(table)
    cellsByTable.set(table.key, tableCells)
    return tableCells.get(slot)
  }
  return (key) => {
    const ancestors: Array<BlockAncestor> = []
    for (let position = positionOf(key); position?.parent !== undefined; position = positionOf(position.parent)) {
      const ancestor = blockOf(position.parent)
      if (ancestor === undefined) break
      const title = ancestor.data?.["title"]
      ancestors.push({
        key: ancestor.key,
        type: ancestor.type,
        ...(typeof title === "string" && title !== "" && { title }),
        ...(ancestor.type === "table" && cellOf(ancestor, position.slot))
      })
    }
    return ancestors.reverse()
  }
}

/** Returns the ids of the row and the column of each cell of a table, by the slot of the cell's content. */
const cellsOf = (block: Block): ReadonlyMap<string, { readonly row: string; readonly column: string }> => {
  const table = readTable(block)
  return new Map(
    table?.rows.flatMap((row) =>
      Object.entries(row.values).map(
        ([column, name]) => [`fragment:${stringValue(name)}`, { row: row.id, column }] as const
      )
    )
  )
}
