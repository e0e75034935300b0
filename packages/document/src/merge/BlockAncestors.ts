/** Ancestor of a block, for a description of the block's position such as "in this tab" or "in that cell". */
import { Schema } from "effect"
import type { Block } from "../Document.ts"
import type { BlockPosition } from "../alignment/DocumentIndex.ts"
import { readTable, stringValue } from "../table/TableContent.ts"

export const BlockAncestor = Schema.Struct({
  key: Schema.String,
  type: Schema.String,
  /** Title of a tab or of code, for example. */
  title: Schema.optionalKey(Schema.String),
  /** Row and column of the cell, if the ancestor is a table. */
  row: Schema.optionalKey(Schema.String),
  column: Schema.optionalKey(Schema.String)
})
export type BlockAncestor = typeof BlockAncestor.Type

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

/** Returns the row and the column of a table's cells, by slot. */
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
